// The bytes that values take, and when (buffer_dumps.md 9): the input of occupancy, packing bound and repacking.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/values/disjoint_sets.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// Schedule positions `first` to `last`, both inclusive.
struct position_range {
  std::int64_t first = 0;  ///< inclusive
  std::int64_t last = 0;   ///< inclusive
  friend bool operator==(const position_range&, const position_range&) = default;
};

/// Bytes [offset, offset + size) of an allocation, with all values that take exactly these.
struct live_chunk {
  std::uint32_t allocation = 0;  ///< position in `allocations()`
  byte_count offset = 0;         ///< from the beginning of the allocation
  byte_count size = 0;           ///< never 0
  /// Its values: the first one and how many; see `live_chunks::values`. @{
  std::uint32_t first_value = 0, value_count = 0;
  /// @}
  /// The times at which any of its values lives: the first range and how many; see `live_chunks::ranges`. @{
  std::uint32_t first_range = 0, range_count = 0;
  /// @}
  /// One past the last byte.
  byte_count end() const { return offset + size; }
};

/// All chunks of a dump, by allocation and offset, without values that have no bytes or whose end is not an int64. If
/// alias sets are known (a number for each value), a chunk holds only values that are in one set or meet in time;
/// values that merely came later form a chunk of their own.
class live_chunks {
 public:
  /// Without alias sets. O(n log n).
  explicit live_chunks(const buffer_dump& dump) : live_chunks(std::make_shared<const value_table>(dump), {}) {}
  /// From a cache, without alias sets.
  explicit live_chunks(const analysis_cache auto& made) : live_chunks(made.template share<value_table>(), {}) {}
  /// `alias_set_of`: for each value the number of its set; empty if the sets are not known.
  live_chunks(std::shared_ptr<const value_table> table, std::span<const std::uint32_t> alias_set_of)
      : table_(std::move(table)) {
    const std::vector<assigned_value>& all_values = dump().values();
    values_.reserve(all_values.size());
    for (std::size_t i = 0; i < all_values.size(); ++i) {
      const assigned_value& v = all_values[i];
      if (v.size > 0 && v.offset >= 0 && checked_add(v.offset, v.size))
        values_.push_back(static_cast<std::uint32_t>(i));
    }
    const auto chunk_of = [&](std::uint32_t i) {
      return std::tuple(all_values[i].allocation, all_values[i].offset, all_values[i].size);
    };
    sort_values();
    if (!alias_set_of.empty()) split_by_sets(chunk_of, alias_set_of);
    const auto same = [&](std::uint32_t x, std::uint32_t y) {
      return chunk_of(x) == chunk_of(y) && (parts_.empty() || parts_[x] == parts_[y]);
    };
    for_each_run(values_, same, [&](std::size_t begin, std::size_t end) { add(begin, end); });
    parts_ = {};
  }

  /// All chunks, by allocation and offset.
  const std::vector<live_chunk>& chunks() const { return chunks_; }
  /// The chunks of an allocation, given by its position.
  std::span<const live_chunk> of_allocation(std::size_t allocation) const {
    const auto before = [](const live_chunk& c, std::size_t a) { return c.allocation < a; };
    const auto first = std::lower_bound(chunks_.begin(), chunks_.end(), allocation, before);
    const auto last = std::lower_bound(first, chunks_.end(), allocation + 1, before);
    return std::span(chunks_).subspan(static_cast<std::size_t>(first - chunks_.begin()),
                                      static_cast<std::size_t>(last - first));
  }
  /// Positions in `values()`, in the order in which they start.
  std::span<const std::uint32_t> values(const live_chunk& c) const {
    return std::span(values_).subspan(c.first_value, c.value_count);
  }
  /// The times at which any of the chunk's values lives, in order, with at least one position between two. Values
  /// without a live range do not count, so there may be none.
  std::span<const position_range> ranges(const live_chunk& c) const {
    return std::span(ranges_).subspan(c.first_range, c.range_count);
  }
  /// Whether all values of the chunk have a live range.
  bool is_timed(const live_chunk& c) const {
    return std::ranges::all_of(values(c), [&](std::uint32_t i) { return table_->range(i); });
  }

