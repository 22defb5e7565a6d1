// ALI010: an impossible output_to_operand_aliasing.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 8: the checks of HloVerifier on fusions, custom calls and async ops, and the cases that it
/// overlooks.
struct operand_alias_invalid {
  static constexpr rule about{
      .id = "ALI010",
      .name = "operand-alias-invalid",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .looks_at =
          [](hlo_opcode opcode) {
            return opcode == hlo_opcode::fusion || opcode == hlo_opcode::custom_call ||
                   opcode == hlo_opcode::async_start;
          },
      .what =
          "An entry of output_to_operand_aliasing names an operand or index that does not exist, or pairs two "
          "different shapes.",
      .why =
          "The instruction writes its output into the operand's buffer; if size or layout differ, it writes past "
          "the end or reads garbage. XLA's verifier rejects the module.",
      .advice =
          "Make the operand and the aliased output equal in element type, dimensions and layout, or drop the "
          "alias where the call is made (in JAX: input_output_aliases of ffi_call or pallas_call).",
      .example =
          "%c = f32[16]{0} custom-call(f32[8]{0} %p), custom_call_target=\"f\", "
          "output_to_operand_aliasing={{}: (0, {})}",
      .source = "XLA: hlo_verifier.cc, HandleFusion and HandleCustomCall (\"Different aliasing shapes\")"};

  void operator()(hlo_instruction i, const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

namespace ali010 {

inline constexpr std::size_t most_faults = 16;

/// Whether the entry counts operands and results of this instruction. An update counts differently, and in the short
/// form of an asynchronous fusion or custom call the numbers belong to the wrapped instruction (buffer_dumps.md 5.0,
/// 5.1).
inline bool counts_as_written(hlo_instruction i) {
  if (i.opcode() == hlo_opcode::async_start)
    return i.wrapped_opcode() != hlo_opcode::fusion && i.wrapped_opcode() != hlo_opcode::custom_call;
  return i.opcode() == hlo_opcode::fusion || i.opcode() == hlo_opcode::custom_call;
}

inline bool same_layouts(const shape& input, const shape& output, bool custom_call, bool nested) {
  for (std::size_t e = 0; e < input.elements.size(); ++e)
    if (!same_layouts(input.elements[e], output.elements[e], custom_call, nested)) return false;
  if (!input.is_array()) return true;
  // XLA prints the layout of a scalar only if it differs from the default; the layout of an array is unknown if it is
  // not printed.
  const bool scalar = input.rank() == 0;
  if (!scalar && (!input.layout || !output.layout)) return true;
  layout a = input.layout.value_or(layout{}), b = output.layout.value_or(layout{});
  if (nested) a.tiles = b.tiles = {};
  const bool one_element = detail::dense_elements(input) == std::int64_t{1};
  if (nested || (custom_call && one_element)) a.memory_space = b.memory_space = 0;
  return a == b;
}

inline bool may_alias(const shape& input, const shape& output, hlo_instruction i, const context& dump) {
  // A custom call may turn an array into a `buffer` in place, and back.
  if (input.type == element_type::buffer && !input.elements.empty())
    return may_alias(input.elements[0], output, i, dump);
  if (output.type == element_type::buffer && !output.elements.empty())
    return may_alias(input, output.elements[0], i, dump);
  if (!compatible(input, output)) return false;
  if (!dump.hlo()->is_scheduled()) return true;  // layouts may not be assigned yet
  // In a text that is cut off, it is not known of all computations which are parts of a fusion.
  const execution how = dump.get<call_graph>().execution_of(i.computation());
  const bool nested = how == execution::embedded || how == execution::unreached;
  return same_layouts(input, output, i.opcode() == hlo_opcode::custom_call, nested);
}

}  // namespace ali010

HLOLINT_INLINE void operand_alias_invalid::operator()(hlo_instruction i, const context& dump, sink_ref emit) const {
  if (!about.looks_at(i.opcode())) return;
  const auto aliases =
      i.has(attribute_key::output_to_operand_aliasing) ? get<output_to_operand_aliasing>(i) : std::nullopt;
  if (!aliases || !i.shape() || !ali010::counts_as_written(i)) return;
  // Updates may still add operands to an async op.
  const bool complete = i.opcode() != hlo_opcode::async_start;
  const bool dead = !i.is_root() && dump.get<users>().count(i) == 0;

  std::size_t faults = 0;  // each message has the whole shape, so the first few of many are enough
  for (const operand_alias_entry& alias : aliases->entries) {
    if (faults >= ali010::most_faults) break;
    const auto add = [&](const std::string& message, hlo_instruction operand) {
      ++faults;
      finding d = finding_at(i, str_cat({message, " (", alias.text, ")"}));
      d.where = i.attribute_location(attribute_key::output_to_operand_aliasing);
      if (!alias.text.empty() && d.where.in.contains(alias.text)) d.where.at = span_of(d.where.in.text(), alias.text);
      if (operand) d.related.push_back(related_at(operand, "the operand"));
      emit(std::move(d));
    };
    const bool exists = alias.operand >= 0 && static_cast<std::uint64_t>(alias.operand) < i.operand_count();
    if (!exists) {
      if (complete) add(str_cat({"aliasing names operand ", alias.operand, " of ", i.operand_count()}), {});
      continue;
    }
    const auto number = static_cast<std::size_t>(alias.operand);
    const hlo_instruction operand = i.operand(number);
    const shape* const whole = operand && operand.shape() ? operand.shape() : i.operand_shape(number);
    if (!whole) continue;
    const shape* const input = whole->at(alias.operand_index);
    const shape* const output = i.shape()->at(alias.output);
    if (complete && !input)
      add(str_cat(
              {"aliasing names index ", to_string(alias.operand_index), " of operand ", number, ", which has none"}),
          operand);
    if (complete && !output)
      add("aliasing names output index " + to_string(alias.output) + ", which does not exist", operand);
    if (!input || !output || dead || ali010::may_alias(*input, *output, i, dump)) continue;
    add(str_cat({"output ", to_string(alias.output), " is ", to_string(*output), " but lies in the buffer of operand ",
                 number, ", which is ", to_string(*input)}),
        operand);
  }
}

}  // namespace hlolint
#endif
