// PAD004: a copy that moves an array into a layout with much more padding.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks at copies, transposes and reshapes, alone or wrapped into a fusion of their own, which leave the elements as
/// they are.
struct pad_inflating_copy {
  static constexpr rule about{
      .id = "PAD004",
      .name = "pad-inflating-copy",
      .costs = cost_kind::both,
      .needs = need::scheduled,
      .what =
          "A copy, transpose or reshape whose result takes more than twice the memory of its operand, because "
          "its layout pads more.",
      .why =
          "The operand shows that the same elements fit into less memory: the copy only spreads them, and every "
          "reader moves the padding too.",
      .advice =
          "Find the consumer that wants the wide layout. Keep the dense order up to that point, or give the "
          "consumer another dimension order.",
      .example = "%c = s32[8388608,8,4]{2,1,0:T(8,128)} copy(s32[8388608,8,4]{0,2,1:T(4,128)} %p)",
      .source = "DifferentiableUniverseInitiative/flowpm #27"};

  byte_count min_growth = 64_MiB;
  double min_ratio = 2;
  static constexpr auto options = std::tuple{
      option{"min-growth", &pad_inflating_copy::min_growth, "copies that add fewer bytes are not reported"},
      option{"min-ratio", &pad_inflating_copy::min_ratio, "copies with a smaller result size / operand size are fine"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void pad_inflating_copy::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu || dump.target() == target::gpu) return;
  const auto only_moves = [](hlo_opcode opcode) {
    return opcode == hlo_opcode::copy || opcode == hlo_opcode::transpose || opcode == hlo_opcode::reshape;
  };
  const auto has_tiles = [](const shape& s) { return s.is_array() && s.layout && !s.layout->tiles.empty(); };
  for (const hlo_instruction i : detail::sequential_instructions(dump)) {
    const hlo_instruction move = dump.get<sole_operations>().of(i);
    if (!move || !only_moves(move.opcode()) || !i.shape() || i.operand_count() != 1) continue;
    const shape* const from = shape_of_operand(i, 0);
    if (!from || !has_tiles(*i.shape()) || !has_tiles(*from) || from->type != i.shape()->type) continue;
    const auto before = explain_padding(*from), after = explain_padding(*i.shape());
    if (!before || !after || before->dense != after->dense ||
        checked_int64(after->padded) - before->padded < min_growth ||
        static_cast<double>(after->padded) <= min_ratio * static_cast<double>(before->padded))
      continue;
    finding d = finding_at(
        i,
        str_cat({"a ", name_of(move.opcode()), " of ", to_string(*from), " (", human(before->padded), ") to ",
                 to_string(*i.shape()), " (", human(after->padded), ") adds nothing but padding: ", to_string(*after)}),
        {.bytes = (checked_int64(after->padded) - before->padded).clamped(), .saves = {{i}}});
    if (i.operand(0)) d.related.push_back(related_at(i.operand(0), "the operand"));
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
