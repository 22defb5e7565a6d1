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
      .what = "A broadcast or iota writes a large array to memory, although all its readers could compute the "
              "elements themselves.",
      .why = "Every element is a copy of one of a few values, or its own index: writing and reading it wastes memory "
             "and bandwidth.",
      .advice = "Broadcast later, in the expression that uses the result, so that XLA can fuse it; look for what "
                "keeps the two apart (an optimization barrier, a use in another loop or branch).",
      .example = "%b = f32[8192,8192]{1,0} broadcast(%row), dimensions={1}\n"
                 "%m = f32[8192,8192]{1,0} multiply(%x, %b)",
      .source = "pytorch/xla #6674"};
  static constexpr need needs = need::scheduled;

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &materialised_broadcast::min_bytes, "smaller arrays are not reported"}};

  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/checks/program_code.hpp>

namespace hlolint {

struct materialised_broadcast::code {
  static bool readers_compute(hlo_instruction made, const context& dump, finding& d) {
    const auto& all_users = dump.get<users>();
    record_list<hlo_instruction> open{made};
    std::size_t readers = 0;
    for (std::size_t next = 0; next < open.size(); ++next)
      for (const instruction_use use : all_users.of(open[next])) {
        if (use.user.opcode() == hlo_opcode::bitcast && use.user.id() > open[next].id() && !use.user.is_root() &&
            open.size() < max_followed) {
          open.push_back(use.user);
          continue;
        }
        if (!computes(use, dump)) return false;
        if (readers++ < max_named) d.related.push_back(related_at(use.user, "reads it"));
      }
    return readers > 0;
  }

  /// Whether the reader could compute the elements itself: elementwise instructions, and loop fusions that do not write
  /// into the operand.
  static bool computes(instruction_use use, const context& dump) {
    switch (use.user.opcode()) {
      using enum hlo_opcode;
      case add:
      case and_:
      case compare:
      case convert:
      case divide:
      case exponential:
      case maximum:
      case minimum:
      case multiply:
      case negate:
      case or_:
      case power:
      case select:
      case subtract:
      case xor_:
      case reduce:
        return true;
      case fusion:
        break;
      default:
        return false;
    }
    const auto kind = use.user.attribute(attribute_key::kind);
    if (kind != "kLoop" && kind != "kInput") return false;
    const hlo_computation body = first_called(use.user);
    const hlo_instruction inside = body ? dump.get<computation_parameters>().of(body, use.operand) : hlo_instruction{};
    if (!inside) return false;
    return dump.get<computed_on>().only(inside);
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

    record_list<bool> otherwise_;  // by instruction
  };
  static constexpr bool computes_inside(hlo_opcode opcode) {
    switch (opcode) {
      using enum hlo_opcode;
      case dynamic_update_slice:
      case scatter:
      case gather:
      case dynamic_slice:
      case tuple:
      case sort:
      case custom_call:
        return false;
      default:
        return true;
    }
  }
  static constexpr std::size_t max_named = 3, max_followed = 64;
};

HLOLINT_INLINE void materialised_broadcast::operator()(const context& dump, sink_ref report) const {
  for (const hlo_instruction i : detail::sequential_instructions(dump)) {
    const auto bytes = detail::array_bytes(i);
    if (!bytes || *bytes < min_bytes || i.is_root()) continue;
    const hlo_instruction made = dump.get<sole_operations>().of(i);
    if (!made || (made.opcode() != hlo_opcode::broadcast && made.opcode() != hlo_opcode::iota)) continue;
    finding d = finding_at(i,
        str_cat({name_of(made.opcode()), " writes ", human(*bytes), " to memory",
                 repetition_text(dump.get<loops>(), i.computation()), " (", detail::position_text(i), ")"}),
        {.bytes = bytes, .saves = {{i}}});
    if (code::readers_compute(i, dump, d)) report(std::move(d));
  }
}

}  // namespace hlolint
#endif
