// Facts that the memory reports for people and for programs share.
#pragma once

#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/memory/memory_profile.hpp>
#include <hlolint/tool/memory/reported_peak.hpp>
#include <hlolint/tool/memory/value_place.hpp>
#include <hlolint/tool/report/memory/memory_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// What a memory report lacks, and what would help; empty if nothing is missing.
inline std::string missing_for_memory(const context& module) {
  if (module.buffers() && module.buffers()->oom() && !module.hlo() && !module.buffers()->has_assignment())
    return {};  // a job's log
  if (module.hlo() && !module.has(need::buffers) && !has_whole_entry(*module.hlo()))
    return "the text has no ENTRY computation (is it cut off?), so its need is not known";
  if (!module.has(need::buffers))
    return std::string(reason_without(need::buffers)) +
           ": XLA writes it to ...-buffer-assignment.txt if XLA_FLAGS has --xla_dump_to=FOLDER";
  if (!with_memory(module).has(need::live_ranges))
    return std::string(reason_without(need::live_ranges)) +
           ", so nothing is known about time: name that file too; XLA leaves it out if XLA_FLAGS has "
           "--xla_dump_buffer_assignment_analysis=false, or if it did not schedule the module";
  return {};
}

/// The use of an allocation (buffer_dumps.md 3).
constexpr std::string_view kind_of(const allocation& a) {
  return a.parameter              ? a.maybe_live_out ? "parameter, live-out" : "parameter"
         : a.constant             ? "constant"
         : a.thread_local_storage ? "thread-local"
         : a.maybe_live_out       ? "live-out"
         : a.preallocated_temp    ? "temp"
                                  : "tuple table";
}

/// Positions of the allocations: the temporary ones first, since only they can be repacked; then by size.
inline std::vector<std::size_t> allocations_in_order(const buffer_dump& dump) {
  std::vector<std::size_t> out(dump.allocations().size());
  for (std::size_t a = 0; a < out.size(); ++a) out[a] = a;
  std::stable_sort(out.begin(), out.end(), [&](std::size_t x, std::size_t y) {
    const allocation &a = dump.allocations()[x], &b = dump.allocations()[y];
    return in_order(b.preallocated_temp, a.preallocated_temp, b.size, a.size, x, y);
  });
  return out;
}

/// The instruction at a schedule position; empty after the last one.
inline std::string_view instruction_at(const buffer_dump& dump, std::int64_t position) {
  const live_range_block* const block = dump.live_ranges();
  const bool there = block && position >= 0 && static_cast<std::size_t>(position) < block->sequence.size();
  return there ? block->sequence[static_cast<std::size_t>(position)] : std::string_view{};
}

/// The last schedule position: the one after the last instruction, at which results are still live.
inline std::int64_t last_position(const buffer_dump& dump) { return dump.live_ranges() ? dump.live_ranges()->max : 0; }

/// The position whose values are shown; nothing without live ranges.
inline std::optional<std::int64_t> shown_position(const memory_profile& facts, target on,
                                                  const memory_options& options) {
  const auto peak = main_curve(facts.in_use, on).peak_positions();
  if (peak.empty()) return std::nullopt;
  return options.at ? *options.at : peak.front().first;
}

namespace detail {

/// The sum of the values that the live-range file lists at its peak, without padding; without a list, the bytes in use.
inline byte_count bytes_at_printed_peak(const live_range_block& block, const memory_profile& facts) {
  checked_int64 sum = 0;
  for (const peak_value& v : block.peak) sum += v.bytes;
  return block.peak.empty() ? facts.in_use.total().at(block.peak_position) : sum.clamped();
}
/// The peak that JAX and XProf show for the module; nothing if HLO or live ranges are missing, or are of another
/// program.
inline std::optional<reported_peak> peak_of_compiler(const context& module) {
  if (!module.hlo() || !module.has(need::buffers | need::live_ranges) || module.target() == target::unknown)
    return std::nullopt;
  const auto& values = module.get<matched_values>();
  if (!values.same_program()) return std::nullopt;
  return reported_peak(values, module.target());
}
/// The member `need`; its sum is called `sum`.
inline void write_need(json_writer& json, const memory_need& need, std::string_view sum) {
  json.object("need", [&] {
    json.members(sum, need.total, "arguments", need.arguments, "outputs", need.outputs);
    json.members("aliased", need.aliased, "temporaries", need.temporaries, "constants", need.constants);
    json.members("thread_local", need.thread_local_storage, "tuple_tables", need.tuple_tables);
  });
}

}  // namespace detail

}  // namespace hlolint::report
