// How many bytes are in use at each schedule position (buffer_dumps.md 9).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// Counts the bytes under a changing set of intervals; a byte under several counts once. All bounds are known
/// beforehand. Each change is O(log n).
class covered_bytes {
 public:
  explicit covered_bytes(std::vector<byte_count> bounds) : bounds_(std::move(bounds)) {
    sort_unique(bounds_);
    while (leaves_ + 1 < bounds_.size()) leaves_ *= 2;
    nodes_.resize(2 * leaves_);
  }

  /// The number of a known bound.
  std::size_t slot_of(byte_count bound) const {
    return static_cast<std::size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), bound) - bounds_.begin());
  }
  /// Adds (`by` = 1) or removes (-1) an interval between two known bounds, given by number.
  void add(std::size_t begin, std::size_t end, int by) {
    if (begin >= end) return;
    std::size_t left = leaves_ + begin, right = leaves_ + end - 1;  // the lowest nodes, both inclusive
    std::size_t from = left, to = right + 1;                        // nodes of a level still to be covered
    for (std::size_t width = 1;; width *= 2) {
      if (from < to) {
        if (from % 2 != 0) change(from++, width, by);
        if (to % 2 != 0) change(--to, width, by);
        from /= 2, to /= 2;
      }
      if (left == 1) return;
      left /= 2, right /= 2;
      update(left, 2 * width);
      if (right != left) update(right, 2 * width);
    }
  }

  byte_count bytes() const { return nodes_[1].covered; }

 private:
  struct node {
    std::int64_t whole = 0;  // intervals that cover all of it, and not all of its parent
    byte_count covered = 0;
  };

  void change(std::size_t at, std::size_t width, int by) {
    nodes_[at].whole += by;
    update(at, width);
  }
  void update(std::size_t at, std::size_t width) {  // from its parts
    node& n = nodes_[at];
    if (n.whole > 0) {
      const std::size_t first = at * width - leaves_, last = std::min(first + width, bounds_.size() - 1);
      n.covered = bounds_[last] - bounds_[first];
    } else {
      n.covered = width == 1 ? 0 : nodes_[2 * at].covered + nodes_[2 * at + 1].covered;
    }
  }

  std::vector<byte_count> bounds_;  // leaf i stands for the bytes from bound i to the next
  std::size_t leaves_ = 1;
  std::vector<node> nodes_;  // two that have one parent lie together
};

// Adds the chunks that live at a position.
inline void add_live_chunks(const live_chunks& chunks, std::span<const live_chunk> among, std::int64_t position,
                            std::vector<const live_chunk*>& found) {
  for (const live_chunk& c : among) {
    const auto ranges = chunks.ranges(c);
    const auto ends_before = [](const position_range& r, std::int64_t p) { return r.last < p; };
    const auto range = std::lower_bound(ranges.begin(), ranges.end(), position, ends_before);
    if (range != ranges.end() && range->first <= position) found.push_back(&c);
  }
}
// The values of these chunks that live at the position, the biggest chunks first.
inline std::vector<std::uint32_t> values_of_chunks(const live_chunks& chunks, std::vector<const live_chunk*> found,
                                                   std::int64_t position) {
  // Chunks are in the order of allocation and offset, which breaks ties.
  std::ranges::stable_sort(found,
                           [](const live_chunk* a, const live_chunk* b) { return in_order(b->size, a->size, a, b); });
  std::vector<std::uint32_t> out;
  for (const live_chunk* const c : found)
    for (const std::uint32_t value : chunks.values(*c))
      if (const live_range* const r = chunks.table().range(value); r && r->start <= position && position <= r->end)
        out.push_back(value);
  return out;
}

}  // namespace detail

/// The bytes in use from `position` on (inclusive) up to the next step.
struct occupancy_step {
  std::int64_t position = 0;  ///< in the schedule
  byte_count bytes = 0;       ///< in use from there on
  friend bool operator==(const occupancy_step&, const occupancy_step&) = default;
};

/// Bytes over time: 0 before the first step, and each step differs from the one before it, so the last one is 0. A view
/// into its `occupancy`.
class occupancy_curve {
 public:
  occupancy_curve() = default;
  /// Precondition: what the view refers to outlives it; steps are by position.
  explicit occupancy_curve(std::span<const occupancy_step> steps) : steps_(steps) {}

  /// In ascending order of position.
  std::span<const occupancy_step> steps() const { return steps_; }
  /// The same steps, for loops over a curve: it may be a temporary, since the loop keeps it.
  auto begin() const { return steps_.begin(); }
  /// One past the last step.
  auto end() const { return steps_.end(); }
  /// Whether nothing is ever in use.
  bool empty() const { return steps_.empty(); }

