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
#include <hlolint/checks/value_readers.hpp>

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

/// Whether a call of the host only copies, as libtpu makes one where a result in the host's memory has to lie in a
/// donated array.
inline bool copies_on_host(hlo_instruction i) {
  const hlo_computation body = calls_target(i, "HostExecute") ? first_called(i) : hlo_computation{};
  const hlo_instruction sole = body ? sole_operation_in(body) : hlo_instruction{};
  return sole && sole.opcode() == hlo_opcode::copy;
}
/// What starts the call on the host; the call itself if the device waits for it.
inline hlo_instruction start_of_call(hlo_instruction call, const call_graph& graph) {
  const hlo_instruction caller = graph.only_caller(call.computation());
  return caller && caller.opcode() == hlo_opcode::async_start ? caller : call;
}

/// A parameter that is aliased to an output. `assigned`: a value of the dump; the others are values of the HLO.
struct donation {
  const input_output_alias_entry& alias;
  std::size_t parameter = 0, output = 0, assigned = 0;
  byte_count size = 0;
  std::string name;  ///< `parameter 3 {1}`
};

/// The copies of one module that defeat its donations.
class copies {
 public:
  copies(const context& dump, const matched_values& values, const input_output_alias& aliases)
      : dump_(dump), values_(values), flow_(values.flow()), alone_(dump.get<sole_operations>()) {
    for (const input_output_alias_entry& alias : aliases.entries)
      if (const auto value = parameter_of(alias)) outputs_.try_emplace(*value, to_string(alias.output));
  }

  /// The donation of an alias; nothing if it is small, or was asked for before: a value that is aliased twice is
  /// ALI002.
  std::optional<donation> donation_of(const input_output_alias_entry& alias, byte_count min_bytes) {
    const auto parameter = parameter_of(alias);
    const auto output = values_.at(flow_.module().entry().root(), alias.output);
    const auto assigned = parameter ? values_.assigned(*parameter) : std::nullopt;
    if (!assigned || !output || *parameter == *output) return std::nullopt;
    const byte_count size = values_.dump().values()[*assigned].size;
    if (size < min_bytes || !seen_.insert(*parameter).second) return std::nullopt;
    return donation{alias,     *parameter, *output,
                    *assigned, size,       detail::parameter_text(alias.parameter, alias.parameter_index)};
  }

  /// Reports copies of the parameter that stand elsewhere.
  void report_copies_of(const donation& donated, sink_ref emit) {
    for (const hlo_use& use : flow_.uses(flow_.values()[donated.parameter])) {
      const hlo_instruction copy = flow_.module().instruction(use.user);
      const auto placed = copied_to(copy, donated);
      if (!placed) continue;
      const hlo_instruction reader = last_reader(*values_.computed(*placed));
      const auto moved_to = reader ? values_.at(reader, {}) : std::nullopt;
      const bool to_another_output = moved_to && *moved_to != donated.output && values_.is_result(*moved_to);
      const bool is_part = !is_copy(copy);
      if (is_part && moved_to != donated.output) continue;
      finding d = finding_at_copy(*placed,
                                  str_cat({donated.name, " is donated to output ", to_string(donated.alias.output),
                                           is_part ? ", but nearly all of it is sliced into " : ", but copied into ",
                                           place_text(*placed), " (", human(size_of(*placed)), ")"}),
                                  copy, takes_memory(*placed), reader, "reads the copy last");
      if (to_another_output && is_copy(reader)) d.advice = in_order;
      if (is_part)
        d.advice =
            "An array that is shifted is written anew: keep the position of its first element beside it, and write "
            "only what is new (dynamic_update_slice, at an index modulo its size).";
      else if (changes_form(copy))
        d.advice =
            "The program works on another order in memory than the argument has (PRF002): transpose the array once "
            "where it is made, or let XLA choose its layout (Format(Layout.AUTO) of jax.experimental.layout, in "
            "in_shardings and out_shardings).";
      emit(std::move(d));
    }
  }

