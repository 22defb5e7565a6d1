#include <hlolint/tool/checks/measured/slow_instruction.hpp>

#include "tool/checks/measured/measured_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::profiled;

TEST_CASE("TIM001 is silent without a profile, and where nothing is wrong") { check_silent<slow_instruction>(); }

TEST_CASE("TIM001: an instruction far from the rates of its device") {
  measured_module m = measured();
  for (measured_device& d : m.devices) d.module.operations[0] = operation("negate.1", 400 * us, 10);
  const findings found = lint_measured(slow_instruction{}, m);  // 32 MiB at 819 GB/s take 41 us
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "negate.1");
  CHECK(found[0].message.find("reaches 10 % of the bandwidth of the memory: 400 us") != std::string::npos);
  CHECK(found[0].message.find("measured: 3") != std::string::npos);
  CHECK(found[0].message.find("its executions differ, the fastest took 100 us") == std::string::npos);
  for (measured_device& d : m.devices) d.module.operations[0].least = 100 * us;
  CHECK(lint_measured(slow_instruction{}, m)[0].message.find("its executions differ, the fastest took 100 us") !=
        std::string::npos);
  for (measured_device& d : m.devices) d.module.operations[0] = operation("negate.1", 400 * us, 1);
  CHECK(lint_measured(slow_instruction{}, m).empty());  // too few to tell
}

TEST_CASE("TIM001: the shapes may show why") {
  measured_module m = measured();
  for (measured_device& d : m.devices)
    d.module.operations = {operation("gather.1", 10000 * us, 10), operation("negate.1", 400 * us, 10)};
  const findings found = lint_measured(
      slow_instruction{}, m, "tpu-v5e",
      module_of("HloModule m, is_scheduled=true\n\n"
                "ENTRY %main (t: f32[1048576,8], i: s32[524288,1], q: f32[65536,8]) -> f32[65536,8] {\n"
                "  %t = f32[1048576,8]{1,0} parameter(0)\n  %i = s32[524288,1]{1,0} parameter(1)\n"
                "  %q = f32[65536,8]{1,0:T(8,128)} parameter(2)\n"
                "  %gather.1 = f32[524288,8]{1,0} gather(%t, %i), offset_dims={1}, collapsed_slice_dims={0}, "
                "start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}\n"
                "  ROOT %negate.1 = f32[65536,8]{1,0:T(8,128)} negate(%q)\n}\n"));
  REQUIRE(found.size() == 2);
  const auto says = [&](const char* instruction, const char* words) {
    for (const diagnostic& f : found)
      if (f.instruction == instruction) return f.message.find(words) != std::string::npos;
    return false;
  };
  CHECK(says("gather.1", "it moves rows of 32 bytes"));
  CHECK(says("negate.1", "padding makes one of its arrays 16.0 times as large as its elements"));
}
