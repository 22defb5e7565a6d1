// `hlolint time` from outside, on the sample of tests/data and on dumps written here.
#include "outside.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace from_outside;

namespace {

const std::string sample = HLOLINT_TEST_DATA "/sample/module_0042.jit_train_step.cl_1.after_codegen.txt";

const std::string step =
    "HloModule step, is_scheduled=true, num_partitions=16\n\nENTRY %main (p: f32[25000000]) -> f32[25000000] {\n"
    "  %p = f32[25000000]{0} parameter(0)\n"
    "  %s = (f32[25000000]{0}, f32[25000000]{0}) collective-permute-start(%p), channel_id=1, "
    "source_target_pairs={{0,8},{8,0}}\n"
    "  ROOT %d = f32[25000000]{0} collective-permute-done(%s)\n}\n";

}  // namespace

TEST_CASE("hlolint time: a device by name, with changes") {
  folder f;
  f.write("step.gpu_after_optimizations.txt", step);
  const auto transfer_us = [&](const std::string& words) {
    const json report = f.run_json("time " + words + " step.gpu_after_optimizations.txt", 0);
    REQUIRE(report["time"].size() == 1);
    REQUIRE(report["time"][0]["transfers"].size() == 1);
    return report["time"][0]["transfers"][0].value("transfer_us", -1.0);
  };
  CHECK(transfer_us("--device h100-sxm") == doctest::Approx(1e8 / 45e9 * 1e6 + 40).epsilon(0.001));
  CHECK(transfer_us("--device h100-sxm --nic 10") == doctest::Approx(1e8 / 10e9 * 1e6 + 40).epsilon(0.001));
  CHECK(transfer_us("--device h100-sxm --per-node 16") == doctest::Approx(1e8 / 280e9 * 1e6 + 40).epsilon(0.001));
  CHECK(transfer_us("") == -1);  // no device is known
  f.write("own.toml", "base = \"h100-sxm\"\nnetwork-gb-per-s = 20\nper-node = 4\n");
  CHECK(transfer_us("--device own.toml") == doctest::Approx(1e8 / 20e9 * 1e6 + 40).epsilon(0.001));
}

TEST_CASE("hlolint time: the device beside a dump, or in its name") {
  folder f;
  f.write("m.sm_9.0_gpu_after_optimizations.txt", step);
  json report = f.run_json("time m.sm_9.0_gpu_after_optimizations.txt", 0);
  CHECK(report["time"][0]["device"] == "h100-sxm");
  CHECK(report["time"][0]["assumptions"][0].get<std::string>().find("guess from sm_9.0") != std::string::npos);
  CHECK(report["time"][0]["origin"]["device"] == "guess");
  f.write("m.gpu_target_config.pbtxt",
          "gpu_device_info { memory_bandwidth: 4000000000000 name: \"NVIDIA H200\" device_interconnect_info { "
          "active_links: 18 } }\n");
  report = f.run_json("time m.sm_9.0_gpu_after_optimizations.txt", 0);
  CHECK(report["time"][0]["device"] == "NVIDIA H200");
  CHECK(report["time"][0]["origin"]["device"] == "dump");
  CHECK(f.run("time m.sm_9.0_gpu_after_optimizations.txt")
            .output.find("  device   NVIDIA H200 (from the dump's files); time model ") != std::string::npos);
}

TEST_CASE("hlolint time: wrong words and files without times") {
  folder f;
  f.write("step.gpu_after_optimizations.txt", step);
  f.write("bad.toml", "base = \"h100-sxm\"\nmemory = 1\n");
  f.write("worse.toml", "base = \n");
  for (const char* const words : {"--device h100", "--device bad.toml", "--device worse.toml", "--device none.toml",
                                  "--nic 0", "--per-node 0", "--trip 0", "--trip many"}) {
    CAPTURE(words);
    CHECK(f.run("time " + std::string(words) + " step.gpu_after_optimizations.txt").status == 2);
  }
  f.write("plain.txt", "HloModule m\n\nENTRY %main {\n  ROOT %p = f32[2]{0} parameter(0)\n}\n");
  const json report = f.run_json("time plain.txt", 2);
  CHECK(report["time"][0]["missing"].get<std::string>().find("schedule") != std::string::npos);
  // A log that is out of memory has no time, and is no module beside the dump.
  f.write("log.txt",
          "RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 18.40G of 15.75G hbm. "
          "Exceeded hbm capacity by 2.65G.\n");
  CHECK(f.run_json("time --device h100-sxm step.gpu_after_optimizations.txt log.txt", 0)["time"].size() == 1);
  CHECK(f.run("time log.txt").errors.find("no HLO text") != std::string::npos);
  const outcome refused = f.run("time plain.txt");
  CHECK(refused.status == 2);
  CHECK(refused.errors.find("XLA_FLAGS=--xla_dump_to=FOLDER") != std::string::npos);
  CHECK(refused.errors.find("On TPU") != std::string::npos);
  CHECK(f.run("time plain.txt step.gpu_after_optimizations.txt").status == 0);  // one of them can answer
}

