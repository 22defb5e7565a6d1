// TEAM001: a rule on the element type of transfers. It is called for every instruction of a module.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/check.hpp>

namespace team {

struct bf16_all_reduce {
  static constexpr hlolint::rule about{.id = "TEAM001",
                                       .name = "wide-all-reduce",
                                       .level = hlolint::severity::warning,
                                       .what = "An all-reduce of floating-point numbers wider than bf16.",
                                       .why = "In bf16 it would send half as much or less.",
                                       .advice = "Cast gradients to bf16 before they are summed.",
                                       .example = "%r = f32[8]{0} all-reduce(%p), to_apply=%add"};

  void operator()(hlolint::hlo_instruction i, const hlolint::context&, hlolint::sink auto& emit) const {
    if (hlolint::collective_kind(i.opcode()) != hlolint::hlo_opcode::all_reduce || i.operand_count() == 0) return;
    const hlolint::shape* const sent = i.operand(0) ? i.operand(0).shape() : nullptr;
    if (!sent || (sent->type != hlolint::element_type::f32 && sent->type != hlolint::element_type::f64)) return;
    hlolint::finding found = hlolint::finding_at(i, "sums " + hlolint::to_string(*sent));
    found.bytes = hlolint::collective_bytes(i);
    emit(found);
  }
};

}  // namespace team
