// Which values are at which part of which result, while that is found out.
#pragma once

#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/values/phi_values.hpp>
#include <hlolint/analysis/values/value_sets.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hlolint::detail {

/// A value as XLA creates it; its number is its position among all that were ever created.
struct created_value {
  id instruction = none;
  std::uint32_t part = 0;
  bool phi = false;
  bool dropped = false;
};

/// The values created so far and where they are. Functions that change places return whether anything differs now.
class value_store {
 public:
  explicit value_store(const shape_places& places) : places_(places), at_(places.size(), value_sets::empty) {}

  record_list<created_value>& values() { return values_; }
  /// By place: a set of `sets()`.
  record_list<std::uint32_t>& at() { return at_; }
  value_sets& sets() { return sets_; }

  /// A value that begins at part n.
  void define(id i, std::uint32_t n) { at_[places_.first(i) + n] = create(i, n, false); }
  std::uint32_t set_at(hlo_instruction i, std::uint32_t n) const { return at_[places_.first(i.id()) + n]; }

  /// Nothing happens for a part that is not there.
  bool assign(hlo_instruction i, std::uint32_t n, std::uint32_t set) {
    if (n == none) return false;
    return std::exchange(at_[places_.first(i.id()) + n], set) != set;
  }
  /// The parts of (to, m) get what is at the same parts of (from, n), where `which(part of from, part of to)` is true.
  template <class Which>
  bool forward(hlo_instruction from, std::uint32_t n, hlo_instruction to, std::uint32_t m, Which&& which) {
    if (!from || n == none || m == none) return false;
    bool changed = false;
    places_.for_each_common(from.id(), n, to.id(), m, [&](std::uint32_t a, std::uint32_t b) {
      if (which(a, b)) changed = assign(to, b, set_at(from, a)) || changed;
    });
    return changed;
  }
  bool forward(hlo_instruction from, std::uint32_t n, hlo_instruction to, std::uint32_t m) {
    return forward(from, n, to, m, [](std::uint32_t, std::uint32_t) { return true; });
  }
  /// All values that arrive at a part are there.
  bool unite(hlo_instruction i, const record_list<hlo_instruction>& from) {
    if (from.size() == 1) return forward(from[0], 0, i, 0);
    bool changed = false;
    for_each_arrival(i, from, [&](std::uint32_t n) { changed = assign(i, n, sets_.make(arriving_)) || changed; });
    return changed;
  }

  /// Where two values arrive at a part, a phi begins.
  bool merge(hlo_instruction i, const record_list<hlo_instruction>& from) {
    bool changed = false;
    for_each_arrival(i, from, [&](std::uint32_t n) {
      if (arriving_.empty()) return;
      const std::uint32_t known = sets_.first(set_at(i, n));
      const bool own = known != value_sets::empty && values_[known].instruction == i.id() && values_[known].part == n;
      if (arriving_.size() == 1) {
        if (known == arriving_[0]) return;
        if (own) values_[known].dropped = true;
        assign(i, n, arriving_[0]);
        changed = true;
      } else if (!own || !values_[known].phi) {
        const std::uint32_t phi = create(i.id(), n, true);
        assign(i, n, phi);
        phis_.arrive(phi, arriving_);
        changed = true;
      } else if (!same_values(phis_.inputs(known), arriving_)) {
        phis_.arrive(known, arriving_);
        changed = true;
      }
    });
    return changed;
  }

  /// Replaces phis that merge nothing by the values they stand for. False if they are too entangled to find all.
  bool simplify() {
    const bool complete = phis_.simplify();
    for (std::uint32_t& set : at_) set = sets_.map(set, [&](std::uint32_t v) { return phis_.resolve(v); });
    for (std::uint32_t v = 0; v < values_.size(); ++v)
      if (phis_.resolve(v) != v) values_[v].dropped = true;
    return complete;
  }

 private:
  std::uint32_t create(id i, std::uint32_t part, bool phi) {
    values_.push_back({i, part, phi, false});
    return static_cast<std::uint32_t>(values_.size()) - 1;
  }
  /// Calls `f(n)` for the parts of i, with the values found at the same index of `from` in `arriving_`.
  template <class F>
  void for_each_arrival(hlo_instruction i, const record_list<hlo_instruction>& from, F&& f) {
    record_list<record_list<std::uint32_t>> parts;  // by `from`, then by part of i
    for (const hlo_instruction one : from) {
      parts.emplace_back(places_.count(i.id()), none);
      if (one)
        places_.for_each_common(i.id(), 0, one.id(), 0, [&](std::uint32_t n, std::uint32_t m) { parts.back()[n] = m; });
    }
    for (std::uint32_t n = 0; n < places_.count(i.id()); ++n) {
      arriving_.clear();
      for (std::size_t k = 0; k < from.size(); ++k)
        if (parts[k][n] != none) sets_.append(set_at(from[k], parts[k][n]), arriving_);
      f(n);
    }
  }
  static bool same_values(record_list<std::uint32_t> a, record_list<std::uint32_t> b) {
    for (auto* const list : {&a, &b}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return a == b;
  }

  const shape_places& places_;
  record_list<created_value> values_;
  record_list<std::uint32_t> at_;
  value_sets sets_;
  phi_values phis_;
  record_list<std::uint32_t> arriving_;
};

}  // namespace hlolint::detail