TEST_CASE("hlolint time: the sample as text") {
  folder f;
  const outcome text = f.run("time --device tpu-v5e --top 1 '" + sample + "'");
  CHECK(text.status == 0);
  for (const char* const part : {"device   tpu-v5e; time model 12; 2.7 % of the work by printed cycles",
                                 "assumes  all 4 devices", "all-gather.1", "and 3 hidden transfers", "train.py:49"}) {
    CAPTURE(part);
    CHECK(text.output.find(part) != std::string::npos);
  }
  CHECK(f.run("time '" + sample + "'").output.find("tpu-v5e") != std::string::npos);  // a guess
  const json origin = f.run_json("time --device tpu-v5e '" + sample + "'", 0)["time"][0]["origin"];
  CHECK(origin["device"] == "named");
  CHECK(origin["time_model"] == 12);
  CHECK(origin["printed_share"].get<double>() == doctest::Approx(0.027).epsilon(0.02));
  CHECK(origin["measured"] == false);
}

TEST_CASE("hlolint time: a name that stands for several devices") {
  folder f;
  f.write("step.gpu_after_optimizations.txt", step);
  const outcome got = f.run("time --device a100 step.gpu_after_optimizations.txt");
  CHECK(got.status == 2);
  CHECK(got.errors.find("unknown device 'a100' (did you mean a100-40 or a100-80?)") != std::string::npos);
}

TEST_CASE("hlolint time: the device of the configuration, unless it is left out") {
  folder f;
  f.write("step.gpu_after_optimizations.txt", step);
  f.write(".hlolint.toml", "device = \"a100-80\"\n");
  f.write("other.toml", "device = \"h200\"\n");
  const auto device = [&](const std::string& words) {
    return f.run_json("time " + words + " step.gpu_after_optimizations.txt", 0)["time"][0].value("device", "none");
  };
  CHECK(device("") == "a100-80");
  CHECK(device("--config other.toml") == "h200");
  CHECK(device("--device h100-sxm") == "h100-sxm");
  CHECK(device("--isolated") == "none");
  for (const char* const command : {"memory", "parse", "print", "digest"}) {
    CAPTURE(command);
    f.write("bad.toml", "devise = \"h200\"\n");
    CHECK(f.run(std::string(command) + " --config bad.toml step.gpu_after_optimizations.txt")
              .errors.find("unknown key 'devise' (did you mean device?)") != std::string::npos);
  }
  CHECK(f.run("--show-settings").output.find("device = 'a100-80'") != std::string::npos);
  // The findings of lint count in its milliseconds too, and so do its memory and its headroom.
  const json report = f.run_json("--select COL002 --set COL002.min-exposed-us=0 step.gpu_after_optimizations.txt", 1);
  REQUIRE(report["diagnostics"].size() == 1);
  CHECK(report["diagnostics"][0]["impact"]["unit"] == "seconds");
  CHECK(report["steps"][0]["device"] == "a100-80");
  CHECK(report["costs"]["time"]["ranking"] == json::array({0}));
}

