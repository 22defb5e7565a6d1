// COL020: a transfer whose elements are wider than necessary.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks at collectives that only move elements: converting before or after the transfer gives the same result. Sums
/// that are converted before and after are notes: they are rounded once instead of on each device.
struct wide_transfer {
  static constexpr rule about{
      .id = "COL020",
      .name = "wide-transfer",
      .costs = cost_kind::time,
      .needs = need::scheduled,  // XLA may still move the convert in an unscheduled module
      .what =
          "A transfer moves elements that all readers of its result convert to a narrower type, or that were "
          "converted from a narrower type just before. A note for sums, if both is so.",
      .why = "Twice or four times the bytes go over the network, for the same result.",
      .advice =
          "Convert to the narrower type before the transfer, and to the wider one after it. In JAX cast the "
          "sharded array (x.astype(jnp.bfloat16)) before it is used where it must be whole; if XLA moves the cast "
          "back, as in a loop body that is computed again, cast before the loop, or put jax.lax.optimization_barrier "
          "around the cast array.",
      .example =
          "%g = f32[4096,4096]{1,0} all-gather(%w), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}\n"
          "ROOT %c = bf16[4096,4096]{1,0} convert(%g)",
      .source = "XLA: convert_mover.cc, float_normalization.cc"};

  byte_count min_saved = 1_MiB;
  static constexpr auto options = std::tuple{
      option{"min-saved", &wide_transfer::min_saved, "transfers that would save fewer bytes are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <optional>

namespace hlolint {

namespace col020 {

inline constexpr std::size_t max_followed = 64;

inline constexpr bool only_moves(hlo_opcode kind) {
  using enum hlo_opcode;
  return kind == all_gather || kind == all_to_all || kind == collective_permute || kind == collective_broadcast;
}

/// A conversion before or after the transfer, and its narrower type.
struct conversion {
  hlo_instruction convert;
  element_type narrow = element_type::f32;
};

/// The type that all readers convert to, if it is a narrower one.
inline std::optional<conversion> narrowed_after(hlo_instruction i, element_type wide, const context& dump) {
  const auto& all_users = dump.get<users>();
  hlo_instruction result = i;
  if (is_start_opcode(i.opcode())) {
    const async_window* const w = dump.get<async_windows>().started_by(i);
    if (!w || !w->done || w->done_count != 1) return std::nullopt;
    result = w->done;
  }
  if (!result.shape()) return std::nullopt;
  if (result.is_root()) return std::nullopt;
  std::optional<conversion> out;
  const auto through = [](hlo_instruction next) { return next.is_root() ? std::nullopt : std::optional(next); };
  const auto visit = [&](instruction_use use) -> std::optional<hlo_instruction> {
    const hlo_opcode opcode = use.user.opcode();
    if (result.shape()->is_tuple() && use.user.operand(use.operand) == result)
      return opcode == hlo_opcode::get_tuple_element ? through(use.user) : std::nullopt;
    if (opcode == hlo_opcode::fusion) {
      const hlo_instruction inside = dump.get<computation_parameters>().inside(use.user, use.operand);
      return inside && all_users.count(inside) != 0 ? through(inside) : std::nullopt;
    }
    if (!use.user.shape() || !use.user.shape()->is_array()) return std::nullopt;
    const element_type to = use.user.shape()->type;
    if (opcode == hlo_opcode::convert) {
      // Rounding in two steps may give other results than rounding once.
      if (bit_width(to) >= bit_width(wide) || (out && to != out->narrow)) return std::nullopt;
      if (!out) out = conversion{use.user, to};
      return hlo_instruction{};
    }
    const bool keeps = keeps_elements(opcode) || opcode == hlo_opcode::slice ||
                       (opcode == hlo_opcode::dynamic_slice && use.operand == 0);
    return keeps && to == wide ? through(use.user) : std::nullopt;
  };
  return follow_uses(result, all_users, visit) ? out : std::nullopt;
}

/// The conversion whose elements an operand has, moved at most, in fusions too; with the instruction beside the
/// transfer that makes it.
inline std::optional<conversion> widened_operand(hlo_instruction operand, element_type wide) {
  hlo_instruction from = operand, fusion;
  for (std::size_t steps = 0; from && steps < max_followed; ++steps) {
    const hlo_opcode opcode = from.opcode();
    if (opcode == hlo_opcode::fusion && !fusion) {
      fusion = from;
      from = root_of(first_called(fusion));
      continue;
    }
    if (opcode == hlo_opcode::parameter && fusion) {
      const auto number = parameter_position(from);
      from = number ? operand_of(fusion, *number) : hlo_instruction{};
      fusion = {};
      continue;
    }
    if (!from.shape() || !from.shape()->is_array() || from.shape()->type != wide) return std::nullopt;
    if (opcode == hlo_opcode::convert) {
      const shape* const narrow = shape_of_operand(from, 0);
      if (!narrow || !narrow->is_array() || bit_width(narrow->type) >= bit_width(wide)) return std::nullopt;
      return conversion{fusion ? fusion : from, narrow->type};
    }
    const bool moves = keeps_elements(opcode) || opcode == hlo_opcode::slice || opcode == hlo_opcode::dynamic_slice;
    from = moves ? from.operand(0) : hlo_instruction{};
  }
  return std::nullopt;
}

/// The type that all operands were converted from, if that is narrower.
inline std::optional<conversion> widened_before(hlo_instruction i, element_type wide) {
  std::optional<conversion> out;
  for (std::size_t k = 0; k < i.operand_count(); ++k) {
    const auto one = widened_operand(i.operand(k), wide);
    if (!one || (out && out->narrow != one->narrow)) return std::nullopt;
    out = one;
  }
  return out;
}

inline void check(hlo_instruction i, hlo_opcode kind, byte_count bytes, byte_count min_saved, const context& dump,
                  sink_ref emit) {
  const shape* const moved = shape_of_operand(i, 0);
  if (!moved || !moved->is_array()) return;
  for (std::size_t k = 1; k < i.operand_count(); ++k)
    if (const shape* const s = shape_of_operand(i, k); !s || s->type != moved->type) return;
  const bool sums = !only_moves(kind);
  const auto before = widened_before(i, moved->type);
  std::optional<conversion> found = narrowed_after(i, moved->type, dump);
  const bool after = found.has_value(), both = after && before && before->narrow == found->narrow;
  if (!found) found = before;
  if (!found || (sums && !both)) return;
  // XLA:CPU sends narrow floats as f32: it converts before and after each transfer of them.
  if (both && dump.target() == target::cpu) return;
  const double share = static_cast<double>(bit_width(found->narrow)) / bit_width(moved->type);
  const auto saved = clamp_to_int64(static_cast<double>(bytes) * (1 - share));
  if (saved < min_saved) return;
  const auto& all_loops = dump.get<loops>();
  const std::string wide(name_of(moved->type)), narrow(name_of(found->narrow));
  finding d = finding_at(
      i,
      str_cat({detail::transfer_text(kind, bytes), repetition_text(all_loops, i.computation()), " moves ", wide,
               both    ? str_cat({", which was converted from ", narrow, " before and is converted back after it"})
               : after ? str_cat({", which is converted to ", narrow, " wherever it is read"})
                       : str_cat({", which was converted from ", narrow, " before"}),
               ": as ", narrow, " it would be ", human(bytes - saved), " (", detail::position_text(i), ")"}),
      {.bytes = saved,
       .saves = {{i, 1 - share}},
       .related = {related_at(found->convert, after ? "converts the result" : "converts what is sent")}});
  if (sums) {
    d.level = severity::note;
    d.advice = "Sum the narrower type, if it may be rounded on each device: over few devices that costs little.";
  }
  emit(std::move(d));
}

}  // namespace col020

HLOLINT_INLINE void wide_transfer::operator()(const context& dump, sink_ref emit) const {
  const auto& graph = dump.get<call_graph>();
  const auto may_move = [](hlo_opcode opcode) { return is_collective(opcode) || opcode == hlo_opcode::async_start; };
  for (const hlo_instruction i : dump.get<instructions_by_opcode>().where(may_move)) {
    if (!graph.is_sequential(i.computation())) continue;
    const hlo_instruction transfer = collective_of(i);
    const hlo_opcode kind = transfer ? collective_kind(transfer.opcode()) : hlo_opcode::unknown;
    const bool sums = kind == hlo_opcode::all_reduce || kind == hlo_opcode::reduce_scatter;
    if (!(sums || col020::only_moves(kind)) || i.operand_count() == 0) continue;
    const auto bytes = collective_bytes(i);
    if (!bytes || *bytes < min_saved || moves_nothing(transfer, dump.get<module_groups>())) continue;
    col020::check(i, kind, *bytes, min_saved, dump, emit);
  }
}

}  // namespace hlolint
#endif
