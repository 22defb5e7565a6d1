// Allocations that values may still be put into: results, and parameters that the caller gives away (assignment.md 3).
#pragma once

#include <hlolint/analysis/assignment/taken_times.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace hlolint::detail {

/// The places in the order in which they were made. The last ones, the smallest, are tried first; those that are taken
/// for certain, because most results stay until the end, are stepped over.
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
    // The blocks that lie between both ends.
    const std::int64_t first = range.start / block_ + 1, end = range.end / block_;
    if (first < end) places_[place].blocks |= ones(first, end - 1);
    update(place);
  }

  /// The last place for which `f(place)` is true; none of those in use for sure during a range longer than a position.
  template <class F>
  std::size_t last_free(time_span range, F&& f) const {
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

  // Bits of the blocks from `first` to `last`, of which the last may be one too many.
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
  template <class F>
  std::size_t visit(std::size_t n, std::size_t width, std::size_t first, time_span range, std::uint64_t blocks,
                    F& f) const {
    if (first >= places_.size() || (blocks_[n] & blocks) != 0) return nothing;
    if (range.start < range.end && range.end > begin_[n] && range.start < end_[n]) return nothing;
    if (width == 1) return f(first) ? first : nothing;
    const std::size_t right = visit(2 * n + 1, width / 2, first + width / 2, range, blocks, f);
    return right != nothing ? right : visit(2 * n, width / 2, first, range, blocks, f);
  }

  record_list<entry> places_;
  std::size_t leaves_ = 1;
  // By node of a tree over the places: where the latest of their last stretches begins, and the earliest ends.
  record_list<std::int64_t> begin_ = record_list<std::int64_t>(2, std::numeric_limits<std::int64_t>::min()),
                            end_ = record_list<std::int64_t>(2, std::numeric_limits<std::int64_t>::max());
  // Likewise: of the 64 blocks of time those during which a value is in each of the places.
  record_list<std::uint64_t> blocks_ = record_list<std::uint64_t>(2, ~std::uint64_t{0});
  std::int64_t block_;  // positions
};

}  // namespace hlolint::detail
