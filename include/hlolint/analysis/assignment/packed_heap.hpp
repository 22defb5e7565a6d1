// The pieces of one heap, put into it in XLA's two orders (assignment.md 4.2, 4.3).
#pragma once

#include <hlolint/analysis/assignment/best_fit_heap.hpp>
#include <hlolint/analysis/assignment/bit_row.hpp>
#include <hlolint/analysis/assignment/growing_heap.hpp>
#include <hlolint/analysis/assignment/heap_changes.hpp>
#include <hlolint/analysis/assignment/heap_events.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

class heap_packing {
 public:
  heap_packing(const heap_events& events, byte_count alignment)
      : events_(events), alignment_(alignment), slots_(static_cast<std::size_t>(events.ticks()) + 1) {
    // Two chunks overlap in time only if they do where a member of one of them begins.
    for (const heap_chunk& c : events.chunks())
      for (const heap_events::member& m : events.members(c)) slots_[static_cast<std::size_t>(m.start) + 1] = 1;
    for (std::size_t t = 1; t < slots_.size(); ++t) slots_[t] += slots_[t - 1];
  }

  /// Places the chunks in this order; gives up as soon as the heap reaches `limit`. `replay`: their known places.
  /// `done` receives the places found.
  packed_heap pack(const std::vector<std::uint32_t>& order, byte_count limit, order_replay* replay,
                   std::vector<byte_count>* done) const {
    best_fit_heap heap(slots_.back(), alignment_);
    if (replay) heap.expect_few_searches();
    packed_heap out;
    out.offsets.resize(order.size());
    std::vector<slot_range> times;
    const auto times_of = [&](const heap_chunk& chunk) -> std::span<const slot_range> {
      times.clear();
      for_each_stay(chunk, [&](slot_range r) { times.push_back(r); });
      return times;
    };
    std::size_t taken = 0;  // chunks with known places are taken only when a search follows
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::uint32_t c = order[k];
      const heap_chunk& chunk = events_.chunks()[c];
      std::optional<byte_count> at = replay ? replay->place_of(c) : std::nullopt;
      if (!at) {
        for (; taken < k; ++taken) {
          const heap_chunk& before = events_.chunks()[order[taken]];
          heap.take(times_of(before), out.offsets[order[taken]], before.size);
        }
        at = heap.place(times_of(chunk), chunk.size);
        ++taken;
        if (at && replay) replay->placed(c, *at);
      }
      // A chunk that does not fit into 63 bits is not below any limit.
      out.is_exact = heap.steps() <= most_steps && (at || limit < std::numeric_limits<byte_count>::max());
      if (at) out.size = std::max(out.size, *at + chunk.size);
      if (!out.is_exact || !at || out.size >= limit) {
        out.size = std::numeric_limits<byte_count>::max();
        return out;
      }
      out.offsets[c] = *at;
      if (done) done->push_back(*at);
    }
    return out;
  }

  /// A bound below every packing: the most bytes live at one time, less the alignment that the last of them leaves
  /// unused.
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
  /// Calls `f` for each stretch of time in which members of a chunk, sorted by start, live.
  void for_each_stay(const heap_chunk& c, auto&& f) const {
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

  static constexpr std::size_t most_steps = 300'000'000;

  const heap_events& events_;
  byte_count alignment_;
  std::vector<std::uint32_t> slots_;  // by tick: how many members began before
};

/// The chunks that existed before, in their former order.
inline std::vector<std::uint32_t> chunks_now(const heap_changes& changes, const std::vector<std::uint32_t>& before) {
  std::vector<std::uint32_t> out;
  out.reserve(before.size());
  for (const std::uint32_t old : before)
    if (const std::uint32_t c = changes.now_of(old); c != none) out.push_back(c);
  return out;
}

/// The chunks sorted by the two numbers that `key` gives, then by first value. `nearly`: most of them, nearly in that
/// order, which makes the sort fast; or empty.
std::vector<std::uint32_t> sorted_chunks(const std::vector<heap_chunk>& chunks, auto&& key,
                                         const std::vector<std::uint32_t>& nearly) {
  using sort_key = std::tuple<std::int64_t, std::int64_t, std::uint32_t, std::uint32_t>;
  std::vector<sort_key> sorted;
  sorted.reserve(chunks.size());
  const auto add = [&](std::uint32_t c) {
    const auto [first, second] = key(chunks[c]);
    sorted.emplace_back(first, second, chunks[c].first, c);
  };
  std::vector<bool> added(chunks.size());
  for (const std::uint32_t c : nearly) add(c), added[c] = true;
  for (std::uint32_t c = 0; c < chunks.size(); ++c)
    if (!added[c]) add(c);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> order;
  order.reserve(chunks.size());
  for (const sort_key& k : sorted) order.push_back(std::get<3>(k));
  return order;
}

}  // namespace detail

/// The least size of a heap for these chunks, reached if no bytes are lost between them. O(n).
inline byte_count least_heap_size(const heap_events& events, byte_count alignment) {
  return detail::heap_packing(events, alignment).least_size();
}

/// The first of a series of heaps with nearly the same chunks: later ones take less time the less they differ.
using remembered_heap = std::optional<detail::packed_before>;