  /// Reports an output that is made elsewhere and copied over the parameter.
  void report_copy_over(const donation& donated, sink_ref emit) {
    const hlo_instruction copy = flow_.instruction(flow_.values()[donated.output]);
    const bool on_host = copies_on_host(copy);
    if (!(on_host || is_copy(copy)) || copy.operand_count() != 1 || changes_form(copy)) return;
    const auto source = values_.at(copy.operand(0), {});
    const auto from = source ? values_.assigned(*source) : std::nullopt;
    const auto to = values_.assigned(donated.output);
    if (!from || !to || *source == donated.parameter || !is_elsewhere(*from, donated)) return;
    const auto other = outputs_.find(*source);
    const bool is_donated = other != outputs_.end();
    const bool is_needed_for_itself = values_.is_result(*source) || copy.operand(0).opcode() == hlo_opcode::parameter;
    if (!is_temporary(*from) && !is_donated && is_needed_for_itself) return;
    // The operand of a call on the host is a parameter there.
    const hlo_instruction maker = on_host ? flow_.instruction(flow_.values()[*source]) : copy.operand(0);
    std::string message = str_cat({"output ", to_string(donated.alias.output), " is aliased to ", donated.name,
                                   ", but ", is_donated ? "is what lies in " : "made in ", place_text(*from)});
    if (is_donated) message += ", donated to output " + other->second + ",";
    message += " and copied over (" + human(donated.size) + ")";
    if (const hlo_instruction loop = detail::loop_with_both(flow_, maker, donated.parameter))
      message += str_cat({"; the loop ", loop.name(),
                          " reads the parameter beside the result that it stacks: carry the array through the loop and "
                          "update it in place (fori_loop, or the carry of a scan)"});
    finding d = finding_at_copy(*to, message, on_host ? start_of_call(copy, dump_.get<call_graph>()) : copy,
                                !on_host && takes_memory(*from), maker, "the result is made here");
    if (is_donated || copies_other(maker, donated.parameter))
      d.advice = in_order;
    else if (reads_alone(maker, donated.parameter))
      d.advice =
          "Nothing but what makes the result reads the old value, and it cannot write in its place: mostly a fusion "
          "that transposes, or reads other elements than it writes. Let the last operation on the new value be "
          "elementwise, in the order of dimensions that the argument has.";
    emit(std::move(d));
  }

 private:
  std::optional<std::size_t> parameter_of(const input_output_alias_entry& alias) const {
    return values_.at(flow_.tables().parameters.of(flow_.module().entry(), alias.parameter), alias.parameter_index);
  }
  bool is_copy(hlo_instruction i) const { return is_alone(i, hlo_opcode::copy); }
  bool is_alone(hlo_instruction i, hlo_opcode opcode) const {
    const hlo_instruction alone = alone_.of(i);
    return alone && alone.opcode() == opcode;
  }
  // A copy to another order of dimensions, or out of another memory, is there without the alias, too.
  static bool changes_form(hlo_instruction copy) {
    const shape* const before = copy.operand(0) ? copy.operand(0).shape() : nullptr;
    return before && copy.shape() && before->is_array() && copy.shape()->is_array() && !(*before == *copy.shape());
  }
  // Whether an instruction alone uses a parameter.
  bool reads_alone(hlo_instruction i, std::size_t parameter) const {
    const auto uses = flow_.uses(flow_.values()[parameter]);
    return i && !uses.empty() &&
           std::all_of(uses.begin(), uses.end(), [&](const hlo_use& use) { return use.user == i.id(); });
  }
  // Whether an instruction copies a parameter that is donated to another output than `own` is.
  bool copies_other(hlo_instruction i, std::size_t own) const {
    if (!i || i.operand_count() != 1 || !is_copy(i)) return false;
    const auto copied = values_.at(i.operand(0), {});
    return copied && *copied != own && outputs_.contains(*copied);
  }

