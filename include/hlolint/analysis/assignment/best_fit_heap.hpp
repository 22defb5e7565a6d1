// Bytes given out for times that are known beforehand, each into the smallest gap that fits: XLA's heap
// (assignment.md 4.3).
#pragma once

#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hlolint {

/// The slots [begin, end) of time.
struct slot_range {
  /// The first slot, and the one after the last. @{
  std::size_t begin = 0, end = 0;
  /// @}
};

/// Time is a row of slots. A segment tree over them knows which bytes are taken: every node those taken somewhere below
/// it, and those taken during all of it. What lies side by side is one range, so that a node has few of them: a place
/// is found and taken in O(log n) nodes.
class best_fit_heap {
 public:
  /// No place where none fits into 63 bits.
  using place_found = std::optional<byte_count>;

  /// `alignment`: of all offsets, a power of two.
  best_fit_heap(std::size_t slots, byte_count alignment) : alignment_(std::max<byte_count>(alignment, 1)) {
    while (leaves_ < slots) leaves_ *= 2;
    somewhere_.resize(2 * leaves_);
    throughout_.resize(2 * leaves_);
  }

  /// An offset at which `size` bytes are free at all these times, and takes them. Of the gaps the smallest, measured
  /// from its aligned start; of equal ones the lowest.
  place_found place(std::span<const slot_range> times, byte_count size) {
    taken_.clear();
    for (const slot_range& t : times)
      if (t.begin < t.end) collect(t.begin, t.end - 1);
    const place_found at = gap_for(size);
    if (!at) return at;
    // A gap begins where the alignment lets it, so the bytes up to there are as good as taken.
    const byte_count end = rounded_up(*at + size);
    for (const slot_range& t : times)
      if (t.begin < t.end && size > 0) take(t.begin, t.end - 1, {*at, end});
    highest_ = std::max(highest_, *at + size);
    return at;
  }
  /// One more than the last byte that was given out; not rounded.
  byte_count size() const { return highest_; }
  /// Ranges of bytes looked at so far: what the search costs.
  std::size_t steps() const { return steps_; }

 private:
  struct bytes {
    byte_count begin = 0, end = 0;
  };
  using byte_list = std::vector<bytes>;  // ascending, apart from each other

  byte_count rounded_up(byte_count n) const {
    const auto raised = checked_add(n, alignment_ - 1);
    return raised ? *raised & -alignment_ : std::numeric_limits<byte_count>::max();
  }

  void append(const byte_list& list) { taken_.insert(taken_.end(), list.begin(), list.end()); }
  void collect(std::size_t first, std::size_t last) {
    std::size_t l = first + leaves_, r = last + leaves_ + 1;
    for (; l < r; l /= 2, r /= 2) {
      if (l & 1) append(somewhere_[l++]);
      if (r & 1) append(somewhere_[--r]);
    }
    for (std::size_t n = (first + leaves_) / 2; n > 0; n /= 2) append(throughout_[n]);
    for (std::size_t n = (last + leaves_) / 2, m = (first + leaves_) / 2; n != m; n /= 2, m /= 2)
      append(throughout_[n]);
  }

  place_found gap_for(byte_count size) {
    steps_ += taken_.size() + 1;
    const auto by_begin = [](const bytes& a, const bytes& b) { return a.begin < b.begin; };
    if (!std::is_sorted(taken_.begin(), taken_.end(), by_begin)) std::sort(taken_.begin(), taken_.end(), by_begin);
    byte_count top = 0;
    place_found best;
    byte_count least = std::numeric_limits<byte_count>::max();
    for (const bytes& t : taken_) {
      const byte_count gap = t.begin - top;
      if (gap >= size && gap > 0 && gap < least) {
        best = top, least = gap;
        if (gap - size < alignment_) break;  // none is smaller
      }
      top = std::max(top, t.end);
    }
    if (best) return best;
    return checked_add(top, size) ? place_found(top) : std::nullopt;
  }

  void take(std::size_t first, std::size_t last, bytes range) {
    std::size_t l = first + leaves_, r = last + leaves_ + 1;
    for (; l < r; l /= 2, r /= 2) {
      if (l & 1) take_throughout(l++, range);
      if (r & 1) take_throughout(--r, range);
    }
    // Upwards from both ends; what is inside has it already, and so have all nodes above one that had it before.
    for (std::size_t n = (first + leaves_) / 2, width = 2; n > 0; n /= 2, width *= 2)
      if (!is_inside(n, width, first, last) && !add(somewhere_[n], range)) break;
    for (std::size_t n = (last + leaves_) / 2, m = (first + leaves_) / 2, width = 2; n != m;
         n /= 2, m /= 2, width *= 2)
      if (!is_inside(n, width, first, last) && !add(somewhere_[n], range)) break;
  }
  void take_throughout(std::size_t n, bytes range) { add(throughout_[n], range), add(somewhere_[n], range); }
  bool is_inside(std::size_t n, std::size_t width, std::size_t first, std::size_t last) const {
    const std::size_t begin = n * width - leaves_;
    return begin >= first && begin + width - 1 <= last;
  }
  /// Whether the list did not have all of the range before.
  bool add(byte_list& list, bytes range) {
    const auto from = std::lower_bound(list.begin(), list.end(), range.begin,
                                       [](const bytes& b, byte_count begin) { return b.end < begin; });
    if (from == list.end() || from->begin > range.end) {
      list.insert(from, range);
      return true;
    }
    if (from->begin <= range.begin && range.end <= from->end) return false;
    auto to = from;
    for (; to != list.end() && to->begin <= range.end; ++to)
      range.begin = std::min(range.begin, to->begin), range.end = std::max(range.end, to->end);
    *from = range;
    list.erase(from + 1, to);
    return true;
  }

  byte_count alignment_ = 1;
  byte_count highest_ = 0;
  std::size_t steps_ = 0;
  std::size_t leaves_ = 1;
  std::vector<byte_list> somewhere_, throughout_;  // by node
  byte_list taken_;                                // while a place is sought
};

}  // namespace hlolint
