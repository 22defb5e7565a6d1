// The time of a step by category, weight and so on: every sum is the step, every name is one that users know.
#include "analysis/module_of.hpp"

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/step/instruction_costs.hpp>
#include <hlolint/analysis/step/step_groups.hpp>
#include <hlolint/analysis/step/weights_read.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// A scan over layers: each iteration slices its weights from the stack, gathers and casts them, and multiplies.
const char* const layers = R"(HloModule m, is_scheduled=true, num_partitions=4


product {
  x = bf16[512,1024]{1,0} parameter(0)
  w = f32[1024,1024]{1,0} parameter(1)
  h = bf16[1024,1024]{1,0} convert(w)
  ROOT d = bf16[512,1024]{1,0} dot(x, h), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

body {
  p = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  y = bf16[512,1024]{1,0} get-tuple-element(p), index=1
  stack = f32[8,256,1024]{2,1,0} get-tuple-element(p), index=2
  zero = s32[] constant(0)
  layer = f32[1,256,1024]{2,1,0} dynamic-slice(stack, i, zero, zero), dynamic_slice_sizes={1,256,1024}
  shard = f32[256,1024]{1,0} bitcast(layer)
  whole = f32[1024,1024]{1,0} all-gather(shard), dimensions={0}, replica_groups={{0,1,2,3}}, channel_id=1
  z = bf16[512,1024]{1,0} fusion(y, whole), kind=kOutput, calls=product
  act = bf16[512,1024]{1,0} tanh(z)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) tuple(j, act, stack)
}

cond {
  q = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) parameter(0)
  k = s32[] get-tuple-element(q), index=0
  n = s32[] constant(8)
  ROOT c = pred[] compare(k, n), direction=LT
}

ENTRY main {
  ids = bf16[512,1024]{1,0} parameter(0), metadata={op_name="batch"}
  up = f32[8,256,1024]{2,1,0} parameter(1), metadata={op_name="params[\'mlp\'][\'up_proj\']"}
  start = s32[] constant(0)
  init = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) tuple(start, ids, up)
  loop = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) while(init), condition=cond, body=body
  out = bf16[512,1024]{1,0} get-tuple-element(loop), index=1
  turned = bf16[1024,512]{1,0} transpose(out), dimensions={1,0}
  ROOT r = bf16[1024,512]{1,0} copy(turned)
}
)";

hlo_instruction named(const hlo_module& module, const std::string& name) {
  for (const hlo_instruction i : module.instructions())
    if (i.name() == name) return i;
  return {};
}

const step_group* find(const std::vector<step_group>& groups, const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.name == name; });
  return found == groups.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a weight is traced through loops, slices, casts and all-gathers") {
  const hlo_module module = module_of(layers);
  const weights_read weights(module);
  for (const char* const name : {"layer", "whole", "z"}) {
    CAPTURE(name);
    CHECK(weights.of(named(module, name)).find("up_proj") != std::string::npos);
  }
  CHECK(weights.of(named(module, "act")).empty());     // activations are no weight
  CHECK(weights.of(named(module, "turned")).empty());  // nor is what the loop computes from the batch
  CHECK(weights.of(named(module, "j")).empty());
}

TEST_CASE("whatever the time is summed by, the sum is the step") {
  const hlo_module module = module_of(layers);
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
    CHECK(sum == doctest::Approx(time.step()).epsilon(1e-9));
    CHECK(find(groups, "(not attributed)") == nullptr);
  }
}

TEST_CASE("categories are those of the op profile") {
  const hlo_module module = module_of(layers);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const std::vector<step_group> groups = group_step(instruction_costs(module, time), time_by::category);
  const step_group* const products = find(groups, "matmul fusion");
  REQUIRE(products);
  CHECK(products->runs == 8);
  CHECK(products->longest.name() == "z");
  CHECK(products->matrix_seconds == doctest::Approx(8 * 2.0 * 512 * 1024 * 1024 / time.on().f16_flops));
  REQUIRE(find(groups, "all-gather"));
  CHECK(find(groups, "all-gather")->exposed == doctest::Approx(time.exposed()));
  CHECK(find(groups, "data formatting"));
  CHECK(find(groups, "copy"));
  CHECK(find(groups, "non-fusion elementwise"));
}

TEST_CASE("a row has both rooflines of one run") {
  const hlo_module module = module_of(layers);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const instruction_costs costs(module, time);
  bool found = false;
  for (const instruction_cost& cost : costs.rows()) {
    CHECK(cost.of_peak() <= 1);
    if (cost.instruction.name() != "z") continue;
    found = true;
    CHECK(cost.flops == 2.0 * 512 * 1024 * 1024);
    CHECK(cost.bytes >= 512 * 1024 * 2 * 2 + 1024 * 1024 * 4);
    CHECK(cost.seconds >= std::max(cost.compute_seconds, cost.memory_seconds));
    CHECK(cost.runs == 8);
  }
  CHECK(found);
  CHECK(costs.matrix_bound() > 0);
  CHECK(costs.matrix_bound() < costs.step());
}