  /// The values' live ranges and uses.
  const value_table& table() const { return *table_; }
  /// The dump.
  const buffer_dump& dump() const { return table_->dump(); }

 private:
  // Values without a live range come first.
  std::int64_t start_of(std::uint32_t value) const {
    const live_range* const range = table_->range(value);
    return range ? range->start : std::numeric_limits<std::int64_t>::min();
  }

  // By chunk, part (if there are any), start and number. The keys are copied first, since values lie far apart.
  void sort_values() {
    struct entry {
      std::int64_t allocation = 0;
      byte_count offset = 0, size = 0;
      std::uint32_t part = 0;
      std::uint32_t value = 0;
      std::int64_t start = 0;
    };
    std::vector<entry> entries;
    entries.reserve(values_.size());
    for (const std::uint32_t i : values_) {
      const assigned_value& v = dump().values()[i];
      entries.push_back({v.allocation, v.offset, v.size, parts_.empty() ? 0 : parts_[i], i, start_of(i)});
    }
    std::ranges::stable_sort(entries, [](const entry& a, const entry& b) {
      return in_order(a.allocation, b.allocation, a.offset, b.offset, a.size, b.size, a.part, b.part, a.start, b.start,
                      a.value, b.value);
    });
    for (std::size_t i = 0; i < entries.size(); ++i) values_[i] = entries[i].value;
  }

  void split_by_sets(const auto& chunk_of, std::span<const std::uint32_t> alias_set_of) {
    disjoint_sets parts(table_->dump().values().size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> of_set;  // alias set, value
    const auto same = [&](std::uint32_t x, std::uint32_t y) { return chunk_of(x) == chunk_of(y); };
    for_each_run(values_, same, [&](std::size_t begin, std::size_t end) {
      of_set.clear();
      std::uint32_t latest = values_[begin];  // the one that ends last so far
      for (const std::uint32_t now : std::span(values_).subspan(begin, end - begin)) {
        const live_range *const range = table_->range(now), *const before = table_->range(latest);
        if (!range || !before || range->start <= before->end) parts.merge(now, latest);
        if (range && (!before || range->end > before->end)) latest = now;
        of_set.emplace_back(alias_set_of[now], now);
      }
      std::sort(of_set.begin(), of_set.end());
      for (std::size_t i = 1; i < of_set.size(); ++i)
        if (of_set[i].first == of_set[i - 1].first) parts.merge(of_set[i].second, of_set[i - 1].second);
    });
    parts_.resize(table_->dump().values().size());
    for (const std::uint32_t i : values_) parts_[i] = static_cast<std::uint32_t>(parts.find(i));
    sort_values();
  }

  void add(std::size_t begin, std::size_t end) {
    const assigned_value& at = table_->dump().values()[values_[begin]];
    live_chunk out;
    out.allocation = static_cast<std::uint32_t>(at.allocation);
    out.offset = at.offset, out.size = at.size;
    out.first_value = static_cast<std::uint32_t>(begin), out.value_count = static_cast<std::uint32_t>(end - begin);
    out.first_range = static_cast<std::uint32_t>(ranges_.size());
    for (std::size_t i = begin; i < end; ++i) {
      const live_range* const range = table_->range(values_[i]);
      // The position after the last one must be an int64 too.
      if (!range || range->end < range->start || range->end == std::numeric_limits<std::int64_t>::max()) continue;
      if (ranges_.size() > out.first_range && range->start <= ranges_.back().last + 1)
        ranges_.back().last = std::max(ranges_.back().last, range->end);
      else
        ranges_.push_back({range->start, range->end});
    }
    out.range_count = static_cast<std::uint32_t>(ranges_.size()) - out.first_range;
    chunks_.push_back(out);
  }

  std::shared_ptr<const value_table> table_;
  std::vector<std::uint32_t> values_;
  std::vector<position_range> ranges_;
  std::vector<live_chunk> chunks_;
  std::vector<std::uint32_t> parts_;  // by value, while chunks are made: equal numbers stay together
};

}  // namespace hlolint
