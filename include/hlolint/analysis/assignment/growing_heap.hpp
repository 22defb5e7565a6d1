// A heap that pieces enter and leave in the order of time, and that grows when they do not fit (assignment.md 11).
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/checked.hpp>

#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace hlolint {

/// The bytes of a piece, and what alignment leaves unused before it, which belongs to it as long as it is there.
struct heap_piece {
  byte_count begin = 0;   ///< of the unused bytes
  byte_count offset = 0;  ///< of the piece, aligned
  byte_count end = 0;     ///< one past the last byte of the piece
  friend bool operator==(const heap_piece&, const heap_piece&) = default;
};

/// Takes the smallest gap that fits, of equal ones the lowest, else bytes behind the last piece. Free bytes that touch
/// are one gap. Each change is O(log n) in the number of gaps.
class growing_heap {
 public:
  /// `alignment`: of every offset; a power of two.
  explicit growing_heap(byte_count alignment) : alignment_(alignment) {}

  /// Takes bytes for a piece. Nothing if it ends beyond an int64.
  std::optional<heap_piece> take(byte_count size) {
    const auto fitting = by_size_.lower_bound({size, 0});
    const auto gap = fitting == by_size_.end() ? gaps_.end() : gaps_.find(fitting->second);
    const byte_count begin = gap == gaps_.end() ? end_ : gap->first;
    const auto offset = aligned(begin);
    const auto end = offset ? checked_add(*offset, size) : std::nullopt;
    if (!end) return std::nullopt;
    if (gap == gaps_.end()) {
      end_ = *end;
    } else {
      const byte_count gap_end = gap->second;
      remove(gap);
      if (*end < gap_end) add(*end, gap_end);
    }
    return heap_piece{begin, *offset, *end};
  }

  /// Gives back the bytes of a piece that was taken.
  void give(const heap_piece& piece) {
    byte_count begin = piece.begin, end = piece.end;
    auto next = gaps_.lower_bound(begin);
    if (next != gaps_.end() && next->first == end) {
      end = next->second;
      next = remove(next);
    }
    if (next != gaps_.begin())
      if (const auto before = std::prev(next); before->second == begin) {
        begin = before->first;
        remove(before);
      }
    if (end == end_)
      end_ = begin;
    else
      add(begin, end);
  }

 private:
  using gap_map = std::map<byte_count, byte_count>;  // begin and end

  std::optional<byte_count> aligned(byte_count n) const {
    const auto raised = checked_add(n, alignment_ - 1);
    return raised ? std::optional(*raised & -alignment_) : std::nullopt;
  }
  // The bytes behind the first aligned one; less than 0 if there is none.
  byte_count usable(byte_count begin, byte_count end) const { return end - aligned(begin).value_or(end); }
  void add(byte_count begin, byte_count end) {
    gaps_.emplace(begin, end);
    by_size_.emplace(usable(begin, end), begin);
  }
  gap_map::iterator remove(gap_map::iterator gap) {
    by_size_.erase({usable(gap->first, gap->second), gap->first});
    return gaps_.erase(gap);
  }

  byte_count alignment_;
  byte_count end_ = 0;  // of the last piece
  gap_map gaps_;
  std::set<std::pair<byte_count, byte_count>> by_size_;  // usable bytes and begin of each gap
};

}  // namespace hlolint
