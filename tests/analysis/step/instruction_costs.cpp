#include <hlolint/analysis/step/instruction_costs.hpp>

#include <hlolint/analysis/device/device_presets.hpp>

#include "analysis/module_of.hpp"
#include "analysis/step_programs.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

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
