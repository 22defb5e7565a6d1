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
