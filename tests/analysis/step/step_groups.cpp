// The time of a step by category, weight and so on: every sum is the step, every name is one that users know.
#include <hlolint/analysis/step/step_groups.hpp>

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/step/instruction_costs.hpp>
#include <hlolint/analysis/step/weights_read.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>

#include "analysis/module_of.hpp"
#include "analysis/step_programs.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const step_group* find(const std::vector<step_group>& groups, const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.name == name; });
  return found == groups.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("what has no weight has a row of its own") {
  const hlo_module module = module_of(training_text);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const weights_read weights(module);
  const std::vector<step_group> groups = group_step(instruction_costs(module, time), time_by::weight, &weights);
  CHECK(find(groups, "(no weight)"));
  CHECK(find(groups, "params['up']"));
  CHECK_FALSE(find(groups, "mu['up']"));
}

TEST_CASE("whatever the time is summed by, the sum is the step") {
  const hlo_module module = module_of(layers_text);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const instruction_costs costs(module, time);
  const weights_read weights(module);
  REQUIRE(time.step() > 0);
  for (const time_by by : {time_by::source, time_by::scope, time_by::opcode, time_by::category, time_by::weight,
                           time_by::computation}) {
    CAPTURE(name_of(by));
    const std::vector<step_group> groups = group_step(costs, by, &weights);
    double sum = 0, before = groups.front().seconds;
    for (const step_group& g : groups) {
      sum += g.seconds;
      CHECK(g.seconds <= before);
      before = g.seconds;
    }
    CHECK(sum == nearly(time.step()).epsilon(1e-9));
    CHECK(find(groups, "(not attributed)") == nullptr);
  }
}

TEST_CASE("categories are those of the op profile") {
  const hlo_module module = module_of(layers_text);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const std::vector<step_group> groups = group_step(instruction_costs(module, time), time_by::category);
  const step_group* const products = find(groups, "matmul fusion");
  REQUIRE(products);
  CHECK(products->runs == 8);
  CHECK(products->longest.name() == "z");
  CHECK(products->matrix_seconds == nearly(8 * 2.0 * 512 * 1024 * 1024 / time.on().f16_flops));
  REQUIRE(find(groups, "all-gather"));
  CHECK(find(groups, "all-gather")->exposed == nearly(time.exposed()));
  CHECK(find(groups, "data formatting"));
  CHECK(find(groups, "copy"));
  CHECK(find(groups, "non-fusion elementwise"));
}

TEST_CASE("what an instruction is counted with: its place, scope, opcode, category or computation") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %n = f32[8]{0} negate(%p), "
      "metadata={op_name=\"jit(f)/mlp/neg\" source_file=\"f.py\" source_line=7}\n  ROOT %s = f32[8]{0} sine(%n)\n}\n");
  instruction_cost cost, bare;
  cost.instruction = instruction_of(module, "n"), cost.category = "non-fusion elementwise";
  bare.instruction = instruction_of(module, "s");
  CHECK(group_of(cost, time_by::source, nullptr) == "f.py:7");
  CHECK(group_of(cost, time_by::scope, nullptr) == "jit(f)/mlp");
  CHECK(group_of(cost, time_by::opcode, nullptr) == "negate");
  CHECK(group_of(cost, time_by::category, nullptr) == "non-fusion elementwise");
  CHECK(group_of(cost, time_by::computation, nullptr) == "main");
  CHECK(group_of(bare, time_by::source, nullptr).empty());
  CHECK(group_of(bare, time_by::scope, nullptr).empty());
}
