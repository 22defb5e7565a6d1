// The rules about profiles, TIM001 to TIM006, and the measured times of others.
#include <hlolint/checks/measured/host_bound.hpp>
#include <hlolint/checks/measured/idle_gaps.hpp>
#include <hlolint/checks/measured/measured_stall.hpp>
#include <hlolint/checks/measured/slow_instruction.hpp>
#include <hlolint/checks/measured/straggling_device.hpp>
#include <hlolint/checks/measured/varying_step.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr picoseconds us = 1'000'000;

hlo_module program() {
  return module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[4194304]) -> f32[4194304] {\n"
      "  %p = f32[4194304]{0} parameter(0)\n"
      "  %copy-start.1 = (f32[4194304]{0:S(5)}, f32[4194304]{0}, u32[]) copy-start(%p)\n"
      "  %negate.1 = f32[4194304]{0} negate(%p)\n"
      "  %copy-done.1 = f32[4194304]{0:S(5)} copy-done(%copy-start.1)\n"
      "  ROOT %exponential.1 = f32[4194304]{0} exponential(%negate.1)\n}\n");
}

profile_operation operation(const char* name, picoseconds each, std::uint64_t count) {
  profile_operation out;
  out.instruction = name, out.count = count, out.total = each * static_cast<picoseconds>(count);
  return out;
}

/// So many runs of 1000 us on some devices, 900 of them compute.
measured_module measured(std::size_t devices = 2, std::size_t runs = 10) {
  measured_module out;
  out.name = "m";
  for (std::size_t d = 0; d < devices; ++d) {
    measured_device device;
    device.name = "/device:TPU:" + std::to_string(d);
    for (std::size_t r = 0; r < runs; ++r) {
      const auto at = static_cast<picoseconds>(r) * 1000 * us;
      device.module.runs.push_back({at, at + 1000 * us, 900 * us, 0, 0, 0});
    }
    device.module.operations = {operation("negate.1", 60 * us, runs), operation("exponential.1", 60 * us, runs),
                                operation("copy-done.1", 1 * us, runs)};
    out.devices.push_back(std::move(device));
  }
  return out;
}

template <class Check>
findings lint_measured(const Check& check, measured_module m, std::string_view on = "tpu-v5e",
                       hlo_module of = program()) {
  context::parts parts;
  parts.hlo = std::move(of);
  parts.target = target::tpu;
  parts.device = find_device(on);
  parts.measured = std::make_shared<const measured_module>(std::move(m));
  const auto list = as_catalogue(check);
  return lint(list, context(std::move(parts)), all_settings(list));
}

}  // namespace

TEST_CASE("TIM rules are silent without a profile, and where nothing is wrong") {
  CHECK(lint(slow_instruction{} | measured_stall{} | idle_gaps{} | straggling_device{} | varying_step{} | host_bound{},
             program()).empty());
  CHECK(lint_measured(slow_instruction{} | measured_stall{} | idle_gaps{} | straggling_device{} | varying_step{} |
                          host_bound{},
                      measured()).empty());
}

TEST_CASE("TIM001: an instruction far from the rates of its device") {
  measured_module m = measured();
  for (measured_device& d : m.devices) d.module.operations[0] = operation("negate.1", 400 * us, 10);
  const findings found = lint_measured(slow_instruction{}, m);  // 32 MiB at 819 GB/s take 41 us
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "negate.1");
  CHECK(found[0].message.find("reaches 10 % of the bandwidth of the memory: 400 us") != std::string::npos);
  CHECK(found[0].message.find("measured: 0.3") != std::string::npos);
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
    d.module.operations = {operation("gather.1", 400 * us, 10), operation("negate.1", 400 * us, 10)};
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
  CHECK(says("negate.1", "padding makes one of its arrays 16 times as large as its elements"));
}

TEST_CASE("TIM002: waiting at a done") {
  measured_module m = measured();
  for (measured_device& d : m.devices) d.module.operations[2] = operation("copy-done.1", 80 * us, 10);
  const findings found = lint_measured(measured_stall{}, m);
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "copy-done.1");
  CHECK(found[0].message.find("the device waits 80 us (8 % of the step)") == 0);
  CHECK(found[0].message.find("; measured: 0.08 ms in a step") != std::string::npos);
}

TEST_CASE("TIM003: gaps between kernels") {
  measured_module m = measured();
  for (measured_device& d : m.devices)
    for (profile_operation& o : d.module.operations) o.idle_before = 2000 * us, o.gaps = 200;
  const findings found = lint_measured(idle_gaps{}, m);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "the device does nothing for 600 us of a run of 1 ms, in 60 gaps of 10 us between kernels");
}

TEST_CASE("TIM004: a device that computes longer; waiting in collectives does not count") {
  measured_module m = measured(4);
  for (profile_run& r : m.devices[3].module.runs) r.compute = 990 * us;
  const findings found = lint_measured(straggling_device{}, m);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("/device:TPU:3 computes 990 us in a run, 10 % longer") == 0);
  m = measured(4);
  for (profile_run& r : m.devices[3].module.runs) r.end += 500 * us;
  CHECK(lint_measured(straggling_device{}, m).empty());
}

TEST_CASE("TIM005: runs that differ, the first one apart") {
  measured_module m = measured(1, 20);
  m.devices[0].module.runs[0].end += 10'000 * us;
  CHECK(lint_measured(varying_step{}, m).empty());
  for (std::size_t i = 0; i < 20; i += 2) m.devices[0].module.runs[i].end += 400 * us;
  CHECK(lint_measured(varying_step{}, m).size() == 1);
}

TEST_CASE("TIM006: a device that waits for the host") {
  measured_module m = measured(2);
  for (measured_device& d : m.devices)
    for (profile_run& r : d.module.runs) r.outside = 600 * us;
  const findings found = lint_measured(host_bound{}, m);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("does nothing for 600 us before each run of 1 ms") != std::string::npos);
}
