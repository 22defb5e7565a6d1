// Ranges of a schedule as values have them, and which of them may lie in the same bytes.
#pragma once

#include <hlolint/analysis/schedule/live_ranges.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace hlolint::testing {

/// As values are let in: apart, or one ends where the other begins.
inline bool may_follow(time_span a, time_span b) {
  return a.start > b.end || b.start > a.end || a.end == b.start || b.end == a.start;
}
inline bool all_may_follow(const std::vector<time_span>& taken, time_span range) {
  for (const time_span& t : taken)
    if (!may_follow(range, t)) return false;
  return true;
}

class random_ranges {
 public:
  explicit random_ranges(std::uint64_t seed) : random_(seed) {}
  time_span next(std::int64_t length) {
    const std::int64_t start = below(length + 1);
    const std::int64_t most = below(8) == 0 ? length - start : 12;
    return {start, std::min(length, start + below(most + 1))};
  }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }

 private:
  std::mt19937_64 random_;
};

}  // namespace hlolint::testing
