// Allocations that values may still be put into: results, and parameters that the caller gives away (assignment.md 3).
#pragma once

#include <hlolint/analysis/assignment/sorted_rows.hpp>
#include <hlolint/analysis/assignment/value_handover.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

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
  /// Whether `f(value, its range)` is true for all that share a position with the range.
  template <class F>
  bool all_that_meet(time_span range, F&& f) const {
    auto at = taken_.after({{range.end, std::numeric_limits<std::int64_t>::max()}, none});
    for (const taken* t = taken_.step_back(at); t && t->range.end >= range.start; t = taken_.step_back(at))
      if (!f(t->value, t->range)) return false;
    return true;
  }

 private:
  sorted_rows<taken> taken_;
  std::int64_t last_begin_ = 0, last_end_ = -1;
};

/// The places in the order in which they were made. The last ones, the smallest, are tried first; those that are taken
/// for certain, because most results stay until the end, are stepped over.
class existing_places {
 public:
  /// Returns the position of the new place.
  std::size_t add(std::uint32_t allocation) {
    places_.push_back({allocation, {}});
    if (places_.size() > leaves_) {
      leaves_ *= 2;
      begin_.assign(2 * leaves_, std::numeric_limits<std::int64_t>::min());
      end_.assign(2 * leaves_, std::numeric_limits<std::int64_t>::max());
      for (std::size_t p = 0; p < places_.size(); ++p) update(p);
    }
    return places_.size() - 1;
  }
  std::uint32_t allocation(std::size_t place) const { return places_[place].allocation; }
  const taken_times& times(std::size_t place) const { return places_[place].times; }
  void take(std::size_t place, time_span range, std::uint32_t value) {
    places_[place].times.add(range, value);
    update(place);
  }

  /// The last place for which `f(place)` is true; none of those in use for sure during a range longer than a position.
  template <class F>
  std::size_t last_free(time_span range, F&& f) const {
    return places_.empty() ? nothing : visit(1, leaves_, 0, range, f);
  }
  static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

 private:
  struct entry {
    std::uint32_t allocation = 0;
    taken_times times;
  };

  void update(std::size_t place) {
    std::size_t n = leaves_ + place;
    begin_[n] = places_[place].times.last_begin(), end_[n] = places_[place].times.last_end();
    while (n /= 2) {
      begin_[n] = std::max(begin_[2 * n], begin_[2 * n + 1]);
      end_[n] = std::min(end_[2 * n], end_[2 * n + 1]);
    }
  }
  template <class F>
  std::size_t visit(std::size_t n, std::size_t width, std::size_t first, time_span range, F& f) const {
    if (first >= places_.size()) return nothing;
    if (range.start < range.end && range.end > begin_[n] && range.start < end_[n]) return nothing;
    if (width == 1) return f(first) ? first : nothing;
    const std::size_t right = visit(2 * n + 1, width / 2, first + width / 2, range, f);
    return right != nothing ? right : visit(2 * n, width / 2, first, range, f);
  }

  std::vector<entry> places_;
  std::size_t leaves_ = 1;
  // By node of a tree over the places: where the latest of their last stretches begins, and the earliest ends.
  std::vector<std::int64_t> begin_ = std::vector<std::int64_t>(2, std::numeric_limits<std::int64_t>::min()),
                            end_ = std::vector<std::int64_t>(2, std::numeric_limits<std::int64_t>::max());
};

}  // namespace hlolint::detail
