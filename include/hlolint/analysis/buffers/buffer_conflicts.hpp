// Values that lie in the same bytes and should not (buffer_dumps.md 5.4).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/live_overlaps.hpp>
#include <hlolint/analysis/buffers/overlap_classes.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hlolint {

/// Two values by their positions in `values()`.
struct buffer_conflict {
  overlap_class kind = overlap_class::clash;  ///< how sure the fault is
  std::uint32_t first = 0;  ///< the one that starts first
  std::uint32_t second = 0;  ///< the other one
  byte_count bytes = 0;         ///< that both cover
  std::int64_t position = 0;    ///< the first schedule position at which both live
  /// A clash only: after that position first is merely renamed (bitcast, get-tuple-element), never read.
  bool only_renamed = false;
};

/// All pairs of a dump's values that are or may be faults (`is_conflict`), in the order of the allocations, and in each
/// by time. Values without bytes or without a live range are left out. O((n + pairs) log n).
class buffer_conflicts {
 public:
  /// From the dump alone, which has to explain by itself why two values touch.
  explicit buffer_conflicts(const buffer_dump& dump)
      : dump_(dump), table_(std::make_shared<const value_table>(dump_)) {
    find(overlap_classes(*table_));
  }
  /// The HLO decides about values that touch.
  buffer_conflicts(const hlo_module& module, const buffer_dump& dump)
      : dump_(dump), table_(std::make_shared<const value_table>(dump_)) {
    find(overlap_classes(module, *table_));
  }
  /// As a context makes it, with the HLO if there is one.
  template <analysis_cache Cache>
  explicit buffer_conflicts(const Cache& made) : dump_(*made.buffers()), table_(made.template share<value_table>()) {
    const auto ranges = [&] { return made.template share<live_ranges>(); };
    find(made.hlo() ? overlap_classes(*made.hlo(), *table_, ranges) : overlap_classes(*table_));
  }

  /// The first conflict.
  auto begin() const { return conflicts_.begin(); }
  /// One past the last conflict.
  auto end() const { return conflicts_.end(); }
  /// How many conflicts there are.
  std::size_t size() const { return conflicts_.size(); }

  /// Allocations (by position) that are so wrong that not all of their pairs were looked at.
  const record_list<std::size_t>& cut_short() const { return cut_short_; }
  /// An allocation with more pairs than this is cut short.
  static constexpr std::size_t most_per_allocation = 10'000;

  /// The values' live ranges and uses.
  const value_table& table() const { return *table_; }

 private:
  void find(const overlap_classes& classes) {
    record_list<timed_bytes> entries;
    for (std::size_t a = 0; a < dump_.allocations().size(); ++a) {
      const allocation& in = dump_.allocations()[a];
      entries.clear();
      for (std::size_t i = in.first_value; i < in.first_value + std::size_t{in.value_count}; ++i) {
        const assigned_value& v = dump_.values()[i];
        const auto end = checked_add(v.offset, v.size);
        if (const live_range* range = table_->range(i); range && end)
          entries.push_back({v.offset, *end, range->start, range->end, v.name.id, i});
      }
      std::size_t seen = 0, found = 0;
      const std::size_t most_seen = 1'000'000 + 50 * entries.size();
      const bool whole = for_each_live_overlap(entries, [&](const timed_bytes& first, const timed_bytes& second) {
        found += add(first, second, classes);
        return found < most_per_allocation && ++seen < most_seen;
      });
      if (!whole) cut_short_.push_back(a);
    }
  }

  // Whether the pair is a conflict.
  bool add(const timed_bytes& first, const timed_bytes& second, const overlap_classes& classes) {
    const overlap_class kind = classes.of(first.value, second.value);
    if (!is_conflict(kind)) return false;
    buffer_conflict found{kind,
                          static_cast<std::uint32_t>(first.value),
                          static_cast<std::uint32_t>(second.value),
                          std::min(first.end, second.end) - std::max(first.begin, second.begin),
                          second.start,
                          false};
    if (kind == overlap_class::clash) found.only_renamed = is_only_renamed(first, second.start);
    conflicts_.push_back(found);
    return true;
  }

  // Exception 4 of 5.4. Only in temporary storage: parameters and results are also read by the caller. The names are
  // those that XLA gives; what a dump leaves out is no excuse.
  bool is_only_renamed(const timed_bytes& value, std::int64_t after) const {
    const used_value* const used = table_->used(value.value);
    const auto last = table_->last_use(value.value);
    if (!used || !last || *last > after || !dump_.allocation_of(dump_.values()[value.value]).preallocated_temp)
      return false;
    const renaming& r = renamings_of(value.value, *used);
    return r.renamed > after && r.other <= after;
  }

  // The last position of a value in instructions that only rename it, and in others; `always` for those without a
  // place in the schedule, -1 for none.
  struct renaming {
    std::int64_t renamed = -1, other = -1;
  };
  const renaming& renamings_of(std::size_t value, const used_value& used) const {
    const auto [known, is_new] = renamings_.try_emplace(value);
    if (!is_new) return known->second;
    constexpr std::int64_t always = std::numeric_limits<std::int64_t>::max();
    for (const value_position& p : dump_.positions(used)) {
      const bool only_renames = p.instruction.starts_with("bitcast") || p.instruction.starts_with("get-tuple-element");
      std::int64_t& last = only_renames ? known->second.renamed : known->second.other;
      last = std::max(last, table_->position_of(p.instruction).value_or(always));
    }
    return known->second;
  }

  buffer_dump dump_;
  std::shared_ptr<const value_table> table_;
  record_list<buffer_conflict> conflicts_;
  mutable std::unordered_map<std::size_t, renaming> renamings_;
  record_list<std::size_t> cut_short_;
};

}  // namespace hlolint
