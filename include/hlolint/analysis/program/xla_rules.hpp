// XLA's rules about values and aliases at the date of a dump (buffer_dumps.md 1, "Period of a dump").
#pragma once

#include <hlolint/ir/buffers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace hlolint {

/// The rules that changed over the years, by the date of the XLA.
struct xla_rules {
  static constexpr std::int32_t newest = 20261101;  ///< as year, month, day
  /// A day when used values with an instruction did not end their lines: for some months of 2024.
  static constexpr std::int32_t glued_values = 20240630;
  static constexpr std::int32_t without_blanks = 20231231;  ///< the last day without a blank after "from instruction:"
  static constexpr std::int32_t before_range_files = 20251115;  ///< a day before live ranges had a file of their own
  static constexpr std::int32_t before_pages = 20260731;  ///< a day of the last weeks before allocations had pages
  static constexpr std::int32_t before_late_ranges = 20260822;  ///< the last day that is known to lack the last rule

  /// `written`: as year, month, day.
  constexpr explicit xla_rules(std::int32_t written = newest)
      : calls_hold_operands(written <= without_blanks),
        ragged_all_to_all_aliases(written >= 20241126),
        async_start_aliases(written >= 20260108),
        permute_in_place_needs_slice_sizes(written >= 20260421),
        async_passes_tokens(written >= 20260503),
        fusions_look_through(written >= 20260603),
        late_async_aliases(written >= 20260713),
        async_update_slice_forwards(written >= 20260803),
        async_update_owns_context(written >= 20260812),
        async_roots_begin_at_start(written >= 20261101) {}

  bool calls_hold_operands;                 ///< an operand of a call lives to the call, if read earlier inside
  bool ragged_all_to_all_aliases;           ///< a ragged-all-to-all writes into its output operand
  bool async_start_aliases;                 ///< `output_to_operand_aliasing` of an async-start counts
  bool permute_in_place_needs_slice_sizes;  ///< otherwise four operands suffice
  bool async_passes_tokens;                 ///< tokens pass through async operations, as arrays do
  bool fusions_look_through;                ///< bitcasts in fusion bodies are skipped
  bool late_async_aliases;                  ///< an async-start's aliasing holds at updates and dones
  bool async_update_slice_forwards;         ///< async-start around dynamic-update-slice: operand 0 goes to {1}
  bool async_update_owns_context;           ///< values below {1} of an async-update are defined there
  bool async_roots_begin_at_start;          ///< the root of a wrapped computation defines its values at the async-start
  bool reshape_is_bitcast = false;          ///< in fusion bodies; GPU only
  /// Whether other rules agree about values and about where they live; they may differ about in-place updates.
  constexpr bool have_values_of(const xla_rules& other) const {
    return async_passes_tokens == other.async_passes_tokens &&
           async_update_slice_forwards == other.async_update_slice_forwards &&
           async_update_owns_context == other.async_update_owns_context &&
           async_roots_begin_at_start == other.async_roots_begin_at_start;
  }
  friend bool operator==(const xla_rules&, const xla_rules&) = default;
};

namespace detail {
/// Whether a printed range begins after its instruction, as those of async computations do by the newest rules. The
/// root of such a computation stands directly before the async-start, or behind it only other such computations do.
inline bool has_late_ranges(const live_range_block& block) {
  constexpr std::int64_t most_between = 8;
  const auto name_at = [&](std::int64_t position) { return block.sequence[static_cast<std::size_t>(position)]; };
  for (const live_range& r : block.ranges) {
    if (r.start <= 0 || r.start >= static_cast<std::int64_t>(block.sequence.size()) ||
        name_at(r.start) == r.instruction)
      continue;
    for (std::int64_t at = r.start - 1; at >= 0 && r.start - at <= most_between; --at)
      if (name_at(at) == r.instruction) return true;
  }
  return false;
}

/// When texts were written whose values at the peak have no shape index: a day in the period.
inline std::int32_t date_without_indices(const buffer_dump& dump) {
  constexpr std::int64_t column_without_blank = 19;  // of what follows ` from instruction:`
  for (const used_value& v : dump.used_values()) {
    if (dump.where(v.text).begin().column > 1) return xla_rules::glued_values;
    if (!v.from_instruction.empty() && dump.where(v.from_instruction).begin().column == column_without_blank)
      return xla_rules::without_blanks;
  }
  return 20250115;
}
}  // namespace detail

/// A date (year, month, day) in the period when dumps of this form were written, or that of computed buffers; nothing
/// if the form, such as a protobuf message, does not show it.
inline std::optional<std::int32_t> shown_date(const buffer_dump& dump) {
  if (dump.xla_date()) return dump.xla_date();
  const live_range_block* const block = dump.live_ranges();
  if (block && !block->peak.empty()) {
    if (!block->peak.front().index) return detail::date_without_indices(dump);
    if (!block->peak.front().cumulative) return 20250501;
  }
  const auto& allocations = dump.allocations();
  const auto& used = dump.used_values();
  // Since April 2026 live ranges have a file of their own.
  const bool split = block && !used.empty() && !dump.where(block->text).in.same_as(dump.where(used.front().text).in);
  std::int32_t last = block && !detail::has_late_ranges(*block) ? xla_rules::before_late_ranges : xla_rules::newest;
  if (std::ranges::any_of(allocations, [](const allocation& a) { return a.page.has_value(); })) return last;
  if (!allocations.empty()) last = xla_rules::before_pages;
  // Older texts print the sum of the allocations, newer ones pages; a protobuf message has neither.
  if (!block && used.empty() && !dump.total_bytes_used()) return std::nullopt;
  for (const used_value& v : used) {
    if (v.use_count > 0 || !v.uses_known || v.from_instruction.empty()) continue;
    // In between: the headings of positions and uses, the positions and, since June 2026, the line "(none)".
    const auto lines = dump.where(v.from_instruction).begin().line - dump.where(v.text).begin().line;
    if (lines > v.position_count + 3) return last;
    return split ? 20260515 : xla_rules::before_range_files;
  }
  return split ? last : xla_rules::before_range_files;
}
/// The shown date, or that of the newest XLA.
inline std::int32_t date_of(const buffer_dump& dump) { return shown_date(dump).value_or(xla_rules::newest); }

}  // namespace hlolint