/// Packs the largest chunks first, or the longest-lived first if that makes a smaller heap. If the search takes too
/// long, with tens of thousands of pieces at one time, the size is the lower bound and not exact. `before`: a heap of
/// this alignment; an empty one receives this heap.
inline packed_heap pack_heap(const heap_events& events, byte_count alignment, remembered_heap* before = nullptr) {
  if (before && before->has_value() && (*before)->result.is_exact && (*before)->timeline.is_of(events))
    return (*before)->result;
  const std::vector<heap_chunk>& chunks = events.chunks();
  const detail::heap_packing packing(events, alignment);
  const byte_count least = packing.least_size();
  std::optional<detail::heap_timeline> now;
  std::optional<detail::heap_changes> changes;
  detail::packed_before* remember = nullptr;
  if (before && before->has_value()) {
    now.emplace(events);
    changes.emplace((*before)->timeline, *now);
  } else if (before) {
    remember = &before->emplace();
    remember->timeline = detail::heap_timeline(events);
  }
  const auto pack = [&](auto&& key, detail::packed_order detail::packed_before::*of, byte_count below) {
    const std::vector<std::uint32_t> order = detail::sorted_chunks(
        chunks, key, changes ? detail::chunks_now(*changes, ((**before).*of).chunks) : std::vector<std::uint32_t>{});
    std::optional<detail::order_replay> replay;
    if (changes) replay.emplace(*changes, (**before).*of, order);
    if (remember) (remember->*of).chunks = order;
    return packing.pack(order, below, replay ? &*replay : nullptr, remember ? &(remember->*of).offsets : nullptr);
  };
  packed_heap out = pack([](const heap_chunk& c) { return std::pair(-c.size, c.start - c.end); },
                         &detail::packed_before::spatial, std::numeric_limits<byte_count>::max());
  if (!out.is_exact && least > 0) out.size = least;
  if (out.is_exact && out.size > least) {
    packed_heap temporal = pack([](const heap_chunk& c) { return std::pair(c.first_tick - c.last_tick, -c.size); },
                                &detail::packed_before::temporal, out.size);
    out.is_exact = temporal.is_exact;
    if (temporal.size < out.size) out = std::move(temporal);
  }
  if (remember) remember->result = out;
  return out;
}

/// Packs the chunks in the order in which they are allocated, as libtpu does: each keeps its bytes from the first of
/// its members to the last (assignment.md 11). O(n log n).
inline packed_heap pack_by_time(const heap_events& events, byte_count alignment) {
  const std::vector<heap_chunk>& chunks = events.chunks();
  std::vector<std::pair<std::int64_t, std::uint32_t>> ends;  // tick and chunk
  for (std::uint32_t c = 0; c < chunks.size(); ++c) ends.emplace_back(chunks[c].last_tick, c);
  std::sort(ends.begin(), ends.end());
  growing_heap heap(alignment);
  packed_heap out;
  std::vector<heap_piece> pieces;
  auto ended = ends.begin();
  for (const heap_chunk& c : chunks) {
    for (; ended != ends.end() && ended->first < c.first_tick; ++ended) heap.give(pieces[ended->second]);
    const auto piece = heap.take(c.size);
    if (!piece) return {least_heap_size(events, alignment), {}, false};
    pieces.push_back(*piece);
    out.offsets.push_back(piece->offset);
    out.size = std::max(out.size, piece->end);
  }
  return out;
}

namespace detail {

/// The begin and end of each value, counted in positions at which any of them begins or ends: all that their heap
/// depends on.
inline std::vector<time_span> ranked_times(std::span<const std::uint32_t> values, std::span<const time_span> ranges,
                                           std::int64_t length) {
  std::vector<std::uint32_t> ranks(static_cast<std::size_t>(length) + 1);
  const auto rank = [&](std::int64_t position) -> std::uint32_t& { return ranks[static_cast<std::size_t>(position)]; };
  for (const std::uint32_t v : values) rank(ranges[v].start) = 1, rank(ranges[v].end) = 1;
  std::uint32_t next = 0;
  for (std::uint32_t& r : ranks) r = next += r;
  std::vector<time_span> out;
  out.reserve(values.size());
  for (const std::uint32_t v : values) out.push_back({rank(ranges[v].start), rank(ranges[v].end)});
  return out;
}

/// The heap of a memory space in the first schedule, for later ones. Empty until one is packed.
class known_heap {
 public:
  /// The values in ascending order. `count`: values of the module.
  std::vector<std::uint32_t> ascending(const std::vector<std::uint32_t>& values, std::size_t count) const {
    if (values == came_) return values_;
    std::vector<std::uint32_t> out = values;
    sort_numbers(out, count);
    return out;
  }
  /// The heap of these values if it is known, else null.
  const packed_before* find(const std::vector<std::uint32_t>& ascending, const std::vector<time_span>& times) const {
    const bool same = packed_ && packed_->result.is_exact;
    return same && ascending == values_ && times == times_ ? &*packed_ : nullptr;
  }
  /// The values without bytes.
  const std::vector<std::uint32_t>& empty() const { return empty_; }

  /// Packs another heap of this memory space, as libtpu does if `by_time`. `came`: its values in their original order.
  packed_heap pack(const heap_events& events, byte_count alignment, bool by_time,
                   const std::vector<std::uint32_t>& came, std::vector<std::uint32_t>&& ascending,
                   std::vector<time_span>&& times) {
    const bool first = !packed_;
    if (by_time) return pack_by_time(events, alignment);
    packed_heap out = pack_heap(events, alignment, &packed_);
    if (first && packed_)
      came_ = came, values_ = std::move(ascending), times_ = std::move(times), empty_ = events.empty();
    return out;
  }

 private:
  std::vector<std::uint32_t> came_, values_, empty_;
  std::vector<time_span> times_;  // of the values
  remembered_heap packed_;
};

}  // namespace detail

}  // namespace hlolint
