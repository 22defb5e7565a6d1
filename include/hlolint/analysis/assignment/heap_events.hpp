// The order in which XLA's heap simulator allocates and frees values, and the values it keeps in one piece
// (assignment.md 4.1, 4.2).
#pragma once

#include <hlolint/analysis/assignment/storage_sets.hpp>
#include <hlolint/analysis/assignment/value_handover.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/text/containers/grouped_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hlolint {

/// Values in one piece of the heap: an alias set and the values that take over its bytes.
struct heap_chunk {
  std::uint32_t first = 0;  ///< the value that allocated the piece
  byte_count size = 0;      ///< of the largest member
  /// Ticks at which the first value begins and ends, and those of all members together. @{
  std::int64_t start = 0, end = 0, first_tick = 0, last_tick = 0;
  /// @}
  /// The range of its members in `heap_events::members()`. @{
  std::size_t first_member = 0, member_count = 0;
  /// @}
  friend bool operator==(const heap_chunk&, const heap_chunk&) = default;
};

/// Plays XLA's heap simulator. Its clock ticks with every allocation and release.
class heap_events {
 public:
  /// A value and the time for which it has its bytes.
  struct member {
    std::int64_t start = 0;   ///< tick
    std::int64_t end = -1;    ///< tick, inclusive
    std::uint32_t value = 0;  ///< number of the value
    friend bool operator==(const member&, const member&) = default;
  };

  /// `values`: those in this heap, ascending. `ranges`: of all values of the module. `length`: of the schedule.
  heap_events(const alias_sets& sets, const storage_sets& storage, const value_handover& handover,
              std::span<const std::uint32_t> values, std::span<const time_span> ranges, std::int64_t length)
      : sets_(sets), storage_(storage), handover_(handover), ranges_(ranges), of_(sets.flow().values().size()) {
    const std::vector<std::uint32_t> ends = by_time(by_time(values, length, false), length, true);
    const std::vector<std::uint32_t> starts = by_time(ends, length, false);  // by start, then end, then number
    ends_ = by_time(starts, length, true);                                   // by end, then start, then number
    auto begins = starts.begin();
    auto ended = ends_.begin();
    for (std::int64_t t = 0; t <= length && (begins != starts.end() || ended != ends_.end()); ++t) {
      for (; begins != starts.end() && ranges_[*begins].start == t; ++begins) begin(*begins, t);
      for (; ended != ends_.end() && ranges_[*ended].end == t; ++ended)
        if (!of_[*ended].ended) end(*ended);
    }
    gather(starts);
  }

  /// In the order of their allocation.
  const std::vector<heap_chunk>& chunks() const { return chunks_; }
  /// The members of a chunk.
  std::span<const member> members(const heap_chunk& c) const {
    return std::span(members_).subspan(c.first_member, c.member_count);
  }
  /// The members of all chunks, one chunk after the other.
  std::span<const member> members() const { return members_; }
  /// How many ticks there are.
  std::int64_t ticks() const { return clock_; }
  /// How many values the module has.
  std::size_t value_count() const { return of_.size(); }
  /// The values of size 0, which have no place.
  const std::vector<std::uint32_t>& empty() const { return empty_; }

 private:
  static constexpr std::uint32_t nothing = none;
  struct state {
    std::int64_t start = 0, end = -1;  // ticks
    std::uint32_t chunk = nothing;
    std::uint32_t first_of_set = nothing;  // at the first value of each set
    std::uint32_t group = nothing;         // also there: the other set whose size holds
    bool ended = false;
  };

  // Stable.
  std::vector<std::uint32_t> by_time(std::span<const std::uint32_t> values, std::int64_t length, bool at_end) const {
    return grouped_list<std::uint32_t>(static_cast<std::size_t>(length) + 1,
                                       [&](auto&& add) {
                                         for (const std::uint32_t v : values)
                                           add(static_cast<std::size_t>(at_end ? ranges_[v].end : ranges_[v].start), v);
                                       })
        .all();
  }

