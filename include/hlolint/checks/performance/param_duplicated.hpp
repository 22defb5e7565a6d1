// PRF003: a parameter with a second copy in memory, in another form, for most of the program.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks in the HLO for parameters that are only transposed, converted or copied; the buffer dump tells how long the
/// copy lives.
struct param_duplicated {
  static constexpr rule about{
      .id = "PRF003",
      .name = "param-duplicated",
      .needs = need::buffers | need::live_ranges | need::scheduled,
      .what =
          "A transposed, converted or copied version of an entry parameter lives for most of the program, beside "
          "the parameter.",
      .why = "Memory holds the same data twice: for weights this can double what the model needs.",
      .advice =
          "Store the parameter in the form that is used (layout, type) or convert it where it is used; if the "
          "original is not needed afterwards, donate it.",
      .example =
          "%param.0 = bf16[8192,8192]{1,0} parameter(0)\n"
          "%wrapped_transpose = bf16[8192,8192]{0,1} fusion(%param.0), kind=kInput, "
          "calls=%wrapped_transpose_computation",
      .source = "openxla/xla #26987"};

  byte_count min_bytes = 16_MiB;
  double min_percent = 50;
  int min_positions = 32;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &param_duplicated::min_bytes, "smaller copies are not reported"},
      option{"min-percent", &param_duplicated::min_percent, "part of the schedule that the copy lives, at least"},
      option{"min-positions", &param_duplicated::min_positions,
             "schedule positions that the copy lives, at least, unless a loop runs meanwhile"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hlolint {

namespace prf003 {

/// The entry parameter that an instruction transposes, converts or copies; an empty view for any other instruction.
inline hlo_instruction source_parameter(hlo_instruction i, const sole_operations& alone) {
  const hlo_instruction sole = alone.of(i);
  if (!sole || !i.computation().is_entry() || i.operand_count() != 1) return {};
  if (sole.opcode() != hlo_opcode::copy && sole.opcode() != hlo_opcode::transpose &&
      sole.opcode() != hlo_opcode::convert)
    return {};
  const hlo_instruction from = detail::maker_of(i.operand(0));
  return from && from.opcode() == hlo_opcode::parameter ? from : hlo_instruction{};
}

/// The positions of the loops of the program, without those that are known to run once.
inline std::vector<std::int64_t> positions_of_loops(const context& dump, const value_table& table) {
  std::vector<std::int64_t> out;
  for (const hlo_instruction i : dump.hlo()->entry().instructions())
    if (i.opcode() == hlo_opcode::while_ && trip_count_of(i).may_reach(2))
      if (const auto at = table.position_of(i.name())) out.push_back(*at);
  return out;
}

}  // namespace prf003

HLOLINT_INLINE void param_duplicated::operator()(const context& dump, sink_ref emit) const {
  const value_table& table = dump.get<value_table>();
  const instruction_names& names = dump.get<instruction_names>();
  const sole_operations& alone = dump.get<sole_operations>();
  const auto length = static_cast<std::int64_t>(dump.buffers()->live_ranges()->sequence.size());
  const auto& values = dump.buffers()->values();
  const std::vector<std::int64_t> loops = prf003::positions_of_loops(dump, table);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const assigned_value& value = values[k];
    const live_range* const range = table.range(k);
    if (!range || value.size < min_bytes || !value.name.at().empty()) continue;
    const std::int64_t lived = (checked_int64(range->end) - range->start + 1).clamped();
    const auto runs_meanwhile = [&](std::int64_t loop) { return range->start < loop && loop <= range->end; };
    if (lived < min_positions && std::ranges::none_of(loops, runs_meanwhile)) continue;
    if (static_cast<double>(lived) * 100 < min_percent * static_cast<double>(length)) continue;
    const hlo_instruction i = names.find(value.name.instruction);
    const hlo_instruction parameter = i ? prf003::source_parameter(i, alone) : hlo_instruction{};
    const allocation& in = dump.buffers()->allocation_of(value);
    if (!parameter || in.parameter) continue;                             // in place of a donated parameter
    if (dump.target() == target::tpu && is_on_chip(in.color)) continue;   // kept near the units on purpose
    if (in.maybe_live_out && *i.shape() == *parameter.shape()) continue;  // a result of equal form (ALI007)
    emit(finding_at(
        i,
        str_cat({name_of(alone.of(i).opcode()), " of parameter ", parameter.name(), " takes ", human(value.size),
                 " from position ", range->start, " to ", range->end, " of ", length, ", beside the parameter"}),
        {.bytes = value.size,
         .saves = {{i}},
         .buffer = place_of(value, range),
         .related = {related_at(parameter, "the parameter")}}));
  }
}

}  // namespace hlolint
#endif
