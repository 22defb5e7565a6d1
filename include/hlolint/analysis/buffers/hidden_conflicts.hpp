// Values that lie in the same bytes at the same time, although the dump's own live ranges do not show it.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/live_overlaps.hpp>
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>

namespace hlolint {

/// Two assigned values by their positions in `values()`; `first` starts earlier by the schedule of the HLO.
struct hidden_conflict {
  std::uint32_t first = 0;  ///< starts first
  std::uint32_t second = 0;  ///< starts later, or at the same position
  byte_count bytes = 0;       ///< that both cover
  std::int64_t position = 0;  ///< at which `second` starts, before `first` ends
};

/// The clash of buffer_dumps.md 5.4 by the live ranges that follow from the HLO, where the printed ranges differ or are
/// missing. Nothing if HLO and dump are not of one program. Values of one alias set are left out: those follow each
/// other on purpose, see `clobbers`. Precondition: the module is scheduled.
class hidden_conflicts {
 public:
  /// Precondition: the module is scheduled.
  hidden_conflicts(const hlo_module& module, const buffer_dump& dump)
      : hidden_conflicts(std::make_shared<const matched_values>(module, dump)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit hidden_conflicts(const Cache& made) : hidden_conflicts(made.template share<matched_values>()) {}
  /// From values that are matched already.
  explicit hidden_conflicts(std::shared_ptr<const matched_values> values) : values_(std::move(values)) {
    if (!values_->same_program()) return;
    const buffer_dump& dump = values_->dump();
    record_list<timed_bytes> entries;
    for (const allocation& in : dump.allocations()) {
      entries.clear();
      for (std::size_t i = in.first_value; i < in.first_value + std::size_t{in.value_count}; ++i) {
        const assigned_value& v = dump.values()[i];
        const auto computed = values_->computed(i);
        const auto range = computed ? values_->ranges().of(*computed) : std::nullopt;
        const auto end = checked_add(v.offset, v.size);
        if (range && end) entries.push_back({v.offset, *end, range->start, range->end, v.name.id, i});
      }
      std::size_t seen = 0;
      const std::size_t most_seen = 1'000'000 + 50 * entries.size(),
                        most_found = conflicts_.size() + most_per_allocation;
      for_each_live_overlap(entries, [&](const timed_bytes& first, const timed_bytes& second) {
        add(first, second);
        return conflicts_.size() < most_found && ++seen < most_seen;
      });
    }
  }

  /// The first conflict.
  auto begin() const { return conflicts_.begin(); }
  /// One past the last conflict.
  auto end() const { return conflicts_.end(); }
  /// How many conflicts there are.
  std::size_t size() const { return conflicts_.size(); }
  /// The values of dump and HLO, matched.
  const matched_values& values() const { return *values_; }

  /// Of an allocation that is so wrong no more are looked for.
  static constexpr std::size_t most_per_allocation = 1'000;

 private:
  static bool clash(const live_range& a, const live_range& b) {
    const bool in_order = std::tie(a.start, a.end) <= std::tie(b.start, b.end);
    return in_order ? a.end > b.start : b.end > a.start;
  }
  void add(const timed_bytes& first, const timed_bytes& second) {
    if (first.finish <= second.start) return;
    const live_range *const a = values_->table().range(first.value), *const b = values_->table().range(second.value);
    if (a && b && clash(*a, *b)) return;  // to be seen in the dump alone
    if (values_->ranges().sets().same(*values_->computed(first.value), *values_->computed(second.value))) return;
    conflicts_.push_back({static_cast<std::uint32_t>(first.value), static_cast<std::uint32_t>(second.value),
                          std::min(first.end, second.end) - std::max(first.begin, second.begin), second.start});
  }

  std::shared_ptr<const matched_values> values_;
  record_list<hidden_conflict> conflicts_;
};

}  // namespace hlolint
