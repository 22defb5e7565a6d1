// Existing allocations that can take more values: results, and parameters that the caller donates (assignment.md 3).
#pragma once

#include <hlolint/analysis/assignment/bit_row.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

namespace hlolint::detail {

/// The times at which values lie in one allocation. No two share more than a position.
class taken_times {
 public:
  struct taken {
    time_span range;
    std::uint32_t value = 0;
    friend bool operator<(const taken& a, const taken& b) {
      return in_order(a.range.start, b.range.start, a.range.end, b.range.end, a.value, b.value);
    }
  };

  void add(time_span range, std::uint32_t value) {
    taken_.insert({range, value});
    end_ = std::max(end_, range.end);
    mark(range);
    if (range.end < last_begin_) return;
    if (range.start > last_end_) last_begin_ = range.start;
    last_end_ = std::max(last_end_, range.end);
    if (range.start > last_begin_) return;
    last_begin_ = range.start;
    for (auto at = taken_.lower_bound({{last_begin_, -1}, 0});
         at != taken_.begin() && std::prev(at)->range.end >= last_begin_; --at)
      last_begin_ = std::prev(at)->range.start;
  }

  /// The last stretch without a gap. @{
  std::int64_t last_begin() const { return last_begin_; }
  std::int64_t last_end() const { return last_end_; }
  /// @}
  /// Whether `f(value, its range)` is true for all values that share a position with the range. Precondition: it is
  /// false for values that share more than the position at which one begins and the other ends.
  bool all_that_meet(time_span range, auto&& f) const {
    if (has_bits_) {
      const auto start = static_cast<std::size_t>(range.start), end = static_cast<std::size_t>(range.end);
      if (inside_.test(start) || inside_.test(end)) return false;
      if (end - start < few && !within_.any(start, end)) return true;
    }
    for (auto at = taken_.upper_bound({{range.end, std::numeric_limits<std::int64_t>::max()}, none});
         at != taken_.begin() && std::prev(at)->range.end >= range.start; --at)
      if (!f(std::prev(at)->value, std::prev(at)->range)) return false;
    return true;
  }

 private:
  // Bits, one for each position, answer most questions; they are kept while they take less room than the values.
  void mark(time_span range) {
    const auto length = static_cast<std::size_t>(end_);
    if (has_bits_ && length <= 4 * positions_of_a_value * taken_.size()) return mark_bits(range);
    inside_ = {}, within_ = {};
    has_bits_ = length <= positions_of_a_value * taken_.size() && taken_.size() > 4;
    if (!has_bits_) return;
    for (const taken& t : taken_) mark_bits(t.range);
  }
  void mark_bits(time_span range) {
    const auto start = static_cast<std::size_t>(range.start), end = static_cast<std::size_t>(range.end);
    within_.set(start, end);
    if (end - start > 1) inside_.set(start + 1, end - 1);
  }

  static constexpr std::size_t few = 256, positions_of_a_value = 256;
  std::multiset<taken> taken_;
  std::int64_t end_ = 0;  // of the last one
  std::int64_t last_begin_ = 0, last_end_ = -1;
  bool has_bits_ = false;
  bit_row inside_, within_;  // by position, without and with those at which a value begins or ends
};

/// The places in the order in which they were made. The last ones, which are the smallest, are tried first. Places
/// surely taken are skipped: most results stay until the end.
class existing_places {
 public:
  /// `length`: of the schedule.
  explicit existing_places(std::int64_t length) : block_(length / 64 + 1) {}

  /// Returns the position of the new place.
  std::size_t add(std::uint32_t allocation) {
    places_.push_back({allocation, {}, 0});
    if (places_.size() > leaves_) {
      leaves_ *= 2;
      begin_.assign(2 * leaves_, std::numeric_limits<std::int64_t>::min());
      end_.assign(2 * leaves_, std::numeric_limits<std::int64_t>::max());
      blocks_.assign(2 * leaves_, ~std::uint64_t{0});
      for (std::size_t p = 0; p < places_.size(); ++p) update(p);
    }
    return places_.size() - 1;
  }
  std::uint32_t allocation(std::size_t place) const { return places_[place].allocation; }
  const taken_times& times(std::size_t place) const { return places_[place].times; }
  void take(std::size_t place, time_span range, std::uint32_t value) {
    places_[place].times.add(range, value);
    // The blocks strictly between both ends.
    const std::int64_t first = range.start / block_ + 1, end = range.end / block_;
    if (first < end) places_[place].blocks |= ones(first, end - 1);
    update(place);
  }

  /// The last place for which `f(place)` is true, without places surely in use during a range longer than a position.
  std::size_t last_free(time_span range, auto&& f) const {
    const std::uint64_t blocks = ones(range.start / block_, range.end / block_);
    return places_.empty() ? nothing : visit(1, leaves_, 0, range, blocks, f);
  }
  static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

 private:
  struct entry {
    std::uint32_t allocation = 0;
    taken_times times;
    std::uint64_t blocks = 0;
  };

  // Bits of the blocks from `first` to `last`, which may be one too many.
  static std::uint64_t ones(std::int64_t first, std::int64_t last) {
    const std::int64_t most = 63;
    return ~std::uint64_t{0} << std::min(first, most) & ~std::uint64_t{0} >> (most - std::min(last, most));
  }

  void update(std::size_t place) {
    std::size_t n = leaves_ + place;
    begin_[n] = places_[place].times.last_begin(), end_[n] = places_[place].times.last_end();
    blocks_[n] = places_[place].blocks;
    while (n /= 2) {
      begin_[n] = std::max(begin_[2 * n], begin_[2 * n + 1]);
      end_[n] = std::min(end_[2 * n], end_[2 * n + 1]);
      blocks_[n] = blocks_[2 * n] & blocks_[2 * n + 1];
    }
  }
  std::size_t visit(std::size_t n, std::size_t width, std::size_t first, time_span range, std::uint64_t blocks,
                    auto& f) const {
    if (first >= places_.size() || (blocks_[n] & blocks) != 0) return nothing;
    if (range.start < range.end && range.end > begin_[n] && range.start < end_[n]) return nothing;
    if (width == 1) return f(first) ? first : nothing;
    const std::size_t right = visit(2 * n + 1, width / 2, first + width / 2, range, blocks, f);
    return right != nothing ? right : visit(2 * n, width / 2, first, range, blocks, f);
  }

  std::vector<entry> places_;
  std::size_t leaves_ = 1;
  // By node of a tree over the places: the latest begin and the earliest end of their last stretches.
  std::vector<std::int64_t> begin_ = std::vector<std::int64_t>(2, std::numeric_limits<std::int64_t>::min()),
                            end_ = std::vector<std::int64_t>(2, std::numeric_limits<std::int64_t>::max());
  // By node: those of the 64 blocks of time in which all of the places are taken throughout.
  std::vector<std::uint64_t> blocks_ = std::vector<std::uint64_t>(2, ~std::uint64_t{0});
  std::int64_t block_;  // positions
};

}  // namespace hlolint::detail
