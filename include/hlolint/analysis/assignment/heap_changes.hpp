// Compares the pieces of a heap with those packed before, so that unchanged pieces keep their places: a schedule with a
// few changes is packed in a fraction of the time.
#pragma once

#include <hlolint/analysis/assignment/bit_row.hpp>
#include <hlolint/analysis/assignment/heap_events.hpp>
#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hlolint {

/// The places of the chunks of a heap.
struct packed_heap {
  byte_count size = 0;              ///< of the heap, not rounded
  std::vector<byte_count> offsets;  ///< by chunk
  bool is_exact = true;             ///< false if the search was cut short, or sizes do not fit into 63 bits
};

namespace detail {

/// The pieces of a heap, and the event at each tick.
struct heap_timeline {
  struct life {
    std::int64_t start = -1, end = -1;  // ticks
    std::uint32_t chunk = none;
  };

  heap_timeline() = default;
  explicit heap_timeline(const heap_events& events)
      : chunks(events.chunks()), members(events.members().begin(), events.members().end()) {
    happened.resize(static_cast<std::size_t>(events.ticks()));
    lives.resize(events.value_count());
    for (std::uint32_t c = 0; c < chunks.size(); ++c)
      for (const heap_events::member& m : members_of(c)) {
        lives[m.value] = {m.start, m.end, c};
        happened[static_cast<std::size_t>(m.start)] = 2 * m.value;
        happened[static_cast<std::size_t>(m.end)] = 2 * m.value + 1;
      }
  }
  std::span<const heap_events::member> members_of(std::uint32_t c) const {
    return std::span(members).subspan(chunks[c].first_member, chunks[c].member_count);
  }
  bool is_of(const heap_events& events) const {
    return chunks == events.chunks() &&
           std::equal(members.begin(), members.end(), events.members().begin(), events.members().end());
  }
  life of(std::uint32_t value) const { return value < lives.size() ? lives[value] : life{}; }
  /// The tick of an event, or -1.
  std::int64_t tick_of(std::uint32_t event) const { return event % 2 == 0 ? of(event / 2).start : of(event / 2).end; }

  std::vector<heap_chunk> chunks;
  std::vector<heap_events::member> members;  // by chunk
  std::vector<life> lives;                   // by value
  std::vector<std::uint32_t> happened;       // by tick: twice the value that begins there, one more if it ends
};

/// One order of the pieces, and the places of those that were placed.
struct packed_order {
  std::vector<std::uint32_t> chunks;
  std::vector<byte_count> offsets;
};

/// A heap that was packed.
struct packed_before {
  heap_timeline timeline;
  packed_order spatial, temporal;
  packed_heap result;
};

/// Finds the values that begin or end at another time relative to the others, and the pieces that changed.
class heap_changes {
 public:
  heap_changes(const heap_timeline& before, const heap_timeline& now) : before_(before), now_(now) {
    find_moved();
    same_as_.resize(now.chunks.size(), none);
    now_same_.resize(before.chunks.size(), none);
    for (std::uint32_t c = 0; c < now.chunks.size(); ++c)
      if (const std::uint32_t old = old_chunk(c); old != none) same_as_[c] = old, now_same_[old] = c;
  }

  const heap_timeline& before() const { return before_; }
  const heap_timeline& now() const { return now_; }
  /// The old piece equal to a new one, or `none`; and the other way round. @{
  std::uint32_t before_of(std::uint32_t c) const { return same_as_[c]; }
  std::uint32_t now_of(std::uint32_t old) const { return now_same_[old]; }
  /// @}
  /// The tick of this heap that corresponds to a tick of the former one.
  std::int64_t tick_now(std::int64_t before) const { return now_at_[static_cast<std::size_t>(before)]; }