  std::uint32_t head(std::uint32_t v) const { return sets_.values(sets_.set_of(v)).front(); }
  bool is_alone(std::uint32_t v) const { return sets_.values(sets_.set_of(v)).size() == 1; }
  state& group_of(std::uint32_t v) {
    state& own = of_[head(v)];
    return own.group == nothing ? own : of_[own.group];
  }
  byte_count size_of(std::uint32_t v) { return sizes_at(group_of(v)); }
  byte_count& sizes_at(state& s) {
    byte_count& size = sizes_[static_cast<std::size_t>(&s - of_.data())];
    if (size < 0) size = storage_[sets_.set_of(static_cast<std::size_t>(&s - of_.data()))].size;
    return size;
  }

  void begin(std::uint32_t v, std::int64_t t) {
    state& set = of_[head(v)];
    if (set.first_of_set != nothing) return join(v, of_[set.first_of_set].chunk);
    const hlo_opcode op = sets_.flow().instruction(sets_.flow().values()[v]).opcode();
    if (size_of(v) != 0 && is_alone(v) && op != hlo_opcode::copy)
      if (const std::uint32_t giver = giver_of(v, t); giver != nothing) {
        end(giver);
        const byte_count size = std::max(size_of(v), size_of(giver));
        state& group = group_of(giver);
        of_[head(v)].group = static_cast<std::uint32_t>(&group - of_.data());
        sizes_at(group) = size;
        return join(v, of_[giver].chunk);
      }
    set.first_of_set = v;
    if (size_of(v) == 0) return empty_.push_back(v);
    of_[v].chunk = static_cast<std::uint32_t>(chunks_.size());
    of_[v].start = clock_++;
    chunks_.push_back({});
    chunks_.back().first = v;
  }
  void join(std::uint32_t v, std::uint32_t chunk) {
    if (size_of(v) == 0) return empty_.push_back(v);
    of_[v].chunk = chunk;
    of_[v].start = clock_++;
  }
  void end(std::uint32_t v) {
    of_[v].ended = true;
    if (size_of(v) != 0) of_[v].end = clock_++;
  }
  /// A value that ends at `t` and whose bytes v may take.
  std::uint32_t giver_of(std::uint32_t v, std::int64_t t) const {
    const dataflow& flow = sets_.flow();
    std::uint32_t giver = nothing;
    for (const hlo_instruction operand : flow.instruction(flow.values()[v]).operands()) {
      if (!operand || giver != nothing) continue;
      flow.for_each_at({operand.id(), 0}, [&](std::uint32_t w) {
        const state& s = of_[w];
        if (giver == nothing && s.chunk != nothing && !s.ended && ranges_[w].end == t && is_alone(w) &&
            handover_.in_heap(w, v))
          giver = w;
      });
    }
    return giver;
  }

  void gather(const std::vector<std::uint32_t>& values) {
    for (const std::uint32_t v : values)
      if (of_[v].chunk != nothing) ++chunks_[of_[v].chunk].member_count;
    std::size_t next = 0;
    for (heap_chunk& c : chunks_) c.first_member = std::exchange(next, next + std::exchange(c.member_count, 0));
    members_.resize(next);
    for (const std::uint32_t v : values) {
      const state& s = of_[v];
      if (s.chunk == nothing) continue;
      heap_chunk& c = chunks_[s.chunk];
      if (c.member_count == 0) c.first_tick = s.start, c.last_tick = s.end;
      members_[c.first_member + c.member_count++] = {s.start, s.end, v};
      c.first_tick = std::min(c.first_tick, s.start), c.last_tick = std::max(c.last_tick, s.end);
      c.size = std::max(c.size, size_of(v));
      if (v == c.first) c.start = s.start, c.end = s.end;
    }
  }

  const alias_sets& sets_;
  const storage_sets& storage_;
  const value_handover& handover_;
  std::span<const time_span> ranges_;
  std::vector<state> of_;                                                    // by value
  std::vector<byte_count> sizes_ = std::vector<byte_count>(of_.size(), -1);  // by the first value of a group
  std::vector<std::uint32_t> ends_, empty_;
  std::vector<heap_chunk> chunks_;
  std::vector<member> members_;
  std::int64_t clock_ = 0;
};

}  // namespace hlolint