  const allocation& allocation_of(std::size_t assigned) const {
    return values_.dump().allocation_of(values_.dump().values()[assigned]);
  }
  byte_count size_of(std::size_t assigned) const { return values_.dump().values()[assigned].size; }
  bool is_temporary(std::size_t assigned) const { return allocation_of(assigned).preallocated_temp; }
  // Whether a value of the parameter's size stands in temporary memory, or in the place of another parameter.
  bool is_elsewhere(std::size_t assigned, const donation& donated) const {
    const assigned_value& value = values_.dump().values()[assigned];
    const bool is_in_same = value.allocation == values_.dump().values()[donated.assigned].allocation;
    return value.size >= donated.size && (is_temporary(assigned) || (allocation_of(assigned).parameter && !is_in_same));
  }
  // Whether a finding is the first that counts the memory of a value.
  bool takes_memory(std::size_t assigned) { return is_temporary(assigned) && counted_.insert(assigned).second; }
  // `temporary memory`, `the place of parameter 3`
  std::string place_text(std::size_t assigned) const {
    const allocation& in = allocation_of(assigned);
    if (in.preallocated_temp) return is_host_space(in.color) ? "temporary memory of the host" : "temporary memory";
    return "the place of " + detail::parameter_text(in.parameter->number, in.parameter->index);
  }

  // The value of the dump that a copy makes elsewhere in the same space, and that is no output; nothing if `i` is not
  // such a copy.
  std::optional<std::size_t> copied_to(hlo_instruction i, const donation& donated) const {
    const bool is_slice = is_alone(i, hlo_opcode::slice);
    if ((!is_slice && !is_copy(i)) || !i.shape() || !i.shape()->is_array() || i.shape()->memory_space() != 0)
      return std::nullopt;
    const auto value = values_.at(i, {});
    const auto assigned = value ? values_.assigned(*value) : std::nullopt;
    if (is_slice && assigned && is_temporary(*assigned) && size_of(*assigned) >= donated.size / 16 * 15)
      return assigned;
    if (is_slice || !assigned || !is_elsewhere(*assigned, donated)) return std::nullopt;
    return is_temporary(*assigned) || !values_.is_result(*value) ? assigned : std::nullopt;
  }
  hlo_instruction last_reader(std::size_t value) const {
    hlo_instruction out;
    std::int64_t latest = -1;
    for (const hlo_use& use : flow_.uses(flow_.values()[value])) {
      const hlo_instruction user = flow_.module().instruction(use.user);
      const auto at = values_.ranges().schedule().position_of(user);
      if (at && *at > latest) latest = *at, out = user;
    }
    return out;
  }

  finding finding_at_copy(std::size_t assigned, const std::string& message, hlo_instruction copy, bool costs_memory,
                          hlo_instruction other, const char* role) const {
    const assigned_value& v = values_.dump().values()[assigned];
    finding d = detail::value_finding(dump_, v, values_.table().range(assigned),
                                      str_cat({to_string(v.name), ": ", message}), {.bytes = v.size});
    if (copy) d.saves.push_back({copy});
    if (costs_memory)
      d.promise = promised_bytes{v.size, certainty::bound};
    else
      d.bytes.reset();  // the place is there anyway
    if (other) d.related.push_back(related_at(other, role));
    return d;
  }

  const context& dump_;
  const matched_values& values_;
  const dataflow& flow_;
  const sole_operations& alone_;
  std::map<std::size_t, std::string> outputs_;  // of the parameters' values that are donated
  std::set<std::size_t> seen_;                  // values of parameters
  std::set<std::size_t> counted_;               // values of the dump whose memory is in a finding
};

}  // namespace ali006

HLOLINT_INLINE void donation_defeated::operator()(const context& dump, sink_ref emit) const {
  const auto aliases = get<input_output_alias>(*dump.hlo());
  if (!aliases || !root_of(dump.hlo()->entry())) return;
  const auto& values = dump.get<matched_values>();
  if (!values.same_program()) return;  // DMP001
  ali006::copies copies(dump, values, *aliases);
  for (const input_output_alias_entry& alias : aliases->entries)
    if (const auto donated = copies.donation_of(alias, min_bytes)) {
      copies.report_copies_of(*donated, emit);
      copies.report_copy_over(*donated, emit);
    }
}

}  // namespace hlolint
#endif