  /// Bytes in use at a schedule position.
  byte_count at(std::int64_t position) const {
    const auto after = std::upper_bound(steps_.begin(), steps_.end(), position,
                                        [](std::int64_t p, const occupancy_step& s) { return p < s.position; });
    return after == steps_.begin() ? 0 : std::prev(after)->bytes;
  }
  /// The most bytes at any position.
  byte_count peak() const {
    byte_count most = 0;
    for (const occupancy_step& s : steps_) most = std::max(most, s.bytes);
    return most;
  }
  /// The positions of the peak, in order; empty for an empty curve.
  std::vector<position_range> peak_positions() const {
    std::vector<position_range> out;
    const byte_count most = peak();
    for (std::size_t i = 0; i + 1 < steps_.size(); ++i)
      if (steps_[i].bytes == most) out.push_back({steps_[i].position, steps_[i + 1].position - 1});
    return out;
  }

 private:
  std::span<const occupancy_step> steps_;
};

/// Bytes in use over time of a dump with live ranges: of each allocation, of each memory space (color) and of all
/// together. Padding counts. A byte counts once, even where a wrong dump puts two values. Values without a live range
/// (thread-local storage) do not count.
class occupancy {
 public:
  /// O(n log n).
  explicit occupancy(const buffer_dump& dump) : occupancy(live_chunks(dump)) {}
  /// From a cache.
  explicit occupancy(const analysis_cache auto& made) : occupancy(made.template get<live_chunks>()) {}
  /// From known chunks.
  explicit occupancy(const live_chunks& chunks) {
    std::vector<change> changes;
    byte_count most = 0;
    bool fits = true;
    const std::vector<allocation>& allocations = chunks.dump().allocations();
    first_.push_back(0);
    for (std::size_t a = 0; a < allocations.size(); ++a) {
      add_allocation(chunks, a);
      byte_count before = 0;
      for (const occupancy_step& step : of_allocation(a)) {
        changes.push_back({allocations[a].color, step.position, step.bytes - before});
        before = step.bytes;
      }
      const auto sum = checked_add(most, of_allocation(a).peak());
      fits = fits && sum;
      most = sum.value_or(0);
    }
    if (!fits) return;
    // Decreases before increases, so that no intermediate sum exceeds those reported.
    std::ranges::stable_sort(changes, [](const change& a, const change& b) {
      return in_order(a.color, b.color, a.position, b.position, a.bytes, b.bytes);
    });
    const auto same = [](const change& x, const change& y) { return x.color == y.color; };
    for_each_run(changes, same, [&](std::size_t begin, std::size_t end) {
      spaces_.emplace_back(changes[begin].color, steps_of({changes.data() + begin, end - begin}));
    });
    std::ranges::stable_sort(
        changes, [](const change& a, const change& b) { return in_order(a.position, b.position, a.bytes, b.bytes); });
    total_ = steps_of(changes);
    const auto in_host = [](const change& c) { return is_host_space(c.color); };
    if (const auto outside = std::remove_if(changes.begin(), changes.end(), in_host); outside != changes.end()) {
      changes.erase(outside, changes.end());
      outside_host_ = steps_of(changes);
    }
  }

  /// Of all allocations together. Empty without live ranges, or if a sum exceeds an int64.
  occupancy_curve total() const { return occupancy_curve(total_); }
  /// Of all allocations but those in the host's memory; otherwise like `total`.
  occupancy_curve outside_host() const { return outside_host_ ? occupancy_curve(*outside_host_) : total(); }
  /// Of an allocation by its position in `allocations()`.
  occupancy_curve of_allocation(std::size_t a) const {
    return occupancy_curve(std::span(steps_).subspan(first_[a], first_[a + 1] - first_[a]));
  }
  /// Memory spaces with live values, by color.
  std::size_t space_count() const { return spaces_.size(); }
  /// The number of the memory space. Precondition: i < space_count().
  std::int64_t color_of_space(std::size_t i) const { return spaces_[i].first; }
  /// Bytes in use of the memory space, over time. Precondition: i < space_count().
  occupancy_curve of_space(std::size_t i) const { return occupancy_curve(spaces_[i].second); }
  /// Bytes in use of the memory space of a color, over time; empty if nothing is ever in use there.
  occupancy_curve of_color(std::int64_t color) const {
    for (const auto& [own, steps] : spaces_)
      if (own == color) return occupancy_curve(steps);
    return {};
  }

 private:
  struct change {
    std::int64_t color = 0;
    std::int64_t position = 0;
    byte_count bytes = 0;
  };

  static std::vector<occupancy_step> steps_of(std::span<const change> by_position) {
    std::vector<occupancy_step> out;
    byte_count bytes = 0;
    for (std::size_t i = 0; i < by_position.size(); ++i) {
      bytes += by_position[i].bytes;
      if (i + 1 < by_position.size() && by_position[i + 1].position == by_position[i].position) continue;
      if (bytes != (out.empty() ? 0 : out.back().bytes)) out.push_back({by_position[i].position, bytes});
    }
    return out;
  }