TEST_CASE("hlolint time: unknown calls stand in the first line (time_model.md 4.2, version 2)") {
  folder f;
  f.write("solve.gpu_after_optimizations.txt",
          "HloModule solve, is_scheduled=true\n\nENTRY %main (p: f32[4096,4096]) -> f32[4096,4096] {\n"
          "  %p = f32[4096,4096]{1,0} parameter(0)\n"
          "  %s = f32[4096,4096]{1,0} custom-call(%p), custom_call_target=\"__cublas$triangularSolve\"\n"
          "  ROOT %c = f32[4096,4096]{1,0} cholesky(%s), lower=true\n}\n");
  const std::string text = f.run("time --device a100-80 solve.gpu_after_optimizations.txt").output;
  const std::string first = text.substr(0, text.find('\n'));
  CHECK(first.find("module solve (gpu): >= ") != std::string::npos);
  CHECK(first.ends_with(" us, 2 calls unknown"));
  CHECK(text.find("  step     >= ") != std::string::npos);
  const json report = f.run_json("time --device a100-80 solve.gpu_after_optimizations.txt", 0);
  CHECK(report["time"][0]["unknown_calls"] == 2);
  CHECK(report["time"][0]["at_least"] == true);
  CHECK(f.run("--device a100-80 solve.gpu_after_optimizations.txt").output.find("us, 2 calls unknown (0 %)") !=
        std::string::npos);
}

TEST_CASE("hlolint time: a loop of which nothing gives the count makes the step a lower bound") {
  folder f;
  const auto program = [](const std::string& limit) {
    return "HloModule loop, is_scheduled=true\n\n%body (p: (s32[], s32[])) -> (s32[], s32[]) {\n"
           "  %p = (s32[], s32[]) parameter(0)\n  %i = s32[] get-tuple-element(%p), index=0\n"
           "  %n = s32[] get-tuple-element(%p), index=1\n  %one = s32[] constant(1)\n  %next = s32[] add(%i, %one)\n"
           "  ROOT %t = (s32[], s32[]) tuple(%next, %n)\n}\n\n%goes_on (p: (s32[], s32[])) -> pred[] {\n"
           "  %p = (s32[], s32[]) parameter(0)\n  %i = s32[] get-tuple-element(%p), index=0\n  %n = s32[] " +
           limit +
           "\n  ROOT %c = pred[] compare(%i, %n), direction=LT\n}\n\nENTRY %main (n: s32[]) -> (s32[], s32[]) {\n"
           "  %n = s32[] parameter(0)\n  %zero = s32[] constant(0)\n  %init = (s32[], s32[]) tuple(%zero, %n)\n"
           "  ROOT %w = (s32[], s32[]) while(%init), condition=%goes_on, body=%body\n}\n";
  };
  f.write("open.gpu_after_optimizations.txt", program("get-tuple-element(%p), index=1"));
  f.write("known.gpu_after_optimizations.txt", program("constant(4)"));
  const auto first_line = [&](const std::string& words) {
    const std::string text = f.run("time --device h100-sxm " + words).output;
    return text.substr(0, text.find('\n'));
  };
  CHECK(first_line("open.gpu_after_optimizations.txt").ends_with(" us, 1 loop counted once"));
  CHECK(has(first_line("open.gpu_after_optimizations.txt"), ": >= "));
  CHECK(has(first_line("open.gpu_after_optimizations.txt --trip 4"), ": ~"));
  CHECK(has(first_line("known.gpu_after_optimizations.txt"), ": ~"));
  CHECK(f.run_json("time --device h100-sxm open.gpu_after_optimizations.txt", 0)["time"][0]["at_least"] == true);
  CHECK(f.run_json("time --device h100-sxm known.gpu_after_optimizations.txt", 0)["time"][0]["at_least"] == false);
  CHECK(f.run_json("--device h100-sxm open.gpu_after_optimizations.txt", 0)["steps"][0]["loops_counted_once"] == 1);
  CHECK(has(f.run("--device h100-sxm open.gpu_after_optimizations.txt").output, "1 loop counted once"));
}

