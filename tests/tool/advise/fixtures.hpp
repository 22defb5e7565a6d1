// Scheduled programs for the tests of advice.
#pragma once

#include "analysis/module_of.hpp"

#include <hlolint/tool/advise/edited_module.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>

#include <string>
#include <string_view>

namespace hlolint::testing {

inline advise::advice_options on_gpu() {
  advise::advice_options out;
  out.rules = assignment_rules::of(target::gpu);
  return out;
}

/// A program that makes `big` long before it is read, so that it lives during the largest instruction.
inline constexpr std::string_view early_value = R"(HloModule early, is_scheduled=true

ENTRY %main (p: f32[1024]) -> f32[1024] {
  %p = f32[1024]{0} parameter(0)
  %big = f32[65536]{0} pad(%p, %zero), padding=0_64512
  %wide = f32[131072]{0} custom-call(%p), custom_call_target="__cublas$gemm"
  %small = f32[1024]{0} slice(%wide), slice={[0:1024]}
  %part = f32[1024]{0} slice(%big), slice={[0:1024]}
  ROOT %sum = f32[1024]{0} add(%small, %part)
}
)";

/// `early_value` with the constant that it lacks.
inline std::string early_value_text() {
  std::string out(early_value);
  const std::string_view line = "  %p = f32[1024]{0} parameter(0)\n";
  out.insert(out.find(line) + line.size(), "  %zero = f32[] constant(0)\n");
  return out;
}

/// Whether an instruction may stand right behind another one of its computation.
inline bool may_follow(const hlo_module& module, std::string_view moved, std::string_view other) {
  const alias_sets sets(module);
  const advise::schedule_constraints rules(sets);
  advise::instruction_order order(module);
  const hlo_instruction target = instruction_of(module, other);
  order.apply({{instruction_of(module, moved).id()}, target.index_in_computation() + 1});
  return advise::is_legal(order, rules);
}

}  // namespace hlolint::testing