  void add_allocation(const live_chunks& chunks, std::size_t a) {
    const std::span<const live_chunk> all_chunks = chunks.of_allocation(a);
    std::vector<byte_count> bounds;
    std::size_t event_count = 0;
    for (const live_chunk& c : all_chunks)
      if (c.range_count > 0) bounds.push_back(c.offset), bounds.push_back(c.end()), event_count += 2 * c.range_count;
    detail::covered_bytes covered(std::move(bounds));
    struct event {
      std::int64_t position = 0;
      std::uint32_t begin = 0, end = 0;  // bounds, by number
      int by = 0;
    };
    std::vector<event> events;
    events.reserve(event_count);
    for (const live_chunk& c : all_chunks) {
      if (c.range_count == 0) continue;
      const auto begin = static_cast<std::uint32_t>(covered.slot_of(c.offset)),
                 end = static_cast<std::uint32_t>(covered.slot_of(c.end()));
      for (const position_range& r : chunks.ranges(c)) {
        events.push_back({r.first, begin, end, 1});
        events.push_back({r.last + 1, begin, end, -1});
      }
    }
    // The order at one position does not matter: only the sum after all of them counts.
    std::ranges::stable_sort(events, {}, &event::position);
    const std::size_t first_step = steps_.size();
    for (std::size_t i = 0; i < events.size(); ++i) {
      covered.add(events[i].begin, events[i].end, events[i].by);
      if (i + 1 < events.size() && events[i + 1].position == events[i].position) continue;
      if (covered.bytes() != (steps_.size() == first_step ? 0 : steps_.back().bytes))
        steps_.push_back({events[i].position, covered.bytes()});
    }
    first_.push_back(steps_.size());
  }

  std::vector<occupancy_step> steps_;  // of all allocations, one after the other
  std::vector<std::size_t> first_;     // step of each allocation, and the end
  std::vector<std::pair<std::int64_t, std::vector<occupancy_step>>> spaces_;
  std::vector<occupancy_step> total_;
  std::optional<std::vector<occupancy_step>> outside_host_;  // if anything is in the host's memory
};

/// The values that live at a schedule position, as positions in `values()`, the biggest first; values of the same bytes
/// stand together. O(n).
inline std::vector<std::uint32_t> values_at(const live_chunks& chunks, std::int64_t position) {
  std::vector<const live_chunk*> found;
  detail::add_live_chunks(chunks, chunks.chunks(), position, found);
  return detail::values_of_chunks(chunks, std::move(found), position);
}
/// The values of some allocations, given by position in `allocations()`. Linear in their values.
inline std::vector<std::uint32_t> values_at(const live_chunks& chunks, std::span<const std::size_t> allocations,
                                            std::int64_t position) {
  std::vector<const live_chunk*> found;
  for (const std::size_t a : allocations) detail::add_live_chunks(chunks, chunks.of_allocation(a), position, found);
  return detail::values_of_chunks(chunks, std::move(found), position);
}

/// The schedule positions of the peaks of a dump with live ranges.
class peak_positions {
 public:
  /// From the dump's occupancy.
  explicit peak_positions(const buffer_dump& dump) : peak_positions(dump, occupancy(dump)) {}
  /// From a cache.
  explicit peak_positions(const analysis_cache auto& made)
      : peak_positions(*made.buffers(), made.template get<occupancy>()) {}

  /// Whether a value of an allocation that lives from `start` to `end`, inclusive, lives at a peak of its memory space.
  /// True if nothing is known of the space.
  bool holds(std::int64_t allocation, std::int64_t start, std::int64_t end) const {
    const auto color = color_of_.find(allocation);
    const auto peaks = color == color_of_.end() ? peaks_.end() : peaks_.find(color->second);
    return peaks == peaks_.end() || std::ranges::any_of(peaks->second, [&](const position_range& r) {
             return r.first <= end && start <= r.last;
           });
  }

 private:
  peak_positions(const buffer_dump& dump, const occupancy& in_use) {
    for (const allocation& a : dump.allocations()) color_of_.emplace(a.number, a.color);
    for (std::size_t i = 0; i < in_use.space_count(); ++i)
      peaks_.emplace(in_use.color_of_space(i), in_use.of_space(i).peak_positions());
  }

  std::map<std::int64_t, std::int64_t> color_of_;              // by number of the allocation
  std::map<std::int64_t, std::vector<position_range>> peaks_;  // by color
};

/// Bytes over time in the memory that the need is of: on a TPU HBM alone, on a GPU all but the host's.
inline occupancy_curve main_curve(const occupancy& in_use, target on) {
  if (on == target::gpu) return in_use.outside_host();
  return on == target::tpu ? in_use.of_color(0) : in_use.total();
}

}  // namespace hlolint
