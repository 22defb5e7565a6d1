#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/tool/costs/instruction_costs.hpp>
#include <hlolint/tool/costs/weights_read.hpp>

#include "analysis/module_of.hpp"
#include "analysis/step_programs.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("a row has both rooflines of one run") {
  const hlo_module module = module_of(layers_text);
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
  CHECK(costs.memory_bound() > 0);
  CHECK(costs.bound() == std::max(costs.matrix_bound(), costs.memory_bound()));
}

TEST_CASE("the rows are all that takes time: their sum is the step") {
  const hlo_module module = module_of(layers_text);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const instruction_costs costs(module, time);
  double sum = 0;
  std::string names;
  for (const instruction_cost& cost : costs.rows()) {
    sum += cost.total();
    names += std::string(cost.instruction.name()) + " ";
    if (cost.instruction.name() == "whole") {
      CHECK(cost.category == "all-gather");
      CHECK(cost.bound == "transfer");
      CHECK(cost.seconds == 0);
      CHECK(cost.transferred_bytes == nearly(1024.0 * 1024 * 4 * 3 / 4));
    }
  }
  CHECK(names == "layer whole z act j c turned r ");  // not what takes no time
  CHECK(sum == nearly(costs.step()));
  CHECK(costs.step() == time.step());
  CHECK(std::abs(costs.not_attributed()) < 1e-9 * costs.step());
}

TEST_CASE("a library's matrix product is no other custom call, and what goes to the host is a transfer") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %a = bf16[512,256]{1,0} parameter(0)\n"
      "  %b = bf16[256,128]{1,0} parameter(1)\n  %h = bf16[512,256]{1,0:S(5)} copy(%a)\n"
      "  %k = bf16[512,256]{1,0} custom-call(%a), custom_call_target=\"my_kernel\"\n"
      "  ROOT %r = (bf16[512,128]{1,0}, s8[4194304]{0}) custom-call(%k, %b), custom_call_target=\"__cublas$gemm\", "
      "backend_config={\"gemm_backend_config\":{\"dot_dimension_numbers\":"
      "{\"lhs_contracting_dimensions\":[\"1\"],\"rhs_contracting_dimensions\":[\"0\"]}}}\n}\n");
  const exposed_time time(module, find_device("h100-sxm").value());
  const instruction_costs costs(module, time);
  REQUIRE(costs.rows().size() == 3);
  CHECK(costs.rows()[0].category == "host transfer");
  CHECK(costs.rows()[1].category == "custom call");
  CHECK(costs.rows()[2].category == "matmul custom call");
  CHECK(costs.rows()[2].flops == 2.0 * 512 * 128 * 256);
}

TEST_CASE("categories of work: fusions by what is in them, all else by opcode") {
  const hlo_module module = module_of(R"(HloModule m

%adds {
  %a = f32[8]{0} parameter(0)
  ROOT %an = f32[8]{0} negate(%a)
}

%moves {
  %b = f32[8]{0} parameter(0)
  ROOT %bn = f32[8]{0} reverse(%b), dimensions={0}
}

%multiplies {
  %c = f32[8]{0} parameter(0)
  ROOT %cn = f32[] dot(%c, %c), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}

%outer {
  %d = f32[8]{0} parameter(0)
  ROOT %dn = f32[] fusion(%d), kind=kLoop, calls=%multiplies
}

%convolves {
  %e = f32[1,8,2]{2,1,0} parameter(0)
  %k = f32[2,2,3]{2,1,0} parameter(1)
  ROOT %en = f32[1,7,3]{2,1,0} convolution(%e, %k), window={size=2}, dim_labels=b0f_0io->b0f
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %q = f32[1,8,2]{2,1,0} parameter(1)
  %r = f32[2,2,3]{2,1,0} parameter(2)
  %loop = f32[8]{0} fusion(%p), kind=kLoop, calls=%adds
  %input = f32[8]{0} fusion(%p), kind=kInput, calls=%adds
  %format = f32[8]{0} fusion(%p), kind=kLoop, calls=%moves
  %product = f32[] fusion(%p), kind=kOutput, calls=%outer
  %filter = f32[1,7,3]{2,1,0} fusion(%q, %r), kind=kOutput, calls=%convolves
  %dot = f32[] dot(%p, %p), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  %call = f32[8]{0} custom-call(%p), custom_call_target="x"
  %copy = f32[8]{0} copy(%p)
  %cut = f32[4]{0} slice(%p), slice={[0:4]}
  %neg = f32[8]{0} negate(%p)
  ROOT %many = f32[8]{0} iota(), iota_dimension=0
}
)");
  const auto of = [&](const char* name) { return category_of(instruction_of(module, name)); };
  CHECK(of("loop") == "loop fusion");
  CHECK(of("input") == "input fusion");
  CHECK(of("format") == "data formatting");
  CHECK(of("product") == "matmul fusion");
  CHECK(of("filter") == "convolution fusion");
  CHECK(of("dot") == "matmul");
  CHECK(of("call") == "custom call");
  CHECK(of("copy") == "copy");
  CHECK(of("cut") == "data formatting");
  CHECK(of("neg") == "non-fusion elementwise");
  CHECK(of("many") == "iota");
}

