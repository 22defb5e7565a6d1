#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/tool/measured/measured_step.hpp>

#include "tool/measured/two_runs.hpp"
#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("measured_step: what was measured beside the estimate of the same instruction") {
  const hlo_module module = module_of(measured_text);
  const measured_module measured = two_runs({ran("n", 2, 60'000'000, 30'000'000), ran("d", 2, 200, 100)});
  const exposed_time time(module, find_device("h100-sxm").value());
  const measured_step step(measured, module, time);
  CHECK(step.join() == profile_join{2, 2});
  CHECK(step.join().holds());
  REQUIRE(step.rows().size() == 2);
  const measured_row &work = step.rows()[0], &wait = step.rows()[1];
  CHECK(work.instruction.name() == "n");
  CHECK(work.category == "non-fusion elementwise");
  CHECK(work.operation.seconds == nearly(30e-6));
  CHECK(work.bytes == 2 * 4 * 4194304);
  REQUIRE(work.estimate);
  CHECK(*work.estimate == nearly(time.work().of(work.instruction).seconds));
  CHECK(wait.instruction.name() == "d");
  CHECK(wait.category == "collective-permute");
  CHECK(*wait.estimate == nearly(time.exposed()));  // what a transfer is waited for belongs to its end
  CHECK(step.estimated_step() == time.step());
  CHECK(step.estimated_compute() == time.compute());
  CHECK(step.estimated_exposed() == nearly(time.exposed()));
  CHECK(step.estimated_copies() == 0);
}

TEST_CASE("measured_step: names of another program, and no program at all") {
  const hlo_module module = module_of(measured_text);
  const measured_module measured = two_runs({ran("n", 2, 600, 300), ran("else", 2, 100, 50)});
  const measured_step joined(measured, module, exposed_time(module, find_device("h100-sxm").value()));
  CHECK(joined.join() == profile_join{1, 2});
  CHECK_FALSE(joined.join().holds());
  CHECK(join_of(measured, instruction_names(module)) == profile_join{1, 2});
  CHECK_FALSE(joined.rows()[1].estimate);
  const measured_step alone(measured);
  CHECK(alone.rows().size() == 2);
  CHECK_FALSE(alone.is_estimated());
  CHECK_FALSE(alone.join().holds());
}

TEST_CASE("measured_step: groups have the sums of both, most time first") {
  const hlo_module module = module_of(measured_text);
  const measured_module measured =
      two_runs({ran("n", 2, 60'000'000, 30'000'000), ran("d", 2, 200, 100), ran("else", 2, 8, 4)});
  const measured_step step(measured, module, exposed_time(module, find_device("h100-sxm").value()));
  const step_grouping by_source(module, time_by::source);
  const std::vector<measured_group> groups = group_measured(step, time_by::source, &by_source);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].name == "f.py:7");
  CHECK(groups[0].seconds == nearly(30e-6));
  CHECK(groups[1].name == without_group(time_by::source));
  CHECK(groups[1].seconds == nearly(104e-12));
}

TEST_CASE("measured_step: without a program the profile's own words name the groups") {
  profile_operation named = ran("n", 2, 600, 300), collective = ran("c", 2, 100, 50);
  named.source = "g.py:3", named.scope = "step/mlp/neg", named.category = "loop fusion";
  collective.collective = "all-reduce";
  const measured_module measured = two_runs({named, collective});
  const measured_step step(measured);
  const auto first = [&](time_by by) { return group_measured(step, by).at(0).name; };
  CHECK(first(time_by::source) == "g.py:3");
  CHECK(first(time_by::scope) == "step/mlp");
  CHECK(first(time_by::category) == "loop fusion");
  CHECK(group_measured(step, time_by::category).at(1).name == "all-reduce");
  CHECK(first(time_by::computation) == without_group(time_by::computation));
}
