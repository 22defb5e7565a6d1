// PRF013: a broadcast or iota that is written to memory although its readers could compute it.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Left out are broadcasts that become a buffer to write into (carried by a loop, updated in place, returned) and
/// broadcasts with a reader that needs them in memory.
struct materialised_broadcast {
  static constexpr rule about{
      .id = "PRF013",
      .name = "materialised-broadcast",
      .costs = cost_kind::both,
      .needs = need::scheduled,
      .what =
          "A broadcast or iota writes a large array to memory, although all its readers could compute the "
          "elements themselves.",
      .why =
          "Every element is a copy of one of a few values, or its own index: writing and reading it wastes memory "
          "and bandwidth.",
      .advice =
          "Broadcast later, in the expression that uses the result, so that XLA can fuse it; look for what "
          "keeps the two apart (an optimization barrier, a use in another loop or branch).",
      .example =
          "%b = f32[8192,8192]{1,0} broadcast(%row), dimensions={1}\n"
          "%m = f32[8192,8192]{1,0} multiply(%x, %b)",
      .source = "pytorch/xla #6674"};

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &materialised_broadcast::min_bytes, "smaller arrays are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <utility>
#include <vector>

namespace hlolint {

namespace prf013 {

inline constexpr bool computes_inside(hlo_opcode opcode) {
  using enum hlo_opcode;
  constexpr opcode_set others{dynamic_update_slice, scatter, gather, dynamic_slice, tuple, sort, custom_call};
  return !others.has(opcode);
}

/// Tells which instructions are only operands of computation: not updated in place, indexed into or passed on.
class computed_on {
 public:
  explicit computed_on(const hlo_module& module) : otherwise_(module.instruction_count()) {
    for (const hlo_instruction i : module.instructions()) {
      if (computes_inside(i.opcode())) continue;
      for (const hlo_instruction operand : i.operands())
        if (operand) otherwise_[operand.id()] = true;
    }
  }
  bool only(hlo_instruction i) const { return !otherwise_[i.id()]; }

  std::vector<bool> otherwise_;  // by instruction
};

/// Whether the reader could compute the elements itself: elementwise instructions, and loop fusions that do not write
/// into the operand.
inline bool computes(instruction_use use, const context& dump) {
  using enum hlo_opcode;
  constexpr opcode_set at_once{add,      and_,   compare, convert, divide, exponential, maximum, minimum,
                               multiply, negate, or_,     power,   select, subtract,    xor_,    reduce};
  if (use.user.opcode() != fusion) return at_once.has(use.user.opcode());
  const auto kind = use.user.attribute(attribute_key::kind);
  if (kind != "kLoop" && kind != "kInput") return false;
  const hlo_instruction inside = dump.get<computation_parameters>().inside(use.user, use.operand);
  return inside && dump.get<computed_on>().only(inside);
}

inline constexpr std::size_t max_named = 3;

inline bool readers_compute(hlo_instruction made, const context& dump, finding& d) {
  std::size_t readers = 0;
  const auto visit = [&](instruction_use use) -> std::optional<hlo_instruction> {
    if (use.user.opcode() == hlo_opcode::bitcast && !use.user.is_root()) return use.user;
    if (!computes(use, dump)) return std::nullopt;
    if (readers++ < max_named) d.related.push_back(related_at(use.user, "reads it"));
    return hlo_instruction{};
  };
  return follow_uses(made, dump.get<users>(), visit) && readers > 0;
}

}  // namespace prf013

HLOLINT_INLINE void materialised_broadcast::operator()(const context& dump, sink_ref emit) const {
  for (const hlo_instruction i : detail::sequential_instructions(dump)) {
    const auto bytes = detail::array_bytes(i);
    if (!bytes || *bytes < min_bytes || i.is_root()) continue;
    const hlo_instruction made = dump.get<sole_operations>().of(i);
    if (!made || (made.opcode() != hlo_opcode::broadcast && made.opcode() != hlo_opcode::iota)) continue;
    finding d =
        finding_at(i,
                   str_cat({name_of(made.opcode()), " writes ", human(*bytes), " to memory",
                            repetition_text(dump.get<loops>(), i.computation()), " (", detail::position_text(i), ")"}),
                   {.bytes = bytes, .saves = {{i}}});
    if (prf013::readers_compute(i, dump, d)) emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
