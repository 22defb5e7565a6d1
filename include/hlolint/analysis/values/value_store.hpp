// The values at each part of each result during propagation, with phi values and sets of values.
#pragma once

#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// Sets of values, numbered. A set of one value has the value's number, and equal sets have equal numbers. Sets of
/// several values occur only at parameters of computations with several callers, which no program has when XLA assigns
/// buffers; of more than `most` values the lowest are kept.
class value_sets {
 public:
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;
  static constexpr std::size_t most = 32;

  /// The set of these values, in any order.
  std::uint32_t make(std::vector<std::uint32_t>& values) {
    sort_unique(values);
    if (values.size() > most) values.resize(most);
    if (values.size() < 2) return values.empty() ? empty : values.front();
    const auto [known, is_new] = known_.try_emplace(values, several | static_cast<std::uint32_t>(several_.size()));
    if (is_new) several_.push_back(values);
    return known->second;
  }

  /// Calls `f(value)` for the values in ascending order.
  void for_each(std::uint32_t set, auto&& f) const {
    if (set == empty) return;
    if (!(set & several)) return f(set);
    for (const std::uint32_t v : several_[set & ~several]) f(v);
  }
  void append(std::uint32_t set, std::vector<std::uint32_t>& to) const {
    for_each(set, [&](std::uint32_t v) { to.push_back(v); });
  }
  /// The lowest value, or `empty`.
  std::uint32_t first(std::uint32_t set) const {
    return set != empty && (set & several) ? several_[set & ~several].front() : set;
  }

  /// The set of f(value) for all values of a set, without `empty`.
  std::uint32_t map(std::uint32_t set, auto&& f) {
    if (set == empty) return empty;
    if (!(set & several)) return f(set);
    std::vector<std::uint32_t> mapped;
    for_each(set, [&](std::uint32_t v) {
      if (const std::uint32_t to = f(v); to != empty) mapped.push_back(to);
    });
    return make(mapped);
  }

 private:
  static constexpr std::uint32_t several = 0x80000000u;  // flag: the number is a position in several_

  std::vector<std::vector<std::uint32_t>> several_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known_;
};

/// Phi values, which merge values where control flow meets, and the values that arrive at them (buffer_dumps.md 5.2,
/// "Phi values").
class phi_values {
 public:
  static constexpr std::uint32_t no_node = 0xFFFFFFFFu;

  /// Sets the values that arrive at `phi`, replacing former ones.
  void arrive(std::uint32_t phi, const std::vector<std::uint32_t>& inputs) {
    const std::uint32_t own = node_of(phi);
    for (const std::uint32_t input : inputs) node_of(input);
    nodes_[own].inputs = inputs;
    nodes_[own].is_phi = true;
  }
  const std::vector<std::uint32_t>& inputs(std::uint32_t phi) const { return nodes_[node_[phi]].inputs; }

