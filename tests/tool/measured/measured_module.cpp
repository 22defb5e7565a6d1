#include <hlolint/tool/measured/measured_module.hpp>

#include "tool/measured/two_runs.hpp"
#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

profile_module module_ran(const char* name, std::uint64_t program, const std::vector<picoseconds>& lengths) {
  profile_module m;
  m.name = name, m.program_id = program;
  for (const picoseconds length : lengths) m.runs.push_back({5, 5 + length, 0, 0, 0, 0});
  return m;
}
profile_device device_of(const char* name, const std::vector<profile_module>& modules) {
  profile_device d;
  d.name = name, d.modules = modules;
  return d;
}

}  // namespace

TEST_CASE("measured_modules: hosts and devices that ran one program become one, most time first") {
  profile_host first{"a/h0.xplane.pb", {}}, second{"a/h1.xplane.pb", {}};
  first.profile.devices.push_back(
      device_of("/device:TPU:0", {module_ran("step", 1, {10, 20}), module_ran("small", 2, {1})}));
  first.profile.devices.push_back(device_of("/device:TPU:1", {module_ran("step", 1, {30})}));
  second.profile.devices.push_back(
      device_of("/device:TPU:0", {module_ran("step", 1, {40}), module_ran("step", 3, {2})}));
  const auto found = measured_modules({first, second});
  REQUIRE(found.size() == 3);
  const measured_module& step = *found[0];
  CHECK(step.name == "step");
  CHECK(step.program_id == 1);
  CHECK(step.devices.size() == 3);
  CHECK(step.runs() == 4);
  CHECK(step.total() == nearly(100e-12));
  CHECK(step.step() == nearly(25e-12));  // the median of 10, 20, 30 and 40
  CHECK(step.name_of(step.devices[2]) == "/device:TPU:0 of h1.xplane.pb");
  CHECK(found[1]->program_id == 3);
  CHECK(found[2]->name == "small");
  CHECK(found[2]->name_of(found[2]->devices[0]) == "/device:TPU:0");
  CHECK(measured_modules({}).empty());
}

TEST_CASE("measured_module: operations over all devices, in one run") {
  measured_module m;
  for (const picoseconds each : {100, 300}) {
    measured_device& d = m.devices.emplace_back();
    d.module = module_ran("step", 1, {1000});
    d.module.operations = {ran("short", 1, 10, 10), ran("long", 2, 2 * each, each)};
    d.module.idle = 40, d.module.copies = 20;
    d.module.collectives.push_back({"all-reduce", 1, 50, each});
  }
  const std::vector<measured_operation> operations = m.operations();
  REQUIRE(operations.size() == 2);
  CHECK(operations[0].instruction == "long");
  CHECK(operations[0].seconds == nearly(400e-12));  // 800 in two runs
  CHECK(operations[0].count == 2);
  CHECK(operations[0].least == nearly(100e-12));
  CHECK(operations[0].samples == 4);
  CHECK(operations[1].seconds == nearly(10e-12));
  CHECK(m.idle() == nearly(40e-12));
  CHECK(m.copies() == nearly(20e-12));
  CHECK(m.exposed() == nearly(200e-12));
  CHECK(measured_module{}.idle() == 0);
}

TEST_CASE("devices of profiles by name, or by what they have") {
  CHECK(preset_of({"TPU v6 Lite", 918e12, 1638e9, 0, 0}) == "tpu-v6e");
  CHECK(preset_of({"AMD", 0, 2662e9, 206e9, 304}) == "mi300x");
  CHECK(preset_of({"Nvidia", 0, 3352e9, 85e9, 132}) == "h100-sxm");
  CHECK(preset_of({"Nvidia", 0, 1555e9, 42e9, 108}) == "a100-40");
  CHECK(preset_of({"Nvidia", 0, 0, 0, 3}).empty());
}