TEST_CASE("hlolint time: sums by category and weight are the step, and rows are of one run") {
  folder f;
  f.write("step.gpu_after_optimizations.txt", step);
  for (const char* const by : {"source", "scope", "opcode", "category", "weight", "computation"}) {
    CAPTURE(by);
    const json report =
        f.run_json("time --device h100-sxm --by " + std::string(by) + " step.gpu_after_optimizations.txt", 0);
    const json& module = report["time"][0];
    CHECK(module["by"] == by);
    double sum = 0;
    for (const json& group : module["groups"]) sum += group.value("total_ms", 0.0);
    CHECK(sum == doctest::Approx(module.value("step_ms", -1.0)));
    CHECK(f.run("time --device h100-sxm --by " + std::string(by) + " step.gpu_after_optimizations.txt")
              .output.find("= the step") != std::string::npos);
  }
  const json report = f.run_json("time --device h100-sxm --instructions step.gpu_after_optimizations.txt", 0);
  const json& rows = report["time"][0]["instructions"];
  REQUIRE(rows.size() == 1);
  CHECK(rows[0]["instruction"] == "s");
  CHECK(rows[0]["category"] == "collective-permute");
  CHECK(rows[0]["bound"] == "transfer");
  CHECK(rows[0]["transferred_bytes"] == 100000000);
  const outcome wrong = f.run("time --by shape step.gpu_after_optimizations.txt");
  CHECK(wrong.status == 2);
  CHECK(has(wrong.errors, "--by: shape not in {source,function,"));
}

TEST_CASE("hlolint time: many modules are a table by time, and one of them is shown in full if it is named") {
  folder f;
  for (int n = 1; n <= 5; ++n) {
    std::string text = step;
    const int as = n == 4 ? 3 : n;  // two of them are equal
    const std::string size = std::to_string(as * 6000000), name = as == 5 ? "last" : "m" + std::to_string(as);
    for (std::size_t at; (at = text.find("25000000")) != std::string::npos;) text.replace(at, 8, size);
    text.replace(text.find("HloModule step"), 14, "HloModule " + name);
    f.write("a" + std::to_string(n) + ".gpu_after_optimizations.txt", text);
  }
  const auto table = f.run("time --device h100-sxm .");
  CHECK(table.status == 0);
  CHECK(table.output.find("5 modules, by the time of one run") == 0);
  const auto last = table.output.find("last"), third = table.output.find("m3"), first = table.output.find("m1");
  CHECK(last < third);
  CHECK(third < first);
  CHECK(table.output.find("m3", third + 1) == std::string::npos);  // two equal modules are one row
  CHECK(f.run("time --device h100-sxm --modules 1 .").output.find("and 3 more (--modules)") != std::string::npos);
  CHECK(f.run("time --device h100-sxm --module last .").output.find("module last") != std::string::npos);
  const outcome none = f.run("time --device h100-sxm --module none .");
  CHECK(none.status == 2);
  CHECK(none.errors.find("there is no module none, but ") != std::string::npos);
  CHECK(none.errors.find("last") != std::string::npos);
  // Modules that can have no time are counted with the reason, alone as well.
  f.write("plain.txt", "HloModule plain\n\nENTRY %e {\n  ROOT %p = f32[2]{0} parameter(0)\n}\n");
  CHECK(f.run("time --device h100-sxm .").output.find("  1 module without a time: ") != std::string::npos);
  folder on_cpu;
  for (int n = 0; n < 4; ++n)
    on_cpu.write("module_000" + std::to_string(n) + ".jit_f.cpu_after_optimizations.txt",
                 "HloModule m" + std::to_string(n) +
                     ", is_scheduled=true\n\nENTRY %e {\n  ROOT %p = f32[2]{0} parameter(0)\n}\n");
  CHECK(on_cpu.run("time .").output ==
        "4 modules, by the time of one run\n"
        "  4 modules without a time: compiled for a CPU; times are estimated for GPUs and TPUs\n\n");
  // What JAX compiles beside them is one line, however long it takes.
  for (const char* const name : {"jit_copy", "jit_copy.1"})
    f.write(std::string(name) + ".gpu_after_optimizations.txt",
            "HloModule " + std::string(name) +
                ", is_scheduled=true\n\nENTRY %e {\n  %p = f32[1000000000]{0} parameter(0)\n"
                "  ROOT %c = f32[1000000000]{0} copy(%p)\n}\n");
  const std::string with_helpers = f.run("time --device h100-sxm .").output;
  CHECK(
      with_helpers.find("  and 2 modules of one operation each, as JAX compiles outside of jit: jit_copy 2 times, ") !=
      std::string::npos);
  CHECK(with_helpers.find("each runs once") != std::string::npos);
  const std::string memory = f.run("memory .").output;
  CHECK(
      memory.find("  and 2 modules of one operation each, as JAX compiles outside of jit: jit_copy 2 times, 7.45GiB") !=
      std::string::npos);
  CHECK(memory.find("last") < memory.find("jit_copy"));
}
