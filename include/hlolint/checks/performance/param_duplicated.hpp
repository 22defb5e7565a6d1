// PRF003: parameters with a second copy in memory, in another form, for most of the program.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks in the HLO for parameters that are only transposed, converted, copied or joined to one array; the buffer dump
/// shows how long the copy lives.
struct param_duplicated {
  static constexpr rule about{
      .id = "PRF003",
      .name = "param-duplicated",
      .needs = need::buffers | need::live_ranges | need::scheduled,
      .what =
          "A transposed, converted or copied version of an entry parameter, or a stack of several, lives for most of "
          "the "
          "program, beside the parameter.",
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
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
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

/// The parameters of the entry that an array is made of by moving their elements alone, as a stack of them is, and the
/// instructions of the entry that move them.
struct joined_parameters {
  std::vector<hlo_instruction> parameters, moves;
};

/// Finds joined parameters. All arrays of a module together have a bound of visited instructions.
class joined_parameter_finder {
 public:
  explicit joined_parameter_finder(const context& dump) : dump_(dump) {}

  /// The parts of an array of the entry, if the instruction is the last of those that fill it; nothing for others.
  std::optional<joined_parameters> of(hlo_instruction i) {
    auto out = i.computation().is_entry() ? parts_of(i) : std::nullopt;
    if (!out || out->parameters.size() < 2) return std::nullopt;
    for (const instruction_use use : dump_.get<users>().of(i))
      if (use.user.shape() && i.shape() && *use.user.shape() == *i.shape() && parts_of(use.user)) return std::nullopt;
    return out;
  }

 private:
  std::optional<joined_parameters> parts_of(hlo_instruction whole) {
    joined_parameters out;
    std::set<id> seen;
    std::vector<hlo_instruction> open{whole};
    while (!open.empty()) {
      const hlo_instruction i = open.back();
      open.pop_back();
      if (!i || left_ == 0) return std::nullopt;
      if (!seen.insert(i.id()).second) continue;
      --left_;
      if (i.opcode() == hlo_opcode::parameter && i.computation().is_entry())
        out.parameters.push_back(i);
      else if (!add_sources(i, open))
        return std::nullopt;
      else if (i.computation().is_entry() && !takes_no_time(i.opcode()))
        out.moves.push_back(i);
    }
    return out;
  }

  /// Adds what an instruction moves; false if it does anything else.
  bool add_sources(hlo_instruction i, std::vector<hlo_instruction>& open) const {
    std::size_t moved = i.operand_count();
    switch (i.opcode()) {
      using enum hlo_opcode;
      case constant: return true;
      case parameter: {
        const auto k = parameter_position(i);
        const hlo_instruction caller = k ? dump_.get<call_graph>().only_caller(i.computation()) : hlo_instruction{};
        if (caller) open.push_back(operand_of(caller, *k));
        return bool(caller);
      }
      case fusion:
      case async_start: open.push_back(root_of(first_called(i))); return true;
      case custom_call:
        if (calls_target(i, "AllocateBuffer")) return true;
        if (!calls_target(i, "ConcatBitcast")) return false;
        break;
      case dynamic_update_slice: moved = std::min<std::size_t>(moved, 2); break;
      case async_done:
      case bitcast:
      case concatenate:
      case convert:
      case copy:
      case copy_done:
      case copy_start:
      case reshape:
      case slice:
      case transpose: break;
      default: return false;
    }
    for (std::size_t k = 0; k < moved; ++k) open.push_back(i.operand(k));
    return true;
  }

  const context& dump_;
  std::size_t left_ = 1'000'000;
};

/// A finding about parameters that are joined.
inline finding about_joined(hlo_instruction i, const joined_parameters& parts, const std::string& where) {
  constexpr std::size_t most_named = 4;
  finding d = finding_at(i, str_cat({"an array of ", parts.parameters.size(), " parameters, joined in the program, ",
                                     where, " the parameters"}));
  d.advice =
      "Join the arrays where they are made, and give the program the whole: what is stacked in a step is copied every "
      "time.";
  for (const hlo_instruction move : parts.moves) d.saves.push_back({move});
  for (std::size_t k = 0; k < std::min(parts.parameters.size(), most_named); ++k)
    d.related.push_back(related_at(parts.parameters[k], "a parameter of it"));
  return d;
}

}  // namespace prf003

HLOLINT_INLINE void param_duplicated::operator()(const context& dump, sink_ref emit) const {
  const value_table& table = dump.get<value_table>();
  const instruction_names& names = dump.get<instruction_names>();
  const sole_operations& alone = dump.get<sole_operations>();
  const auto length = static_cast<std::int64_t>(dump.buffers()->live_ranges()->sequence.size());
  const auto& values = dump.buffers()->values();
  prf003::joined_parameter_finder finder(dump);
  const std::vector<std::int64_t> loops = prf003::positions_of_loops(dump, table);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const assigned_value& value = values[k];
    const live_range* const range = table.range(k);
    if (!range || value.size < min_bytes || !value.name.at().empty()) continue;
    const hlo_instruction i = names.find(value.name.instruction);
    const allocation& in = dump.buffers()->allocation_of(value);
    if (!i || in.parameter) continue;                                    // in place of a donated parameter
    if (dump.target() == target::tpu && is_on_chip(in.color)) continue;  // kept near the units on purpose
    const hlo_instruction parameter = prf003::source_parameter(i, alone);
    const auto joined = parameter || in.maybe_live_out ? std::nullopt : finder.of(i);
    if (!parameter && !joined) continue;
    std::int64_t start = range->start;
    if (joined)
      for (const hlo_instruction move : joined->moves)
        start = std::min(start, table.position_of(move.name()).value_or(start));
    const std::int64_t lived = (checked_int64(range->end) - start + 1).clamped();
    const auto runs_meanwhile = [&](std::int64_t loop) { return start < loop && loop <= range->end; };
    if (lived < min_positions && std::ranges::none_of(loops, runs_meanwhile)) continue;
    if (static_cast<double>(lived) * 100 < min_percent * static_cast<double>(length)) continue;
    const std::string where = str_cat(
        {"takes ", human(value.size), " from position ", start, " to ", range->end, " of ", length, ", beside"});
    finding d;
    if (joined) {
      d = prf003::about_joined(i, *joined, where);
    } else {
      if (in.maybe_live_out && *i.shape() == *parameter.shape()) continue;  // a result of equal form (ALI007)
      d = finding_at(
          i, str_cat({name_of(alone.of(i).opcode()), " of parameter ", parameter.name(), " ", where, " the parameter"}),
          {.saves = {{i}}, .related = {related_at(parameter, "the parameter")}});
    }
    d.bytes = value.size;
    d.buffer = place_of(value, range);
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
