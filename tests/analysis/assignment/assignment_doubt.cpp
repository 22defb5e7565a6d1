#include <hlolint/analysis/assignment/assignment_doubt.hpp>

#include "analysis/dated_modules.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

struct assigned_module {
  std::string doubt;
  buffer_plan plan;
};
assigned_module assigned(const hlo_module& module, target on, xla_period period) {
  const buffer_assignment made(module, assignment_rules::of(on, period.likely()));
  buffer_plan plan = made.plan();
  return {assignment_doubt(made, plan, on, period), std::move(plan)};
}

}  // namespace

TEST_CASE("a version that is not known is a doubt where its rules show in the result") {
  const hlo_module module = two_values();
  const xla_period any = period_of(module);
  CHECK_FALSE(any.is_known());
  CHECK(assigned(module, target::gpu, any).doubt ==
        "the version of XLA is not known (--xla-date), and earlier ones assign 320 bytes instead of 448");
  CHECK(assigned(module, target::gpu, {20250616, 20250616}).doubt.empty());
  CHECK(assigned(module, target::gpu, {20250616, 20250616}).plan.total == 320);
  CHECK(assigned(module, target::cpu, any).doubt.empty());
}

TEST_CASE("the form of a text may leave no version that assigns otherwise") {
  const hlo_module newer = two_values(frame_tables), shaped = two_values_with_shapes(), lines = two_values_with_lines();
  CHECK(assigned(newer, target::gpu, period_of(newer)).doubt.empty());
  CHECK(assigned(shaped, target::gpu, period_of(shaped)).plan.total == 320);
  CHECK(assigned(shaped, target::gpu, period_of(shaped)).doubt.empty());
  CHECK(assigned(lines, target::gpu, period_of(lines)).plan.total == 320);
  CHECK(assigned(lines, target::gpu, period_of(lines)).doubt ==
        "the version of XLA is not known (--xla-date), and later ones assign 448 bytes instead of 320");
  CHECK(assigned(lines, target::cpu, period_of(lines)).doubt.empty());
}

TEST_CASE("what is not known of a target is a doubt") {
  const hlo_module module = two_values();
  CHECK(assigned(module, target::unknown, {}).doubt == "the target is not known (--target)");
  CHECK(assigned(module, target::tpu, {}).doubt.find("TPUs") != std::string::npos);
  const hlo_module collective = two_values({}, ":S(1)");
  CHECK(assigned(collective, target::gpu, {}).doubt.find("collectives") != std::string::npos);
  CHECK(assigned(collective, target::gpu, {20260616, 20260616}).doubt.empty());
  CHECK(assigned(collective, target::cpu, {}).doubt.empty());
}
