// The pieces of one heap, put into it in XLA's two orders (assignment.md 4.2, 4.3).
#pragma once

#include <hlolint/analysis/assignment/best_fit_heap.hpp>
#include <hlolint/analysis/assignment/heap_events.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// Where the chunks of a heap lie.
struct packed_heap {
  byte_count size = 0;              ///< of the heap, not rounded
  std::vector<byte_count> offsets;  ///< by chunk
  bool is_exact = true;             ///< false if the search was cut short, or sizes do not fit into 63 bits
};

namespace detail {

class heap_packing {
 public:
  heap_packing(const heap_events& events, byte_count alignment)
      : events_(events), alignment_(alignment), slots_(static_cast<std::size_t>(events.ticks()) + 1) {
    // Two chunks are there together only where a member of one of them begins.
    for (const heap_chunk& c : events.chunks())
      for (const heap_events::member& m : events.members(c)) slots_[static_cast<std::size_t>(m.start) + 1] = 1;
    for (std::size_t t = 1; t < slots_.size(); ++t) slots_[t] += slots_[t - 1];
  }

  /// The chunks one after the other; given up as soon as the heap is as large as `limit`.
  packed_heap pack(const std::vector<std::uint32_t>& order, byte_count limit) const {
    best_fit_heap heap(slots_.back(), alignment_);
    packed_heap out;
    out.offsets.resize(order.size());
    std::vector<slot_range> times;
    for (const std::uint32_t c : order) {
      times.clear();
      for (const heap_events::member& m : events_.members(events_.chunks()[c])) times.push_back(slots_of(m));
      const auto at = heap.place(times, events_.chunks()[c].size);
      out.is_exact = at && heap.steps() <= most_steps;
      if (!out.is_exact || heap.size() >= limit) {
        out.size = std::numeric_limits<byte_count>::max();
        return out;
      }
      out.offsets[c] = *at;
    }
    out.size = heap.size();
    return out;
  }

  /// No packing is smaller: the most bytes at one time, without what the last of them leaves of its alignment.
  byte_count least_size() const {
    std::vector<byte_count> change(std::size_t{slots_.back()} + 1);
    checked_int64 sum = 0;
    for (const heap_chunk& c : events_.chunks())
      sum += (checked_int64(rounded(c.size)) * static_cast<std::int64_t>(c.member_count)).clamped();
    if (sum.clamped() == std::numeric_limits<byte_count>::max()) return 0;
    for (const heap_chunk& c : events_.chunks())
      for_each_stay(c, [&](slot_range r) { change[r.begin] += rounded(c.size), change[r.end] -= rounded(c.size); });
    byte_count now = 0, most = 0, slack = 0;
    std::size_t peak = 0;
    for (std::size_t t = 0; t < change.size(); ++t)
      if ((now += change[t]) > most) most = now, peak = t;
    for (const heap_chunk& c : events_.chunks())
      for_each_stay(c, [&](slot_range r) {
        if (r.begin <= peak && peak < r.end) slack = std::max(slack, rounded(c.size) - c.size);
      });
    return most - slack;
  }

 private:
  slot_range slots_of(const heap_events::member& m) const {
    return {slots_[static_cast<std::size_t>(m.start)], slots_[static_cast<std::size_t>(m.end) + 1]};
  }
  byte_count rounded(byte_count n) const { return (checked_int64(n) + (alignment_ - 1)).clamped() & -alignment_; }
  /// Members of a chunk that are there together count once. They stand by their start.
  template <class F>
  void for_each_stay(const heap_chunk& c, F&& f) const {
    heap_events::member now;
    for (const heap_events::member& m : events_.members(c)) {
      if (now.end >= now.start && m.start <= now.end + 1) {
        now.end = std::max(now.end, m.end);
        continue;
      }
      if (now.end >= now.start) f(slots_of(now));
      now = m;
    }
    if (now.end >= now.start) f(slots_of(now));
  }

  static constexpr std::size_t most_steps = 2'000'000'000;

  const heap_events& events_;
  byte_count alignment_;
  std::vector<std::uint32_t> slots_;  // by tick: how many members began before
};

}  // namespace detail

/// The least that a heap for these chunks takes: its size, unless bytes are lost between them. O(n).
inline byte_count least_heap_size(const heap_events& events, byte_count alignment) {
  return detail::heap_packing(events, alignment).least_size();
}

/// The largest chunk first, or the one that is there longest if that makes a smaller heap. The size is the largest
/// number if the heap is not smaller than `limit`; that is found out as early as it can be.
inline packed_heap pack_heap(const heap_events& events, byte_count alignment,
                             byte_count limit = std::numeric_limits<byte_count>::max()) {
  const std::vector<heap_chunk>& chunks = events.chunks();
  const detail::heap_packing packing(events, alignment);
  const byte_count least = packing.least_size();
  if (least >= limit) return {std::numeric_limits<byte_count>::max(), {}, true};
  std::vector<std::uint32_t> order(chunks.size());
  for (std::uint32_t c = 0; c < order.size(); ++c) order[c] = c;
  const auto sorted_by = [&](auto&& key) {
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(key(chunks[a]), chunks[a].first) < std::tuple(key(chunks[b]), chunks[b].first);
    });
  };
  sorted_by([](const heap_chunk& c) { return std::pair(-c.size, c.start - c.end); });
  packed_heap spatial = packing.pack(order, limit);
  if (spatial.size <= least) return spatial;
  sorted_by([](const heap_chunk& c) { return std::pair(c.first_tick - c.last_tick, -c.size); });
  packed_heap temporal = packing.pack(order, std::min(limit, spatial.size));
  return temporal.size < spatial.size ? temporal : spatial;
}

}  // namespace hlolint
