// `hlolint time` on profiles, from outside.
#include "outside.hpp"
#include "tool/profile/captures.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace from_outside;

namespace {

const std::string sample = HLOLINT_TEST_DATA "/sample/module_0042.jit_train_step.cl_1.after_codegen.txt";
const std::string capture = HLOLINT_TEST_DATA "/profile/jit_train_step.trace.json";

std::string small_module() {
  using namespace messages;
  const std::string f32_8 = array(f32, {8});
  return hlo_proto(
      sized(1, "jit_step") +
      module_of({computation(1, "main", 13,
                             {parameter(10, "p", 0, f32_8), instruction(11, "dot.1", "negate", f32_8, {10}),
                              instruction(12, "fusion.2", "add", f32_8, {10, 11}),
                              instruction(14, "all-reduce-start.1", "negate", f32_8, {12}),
                              instruction(13, "fusion.3", "add", f32_8, {14, 12})})},
                1));
}

}  // namespace

TEST_CASE("hlolint time: a folder of a profiler, measured for each device") {
  folder f;
  f.write("log/plugins/profile/2026_01_01_00_00_00/old.xplane.pb", "not read");
  f.write("log/plugins/profile/2026_01_02_00_00_00/host.xplane.pb",
          captures::xspace({captures::gpu(0), captures::gpu(1, 260)}));
  const json report = f.run_json("time log", 0);
  REQUIRE(report["measured"].size() == 2);
  const json& first = report["measured"][0];
  CHECK(first["device"] == "/device:GPU:0");
  CHECK(first["module"] == "jit_step");
  CHECK(first["program_id"] == "7");
  CHECK(first["runs"] == 3);
  CHECK(first["median_us"] == 300);
  CHECK(first["total_us"] == 900);
  CHECK(first["operations_us"] == 1230);
  CHECK(first["idle_us"] == 60);
  REQUIRE(first["collectives"].size() == 1);
  CHECK(first["collectives"][0]["kind"] == "all-reduce");
  CHECK(first["collectives"][0]["total_us"] == 600);
  CHECK(first["collectives"][0]["exposed_us"] == 210);
  CHECK(first["operations"][0]["instruction"] == "all-reduce-start.1");
  CHECK(report["measured"][1]["collectives"][0]["exposed_us"] == 240);
  const outcome text = f.run("time log");
  CHECK(text.status == 0);
  CHECK(text.output.find("0.300 ms measured, median of 3 runs on 2 devices") != std::string::npos);
}

TEST_CASE("hlolint time: several hosts are one module, and devices of equal names are told apart") {
  folder f;
  captures::plane slow = captures::gpu(0);
  for (captures::event& e : slow.lines[0].events)
    if (e.name == "loop_multiply_fusion") e.length = 60;
  f.write("log/plugins/profile/2026_01_02_00_00_00/a.xplane.pb", captures::xspace({captures::gpu(0)}));
  f.write("log/plugins/profile/2026_01_02_00_00_00/b.xplane.pb", captures::xspace({slow}));
  const json report = f.run_json("time log", 0);
  REQUIRE(report["measured"].size() == 2);
  CHECK(report["measured"][0]["total_us"] == 900);
  CHECK(report["measured"][1]["total_us"] == 990);
  CHECK(report["measured"][0]["path"] != report["measured"][1]["path"]);
  const std::string text = f.run("time log").output;
  CHECK(has(text, "median of 3 runs on 2 devices"));
  CHECK(has(text, "/device:GPU:0 of b.xplane.pb computes longest"));
  const std::string trace = f.run("time --format trace log").output;
  CHECK(has(trace, "measured on GPU:0 of a.xplane.pb"));
  CHECK(has(trace, "measured on GPU:0 of b.xplane.pb"));
}

TEST_CASE("hlolint time --format trace: what was measured on each device, beside the estimate") {
  folder f;
  f.write("log/plugins/profile/2026_01_02_00_00_00/host.xplane.pb",
          captures::xspace({captures::gpu(0), captures::gpu(1, 260)}));
  const outcome done = f.run("time --format trace log");
  REQUIRE(done.status == 0);
  const json trace = json::parse(done.output);
  std::vector<std::string> processes, tracks;
  std::map<std::pair<int, int>, std::int64_t> busy_to;
  double operations = 0;
  for (const json& event : trace["traceEvents"]) {
    if (event["name"] == "process_name") processes.push_back(event["args"]["name"]);
    if (event["name"] == "thread_name" && event["pid"] == 1) tracks.push_back(event["args"]["name"]);
    if (event["ph"] != "X") continue;
    if (event["tid"] == 0) {
      CHECK(event["name"] == "jit_step");
      CHECK(event["dur"] == 300);
      CHECK(event["args"]["runs"] == 3);
      continue;
    }
    // Kernels of one track follow each other.
    const std::int64_t begin = std::llround(event["ts"].get<double>() * 1e3);
    std::int64_t& to = busy_to[{event["pid"], event["tid"]}];
    CHECK(begin >= to);
    to = begin + std::llround(event["dur"].get<double>() * 1e3);
    if (event["pid"] == 1) operations += event["dur"].get<double>();
  }
  CHECK(processes == std::vector<std::string>{"jit_step, measured on GPU:0", "jit_step, measured on GPU:1"});
  REQUIRE(tracks.size() == 3);
  CHECK(tracks[0] == "run");
  CHECK(tracks[1] == "stream 1");
  CHECK(operations == doctest::Approx(410));
}

