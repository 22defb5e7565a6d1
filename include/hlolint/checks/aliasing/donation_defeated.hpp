// ALI006: a donated parameter that is copied anyway.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks for copies of the parameter in temporary memory or in the place of another donated parameter, and for results
/// that are computed there and then copied into the parameter's buffer: in both cases the alias was accepted and saves
/// nothing.
struct donation_defeated {
  static constexpr rule about{
      .id = "ALI006",
      .name = "donation-defeated",
      .costs = cost_kind::both,
      .needs = need::buffers | need::scheduled,
      .what =
          "A parameter is aliased to an output, but a copy of it stands in temporary memory or in the place of another "
          "donated parameter, or the output is computed there, or is another donated parameter, and then copied over.",
      .why =
          "The donation was to save one buffer of this size; the copy takes that memory again, unless a donated one "
          "is free for it, and time.",
      .advice =
          "XLA copies when the old value is still read after the new one is written: move the reader named "
          "here before the update, let it use the new value, or do not return the intermediate value. An array that a "
          "scan takes as xs and returns as ys is read while it is written: carry it through the loop instead.",
      .example =
          "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }\n"
          "  %c = f32[8192,4096]{1,0} copy(%p)\n"
          "  %n = f32[8192,4096]{1,0} negate(%p)\n"
          "  %s = f32[] reduce(%c, %zero), ...",
      .source = "openxla/xla #45912; jax #15368"};

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &donation_defeated::min_bytes, "smaller parameters are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/checks/aliasing/entry_shapes.hpp>
#include <hlolint/checks/value_finding.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

namespace ali006 {

/// The advice where outputs are donated arguments in another order.
inline constexpr std::string_view in_order =
    "The function returns donated arguments in another order than it takes them, so they are copied around: return "
    "each in the place of the argument that it comes from, and swap the names where the function is called.";

inline bool is_copy(hlo_instruction i, const sole_operations& all_alone) {
  const hlo_instruction alone = all_alone.of(i);
  return alone && alone.opcode() == hlo_opcode::copy;
}

/// Whether a call of the host only copies, as libtpu makes one where a result in the host's memory has to lie in a
/// donated array.
inline bool copies_on_host(hlo_instruction i) {
  const hlo_computation body = calls_target(i, "HostExecute") ? first_called(i) : hlo_computation{};
  const hlo_instruction sole = body ? sole_operation_in(body) : hlo_instruction{};
  return sole && sole.opcode() == hlo_opcode::copy;
}
/// What starts the call on the host; the call itself if the device waits for it.
inline hlo_instruction start_of_call(hlo_instruction call, const call_graph& graph) {
  const auto callers = graph.callers(call.computation());
  const bool is_async = callers.size() == 1 && callers.front().opcode() == hlo_opcode::async_start;
  return is_async ? callers.front() : call;
}

/// Whether a value of this size stands in temporary memory, or in the place of another parameter than `own`.
inline bool is_elsewhere(const matched_values& values, std::size_t assigned, byte_count size, std::size_t own) {
  const assigned_value& v = values.dump().values()[assigned];
  const assigned_value& parameter = values.dump().values()[own];
  const allocation& in = values.dump().allocation_of(v);
  return v.size >= size && (in.preallocated_temp || (in.parameter && v.allocation != parameter.allocation));
}

inline bool is_temporary(const matched_values& values, std::size_t assigned) {
  return values.dump().allocation_of(values.dump().values()[assigned]).preallocated_temp;
}

/// `into temporary memory`, `into the place of parameter 3`
inline std::string place_text(const matched_values& values, std::size_t assigned) {
  const allocation& in = values.dump().allocation_of(values.dump().values()[assigned]);
  if (in.preallocated_temp) return is_host_space(in.color) ? "temporary memory of the host" : "temporary memory";
  return "the place of " + detail::parameter_text(in.parameter->number, in.parameter->index);
}

inline bool is_output(const dataflow& flow, std::size_t value) {
  const id root = flow.module().entry().root().id();
  const auto positions = flow.positions(flow.values()[value]);
  return std::any_of(positions.begin(), positions.end(), [&](hlo_position p) { return p.instruction == root; });
}

/// The assigned value that a copy makes elsewhere in the same space, and that is no output; nothing if `i` is not
/// such a copy.
inline std::optional<std::size_t> copied_to(const matched_values& values, hlo_instruction i, byte_count size,
                                            std::size_t own, const sole_operations& alone) {
  if (!is_copy(i, alone) || !i.shape() || !i.shape()->is_array() || i.shape()->memory_space() != 0) return std::nullopt;
  const auto made = values.at(i, {});
  const auto placed = made ? values.assigned(*made) : std::nullopt;
  if (!placed || !is_elsewhere(values, *placed, size, own)) return std::nullopt;
  return is_temporary(values, *placed) || !is_output(values.flow(), *made) ? placed : std::nullopt;
}

/// The loop that made a result while it reads the parameter as another part of its state, as a scan does with an array
/// that it takes as xs and returns as ys; empty if it is none.
inline hlo_instruction loop_with_both(const dataflow& flow, hlo_instruction made, std::size_t given) {
  while (made && made.opcode() == hlo_opcode::get_tuple_element && made.operand_count() == 1) made = made.operand(0);
  if (!made || made.opcode() != hlo_opcode::while_) return {};
  const auto uses = flow.uses(flow.values()[given]);
  const bool reads = std::any_of(uses.begin(), uses.end(), [&](const hlo_use& u) { return u.user == made.id(); });
  return reads ? made : hlo_instruction{};
}

inline finding at_copy(const context& dump, const matched_values& values, std::size_t assigned,
                       const std::string& message, hlo_instruction copy, bool costs_memory, hlo_instruction other,
                       const char* role) {
  const assigned_value& v = values.dump().values()[assigned];
  finding d = detail::value_finding(dump, v, values.table().range(assigned),
                                    str_cat({to_string(v.name), ": ", message}), {.bytes = v.size});
  if (copy) d.saves.push_back({copy});
  if (costs_memory)
    d.promise = promised_bytes{v.size, certainty::bound};
  else
    d.bytes.reset();  // the place is there anyway
  if (other) d.related.push_back(related_at(other, role));
  return d;
}

inline hlo_instruction last_reader(const matched_values& values, std::size_t value) {
  hlo_instruction out;
  std::int64_t latest = -1;
  for (const hlo_use& use : values.flow().uses(values.flow().values()[value])) {
    const hlo_instruction user = values.flow().module().instruction(use.user);
    const auto at = values.ranges().schedule().position_of(user);
    if (at && *at > latest) latest = *at, out = user;
  }
  return out;
}

}  // namespace ali006

HLOLINT_INLINE void donation_defeated::operator()(const context& dump, sink_ref emit) const {
  const auto aliases = get<input_output_alias>(*dump.hlo());
  const hlo_computation entry = dump.hlo()->entry();
  if (!aliases || !entry || !entry.root()) return;
  const auto& values = dump.get<matched_values>();
  if (!values.same_program()) return;  // DMP001
  const dataflow& flow = values.flow();
  const auto& alone = dump.get<sole_operations>();
  std::set<std::size_t> seen;                  // values that are done: a value that is aliased twice is ALI002
  std::set<std::size_t> counted;               // assigned values whose memory is in a finding
  std::map<std::size_t, std::string> donated;  // values of the parameters, with their outputs
  for (const input_output_alias_entry& alias : aliases->entries)
    if (const auto value = values.at(flow.tables().parameters.of(entry, alias.parameter), alias.parameter_index))
      donated.try_emplace(*value, to_string(alias.output));
  // Whether an instruction copies a parameter that is donated to another output than `own` is.
  const auto copies_other = [&](hlo_instruction made, std::size_t own) {
    if (!made || made.operand_count() != 1 || !ali006::is_copy(made, alone)) return false;
    const auto copied = values.at(made.operand(0), {});
    return copied && *copied != own && donated.contains(*copied);
  };
  const auto takes_memory = [&](std::size_t assigned) {
    return ali006::is_temporary(values, assigned) && counted.insert(assigned).second;
  };
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
      const hlo_instruction user = flow.module().instruction(use.user);
      const auto copy = ali006::copied_to(values, user, size, *placed, alone);
      if (!copy) continue;
      const hlo_instruction reader = ali006::last_reader(values, *values.computed(*copy));
      finding d =
          ali006::at_copy(dump, values, *copy,
                          str_cat({parameter, " is donated to output ", to_string(alias.output), ", but copied into ",
                                   ali006::place_text(values, *copy), " (", human(size), ")"}),
                          user, takes_memory(*copy), reader, "reads the copy last");
      const auto moved_to = reader ? values.at(reader, {}) : std::nullopt;
      if (moved_to && *moved_to != *made && ali006::is_copy(reader, alone) && ali006::is_output(flow, *moved_to))
        d.advice = ali006::in_order;
      emit(std::move(d));
    }
    const hlo_instruction maker = flow.instruction(flow.values()[*made]);
    const bool on_host = ali006::copies_on_host(maker);
    if (!(on_host || ali006::is_copy(maker, alone)) || maker.operand_count() != 1) continue;
    // A copy to another order of dimensions, or out of another memory, is there without the alias, too.
    const shape* const before = maker.operand(0) ? maker.operand(0).shape() : nullptr;
    if (before && maker.shape() && before->is_array() && maker.shape()->is_array() && !(*before == *maker.shape()))
      continue;
    const auto source = values.at(maker.operand(0), {});
    const auto from = source ? values.assigned(*source) : std::nullopt;
    const auto to = values.assigned(*made);
    if (!from || !to || source == given || !ali006::is_elsewhere(values, *from, size, *placed)) continue;
    const auto other = donated.find(*source);
    if (!ali006::is_temporary(values, *from) && other == donated.end() &&
        (ali006::is_output(flow, *source) || maker.operand(0).opcode() == hlo_opcode::parameter))
      continue;  // needed for itself
    // The operand of a call on the host is a parameter there.
    const hlo_instruction made_by = on_host ? flow.instruction(flow.values()[*source]) : maker.operand(0);
    const hlo_instruction loop = ali006::loop_with_both(flow, made_by, *given);
    const std::string where = other == donated.end() ? "made in " + ali006::place_text(values, *from)
                                                     : str_cat({"is what lies in ", ali006::place_text(values, *from),
                                                                ", donated to output ", other->second, ","});
    finding d =
        ali006::at_copy(dump, values, *to,
                        str_cat({"output ", to_string(alias.output), " is aliased to ", parameter, ", but ", where,
                                 " and copied over (", human(size), ")", loop ? "; the loop " : "",
                                 loop ? loop.name() : std::string_view{},
                                 loop ? " reads the parameter beside the result that it stacks: carry the array "
                                        "through the loop and update it in place (fori_loop, or the carry of a scan)"
                                      : ""}),
                        on_host ? ali006::start_of_call(maker, dump.get<call_graph>()) : maker,
                        !on_host && takes_memory(*from), made_by, "the result is made here");
    if (other != donated.end() || copies_other(made_by, *given)) d.advice = ali006::in_order;
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
