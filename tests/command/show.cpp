// `hlolint show` from outside: what a name means, and what is shown of it.
#include "loop_dump.hpp"
#include "outside.hpp"

#include "tool/report/memory/memory_fixture.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace from_outside;

namespace {

const std::string dump = "loop.gpu_after_optimizations.txt";

json shown(const folder& f, const std::string& words) {
  const json report = f.run_json("show " + words, 0);
  REQUIRE(report["show"].size() == 1);
  return report["show"][0];
}

}  // namespace

TEST_CASE("hlolint show: an instruction by its name, with % and without, and by the beginning of it") {
  folder f;
  f.write(dump, loop_dump);
  for (const char* const name : {"fusion.1", "%fusion.1", "fusi", "body/fusion.1"}) {
    CAPTURE(name);
    const json it = shown(f, dump + " '" + name + "' --device h100-sxm");
    CHECK(it["kind"] == "instruction");
    CHECK(it["computation"] == "body");
    CHECK(it["opcode"] == "fusion");
    CHECK(it["source_line"] == "/home/me/moe.py:48");
    CHECK(it["scope"] == "jit(f)/while/body/mlp/dot_general");
    CHECK(it["weight"] == "params['up']");
    CHECK(it["body"].size() == 3);
    CHECK(it["position"] == 10);
    CHECK(it["before"] == "start");
    CHECK(it["after"] == "kernel");
    CHECK(it["beside"][0]["instruction"] == "start");
    CHECK(it["callers"][0]["instruction"] == "w");
    CHECK(it["cost"]["runs"] == 40);
    CHECK(it["cost"]["flops"] == doctest::Approx(2.0 * 1024 * 1024 * 1024).epsilon(0.001));
    CHECK(it["cost"]["category"] == "matmul fusion");
    const double each = it["cost"]["us"];
    CHECK(it["cost"]["total_ms"].get<double>() == doctest::Approx(each * 40 / 1e3).epsilon(0.001));
  }
  CHECK(!shown(f, dump + " w").contains("weight"));  // a loop hands its weights on
  // An element of what a loop carries is a weight, or is none, whatever else the loop carries.
  CHECK(shown(f, dump + " all")["weight"] == "params['up']");
  CHECK(!shown(f, dump + " i").contains("weight"));
}

TEST_CASE("hlolint show: neighbors as far as --depth goes") {
  folder f;
  f.write(dump, loop_dump);
  const auto operands = [&](int depth) {
    std::string names;
    const json it = shown(f, dump + " fusion.1 --depth " + std::to_string(depth));
    if (it.contains("operands"))
      for (const json& one : it["operands"])
        names += one["instruction"].get<std::string>() + std::to_string(one["depth"].get<int>()) + " ";
    return names;
  };
  CHECK(operands(0) == "");
  CHECK(operands(1) == "v1 weight1 ");
  CHECK(operands(2) == "v1 s2 weight1 layer2 ");
  const json it = shown(f, dump + " fusion.1 --depth 2");
  REQUIRE(it["users"].size() == 2);
  CHECK(it["users"][1]["instruction"] == "sum");
}

TEST_CASE("hlolint show: the other kinds of things") {
  folder f;
  f.write(dump, loop_dump);
  const json line = shown(f, dump + " moe.py:48 --device h100-sxm");
  CHECK(line["kind"] == "source line");
  REQUIRE(line["instructions"].size() == 1);
  CHECK(line["instructions"][0]["instruction"] == "fusion.1");
  CHECK(line["cost"]["runs"] == 40);
  const json body = shown(f, dump + " body --device h100-sxm");
  CHECK(body["kind"] == "computation");
  CHECK(body["positions"] == 15);
  CHECK(body["callers"][0]["instruction"] == "w");
  // A loop takes what its body and condition take; what a fusion calls takes nothing by itself.
  const json loop = shown(f, dump + " w --device h100-sxm"), condition = shown(f, dump + " cond --device h100-sxm");
  CHECK(loop["cost"]["total_ms"].get<double>() ==
        doctest::Approx(body["cost"]["total_ms"].get<double>() + condition["cost"]["total_ms"].get<double>())
            .epsilon(1e-4));
  CHECK(loop["cost"]["share"] == doctest::Approx(1));
  CHECK(!loop["cost"].contains("us"));
  const json fused = shown(f, dump + " fused --device h100-sxm");
  CHECK(!fused.contains("cost"));
  CHECK(fused["no_cost"] == "it is a part of what calls its computation");
  const json weight = shown(f, dump + " \"params['up']\" --device h100-sxm");
  CHECK(weight["kind"] == "weight");
  CHECK(weight["sharding"] == "cut: dimension 1 in 2");
  bool uses_it = false;
  for (const json& one : weight["instructions"]) uses_it = uses_it || one["instruction"] == "fusion.1";
  CHECK(uses_it);
  CHECK(shown(f, dump + " p")["sharding"] == "replicated: every device has all of it");
  CHECK(shown(f, dump + " done --device h100-sxm").contains("no_cost"));
}

