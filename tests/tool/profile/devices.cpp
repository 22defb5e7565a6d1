// What parse_profile counts on devices: runs, self times, collectives, idle times.
#include "tool/profile/captures.hpp"

#include <hlolint/tool/parse_profile.hpp>
#include <hlolint/tool/profile/xspace_plane.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

const profile_operation* operation(const profile_module& m, std::string_view wanted) {
  for (const profile_operation& o : m.operations)
    if (o.instruction == wanted) return &o;
  return nullptr;
}

constexpr picoseconds us = 1'000'000;

void check_tpu(const measured_profile& p, bool from_trace) {
  REQUIRE(p.devices.size() == 1);
  const profile_device& device = p.devices[0];
  CHECK(device.name == "/device:TPU:0");
  REQUIRE(device.modules.size() == 1);
  const profile_module& m = device.modules[0];
  CHECK(m.name == "jit_step");
  CHECK(m.program_id == 99);
  REQUIRE(m.runs.size() == 2);
  CHECK(m.median() == 500.0 * us);
  CHECK(m.idle == 96 * us);
  CHECK(m.runs[0].barrier == 48 * us);
  CHECK(m.runs[0].compute == 300 * us);
  REQUIRE(operation(m, "while.1"));
  CHECK(operation(m, "while.1")->total == 60 * us);
  REQUIRE(operation(m, "fusion.4"));
  CHECK(operation(m, "fusion.4")->total == 540 * us);
  CHECK(operation(m, "fusion.4")->count == 6);
  CHECK(operation(m, "fusion.4")->flops == 1000);
  CHECK(operation(m, "fusion.4")->bytes == 4096);
  CHECK(operation(m, "fusion.4")->source == "model.py:12");
  CHECK(operation(m, "all-reduce.9")->idle_before == 96 * us);
  REQUIRE(m.collectives.size() == 2);
  CHECK(m.collectives[0] == profile_collective{"all-gather", 2, 704 * us, 104 * us});
  CHECK(m.collectives[1] == profile_collective{"all-reduce", 2, 200 * us, 200 * us});
  CHECK(m.operations_total() == 904 * us);
  if (!from_trace) {
    CHECK(device.peaks.type == "TPU v5 lite");
    CHECK(device.peaks.flops == 197e12);
    CHECK(device.peaks.memory_rate == 819e9);
  }
}

}  // namespace

TEST_CASE("a TPU: loops around their bodies, transfers in flight, barriers") {
  captures::plane tpu = captures::tpu();
  check_tpu(parse_profile(captures::xspace({tpu})).profile, false);
  tpu.names_last = true;
  check_tpu(parse_profile(captures::xspace({tpu})).profile, false);
  check_tpu(parse_profile(captures::trace({tpu})).profile, true);
  SUBCASE("events in any order") {
    for (captures::line& l : tpu.lines) std::reverse(l.events.begin(), l.events.end());
    const auto read = parse_profile(captures::xspace({tpu}));
    CHECK(read.profile.devices[0].modules[0].operations_total() == 904 * us);
    CHECK(read.profile.devices[0].modules[0].idle == 96 * us);
  }
  SUBCASE("clocks that count from 1970") {
    for (captures::line& l : tpu.lines) l.stamp = 1'700'000'000'000'000'000;
    check_tpu(parse_profile(captures::xspace({tpu})).profile, false);
  }
  SUBCASE("the sparse cores of a chip are no device") {
    tpu.name = "/device:TPU:0 SparseCore 1";
    CHECK(parse_profile(captures::xspace({tpu})).profile.devices.empty());
  }
}