  /// Finds the phis that stand for one other value: those at which, except themselves, one value arrives, and groups of
  /// phis that one other value enters. False if this takes too many steps, and some are left.
  bool simplify() {
    std::size_t affordable = 20'000'000 + 16 * nodes_.size();
    const auto spend = [&](std::size_t steps) { affordable -= std::min(affordable, steps); };
    for (node& n : nodes_)
      for (std::uint32_t& input : n.inputs) input = node_[input];
    for (bool changed = true; changed;) {
      if (affordable == 0) return false;
      spend(nodes_.size());
      changed = false;
      for (node& n : nodes_) n.checked = false;
      for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        node& n = nodes_[i];
        if (!n.is_phi || find(i) != i) continue;
        for (std::uint32_t& input : n.inputs) input = find(input);
        n.inputs.erase(std::remove(n.inputs.begin(), n.inputs.end(), i), n.inputs.end());
        if (n.inputs.empty()) continue;
        if (std::ranges::all_of(n.inputs, [&](std::uint32_t k) { return k == n.inputs[0]; })) {
          n.stands_for = n.inputs[0];
          changed = true;
        } else if (!n.checked && affordable > 0) {
          changed = simplify_group(i) || changed;
          spend(group_.size());
        }
      }
    }
    return true;
  }

  /// The value that `value` stands for; itself for most.
  std::uint32_t resolve(std::uint32_t value) {
    return value < node_.size() && node_[value] != no_node ? nodes_[find(node_[value])].value : value;
  }

 private:
  struct node {
    std::uint32_t value = 0;
    std::uint32_t stands_for = 0;       // a node
    std::vector<std::uint32_t> inputs;  // values; nodes once simplified
    bool is_phi = false;
    bool checked = false;
    std::uint32_t seen_by = 0;  // a visit
  };

  std::uint32_t node_of(std::uint32_t value) {
    if (value >= node_.size()) node_.resize(value + 1, no_node);
    if (node_[value] == no_node) {
      node_[value] = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({value, node_[value], {}, false, false, 0});
    }
    return node_[value];
  }

  std::uint32_t find(std::uint32_t i) {
    while (nodes_[i].stands_for != i) i = nodes_[i].stands_for = nodes_[nodes_[i].stands_for].stands_for;
    return i;
  }

  // Lets all phis of a group stand for a value if it is the only one reached that is not a phi.
  bool simplify_group(std::uint32_t from) {
    group_.assign(1, from);
    nodes_[from].seen_by = ++visits_;
    std::uint32_t only = no_node;
    for (std::size_t at = 0; at < group_.size(); ++at) {
      const std::uint32_t i = group_[at];
      nodes_[i].checked = true;
      if (!nodes_[i].is_phi) {
        if (only != no_node) return false;
        only = i;
        continue;
      }
      for (const std::uint32_t input : nodes_[i].inputs) {
        const std::uint32_t next = find(input);
        if (nodes_[next].seen_by == visits_) continue;
        nodes_[next].seen_by = visits_;
        group_.push_back(next);
      }
    }
    if (only == no_node) return false;
    for (const std::uint32_t i : group_)
      if (i != only) nodes_[i].stands_for = only;
    return true;
  }

  std::vector<node> nodes_;          // in the order in which they were first mentioned
  std::vector<std::uint32_t> node_;  // by value
  std::vector<std::uint32_t> group_;
  std::uint32_t visits_ = 0;
};

/// A value as XLA creates it, numbered by order of creation.
struct created_value {
  id instruction = none;
  std::uint32_t part = 0;
  bool phi = false;
  bool dropped = false;
};

/// The values created so far and their places. Functions that change places return whether anything changed.
class value_store {
 public:
  explicit value_store(const shape_places& places) : places_(places), at_(places.size(), value_sets::empty) {}

  std::vector<created_value>& values() { return values_; }
  /// By place: a set of `sets()`.
  std::vector<std::uint32_t>& at() { return at_; }
  value_sets& sets() { return sets_; }

  /// Creates a value at part n.
  void define(id i, std::uint32_t n) { at_[places_.first(i) + n] = create(i, n, false); }
  std::uint32_t set_at(hlo_instruction i, std::uint32_t n) const { return at_[places_.first(i.id()) + n]; }

  /// Puts a set at a part; does nothing if there is no such part.
  bool assign(hlo_instruction i, std::uint32_t n, std::uint32_t set) {
    if (n == none) return false;
    return std::exchange(at_[places_.first(i.id()) + n], set) != set;
  }
  /// Copies the sets at parts of (from, n) to the same parts of (to, m) where `which(part of from, part of to)` is
  /// true.
  bool forward(hlo_instruction from, std::uint32_t n, hlo_instruction to, std::uint32_t m, auto&& which) {
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
  /// Puts all values that arrive at a part there.
  bool unite(hlo_instruction i, const std::vector<hlo_instruction>& from) {
    if (from.size() == 1) return forward(from[0], 0, i, 0);
    bool changed = false;
    for_each_arrival(i, from, [&](std::uint32_t n) { changed = assign(i, n, sets_.make(arriving_)) || changed; });
    return changed;
  }

  /// Creates a phi at a part where two values arrive.
  bool merge(hlo_instruction i, const std::vector<hlo_instruction>& from) {
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

  /// Replaces phis that merge nothing by the values that they stand for. False if too entangled to find all.
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
  /// Calls `f(n)` for the parts of i; `arriving_` then holds the values at the same index of `from`.
  void for_each_arrival(hlo_instruction i, const std::vector<hlo_instruction>& from, auto&& f) {
    std::vector<std::vector<std::uint32_t>> parts;  // by `from`, then by part of i
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
  static bool same_values(std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
    sort_unique(a);
    sort_unique(b);
    return a == b;
  }

  const shape_places& places_;
  std::vector<created_value> values_;
  std::vector<std::uint32_t> at_;
  value_sets sets_;
  phi_values phis_;
  std::vector<std::uint32_t> arriving_;
};

}  // namespace detail

}  // namespace hlolint
