// What the rules about hidden conflicts share: which rule reports a conflict, and the texts of their findings.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/checks/memory/conflict_finding.hpp>

#include <optional>
#include <utility>

namespace hlolint::detail {

/// The kind of the overwritten value: a result of the program is MEM009, one in flight MEM010, any other MEM011.
enum class overwritten : std::uint8_t { result, in_flight, other };

/// The done of a transfer that is in flight when the later value starts, and that reads the earlier value.
inline hlo_instruction transfer_around(const buffer_conflict& found, const matched_values& values) {
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

inline overwritten kind_of(const buffer_conflict& found, const matched_values& values) {
  const std::size_t first = *values.computed(found.first);
  if (values.is_result(first)) return overwritten::result;
  return transfer_around(found, values) ? overwritten::in_flight : overwritten::other;
}

/// `add.1 (bytes 0 to 64 of allocation 3, live 3-8 by the HLO, 3-4 by the dump)`
inline std::string hidden_value_text(std::size_t assigned, const matched_values& values) {
  const assigned_value& v = values.dump().values()[assigned];
  const auto range = values.ranges().of(*values.computed(assigned));
  const live_range* const printed = values.table().range(assigned);
  return str_cat({bytes_text(v), " of allocation ", values.dump().allocation_of(v).number, ", live ", range->start, "-",
                  range->end, " by the HLO, ",
                  printed ? str_cat({printed->start, "-", printed->end, " by the dump)"}) : "not given by the dump)"});
}

/// Reports the conflicts in which a value of one kind is overwritten: `LATER verb EARLIER ending`.
inline void report_hidden(const context& dump, overwritten kind, const char* verb, const char* ending, sink_ref emit) {
  const auto& facts = dump.get<hidden_conflicts>();
  const matched_values& values = facts.values();
  for (const buffer_conflict& found : facts) {
    if (kind_of(found, values) != kind) continue;
    const hlo_instruction done = kind == overwritten::in_flight ? transfer_around(found, values) : hlo_instruction{};
    // Memory-space assignment has its own definition of live ranges, and printed ranges may be the right ones.
    const bool certain = !is_alternate_memory(dump, values.dump().allocation_of(values.dump().values()[found.first])) &&
                         (kind != overwritten::other || !values.dump().live_ranges());
    finding d =
        conflict_finding(dump, values.table(), found,
                         str_cat({hidden_value_text(found.second, values), verb, hidden_value_text(found.first, values),
                                  ending, done ? done.name() : std::string_view{}}),
                         certain ? std::nullopt : std::optional(severity::warning));
    if (done) d.related.push_back(related_at(done, "the transfer is done here"));
    emit(std::move(d));
  }
}

}  // namespace hlolint::detail