TEST_CASE("hlolint show: values and allocations of a buffer dump") {
  folder f;
  f.write("module_0001.small.gpu_after_optimizations.txt", hlolint::testing::small_hlo);
  f.write("module_0001.small.gpu_after_optimizations-buffer-assignment.txt", hlolint::testing::small_buffers);
  const json a = shown(f, "module_0001.small.gpu_after_optimizations.txt a");
  REQUIRE(a["values"].size() == 1);
  CHECK(a["values"][0]["allocation"] == 2);
  CHECK(a["values"][0]["offset"] == 0);
  CHECK(a["values"][0]["size"] == 2048);
  const json temp = shown(f, ". allocation:2");
  CHECK(temp["kind"] == "allocation");
  CHECK(temp["opcode"] == "temp");
  CHECK(temp["values"].size() == 2);
  // Without the HLO its own texts are all there is.
  const json alone = shown(f, "--no-companions module_0001.small.gpu_after_optimizations-buffer-assignment.txt b");
  CHECK(alone["kind"] == "value");
  CHECK(alone["values"][0]["offset"] == 2560);
}

TEST_CASE("hlolint show: what is ambiguous or not there") {
  folder f;
  f.write(dump, loop_dump);
  const outcome none = f.run("show " + dump + " nothing");
  CHECK(none.status == 2);
  CHECK(has(none.errors, "there is nothing named 'nothing'"));
  const outcome several = f.run("show " + dump + " ze");
  CHECK(several.status == 2);
  CHECK(has(several.errors, "instruction zero.1"));
  CHECK(has(several.errors, "instruction zero\n"));
  const json candidates = f.run_json("show " + dump + " ze", 2);
  CHECK(candidates["show"].empty());
  CHECK(candidates["candidates"].size() == 2);
  CHECK(f.run("show " + dump + " zero").status == 0);  // the whole name of one, the beginning of another

  f.write("two/module_0001.a.gpu_after_optimizations.txt", loop_dump);
  f.write("two/module_0002.b.gpu_after_optimizations.txt", loop_dump);
  const outcome both = f.run("show two fusion.1");
  CHECK(both.status == 2);
  CHECK(has(both.errors, "--module"));
  CHECK(f.run("show two fusion.1 --module module_0002.b.gpu_after_optimizations.txt").status == 0);
  CHECK(f.run("show two fusion.1 --module none").status == 2);
}

TEST_CASE("hlolint show: modules of one name in one file, by the line of an instruction") {
  folder f;
  const std::string one =
      "HloModule m\n\nENTRY e {\n  p = f32[8]{0} parameter(0)\n  ROOT n = f32[8]{0} negate(p)\n}\n\n";
  f.write("tensors.txt.0", one + one);
  const outcome both = f.run("show tensors.txt.0 n");
  CHECK(both.status == 2);
  CHECK(has(both.errors,
            "'n' can mean 2 things (ask for one by its line):\n  instruction n  tensors.txt.0:5\n"
            "  instruction n  tensors.txt.0:12\n"));
  CHECK(shown(f, "tensors.txt.0 tensors.txt.0:12")["name"] == "n");
  CHECK(f.run("show tensors.txt.0 tensors.txt.0:3").status == 2);
}

TEST_CASE("hlolint show: as text") {
  folder f;
  f.write(dump, loop_dump);
  const outcome text = f.run("show " + dump + " fusion.1 --device h100-sxm");
  CHECK(text.status == 0);
  for (const char* const part :
       {"instruction fusion.1 in body, module loop", "  source     /home/me/moe.py:48", "  weight     params['up']",
        "  schedule   number 10 of 15 in body, after start, before kernel", "  beside     start (", " = 40 x ",
        "matmul fusion, 2.15 GFLOP", "  fuses      %x = ", "  called by  w  while", "  reads      v  get-tuple-element",
        "  read by    kernel  custom-call"}) {
    CAPTURE(part);
    CHECK(has(text.output, part));
  }
}
