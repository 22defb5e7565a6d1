// XLA's rules about values and aliases at the date of a dump (buffer_dumps.md 1, "Period of a dump").
// The rules in which the buffer assigners of XLA's back-ends and versions differ (assignment.md 7).
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace hlolint {

/// The rules that changed over the years, by the date of the XLA.
struct xla_rules {
  static constexpr std::int32_t newest = 20261101;              ///< as year, month, day
  static constexpr std::int32_t before_late_ranges = 20260822;  ///< the last day that is known to lack the last rule

  /// `written`: as year, month, day.
  constexpr explicit xla_rules(std::int32_t written = newest)
      : ragged_all_to_all_aliases(written >= 20241126),
        async_start_aliases(written >= 20260108),
        permute_in_place_needs_slice_sizes(written >= 20260421),
        async_passes_tokens(written >= 20260503),
        fusions_look_through(written >= 20260603),
        late_async_aliases(written >= 20260713),
        async_update_slice_forwards(written >= 20260803),
        async_update_owns_context(written >= 20260812),
        async_roots_begin_at_start(written >= 20261101) {}

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
  /// Whether other rules say the same about values and about where they live; they may differ about in-place updates.
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
}  // namespace detail

/// A date (year, month, day) in the period when dumps of this form were written; nothing if the form, such as a
/// protobuf message, does not show it.
inline std::optional<std::int32_t> shown_date(const buffer_dump& dump) {
  const live_range_block* const block = dump.live_ranges();
  if (block && !block->peak.empty()) {
    if (!block->peak.front().index) return 20250115;
    if (!block->peak.front().cumulative) return 20250501;
  }
  const auto& allocations = dump.allocations();
  const auto& used = dump.used_values();
  // Since April 2026 live ranges have a file of their own.
  const bool split = block && !used.empty() && !dump.where(block->text).in.same_as(dump.where(used.front().text).in);
  const std::int32_t last =
      block && !detail::has_late_ranges(*block) ? xla_rules::before_late_ranges : xla_rules::newest;
  if (std::any_of(allocations.begin(), allocations.end(), [](const allocation& a) { return a.page.has_value(); }))
    return last;
  // Older texts print the sum of the allocations, newer ones pages; a protobuf message has neither.
  if (!block && used.empty() && !dump.total_bytes_used()) return std::nullopt;
  for (const used_value& v : used) {
    if (v.use_count > 0 || !v.uses_known || v.from_instruction.empty()) continue;
    // In between: the headings of positions and uses, the positions and, since June 2026, the line "(none)".
    const auto lines = dump.where(v.from_instruction).begin().line - dump.where(v.text).begin().line;
    if (lines > v.position_count + 3) return last;
    return split ? 20260515 : 20251115;
  }
  return split ? last : 20251115;
}
/// The shown date, or that of the newest XLA.
inline std::int32_t date_of(const buffer_dump& dump) { return shown_date(dump).value_or(xla_rules::newest); }

/// Whether an allocation counts in the memory that a program needs on its device: all do, but on a TPU only those in
/// HBM that are not thread-local, as libtpu counts them; thread-local ones stand there for what fusions read and write.
constexpr bool counts_in_need(target on, std::int64_t color, bool thread_local_storage) {
  return on != target::tpu || (color == 0 && !thread_local_storage);
}

/// The rules by which buffers are assigned.
struct assignment_rules {
  target sharing = target::unknown;    ///< whose rules let a result take its operand's bytes; see `may_share`
  size_rule sizes = size_rule::plain;  ///< how many bytes a shape takes
  byte_count alignment = 64;           ///< of every offset in a temporary allocation; a power of two
  xla_rules values{};                  ///< which values there are, and which must share storage
  bool only_last_position = false;     ///< only the last position of a value may share storage (3)
  /// Temporary values never lie in parameters or results, and the heap is filled in the order of the program (11).
  bool temporaries_apart = false;
  friend bool operator==(const assignment_rules&, const assignment_rules&) = default;

  /// Rules of one back-end at a date, given as year, month, day.
  static constexpr assignment_rules of(target backend, std::int32_t date = xla_rules::newest) {
    assignment_rules out;
    out.sharing = backend == target::gpu || backend == target::tpu ? backend : target::unknown;
    out.temporaries_apart = backend == target::tpu;
    out.sizes = backend == target::tpu       ? size_rule::tpu_tiled
                : backend == target::unknown ? size_rule::plain
                                             : size_rule::plain_dynamic;
    out.alignment = backend == target::gpu   ? date < gpu_alignment_doubled ? 128 : 256
                    : backend == target::tpu ? 16384
                                             : 64;
    out.values = xla_rules(date);
    out.only_last_position = date < all_positions_count;
    return out;
  }

  static constexpr std::int32_t gpu_alignment_doubled = 20250617;  ///< from 128 to 256 bytes on a GPU
  static constexpr std::int32_t gpu_shares_colors = 20260617;      ///< values may use the collectives' memory (4)
  static constexpr std::int32_t all_positions_count = 20260801;    ///< changed between 31 July and 22 August 2026
};

}  // namespace hlolint
