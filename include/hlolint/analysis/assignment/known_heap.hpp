// The heap that a memory space had in the first schedule, for those that follow.
#pragma once

#include <hlolint/analysis/assignment/bit_row.hpp>
#include <hlolint/analysis/assignment/heap_events.hpp>
#include <hlolint/analysis/assignment/packed_heap.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace hlolint::detail {

/// Where values begin and end, counted in positions at which any of them does: all that decides about their heap.
inline record_list<time_span> ranked_times(std::span<const std::uint32_t> values, std::span<const time_span> ranges,
                                           std::int64_t length) {
  record_list<std::uint32_t> ranks(static_cast<std::size_t>(length) + 1);
  const auto rank = [&](std::int64_t position) -> std::uint32_t& { return ranks[static_cast<std::size_t>(position)]; };
  for (const std::uint32_t v : values) rank(ranges[v].start) = 1, rank(ranges[v].end) = 1;
  std::uint32_t next = 0;
  for (std::uint32_t& r : ranks) r = next += r;
  record_list<time_span> out;
  out.reserve(values.size());
  for (const std::uint32_t v : values) out.push_back({rank(ranges[v].start), rank(ranges[v].end)});
  return out;
}

/// Nothing is known until the first heap is packed without a limit.
class known_heap {
 public:
  /// In ascending order. `count`: how many values the module has.
  record_list<std::uint32_t> ascending(const record_list<std::uint32_t>& values, std::size_t count) const {
    if (values == came_) return values_;
    record_list<std::uint32_t> out = values;
    sort_numbers(out, count);
    return out;
  }
  /// The heap of these values, if it is smaller than `limit`; else, and if it is not known, null.
  const packed_before* find(const record_list<std::uint32_t>& ascending, const record_list<time_span>& times,
                            byte_count limit) const {
    const bool same = packed_ && packed_->result.is_exact && packed_->result.size < limit;
    return same && ascending == values_ && times == times_ ? &*packed_ : nullptr;
  }
  /// Those of them that have no bytes.
  const record_list<std::uint32_t>& empty() const { return empty_; }

  /// Packs another one of this memory space. `came`: its values, in the order in which they came.
  packed_heap pack(const heap_events& events, byte_count alignment, byte_count limit,
                   const record_list<std::uint32_t>& came, record_list<std::uint32_t>&& ascending,
                   record_list<time_span>&& times) {
    const bool first = !packed_;
    packed_heap out = pack_heap(events, alignment, limit, &packed_);
    if (first && packed_)
      came_ = came, values_ = std::move(ascending), times_ = std::move(times), empty_ = events.empty();
    return out;
  }

 private:
  record_list<std::uint32_t> came_, values_, empty_;
  record_list<time_span> times_;  // of the values
  remembered_heap packed_;
};

}  // namespace hlolint::detail
