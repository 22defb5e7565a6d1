// The time of a step by category, weight and so on: every sum is the step, every name is one that users know.
#include "analysis/module_of.hpp"

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/step/instruction_costs.hpp>
#include <hlolint/analysis/step/step_groups.hpp>
#include <hlolint/analysis/step/weights_read.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
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

// A training step: two weights gathered by one instruction, gradients added up over two microbatches in a stack and
// over the devices, and an optimizer with a state, all donated.
const char* const training = R"(HloModule m, is_scheduled=true, num_partitions=4,
input_output_alias={ {0}: (1, {}, may-alias), {1}: (2, {}, may-alias), {2}: (3, {}, may-alias) }

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

body {
  p = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[64,32]{1,0} get-tuple-element(p), index=1
  dy = f32[64,16]{1,0} get-tuple-element(p), index=2
  stack = f32[2,32,16]{2,1,0} get-tuple-element(p), index=3
  zero = s32[] constant(0)
  one = s32[] constant(1)
  next = s32[] add(i, one)
  wgrad = f32[32,16]{1,0} dot(x, dy), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  row = f32[1,32,16]{2,1,0} reshape(wgrad)
  written = f32[2,32,16]{2,1,0} dynamic-update-slice(stack, row, i, zero, zero)
  ROOT t = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) tuple(next, x, dy, written)
}

cond {
  q = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) parameter(0)
  k = s32[] get-tuple-element(q), index=0
  n = s32[] constant(2)
  ROOT c = pred[] compare(k, n), direction=LT
}

ENTRY main {
  ids = f32[64,32]{1,0} parameter(0), metadata={op_name="batch"}
  up = f32[8,16]{1,0} parameter(1), metadata={op_name="params[\'up\']"}
  mu = f32[8,16]{1,0} parameter(2), metadata={op_name="mu[\'up\']"}
  down = f32[4,32]{1,0} parameter(3), metadata={op_name="params[\'down\']"}
  gathered = (f32[32,16]{1,0}, f32[16,32]{1,0}) all-gather(up, down), dimensions={0}, channel_id=1,
    replica_groups={{0,1,2,3}}
  whole_up = f32[32,16]{1,0} get-tuple-element(gathered), index=0
  whole_down = f32[16,32]{1,0} get-tuple-element(gathered), index=1
  x = f32[64,32]{1,0} sine(ids)
  hidden = f32[64,16]{1,0} dot(x, whole_up), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  act = f32[64,16]{1,0} tanh(hidden)
  out = f32[64,32]{1,0} dot(act, whole_down), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  scores = f32[64,64]{1,0} dot(out, out), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  dy = f32[64,16]{1,0} dot(scores, act), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  null = f32[] constant(0)
  empty = f32[2,32,16]{2,1,0} broadcast(null), dimensions={}
  start = s32[] constant(0)
  init = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) tuple(start, x, dy, empty)
  loop = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) while(init), condition=cond, body=body
  grads = f32[2,32,16]{2,1,0} get-tuple-element(loop), index=3
  first = f32[1,32,16]{2,1,0} slice(grads), slice={[0:1], [0:32], [0:16]}
  second = f32[1,32,16]{2,1,0} slice(grads), slice={[1:2], [0:32], [0:16]}
  both = f32[1,32,16]{2,1,0} add(first, second)
  flat = f32[32,16]{1,0} reshape(both)
  ddown = f32[16,32]{1,0} dot(act, out), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  scattered = (f32[8,16]{1,0}, f32[4,32]{1,0}) reduce-scatter(flat, ddown), dimensions={0}, channel_id=2,
    replica_groups={{0,1,2,3}}, to_apply=sum
  shard = f32[8,16]{1,0} get-tuple-element(scattered), index=0
  shard_down = f32[4,32]{1,0} get-tuple-element(scattered), index=1
  squares = f32[8,16]{1,0} multiply(shard, shard)
  norm = f32[] reduce(squares, null), dimensions={0,1}, to_apply=sum
  scale = f32[8,16]{1,0} broadcast(norm), dimensions={}
  clipped = f32[8,16]{1,0} multiply(shard, scale)
  new_mu = f32[8,16]{1,0} add(mu, clipped)
  new_up = f32[8,16]{1,0} subtract(up, new_mu)
  new_down = f32[4,32]{1,0} subtract(down, shard_down)
  ROOT r = (f32[8,16]{1,0}, f32[8,16]{1,0}, f32[4,32]{1,0}) tuple(new_up, new_mu, new_down)
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