TEST_CASE("categories of transfers") {
  exposed_transfer t;
  t.time.kind = hlo_opcode::all_reduce, t.time.path = transfer_path::fast;
  CHECK(category_of(t) == "all-reduce");
  t.time.kind = hlo_opcode::copy;
  CHECK(category_of(t) == "asynchronous copy");
  t.time.path = transfer_path::host;
  CHECK(category_of(t) == "host transfer");
  t.computes = true;
  CHECK(category_of(t) == "async computation");
}

namespace {

const step_group* find(const std::vector<step_group>& groups, const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.name == name; });
  return found == groups.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("what has no weight has a row of its own") {
  const hlo_module module = module_of(training_text);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const std::vector<step_group> groups =
      group_step(instruction_costs(module, time), step_grouping(module, time_by::weight));
  CHECK(find(groups, "(no weight)"));
  CHECK(find(groups, "params['up']"));
  CHECK_FALSE(find(groups, "mu['up']"));
}

TEST_CASE("whatever the time is summed by, the sum is the step") {
  const hlo_module module = module_of(layers_text);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const instruction_costs costs(module, time);
  REQUIRE(time.step() > 0);
  for (const time_by by : {time_by::source, time_by::function, time_by::scope, time_by::pass, time_by::opcode,
                           time_by::category, time_by::weight, time_by::axis, time_by::computation}) {
    CAPTURE(name_of(by));
    const std::vector<step_group> groups = group_step(costs, step_grouping(module, by));
    double sum = 0, of_pass = 0, before = groups.front().seconds;
    for (const step_group& g : groups) {
      sum += g.seconds;
      for (const double seconds : g.of_pass) of_pass += seconds;
      if (by != time_by::axis) CHECK(g.seconds <= before);
      before = g.seconds;
    }
    CHECK(of_pass == nearly(sum).epsilon(1e-9));
    CHECK(sum == nearly(time.step()).epsilon(1e-9));
    CHECK(find(groups, "(not attributed)") == nullptr);
  }
}

TEST_CASE("categories are those of the op profile") {
  const hlo_module module = module_of(layers_text);
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const std::vector<step_group> groups =
      group_step(instruction_costs(module, time), step_grouping(module, time_by::category));
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
  const auto group_of = [&](const instruction_cost& of, time_by by, std::size_t depth = 0) {
    return step_grouping(module, by, depth).of(of);
  };
  CHECK(group_of(cost, time_by::source) == "f.py:7");
  CHECK(group_of(cost, time_by::scope) == "jit(f)/mlp");
  CHECK(group_of(cost, time_by::scope, 1) == "jit(f)");
  CHECK(group_of(cost, time_by::pass) == "forward");
  CHECK(group_of(cost, time_by::opcode) == "negate");
  CHECK(group_of(cost, time_by::category) == "non-fusion elementwise");
  CHECK(group_of(cost, time_by::axis) == "(no transfer)");
  CHECK(group_of(cost, time_by::computation) == "main");
  CHECK(group_of(bare, time_by::source).empty());
  CHECK(group_of(bare, time_by::scope).empty());
}

TEST_CASE("what the memory needs holds what is copied into the chip's own memory beside the work") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %e {\n%p = f32[1048576]{0:T(1024)} parameter(0)\n"
      "%s = (f32[1048576]{0:T(1024)S(1)}, f32[1048576]{0:T(1024)}, u32[]{:S(2)}) copy-start(%p)\n"
      "%d = f32[1048576]{0:T(1024)S(1)} copy-done(%s)\n"
      "ROOT %n = f32[8]{0:T(1024)} slice(%d), slice={[0:8]}\n}\n");
  const exposed_time time(module, find_device("tpu-v5e").value(), {});
  CHECK(instruction_costs(module, time).memory_bound() >= 4194304 / 819e9);
}
