// Sets of values, each known by one number: nearly all sets hold one value or none.
#pragma once

#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace hlolint::detail {

/// A set of one value has that value's number. Equal sets have equal numbers. Sets of several are those of parameters
/// of computations that several instructions call, which no program has by the time XLA assigns buffers; of more than
/// `most` values the lowest are kept.
class value_sets {
 public:
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;
  static constexpr std::size_t most = 32;

  /// The set of these values, in any order.
  std::uint32_t make(record_list<std::uint32_t>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() > most) values.resize(most);
    if (values.size() < 2) return values.empty() ? empty : values.front();
    const auto [known, is_new] = known_.try_emplace(values, several | static_cast<std::uint32_t>(several_.size()));
    if (is_new) several_.push_back(values);
    return known->second;
  }

  /// Calls `f(value)` for the values in ascending order.
  template <class F>
  void for_each(std::uint32_t set, F&& f) const {
    if (set == empty) return;
    if (!(set & several)) return f(set);
    for (const std::uint32_t v : several_[set & ~several]) f(v);
  }
  void append(std::uint32_t set, record_list<std::uint32_t>& to) const {
    for_each(set, [&](std::uint32_t v) { to.push_back(v); });
  }
  /// The lowest value, or `empty`.
  std::uint32_t first(std::uint32_t set) const {
    return set != empty && (set & several) ? several_[set & ~several].front() : set;
  }

  /// The set of f(value) for all values of a set, without those for which that is `empty`.
  template <class F>
  std::uint32_t map(std::uint32_t set, F&& f) {
    if (set == empty) return empty;
    if (!(set & several)) return f(set);
    record_list<std::uint32_t> mapped;
    for_each(set, [&](std::uint32_t v) {
      if (const std::uint32_t to = f(v); to != empty) mapped.push_back(to);
    });
    return make(mapped);
  }

 private:
  static constexpr std::uint32_t several = 0x80000000u;  // the number is a position in several_

  record_list<record_list<std::uint32_t>> several_;
  std::map<record_list<std::uint32_t>, std::uint32_t> known_;
};

}  // namespace hlolint::detail
