// ALI006: a donated parameter that is copied anyway.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks for copies of the parameter in temporary memory, and for results that are computed there and then copied into
/// the parameter's buffer: in both cases the alias was accepted and saves nothing.
struct donation_defeated {
  static constexpr rule about{
      .id = "ALI006",
      .name = "donation-defeated",
      .what = "A parameter is aliased to an output, but a temporary of its size holds a copy of it, or the output is "
              "computed in a temporary and then copied over.",
      .why = "The donation was to save one buffer of this size; the copy takes that memory again, and time.",
      .advice = "XLA copies when the old value is still read after the new one is written: move the reader named "
                "here before the update, let it use the new value, or do not return the intermediate value.",
      .example = "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }\n"
                 "  %c = f32[8192,4096]{1,0} copy(%p)\n"
                 "  %n = f32[8192,4096]{1,0} negate(%p)\n"
                 "  %s = f32[] reduce(%c, %zero), ...",
      .source = "openxla/xla #45912; jax #15368"};
  static constexpr need needs = need::buffers | need::scheduled;

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &donation_defeated::min_bytes, "smaller parameters are not reported"}};

  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/checks/aliasing/entry_shapes.hpp>
#include <hlolint/checks/value_finding.hpp>

namespace hlolint {

struct donation_defeated::code {
  static bool is_copy(hlo_instruction i, const sole_operations& all_alone) {
    const hlo_instruction alone = all_alone.of(i);
    return alone && alone.opcode() == hlo_opcode::copy;
  }
  static bool is_temporary(const matched_values& values, std::size_t assigned, byte_count size) {
    const assigned_value& v = values.dump().values()[assigned];
    return v.size >= size && values.dump().allocation_of(v).preallocated_temp;
  }
  /// The assigned value that a copy makes in temporary memory of the same space; nothing if `i` is not such a copy.
  static optional<std::size_t> copied_to(const matched_values& values, hlo_instruction i, byte_count size,
                                         const sole_operations& alone) {
    if (!is_copy(i, alone) || !i.shape() || !i.shape()->is_array() || i.shape()->memory_space() != 0)
      return std::nullopt;
    const auto made = values.at(i, {});
    const auto placed = made ? values.assigned(*made) : std::nullopt;
    return placed && is_temporary(values, *placed, size) ? placed : std::nullopt;
  }
  static finding at_copy(const context& dump, const matched_values& values, std::size_t assigned,
                         const std::string& message, hlo_instruction other, const char* role) {
    const assigned_value& v = values.dump().values()[assigned];
    finding d = detail::value_finding(dump, v, values.table().range(assigned),
                                      str_cat({to_string(v.name), ": ", message}), {.bytes = v.size});
    if (other) d.related.push_back(related_at(other, role));
    return d;
  }
  static hlo_instruction last_reader(const matched_values& values, std::size_t value) {
    hlo_instruction out;
    std::int64_t latest = -1;
    for (const hlo_use& use : values.flow().uses(values.flow().values()[value])) {
      const hlo_instruction user = values.flow().module().instruction(use.user);
      const auto at = values.ranges().schedule().position_of(user);
      if (at && *at > latest) latest = *at, out = user;
    }
    return out;
  }
};

HLOLINT_INLINE void donation_defeated::operator()(const context& dump, sink_ref report) const {
  const auto aliases = get<input_output_alias>(*dump.hlo());
  const hlo_computation entry = dump.hlo()->entry();
  if (!aliases || !entry || !entry.root()) return;
  const auto& values = dump.get<matched_values>();
  if (!values.same_program()) return;  // DMP001
  const dataflow& flow = values.flow();
  const auto& alone = dump.get<sole_operations>();
  ordered_set<std::size_t> seen;  // values that are done: a value that is aliased twice is ALI002
  for (const input_output_alias_entry& alias : aliases->entries) {
    const auto given = values.at(flow.tables().parameters.of(entry, alias.parameter), alias.parameter_index);
    const auto made = values.at(entry.root(), alias.output);
    const auto placed = given ? values.assigned(*given) : std::nullopt;
    if (!placed || !made || *given == *made || values.dump().values()[*placed].size < min_bytes ||
        !seen.insert(*given).second)
      continue;
    const byte_count size = values.dump().values()[*placed].size;
    const std::string parameter = detail::parameter_text(alias.parameter, alias.parameter_index);
    for (const hlo_use& use : flow.uses(flow.values()[*given])) {
      const auto copy = code::copied_to(values, flow.module().instruction(use.user), size, alone);
      if (!copy) continue;
      report(code::at_copy(dump, values, *copy,
          str_cat({parameter, " is donated to output ", to_string(alias.output),
                   ", but copied into temporary memory (", human(size), ")"}),
          code::last_reader(values, *values.computed(*copy)), "reads the copy last"));
    }
    const hlo_instruction maker = flow.instruction(flow.values()[*made]);
    if (!code::is_copy(maker, alone) || maker.operand_count() != 1) continue;
    const auto source = values.at(maker.operand(0), {});
    const auto from = source ? values.assigned(*source) : std::nullopt;
    const auto to = values.assigned(*made);
    if (!from || !to || source == given || !code::is_temporary(values, *from, size)) continue;
    report(code::at_copy(dump, values, *to,
        str_cat({"output ", to_string(alias.output), " is aliased to ", parameter,
                 ", but made in temporary memory and copied over (", human(size), ")"}),
        maker.operand(0), "the result is made here"));
  }
}

}  // namespace hlolint
#endif
