// What the rules about hidden conflicts share: which rule reports a conflict, and the texts of their findings.
#pragma once

#include <hlolint/analysis/buffers/buffer_conflicts.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/checks/check_code.hpp>
#include <hlolint/checks/memory/conflict_finding.hpp>
#include <hlolint/checks/value_finding.hpp>
#include <hlolint/lint/context.hpp>

namespace hlolint::detail {

/// The kind of the overwritten value: a result of the program is MEM009, one in flight MEM010, any other MEM011.
enum class overwritten : std::uint8_t { result, in_flight, other };

/// The done of a transfer that is in flight when the later value starts, and that reads the earlier value.
inline hlo_instruction transfer_around(const hidden_conflict& found, const matched_values& values) {
  const dataflow& flow = values.flow();
  const flat_schedule& schedule = values.ranges().schedule();
  for (const hlo_use& use : flow.uses(flow.values()[*values.computed(found.first)])) {
    const hlo_instruction done = flow.module().instruction(use.user);
    if (!is_done_opcode(done.opcode()) || done.operand_count() == 0 || !done.operand(0)) continue;
    const auto begin = schedule.position_of(done.operand(0)), end = schedule.position_of(done);
    if (begin && end && *begin < found.position && found.position < *end) return done;
  }
  return {};
}

inline overwritten kind_of(const hidden_conflict& found, const matched_values& values) {
  const std::size_t first = *values.computed(found.first);
  if (values.is_result(first)) return overwritten::result;
  return transfer_around(found, values) ? overwritten::in_flight : overwritten::other;
}

/// `add.1 (bytes 0 to 64 of allocation 3, live 3-8 by the HLO, 3-4 by the dump)`
inline std::string hidden_value_text(std::size_t assigned, const matched_values& values) {
  const assigned_value& v = values.dump().values()[assigned];
  const auto range = values.ranges().of(*values.computed(assigned));
  const live_range* const printed = values.table().range(assigned);
  const auto text = [](std::int64_t start, std::int64_t end) {
    return std::to_string(start) + "-" + std::to_string(end);
  };
  return to_string(v.name) + " (bytes " + std::to_string(v.offset) + " to " +
         std::to_string((checked_int64(v.offset) + v.size).clamped()) + " of allocation " +
         std::to_string(values.dump().allocation_of(v).number) + ", live " + text(range->start, range->end) +
         " by the HLO, " + (printed ? text(printed->start, printed->end) + " by the dump)" : "not given by the dump)");
}

/// A finding at the value that starts later, with the other one beside it.
inline finding hidden_conflict_finding(const context& dump, const hidden_conflict& found,
                                          const matched_values& values, std::string message) {
  const assigned_value &first = values.dump().values()[found.first], &second = values.dump().values()[found.second];
  finding d = value_finding(dump, second, values.table().range(found.second), std::move(message));
  d.bytes = found.bytes;
  d.related.push_back(
      related_at(values.dump(), first, values.table().range(found.first), "the other value, " + to_string(first.name)));
  // Memory-space assignment has its own definition of live ranges.
  if (is_alternate_memory(dump, values.dump().allocation_of(first))) d.level = severity::warning;
  return d;
}

}  // namespace hlolint::detail
