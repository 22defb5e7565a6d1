// Finds pairs that share bytes at the same time, without examining all pairs.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace hlolint {

/// Bytes [begin, end) taken at the schedule positions start to finish, both inclusive.
struct timed_bytes {
  byte_count begin = 0;     ///< first byte
  byte_count end = 0;       ///< one past the last byte
  std::int64_t start = 0;   ///< first position, inclusive
  std::int64_t finish = 0;  ///< last position, inclusive
  std::int64_t id = 0;      ///< the order among equals
  std::size_t value = 0;    ///< the caller's own number
};

namespace detail {

// The intervals taken at the moment, found by the bytes they touch. All intervals are known beforehand, sorted by
// begin; every node of the tree knows the largest end below it.
class taken_bytes {
 public:
  explicit taken_bytes(std::vector<byte_count> begins) : begins_(std::move(begins)) {
    while (leaves_ < begins_.size()) leaves_ *= 2;
    largest_.assign(2 * leaves_, nothing);
  }
  void erase(std::size_t slot) { insert(slot, nothing); }
  void insert(std::size_t slot, byte_count end) {
    std::size_t node = leaves_ + slot;
    largest_[node] = end;
    while (node /= 2) largest_[node] = std::max(largest_[2 * node], largest_[2 * node + 1]);
  }
  /// Calls `f(slot)` for every taken interval that has a byte in [begin, end); stops when it returns false.
  bool for_each_overlap(byte_count begin, byte_count end, auto&& f) const {
    const auto limit =
        static_cast<std::size_t>(std::lower_bound(begins_.begin(), begins_.end(), end) - begins_.begin());
    return visit(1, 0, leaves_, limit, begin, f);
  }

 private:
  static constexpr byte_count nothing = std::numeric_limits<byte_count>::min();

  bool visit(std::size_t node, std::size_t first, std::size_t count, std::size_t limit, byte_count begin,
             auto& f) const {
    if (first >= limit || largest_[node] <= begin) return true;
    if (count == 1) return f(first);
    return visit(2 * node, first, count / 2, limit, begin, f) &&
           visit(2 * node + 1, first + count / 2, count / 2, limit, begin, f);
  }

  std::vector<byte_count> begins_;
  std::size_t leaves_ = 1;
  std::vector<byte_count> largest_;
};

}  // namespace detail

/// Calls `f(a, b)` for every two entries that share a byte and a schedule position, `a` the earlier one by (start,
/// finish, id), until it returns false. Returns whether all were seen. O((n + pairs) log n).
/// Entries without bytes and with finish < start have no pairs.
bool for_each_live_overlap(std::vector<timed_bytes> entries, auto&& f) {
  erase_if(entries, [](const timed_bytes& e) { return e.end <= e.begin || e.finish < e.start; });
  std::ranges::stable_sort(entries, [](const timed_bytes& a, const timed_bytes& b) {
    return in_order(a.start, b.start, a.finish, b.finish, a.id, b.id, a.value, b.value);
  });
  const std::size_t n = entries.size();
  std::vector<std::size_t> by_begin(n), by_finish(n), slot(n);
  for (std::size_t i = 0; i < n; ++i) by_begin[i] = by_finish[i] = i;
  std::ranges::stable_sort(
      by_begin, [&](std::size_t a, std::size_t b) { return in_order(entries[a].begin, entries[b].begin, a, b); });
  std::ranges::stable_sort(
      by_finish, [&](std::size_t a, std::size_t b) { return in_order(entries[a].finish, entries[b].finish, a, b); });
  std::vector<byte_count> begins(n);
  for (std::size_t i = 0; i < n; ++i) begins[i] = entries[by_begin[i]].begin, slot[by_begin[i]] = i;

  detail::taken_bytes taken(std::move(begins));
  std::size_t ended = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const timed_bytes& now = entries[i];
    // An entry that ended before `now` also began before it, so it has been inserted.
    for (; entries[by_finish[ended]].finish < now.start; ++ended) taken.erase(slot[by_finish[ended]]);
    if (!taken.for_each_overlap(now.begin, now.end, [&](std::size_t at) { return f(entries[by_begin[at]], now); }))
      return false;
    taken.insert(slot[i], now.end);
  }
  return true;
}

}  // namespace hlolint