TEST_CASE("hlolint time --format html: what was measured is drawn above the estimate") {
  folder f;
  const outcome page = f.run("time --format html --device tpu-v5e --profile " + capture + " " + sample);
  CHECK(page.status == 0);
  CHECK(has(page.output, "\"measured\":{\"device\":"));
  CHECK(has(page.output, "\"TPU:0 operations\""));
  CHECK_FALSE(has(f.run("time --format html --device tpu-v5e " + sample).output, "\"measured\":{"));
}

TEST_CASE("hlolint time: measured times have all their digits") {
  folder f;
  captures::plane tpu = captures::tpu();
  tpu.lines[0].events = {{"jit_step(99)", 0, 12345678.901}};
  tpu.lines[1].events = {{"%a = f32[] add()", 0, 12345678.123, {}, "a"}};
  tpu.lines[2].events.clear(), tpu.lines[3].events.clear();
  f.write("host.xplane.pb", captures::xspace({tpu}));
  const json report = f.run_json("time host.xplane.pb", 0);
  REQUIRE(report["measured"].size() == 1);
  CHECK(report["measured"][0]["total_us"] == 12345678.901);
  CHECK(report["measured"][0]["operations"][0]["total_us"] == 12345678.123);
}

TEST_CASE("hlolint time: a profile beside a dump has estimates for its instructions") {
  folder f;
  const json report = f.run_json("time --profile " + capture + " --device tpu-v5e " + sample, 0);
  REQUIRE(report["measured"].size() == 2);
  CHECK(report["time"].size() == 1);
  CHECK(report["measured"][0].contains("estimate_us"));
  for (const json& operation : report["measured"][0]["operations"]) {
    CAPTURE(operation.dump());
    CHECK(operation.contains("estimate_us"));
  }
  const outcome text = f.run("time --profile " + capture + " --device tpu-v5e " + sample);
  CHECK(text.output.find("21 of 21 names of instructions are in it") != std::string::npos);
  CHECK(text.output.find("/device:TPU:1 computes longest") != std::string::npos);
  CHECK(f.run("time --by category --profile " + capture + " --device tpu-v5e " + sample).status == 0);
}

TEST_CASE("hlolint time: a profile of another compilation is not joined, with the numbers") {
  folder f;
  captures::plane gpu = captures::gpu();
  f.write("host.xplane.pb", captures::xspace({gpu}));
  f.write("m.txt",
          "HloModule jit_step, is_scheduled=true\n\nENTRY %main (p: f32[8]) -> f32[8] {\n"
          "  %p = f32[8]{0} parameter(0)\n  ROOT %dot.1 = f32[8]{0} negate(%p)\n}\n");
  const outcome text = f.run("time --profile host.xplane.pb m.txt");
  CHECK(text.output.find("the program has 1 of the 4 names") != std::string::npos);
}

TEST_CASE("the programs in a profile are dumps for all commands") {
  folder f;
  f.write("host.xplane.pb",
          captures::xspace({captures::gpu(),
                            captures::programs({{"jit_step(7)", small_module()}, {"jit_other(8)", small_module()}})}));
  const json parsed = f.run_json("parse host.xplane.pb", 0);
  REQUIRE(parsed["inputs"].size() == 1);  // the other one did not run
  CHECK(parsed["inputs"][0]["path"].get<std::string>() == "host.xplane.pb/jit_step(7).hlo_proto.pb");
  CHECK(f.run("lint host.xplane.pb").status == 0);
  CHECK(f.run("print host.xplane.pb").output.starts_with("HloModule "));
}

TEST_CASE("a profile beside dumps in folders below, some of them of other hardware") {
  folder f;
  f.write("host.xplane.pb", captures::xspace({captures::gpu(), captures::programs({{"jit_step(7)", small_module()}})}));
  for (const auto& [file, module] :
       std::map<std::string, std::string>{{"dumps/module_0001.jit_g.cpu_after_optimizations.txt", "jit_g"},
                                          {"dumps/module_0002.jit_step.sm_9.0_gpu_after_optimizations.txt", "jit_step"},
                                          {"bare.txt", "jit_h"}})
    f.write(file, "HloModule " + module +
                      ", is_scheduled=true\n\nENTRY %main (p: f32[8]) -> f32[8] {\n"
                      "  %p = f32[8]{0} parameter(0)\n  ROOT %n = f32[8]{0} negate(%p)\n}\n");
  for (const char* words : {"lint .", "lint --profile host.xplane.pb dumps bare.txt"}) {
    INFO(words);
    std::map<std::string, std::string> targets;
    const json report = f.run_json(words, 0);
    for (const json& input : report["inputs"]) targets[input["module"].get<std::string>()] = input.value("target", "");
    CHECK(targets == std::map<std::string, std::string>{{"jit_g", "cpu"}, {"jit_step", "gpu"}, {"jit_h", "gpu"}});
  }
}