TEST_CASE("what several weights go through together is followed for each") {
  const hlo_module module = module_of(training);
  const weights_read weights(module);
  CHECK(weights.name_of(named(module, "whole_up")) == "params['up']");
  CHECK(weights.name_of(named(module, "whole_down")) == "params['down']");
  CHECK(weights.of(named(module, "hidden")) == "params['up']");
  CHECK(weights.of(named(module, "out")) == "params['down']");
}

TEST_CASE("gradients and updates belong to the weight") {
  const hlo_module module = module_of(training);
  const weights_read weights(module);
  // Through the optimizer, the sum over devices and over microbatches, and the stack that the loop writes.
  for (const std::string name : {"new_up", "new_mu", "clipped", "both", "first", "written", "wgrad"}) {
    CAPTURE(name);
    CHECK(weights.updated_by(named(module, name), 0) == "params['up']");
    CHECK(weights.of(named(module, name)) == "params['up']");
  }
  CHECK(weights.of(named(module, "ddown")) == "params['down']");
  CHECK(weights.updated_by(named(module, "scattered"), 1) == "params['up']");
  CHECK(weights.updated_by(named(module, "scattered"), 2) == "params['down']");
  // Not what is no weight: products of results, a norm of all gradients, the counter of the loop.
  for (const std::string name : {"scores", "dy", "norm", "i", "next"}) {
    CAPTURE(name);
    CHECK(weights.of(named(module, name)).empty());
    CHECK(weights.reads_results_alone(named(module, name)));
  }
  CHECK_FALSE(weights.reads_results_alone(named(module, "hidden")));
}

TEST_CASE("without donation nothing is taken for an update") {
  std::string text = training;
  const std::size_t begin = text.find(",\ninput_output_alias");
  text.erase(begin, text.find('\n', begin + 2) - begin);
  const hlo_module module = module_of(text);
  const weights_read weights(module);
  CHECK(weights.of(named(module, "wgrad")).empty());
  CHECK(weights.of(named(module, "hidden")) == "params['up']");
}

TEST_CASE("pieces of an array of many weights are followed no further") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (1, {}, may-alias) }

ENTRY main {
  x = f32[64,16]{1,0} parameter(0), metadata={op_name="batch"}
  w = f32[16]{0} parameter(1), metadata={op_name="w"}
  wide = f32[64,16]{1,0} broadcast(w), dimensions={1}
  y = f32[64,16]{1,0} multiply(x, wide)
  mine = f32[16]{0} sine(w)
  other = f32[32]{0} custom-call(y), custom_call_target="work"
  joined = f32[48]{0} concatenate(mine, other), dimensions={0}
  piece = f32[16]{0} slice(joined), slice={[0:16]}
  new = f32[16]{0} add(w, piece)
  ROOT r = (f32[16]{0}, f32[64,16]{1,0}) tuple(new, y)
}
)");
  const weights_read weights(module);
  CHECK(weights.of(named(module, "piece")) == "w");
  CHECK(weights.of(named(module, "other")).empty());
}

TEST_CASE("what has no weight has a row of its own") {
  const hlo_module module = module_of(training);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const weights_read weights(module);
  const std::vector<step_group> groups = group_step(instruction_costs(module, time), time_by::weight, &weights);
  CHECK(find(groups, "(no weight)"));
  CHECK(find(groups, "params['up']"));
  CHECK_FALSE(find(groups, "mu['up']"));
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