TEST_CASE("a GPU: runs are inferred, and what hides communication is counted") {
  const auto check = [](const measured_profile& p) {
    REQUIRE(p.devices.size() == 2);
    const profile_module& first = p.devices[0].modules.at(0);
    CHECK(first.name == "jit_step");
    CHECK(first.program_id == 7);
    CHECK(first.runs.size() == 3);
    CHECK(first.median() == 300.0 * us);
    CHECK(first.idle == 60 * us);
    CHECK(first.runs[0].compute == 210 * us);
    REQUIRE(first.collectives.size() == 1);
    CHECK(first.collectives[0] == profile_collective{"all-reduce", 3, 600 * us, 210 * us});
    CHECK(p.devices[1].modules.at(0).collectives[0] == profile_collective{"all-reduce", 3, 630 * us, 240 * us});
    CHECK(p.devices[1].modules[0].idle == 30 * us);
    CHECK(p.devices[0].other_count == 1);
    CHECK(p.devices[0].other_total == 10 * us);
  };
  check(parse_profile(captures::xspace({captures::gpu(1, 260), captures::gpu(0)})).profile);
  check(parse_profile(captures::trace({captures::gpu(0), captures::gpu(1, 260)})).profile);

  SUBCASE("a kernel was lost") {
    captures::plane gpu = captures::gpu();
    gpu.lines[0].events.pop_back();
    const auto read = parse_profile(captures::xspace({gpu}));
    CHECK(read.profile.devices[0].modules.at(0).runs.size() == 3);
    REQUIRE(!read.profile.notes.empty());
    CHECK(read.profile.notes[0].find("commonest number of occurrences") != std::string::npos);
  }
  SUBCASE("an instruction in a loop") {
    captures::plane gpu = captures::gpu();
    for (captures::event& e : gpu.lines[0].events)
      if (e.name == "loop_multiply_fusion") e.stats[0].text = "while.1::fusion.3";
    const auto read = parse_profile(captures::xspace({gpu}));
    CHECK(operation(read.profile.devices[0].modules.at(0), "fusion.3"));
  }
  SUBCASE("another framework") {
    captures::plane gpu = captures::gpu();
    for (captures::line& l : gpu.lines)
      for (captures::event& e : l.events) e.stats.clear();
    const auto read = parse_profile(captures::xspace({gpu}));
    CHECK(read.status == parse_status::ok);
    CHECK(!read.profile.has_runs());
    CHECK(read.profile.devices.at(0).other_count == 13);
  }
}

TEST_CASE("a program in the profile says what is a collective") {
  using namespace messages;
  const std::string f32_8 = array(f32, {8});
  const std::string module =
      module_of({computation(1, "c", 12,
                             {parameter(10, "p", 0, f32_8), instruction(11, "fusion.2", "all-reduce", f32_8, {10}),
                              instruction(12, "dot.1", "add", f32_8, {10, 11})})},
                1);
  const auto read =
      parse_profile(captures::xspace({captures::gpu(), captures::programs({{"jit_step(7)", hlo_proto(module)}})}));
  REQUIRE(read.profile.programs.size() == 1);
  CHECK(read.profile.programs[0].name == "jit_step");
  CHECK(read.profile.programs[0].program_id == 7);
  const profile_module& m = read.profile.devices.at(0).modules.at(0);
  CHECK(operation(m, "fusion.2")->collective == "all-reduce");
}

TEST_CASE("the kernels of NCCL say what they do") {
  using profiles::collective_by_names;
  CHECK(collective_by_names("x", "", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(args)") == "all-reduce");
  CHECK(collective_by_names("x", "", "ncclDevKernel_SendRecv(args)") == "collective-permute");
  CHECK(collective_by_names("x", "", "rcclGenericKernel") == "collective");
  CHECK(collective_by_names("x", "", "void nccl::something") == "collective");
  CHECK(collective_by_names("all-gather-start.12.3", "", "") == "all-gather");
  CHECK(collective_by_names("fusion.2", "all-reduce", "") == "all-reduce");
  CHECK(collective_by_names("fusion.2", "loop fusion", "loop_fusion") == "");
}

TEST_CASE("events that do not stand in order are sorted part by part") {
  captures::plane tpu = captures::tpu();
  std::vector<captures::event>& events = tpu.lines[1].events;
  std::reverse(events.begin(), events.end());
  const std::string bytes = captures::plane_writer().write(tpu);
  const auto starts = [&](std::size_t at_a_time) {
    const profiles::bytes_done keep;
    profiles::xspace_plane plane(bytes, keep);
    std::vector<std::pair<picoseconds, std::string>> out;
    plane.each(
        1, [&](const profiles::timed_event& e) { out.emplace_back(e.start, plane.keys()[e.key].operation); },
        at_a_time);
    return out;
  };
  const auto whole = starts(events.size());
  CHECK(whole.size() == events.size());
  CHECK(std::is_sorted(whole.begin(), whole.end(), [](const auto& a, const auto& b) { return a.first < b.first; }));
  for (const std::size_t at_a_time : std::vector<std::size_t>{1, 2, 3, 5}) CHECK(starts(at_a_time) == whole);
}