TEST_CASE("profiles that cannot be read") {
  folder f;
  const std::string whole = captures::xspace({captures::gpu()});
  f.write("cut.xplane.pb", whole.substr(0, whole.size() - 20));
  f.write("other.xplane.pb", captures::xspace({captures::plane{.name = "/host:CPU"}}));
  f.write("m.txt", "HloModule m\n");
  const outcome cut = f.run("time cut.xplane.pb");
  CHECK(cut.status == 2);
  CHECK(cut.output.find("cut off or damaged") != std::string::npos);
  CHECK(f.run("time other.xplane.pb").output.find("no program of XLA ran on a device") != std::string::npos);
  CHECK(f.run("lint other.xplane.pb").status == 2);  // nothing to look at
  f.write(
      "cpu.trace.json",
      R"({"displayTimeUnit":"ns","traceEvents":[)"
      R"({"ph":"M","pid":1,"name":"process_name","args":{"name":"/host:CPU"}},)"
      R"({"ph":"X","pid":1,"tid":5,"ts":0,"dur":5,"name":"dot.1","args":{"hlo_op":"dot.1","hlo_module":"jit_f"}}]})");
  const outcome cpu = f.run("time --profile cpu.trace.json m.txt");
  CHECK(cpu.status == 2);
  CHECK(cpu.output.find("operations of XLA:CPU only") != std::string::npos);
  CHECK(f.run("time --profile m.txt m.txt").status == 2);
  CHECK(f.run("time --profile nowhere m.txt").status == 2);
}

TEST_CASE("the programs of a CPU's profile are dumps, though its times are not read") {
  folder f;
  captures::plane host{.name = "/host:CPU"};
  host.lines.push_back({.name = "tf_XLAEigen/1", .events = {{"dot.1", 0, 5, {captures::text("hlo_op", "dot.1")}}}});
  f.write("host.xplane.pb",
          captures::xspace({host, captures::programs({{"jit_step(7)", messages::hlo_proto(messages::add_module())}})}));
  const json read = f.run_json("parse host.xplane.pb", 0).at("inputs");
  REQUIRE(read.size() == 1);
  CHECK(read[0]["path"] == "host.xplane.pb/jit_step(7).hlo_proto.pb");
  CHECK(read[0]["target"] == "cpu");
  CHECK(f.run("time host.xplane.pb").status == 2);
}

TEST_CASE("hlolint calibrate: a device file from a profile, and from the time of a step") {
  folder f;
  outcome done = f.run("calibrate --device tpu-v5e --profile " + capture + " " + sample + " -o own.toml");
  CHECK(done.status == 0);
  CHECK(done.output.find("matmul-efficiency: from 5 instructions") != std::string::npos);
  CHECK(done.output.find("host-gb-per-s: not fitted, 0 of at least 5") != std::string::npos);
  CHECK(f.run("time --device own.toml " + sample).status == 0);
  CHECK(f.run("calibrate --device tpu-v5e --measured 30ms " + sample).status == 2);  // the network decides nothing
  done = f.run("calibrate --device tpu-v5e --measured 30ms --fit matmul-efficiency " + sample);
  CHECK(done.status == 0);
  CHECK(done.output.find("30 ms after") != std::string::npos);
  CHECK(f.run("calibrate --device tpu-v5e --measured 30 " + sample).status == 2);
  CHECK(f.run("calibrate --device tpu-v5e " + sample).status == 2);  // no profile
}

TEST_CASE("hlolint lint --profile: findings cost the time that was measured, not the estimate") {
  folder f;
  const std::string words = " --device tpu-v5e --select COL001,PRF " + sample;
  // The seconds of each finding, by rule and instruction, and whether they were measured.
  const auto costs = [&](const std::string& profile) {
    std::map<std::string, std::pair<double, bool>> out;
    const json report = f.run_json("lint --exit-zero" + profile + words, 0);
    for (const json& finding : report["diagnostics"])
      for (const json& impact : finding.value("impacts", json::array()))
        if (impact["unit"] == "seconds")
          out[finding["rule"].get<std::string>() + finding.value("instruction", "")] = {
              impact["amount"].get<double>(),
              finding["message"].get<std::string>().find("; measured: ") != std::string::npos};
    return out;
  };
  const auto estimated = costs(""), measured = costs(" --profile " + capture);
  REQUIRE(!estimated.empty());
  bool any = false;
  for (const auto& found : measured) {
    INFO(found.first);
    if (!found.second.second) continue;
    any = true;
    REQUIRE(estimated.count(found.first) == 1);
    CHECK(found.second.first != estimated.at(found.first).first);  // what ranks it is the measured time
    CHECK_FALSE(estimated.at(found.first).second);
  }
  CHECK(any);
}
