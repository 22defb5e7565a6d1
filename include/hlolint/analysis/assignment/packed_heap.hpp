// The pieces of one heap, put into it in XLA's two orders (assignment.md 4.2, 4.3).
#pragma once

#include <hlolint/analysis/assignment/best_fit_heap.hpp>
#include <hlolint/analysis/assignment/heap_changes.hpp>
#include <hlolint/analysis/assignment/heap_events.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

namespace hlolint {

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

  /// The chunks one after the other; given up as soon as the heap is as large as `limit`. `replay`: what is known of
  /// their places. `done` is called with the places that were found.
  packed_heap pack(const record_list<std::uint32_t>& order, byte_count limit, order_replay* replay,
                   record_list<byte_count>* done) const {
    best_fit_heap heap(slots_.back(), alignment_);
    if (replay) heap.expect_few_searches();
    packed_heap out;
    out.offsets.resize(order.size());
    record_list<slot_range> times;
    const auto times_of = [&](const heap_chunk& chunk) -> std::span<const slot_range> {
      times.clear();
      for_each_stay(chunk, [&](slot_range r) { times.push_back(r); });
      return times;
    };
    std::size_t taken = 0;  // chunks of known places are taken when a place is sought among them
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::uint32_t c = order[k];
      const heap_chunk& chunk = events_.chunks()[c];
      optional<byte_count> at = replay ? replay->place_of(c) : std::nullopt;
      if (!at) {
        for (; taken < k; ++taken) {
          const heap_chunk& before = events_.chunks()[order[taken]];
          heap.take(times_of(before), out.offsets[order[taken]], before.size);
        }
        at = heap.place(times_of(chunk), chunk.size);
        ++taken;
        if (at && replay) replay->placed(c, *at);
      }
      // What does not fit into 63 bits is not below a limit, whatever follows.
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

  /// No packing is smaller: the most bytes at one time, without what the last of them leaves of its alignment.
  byte_count least_size() const {
    record_list<byte_count> change(std::size_t{slots_.back()} + 1);
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

  static constexpr std::size_t most_steps = 300'000'000;

  const heap_events& events_;
  byte_count alignment_;
  record_list<std::uint32_t> slots_;  // by tick: how many members began before
};

/// The chunks that were there before, in the order of then.
inline record_list<std::uint32_t> chunks_now(const heap_changes& changes, const record_list<std::uint32_t>& before) {
  record_list<std::uint32_t> out;
  out.reserve(before.size());
  for (const std::uint32_t old : before)
    if (const std::uint32_t c = changes.now_of(old); c != none) out.push_back(c);
  return out;
}

/// The chunks by the two numbers that `key` has for each, then by their first values. `nearly`: most of them, nearly in
/// that order, or none; with them it takes linear time.
template <class Key>
record_list<std::uint32_t> sorted_chunks(const record_list<heap_chunk>& chunks, Key&& key,
                                         const record_list<std::uint32_t>& nearly) {
  using sort_key = std::tuple<std::int64_t, std::int64_t, std::uint32_t, std::uint32_t>;
  record_list<sort_key> sorted, strays;
  sorted.reserve(chunks.size());
  const auto add = [&](std::uint32_t c) {
    const auto [first, second] = key(chunks[c]);
    const sort_key k(first, second, chunks[c].first, c);
    (sorted.empty() || sorted.back() < k ? sorted : strays).push_back(k);
  };
  record_list<bool> added(chunks.size());
  for (const std::uint32_t c : nearly) add(c), added[c] = true;
  for (std::uint32_t c = 0; c < chunks.size(); ++c)
    if (!added[c]) add(c);
  std::sort(strays.begin(), strays.end());
  record_list<std::uint32_t> order;
  order.reserve(chunks.size());
  auto stray = strays.begin();
  for (const sort_key& k : sorted) {
    for (; stray != strays.end() && *stray < k; ++stray) order.push_back(std::get<3>(*stray));
    order.push_back(std::get<3>(k));
  }
  for (; stray != strays.end(); ++stray) order.push_back(std::get<3>(*stray));
  return order;
}

}  // namespace detail

/// The least that a heap for these chunks takes: its size, unless bytes are lost between them. O(n).
inline byte_count least_heap_size(const heap_events& events, byte_count alignment) {
  return detail::heap_packing(events, alignment).least_size();
}

/// Heaps of one schedule after the other, of nearly the same chunks: the first is remembered, and those after it take
/// less time the less they differ.
using remembered_heap = optional<detail::packed_before>;

/// The largest chunk first, or the one that is there longest if that makes a smaller heap. The size is the largest
/// number if the heap is not smaller than `limit`; that is found out as early as it can be. If the search takes too
/// long, with tens of thousands of pieces at one time, the size is the least there can be, and not exact. `before`: a
/// heap that was packed, with the same alignment; if it is none, this one is put there, unless there is a limit.
inline packed_heap pack_heap(const heap_events& events, byte_count alignment,
                             byte_count limit = std::numeric_limits<byte_count>::max(),
                             remembered_heap* before = nullptr) {
  const byte_count no_limit = std::numeric_limits<byte_count>::max();
  if (before && before->has_value() && (*before)->result.is_exact && (*before)->timeline.is_of(events)) {
    if ((*before)->result.size >= limit) return {no_limit, {}, true};
    return (*before)->result;
  }
  const record_list<heap_chunk>& chunks = events.chunks();
  const detail::heap_packing packing(events, alignment);
  const byte_count least = packing.least_size();
  if (least >= limit) return {no_limit, {}, true};
  optional<detail::heap_timeline> now;
  optional<detail::heap_changes> changes;
  detail::packed_before* remember = nullptr;
  if (before && before->has_value()) {
    now.emplace(events);
    changes.emplace((*before)->timeline, *now);
  } else if (before && limit == no_limit) {
    remember = &before->emplace();
    remember->timeline = detail::heap_timeline(events);
  }
  const auto pack = [&](auto&& key, detail::packed_order detail::packed_before::*of, byte_count below) {
    const record_list<std::uint32_t> order = detail::sorted_chunks(
        chunks, key, changes ? detail::chunks_now(*changes, ((**before).*of).chunks) : record_list<std::uint32_t>{});
    optional<detail::order_replay> replay;
    if (changes) replay.emplace(*changes, (**before).*of, order);
    if (remember) (remember->*of).chunks = order;
    return packing.pack(order, below, replay ? &*replay : nullptr, remember ? &(remember->*of).offsets : nullptr);
  };
  packed_heap out = pack([](const heap_chunk& c) { return std::pair(-c.size, c.start - c.end); },
                         &detail::packed_before::spatial, limit);
  if (!out.is_exact && limit == no_limit && least > 0) out.size = least;
  if (out.is_exact && out.size > least) {
    packed_heap temporal = pack([](const heap_chunk& c) { return std::pair(c.first_tick - c.last_tick, -c.size); },
                                &detail::packed_before::temporal, std::min(limit, out.size));
    out.is_exact = temporal.is_exact;
    if (temporal.size < out.size) out = std::move(temporal);
  }
  if (remember) remember->result = out;
  return out;
}

}  // namespace hlolint