 private:
  // Without the values that moved, both rows of events are equal.
  void find_moved() {
    const std::vector<std::uint32_t>&a = before_.happened, &b = now_.happened;
    moved_.resize(std::max(before_.lives.size(), now_.lives.size()));
    now_at_.resize(a.size());
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
      if (i < a.size() && moved_[a[i] / 2]) {
        now_at_[i++] = static_cast<std::int64_t>(j);
      } else if (j < b.size() && moved_[b[j] / 2]) {
        ++j;
      } else if (i == a.size()) {
        moved_[b[j] / 2] = true;
      } else if (j == b.size()) {
        moved_[a[i] / 2] = true;
      } else if (a[i] == b[j]) {
        now_at_[i++] = static_cast<std::int64_t>(j++);
      } else {
        const std::int64_t to = now_.tick_of(a[i]), from = before_.tick_of(b[j]);
        const bool first =
            to < 0 || (from >= 0 && to - static_cast<std::int64_t>(j) > from - static_cast<std::int64_t>(i));
        moved_[(first ? a[i] : b[j]) / 2] = true;
      }
    }
  }
  std::uint32_t old_chunk(std::uint32_t c) const {
    const heap_chunk& own = now_.chunks[c];
    const std::uint32_t old = before_.of(own.first).chunk;
    if (old == none) return none;
    const heap_chunk& was = before_.chunks[old];
    if (was.first != own.first || was.size != own.size || was.member_count != own.member_count) return none;
    for (const heap_events::member& m : now_.members_of(c))
      if (moved_[m.value] || before_.of(m.value).chunk != old) return none;
    return old;
  }

  const heap_timeline &before_, &now_;
  std::vector<bool> moved_;           // by value
  std::vector<std::int64_t> now_at_;  // by tick before
  std::vector<std::uint32_t> same_as_, now_same_;
};

/// Ticks at which something differs; in a long heap neighbors share a mark.
class marked_ticks {
 public:
  explicit marked_ticks(std::int64_t ticks) {
    while (ticks >> shift_ >= marks) ++shift_;
  }
  void mark(std::int64_t first, std::int64_t last) { marked_.set(at(first), at(last)); }
  bool any(std::int64_t first, std::int64_t last) const { return marked_.any(at(first), at(last)); }

 private:
  static constexpr std::int64_t marks = 4096;
  std::size_t at(std::int64_t tick) const { return static_cast<std::size_t>(std::min(tick >> shift_, marks - 1)); }

  int shift_ = 0;
  bit_row marked_;
};

/// Walks one order of the pieces beside the former order. A piece keeps its place if everything placed before it that
/// overlaps it in time is unchanged.
class order_replay {
 public:
  order_replay(const heap_changes& changes, const packed_order& before, std::span<const std::uint32_t> order)
      : changes_(changes),
        before_(before),
        moved_(order.size()),
        differs_(static_cast<std::int64_t>(changes.now().happened.size()) + 1) {
    find_moved(order);
  }

  /// The known place of the next piece; nothing if it must be searched. Call `placed` afterwards.
  std::optional<byte_count> place_of(std::uint32_t c) {
    known_.reset();
    const std::uint32_t old = changes_.before_of(c);
    if (old == none || moved_[c]) return known_;
    for (; next_ < before_.offsets.size() && before_.chunks[next_] != old; ++next_) mark_before(before_.chunks[next_]);
    if (next_ >= before_.offsets.size()) return known_;
    known_ = before_.offsets[next_++];
    for (const heap_events::member& m : changes_.now().members_of(c))
      if (differs_.any(m.start, m.end)) return std::nullopt;
    return known_;
  }
  void placed(std::uint32_t c, byte_count offset) {
    if (known_ == offset) return;
    for (const heap_events::member& m : changes_.now().members_of(c)) differs_.mark(m.start, m.end);
  }

 private:
  // Without the pieces that moved, both orders are equal.
  void find_moved(std::span<const std::uint32_t> order) {
    std::vector<std::size_t> rank_now(order.size()), rank_before(changes_.before().chunks.size());
    for (std::size_t k = 0; k < order.size(); ++k) rank_now[order[k]] = k;
    for (std::size_t k = 0; k < before_.chunks.size(); ++k) rank_before[before_.chunks[k]] = k;
    std::size_t i = 0, j = 0;
    while (i < before_.chunks.size() && j < order.size()) {
      const std::uint32_t old = before_.chunks[i], c = order[j];
      const std::uint32_t then = changes_.now_of(old), was = changes_.before_of(c);
      if (then == none || moved_[then])
        ++i;
      else if (was == none || moved_[c])
        ++j;
      else if (then == c)
        ++i, ++j;
      else if (rank_now[then] - j > rank_before[was] - i)
        moved_[then] = true;
      else
        moved_[c] = true;
    }
  }
  void mark_before(std::uint32_t old) {
    for (const heap_events::member& m : changes_.before().members_of(old))
      differs_.mark(changes_.tick_now(m.start), changes_.tick_now(m.end));
  }

  const heap_changes& changes_;
  const packed_order& before_;
  std::vector<bool> moved_;  // by piece
  marked_ticks differs_;
  std::size_t next_ = 0;  // in `before_`
  std::optional<byte_count> known_;
};

}  // namespace detail
}  // namespace hlolint
