// When the bytes of one allocation are in use, while values are put into it.
#pragma once

#include <hlolint/analysis/schedule/live_ranges.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace hlolint::detail {

/// Ranges of positions, both ends inclusive. Values that only touch, one ending where the other begins, do not overlap
/// here. Every question takes logarithmic time.
class occupied_times {
 public:
  void add(time_span range, std::uint32_t value) {
    starts_.emplace(range.start, value), ends_.emplace(range.end, value);
    auto at = merged_.upper_bound(range.start);
    if (at != merged_.begin() && std::prev(at)->second >= range.start) --at;
    while (at != merged_.end() && at->first <= range.end) {
      range.start = std::min(range.start, at->first), range.end = std::max(range.end, at->second);
      at = merged_.erase(at);
    }
    merged_.emplace(range.start, range.end);
  }

  /// Whether a range has more in common with those that were added than an end.
  bool overlaps(time_span range) const {
    const auto at = merged_.lower_bound(range.end);
    return at != merged_.begin() && std::prev(at)->second > range.start;
  }

  /// Whether `f(value)` is true for all values that end, or begin, at a position.
  template <class F>
  bool all_that_end(std::int64_t position, F&& f) const {
    return all(ends_, position, f);
  }
  template <class F>
  bool all_that_begin(std::int64_t position, F&& f) const {
    return all(starts_, position, f);
  }

 private:
  using by_position = std::multimap<std::int64_t, std::uint32_t>;
  template <class F>
  static bool all(const by_position& values, std::int64_t position, F&& f) {
    const auto [first, last] = values.equal_range(position);
    return std::all_of(first, last, [&](const auto& entry) { return f(entry.second); });
  }

  std::map<std::int64_t, std::int64_t> merged_;  // start to end; apart from each other
  by_position starts_, ends_;
};

}  // namespace hlolint::detail
