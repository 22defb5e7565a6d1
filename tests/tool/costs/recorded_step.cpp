#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/tool/costs/recorded_step.hpp>

#include "analysis/module_of.hpp"
#include "analysis/step_programs.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("a recorded step has the costs and the schedule of an exposed_time of its own") {
  const hlo_module module = module_of(layers_text);
  const device on = find_device("h100-sxm").value();
  schedule_record record;
  const exposed_time time(module, on, {}, &record);
  const recorded_step step(module, on);
  CHECK(step.time.step() == time.step());
  CHECK(step.costs.step() == time.step());
  CHECK(step.costs.rows().size() == instruction_costs(module, time).rows().size());
  CHECK(step.record.blocks().size() == record.blocks().size());
  CHECK(recorded_step(module, on, {3}).time.step() >= step.time.step());
}

TEST_CASE("a context makes the step once") {
  context::parts parts{.hlo = module_of(layers_text)};
  parts.device = find_device("h100-sxm");
  const context dump(std::move(parts));
  CHECK(&dump.get<recorded_step>() == &dump.get<recorded_step>());
}
