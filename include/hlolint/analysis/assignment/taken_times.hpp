// When the values of one allocation lie in it.
#pragma once

#include <hlolint/analysis/assignment/bit_row.hpp>
#include <hlolint/analysis/assignment/sorted_rows.hpp>
#include <hlolint/analysis/assignment/value_handover.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

namespace hlolint::detail {

/// The times at which values lie in one allocation. They were let in one after the other, so they are apart or touch.
class taken_times {
 public:
  struct taken {
    time_span range;
    std::uint32_t value = 0;
    friend bool operator<(const taken& a, const taken& b) {
      return std::tie(a.range.start, a.range.end, a.value) < std::tie(b.range.start, b.range.end, b.value);
    }
  };

  void add(time_span range, std::uint32_t value) {
    const taken now{range, value};
    taken_.insert(taken_.after(now), now);
    ++count_;
    end_ = std::max(end_, range.end);
    mark(range);
    if (range.end < last_begin_) return;
    if (range.start > last_end_) last_begin_ = range.start;
    last_end_ = std::max(last_end_, range.end);
    if (range.start > last_begin_) return;
    last_begin_ = range.start;
    auto at = taken_.after({{last_begin_, -1}, 0});
    for (const taken* t = taken_.step_back(at); t && t->range.end >= last_begin_; t = taken_.step_back(at))
      last_begin_ = t->range.start;
  }

  /// The last stretch without a gap. @{
  std::int64_t last_begin() const { return last_begin_; }
  std::int64_t last_end() const { return last_end_; }
  /// @}
  /// Whether `f(value, its range)` is true for all that share a position with the range. It is false for those that
  /// share more than a position at which one of them begins and the other ends.
  template <class F>
  bool all_that_meet(time_span range, F&& f) const {
    if (has_bits_) {
      const auto start = static_cast<std::size_t>(range.start), end = static_cast<std::size_t>(range.end);
      if (inside_.test(start) || inside_.test(end)) return false;
      if (end - start < few && !within_.any(start, end)) return true;
    }
    auto at = taken_.after({{range.end, std::numeric_limits<std::int64_t>::max()}, none});
    for (const taken* t = taken_.step_back(at); t && t->range.end >= range.start; t = taken_.step_back(at))
      if (!f(t->value, t->range)) return false;
    return true;
  }

 private:
  // Bits answer most questions, and are there as soon as they take less room than the values: one for each position.
  void mark(time_span range) {
    const auto length = static_cast<std::size_t>(end_);
    if (has_bits_ && length <= 4 * positions_of_a_value * count_) return mark_bits(range);
    inside_ = {}, within_ = {};
    has_bits_ = length <= positions_of_a_value * count_ && count_ > 4;
    if (!has_bits_) return;
    for (const auto& row : taken_.rows())
      for (const taken& t : row) mark_bits(t.range);
  }
  void mark_bits(time_span range) {
    const auto start = static_cast<std::size_t>(range.start), end = static_cast<std::size_t>(range.end);
    within_.set(start, end);
    if (end - start > 1) inside_.set(start + 1, end - 1);
  }

  static constexpr std::size_t few = 256, positions_of_a_value = 256;
  sorted_rows<taken> taken_;
  std::size_t count_ = 0;
  std::int64_t end_ = 0;  // of the last one
  std::int64_t last_begin_ = 0, last_end_ = -1;
  bool has_bits_ = false;
  bit_row inside_, within_;  // by position: without those at which a value begins or ends, and with them
};

}  // namespace hlolint::detail
