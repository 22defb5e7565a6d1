// `hlolint time` from outside, on the sample of tests/data and on dumps written here.
#include "outside.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace from_outside;

namespace {

const std::string sample = HLOLINT_TEST_DATA "/sample/module_0042.jit_train_step.tpu_after_optimizations.txt";

const std::string step =
    "HloModule step, is_scheduled=true, num_partitions=16\n\nENTRY %main (p: f32[25000000]) -> f32[25000000] {\n"
    "  %p = f32[25000000]{0} parameter(0)\n"
    "  %s = (f32[25000000]{0}, f32[25000000]{0}) collective-permute-start(%p), channel_id=1, source_target_pairs={{0,8},{8,0}}\n"
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
  f.write("m.gpu_target_config.pbtxt",
          "gpu_device_info { memory_bandwidth: 4000000000000 name: \"NVIDIA H200\" device_interconnect_info { active_links: 18 } }\n");
  report = f.run_json("time m.sm_9.0_gpu_after_optimizations.txt", 0);
  CHECK(report["time"][0]["device"] == "NVIDIA H200");
}

TEST_CASE("hlolint time: wrong words and files without times") {
  folder f;
  f.write("step.gpu_after_optimizations.txt", step);
  f.write("bad.toml", "base = \"h100-sxm\"\nmemory = 1\n");
  f.write("worse.toml", "base = \n");
  for (const char* const words : {"--device h100", "--device bad.toml", "--device worse.toml", "--device none.toml", "--nic 0",
                                  "--per-node 0", "--trip 0", "--trip many"}) {
    CAPTURE(words);
    CHECK(f.run("time " + std::string(words) + " step.gpu_after_optimizations.txt").status == 2);
  }
  f.write("plain.txt", "HloModule m\n\nENTRY %main {\n  ROOT %p = f32[2]{0} parameter(0)\n}\n");
  const json report = f.run_json("time plain.txt", 2);
  CHECK(report["time"][0]["missing"].get<std::string>().find("schedule") != std::string::npos);
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
  for (const char* const part : {"device   tpu-v5e", "assumes  all 4 devices", "all-gather.1", "and 4 hidden transfers", "train.py:49"}) {
    CAPTURE(part);
    CHECK(text.output.find(part) != std::string::npos);
  }
  CHECK(f.run("time '" + sample + "'").output.find("tpu-v5e") != std::string::npos);  // a guess
}
