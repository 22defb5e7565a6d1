// `hlolint advise` from outside.
#include "outside.hpp"

using namespace from_outside;

namespace {
const std::string late = HLOLINT_TEST_DATA "/late/module_0007.jit_step.sm_9.0_gpu_after_optimizations.txt";

/// Module `m4` for 4: `%big`, of so many times 128 MiB, is made before what takes most, and read behind it.
std::string scheduled(int n) {
  const std::string rows = std::to_string(n * 131072);
  return "HloModule m" + std::to_string(n) +
         ", is_scheduled=true\n\nENTRY %main (p: f32[1024]) -> f32[1024] {\n  %p = f32[1024]{0} parameter(0)\n"
         "  %zero = f32[] constant(0)\n  %big = f32[" +
         rows + ",256]{1,0} broadcast(%zero), dimensions={}\n  %wide = f32[" + rows +
         ",1024]{1,0} custom-call(%p), custom_call_target=\"__cublas$gemm\"\n"
         "  %small = f32[1024]{0} custom-call(%wide), custom_call_target=\"__cublas$gemm\"\n"
         "  %part = f32[1024]{0} custom-call(%big), custom_call_target=\"__cublas$gemm\"\n"
         "  ROOT %sum = f32[1024]{0} add(%small, %part)\n}\n";
}
}  // namespace

TEST_CASE("edits as JSON, with the members that programs read") {
  const folder f;
  const json found = f.run_json("advise --device h100-sxm --write out " + late, 0);
  REQUIRE(found["advice"].size() == 1);
  const json& one = found["advice"][0];
  CHECK(one["path"] == late);
  CHECK(one["module"] == "jit_step");
  CHECK(one["need_bytes"] > one["after_bytes"]);
  CHECK(one["after_bytes"] >= one["bound_bytes"]);
  CHECK(one["after_step_ms"] > 0);
  REQUIRE(one["edits"].size() == 2);
  const json& edit = one["edits"][0];
  CHECK(edit["kind"] == "move");
  CHECK(edit["instructions"][0] == "head_grad");
  CHECK(edit["computation"] == "main");
  CHECK(edit["from"] > edit["to"]);
  CHECK(edit["frees"] == "logits_grad");
  CHECK(edit["source"] == "/home/user/lm/model.py:88");
  CHECK(has(edit["how"].get<std::string>(), "jax.custom_vjp"));
  CHECK_FALSE(has(edit["how"].get<std::string>(), "latency hiding"));  // there is no transfer to hide
  CHECK(one["edits"][1]["kind"] == "recompute");
  std::int64_t saved = 0;
  for (const json& e : one["edits"]) saved += e["saves_bytes"].get<std::int64_t>();
  CHECK(one["need_bytes"].get<std::int64_t>() - saved == one["after_bytes"].get<std::int64_t>());

  // What was written needs as much, by the way of `hlolint memory`.
  const std::string written = one["written"];
  CHECK(f.run_json("memory " + written, 0)["memory"][0]["need"]["bytes"] == one["after_bytes"]);
  CHECK(f.run("--select MEM,ALI " + written).status == 0);
  CHECK(f.run_json("advise " + written, 0)["advice"][0]["need_bytes"] == one["after_bytes"]);
}

TEST_CASE("a target is met with the first edits, or it is not") {
  const folder f;
  const outcome enough = f.run("advise --target 4100MiB " + late);
  CHECK(enough.status == 0);
  CHECK(has(enough.output, ": it fits with edit 1\n"));
  const outcome short_of = f.run("advise --target 1GiB " + late);
  CHECK(short_of.status == 1);
  CHECK(has(short_of.output, "it does not fit, "));
  CHECK(f.run("advise --target 1GiB --exit-zero " + late).status == 2);
  CHECK(f.run("advise --target some " + late).status == 2);
  CHECK(f.run("advise --max-time 1 " + late).status == 2);
}

TEST_CASE("what a log lacks is the target") {
  const folder f;
  f.write("job.log",
          "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom:\n"
          "Ran out of memory in memory space hbm. Used 5.00G of 4.50G hbm. Exceeded hbm capacity by 512.00M.\n");
  const json found = f.run_json("advise job.log " + late, 0);
  REQUIRE(found["advice"].size() == 1);
  CHECK(found["advice"][0]["target_from"] == "job.log");
  CHECK(found["advice"][0]["need_bytes"].get<std::int64_t>() - found["advice"][0]["target_bytes"].get<std::int64_t>() ==
        512 << 20);
  CHECK(found["advice"][0]["fits"] == true);
  const outcome alone = f.run("advise job.log");
  CHECK(alone.status == 2);
  CHECK(has(alone.errors, "a log has no program to advise on: name its dump, too"));
  f.write("dump/job.log", read(f / "job.log"));
  f.write("dump/m.sm_9.0_gpu_after_optimizations.txt", read(late));
  CHECK(f.run_json("advise dump", 0)["advice"][0]["target_from"] == "dump/job.log");
  f.write("other.log",
          "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom:\n"
          "Ran out of memory in memory space hbm. Used 95.00G of 15.75G hbm. Exceeded hbm capacity by 79.25G.\n");
  CHECK(has(f.run("advise other.log " + late).errors, "79.25GiB are missing by other.log, more than module jit_step"));
}

TEST_CASE("an argument that a result could lie in is listed apart, and written apart") {
  const folder f;
  f.write("m.sm_9.0_gpu_after_optimizations.txt",
          "HloModule m, is_scheduled=true\n\nENTRY %main {\n"
          "  %p = f32[1048576]{0} parameter(0), metadata={op_name=\"state\"}\n"
          "  %small = f32[1024]{0} slice(%p), slice={[0:1024]}\n"
          "  %next = f32[1048576]{0} custom-call(%small), custom_call_target=\"__cublas$gemm\"\n"
          "  ROOT %r = (f32[1048576]{0}, f32[1024]{0}) tuple(%next, %small)\n}\n");
  const json one = f.run_json("advise --write out m.sm_9.0_gpu_after_optimizations.txt", 0)["advice"][0];
  CHECK(one["edits"].empty());
  CHECK(one["after_bytes"] == one["need_bytes"]);
  const json& given = one["donation"];
  REQUIRE(given["arguments"].size() == 1);
  CHECK(given["arguments"][0]["parameter"] == 0);
  CHECK(given["arguments"][0]["output"] == "{0}");
  CHECK(given["arguments"][0]["source"] == "state");
  CHECK(given["saves_bytes"] == 4 << 20);
  CHECK(has(given["how"].get<std::string>(), "donate_argnums"));
  const std::string written = given["written"];
  CHECK(f.run_json("memory " + written, 0)["memory"][0]["need"]["bytes"] == given["after_bytes"]);
  CHECK(f.run("--select MEM,ALI " + written).status == 0);
  CHECK(has(f.run("advise m.sm_9.0_gpu_after_optimizations.txt").output,
            "  donation 4.00MiB: 8.00MiB to 4.00MiB (proven on this text), if the caller gives away parameter 0"));
  CHECK(has(f.run("advise --format html m.sm_9.0_gpu_after_optimizations.txt").output, "<h3>Donation</h3>"));
}

TEST_CASE("changes of the program are listed apart, and written apart") {
  const folder f;
  const std::string gemm = ", custom_call_target=\"__cublas$gemm\"\n";
  f.write("m.sm_9.0_gpu_after_optimizations.txt",
          "HloModule m, is_scheduled=true\n\n"
          "%f (a: f32[1048576], b: f32[1048576]) -> (f32[1048576], f32[1048576]) {\n"
          "  %a = f32[1048576]{0} parameter(0)\n  %b = f32[1048576]{0} parameter(1)\n"
          "  %m = f32[1048576]{0} reverse(%a), dimensions={0}\n  %n = f32[1048576]{0} reverse(%b), dimensions={0}\n"
          "  %x = f32[1048576]{0} add(%m, %n)\n"
          "  ROOT %t = (f32[1048576]{0}, f32[1048576]{0}) tuple(%x, %n)\n}\n\n"
          "ENTRY %main (p: f32[1024]) -> bf16[1024] {\n  %p0 = f32[1024]{0} parameter(0)\n"
          "  %p = f32[1024]{0} custom-call(%p0), custom_call_target=\"__triton_kernel\", "
          "frontend_attributes={latency_metadata=\"50000\"}\n"
          "  %o = f32[1048576]{0} custom-call(%p)" +
              gemm + "  %q = f32[1048576]{0} custom-call(%p)" + gemm +
              "  %s = (f32[1048576]{0}, f32[1048576]{0}) fusion(%o, %q), kind=kLoop, calls=%f, "
              "metadata={op_name=\"act\"}\n"
              "  %g = f32[1048576]{0} get-tuple-element(%s), index=0\n"
              "  %h = f32[1048576]{0} get-tuple-element(%s), index=1\n"
              "  %i = bf16[1048576]{0} convert(%g)\n  ROOT %r = bf16[1024]{0} custom-call(%h, %i)" +
              gemm + "}\n");
  const json one = f.run_json("advise --write out m.sm_9.0_gpu_after_optimizations.txt", 0)["advice"][0];
  const json& found = one["proposals"];
  REQUIRE(found["changes"].size() == 2);
  const json &narrow = found["changes"][0], &split = found["changes"][1];
  CHECK(narrow["kind"] == "narrow");
  CHECK(narrow["instruction"] == "g");
  CHECK(narrow["becomes"] == "bf16[1048576]{0}");
  CHECK(narrow["becomes_bytes"] == 2 << 20);
  CHECK(split["kind"] == "split");
  CHECK(split["source"] == "act");
  CHECK(split["parts"] == json::array({"g", "h"}));
  CHECK(split["read_again_bytes"] == 4 << 20);
  CHECK(narrow["saves_bytes"].get<int>() + split["saves_bytes"].get<int>() == found["saves_bytes"].get<int>());
  CHECK(one["after_bytes"].get<int>() - found["saves_bytes"].get<int>() == found["after_bytes"].get<int>());
  const std::string written = found["written"];
  CHECK(f.run_json("memory " + written, 0)["memory"][0]["need"]["bytes"] == found["after_bytes"]);
  CHECK(f.run("--select MEM,ALI " + written).status == 0);
  const std::string text = f.run("advise m.sm_9.0_gpu_after_optimizations.txt").output;
  CHECK(has(text, "\n  change 1 g in main is stored as bf16[1048576]{0} (2.00MiB) instead of"));
  CHECK(has(text, "\n  change 2 s in main (results of "));
  CHECK(has(f.run("advise --format html m.sm_9.0_gpu_after_optimizations.txt").output, "<h3>Proposals</h3>"));
  CHECK_FALSE(has(f.run("advise --proposals off m.sm_9.0_gpu_after_optimizations.txt").output, "change 1"));
}

TEST_CASE("edits that hide transfers share one report") {
  const folder f;
  const std::string permute =
      " = (f32[1024,1024], f32[1024,1024]) collective-permute-start(%p), channel_id=1, "
      "source_target_pairs={{0,1},{1,0}}\n";
  f.write("hide.gpu_after_optimizations.txt",
          "HloModule hide, is_scheduled=true, num_partitions=2\n\nENTRY %main {\n"
          "  %p = f32[1024,1024]{1,0} parameter(0)\n  %a" +
              permute +
              "  %b = f32[1024,1024]{1,0} collective-permute-done(%a)\n"
              "  %w = f32[8192,1024]{1,0} custom-call(%p), custom_call_target=\"__triton_kernel\", "
              "frontend_attributes={latency_metadata=\"50000\"}\n"
              "  %v = f32[1024,1024]{1,0} custom-call(%w, %b), custom_call_target=\"__cublas$gemm\"\n"
              "  ROOT %d = f32[1024,1024]{1,0} add(%v, %b)\n}\n");
  const outcome found =
      f.run("advise --for time --max-memory 100% --device h100-sxm --per-node 1 hide.gpu_after_optimizations.txt");
  CHECK(found.status == 0);
  CHECK(has(found.output, "  edit 1 "));
  CHECK(has(found.output, "  report   In module hide a step waits "));
  CHECK(found.output.find("  report ") == found.output.rfind("  report "));
}

TEST_CASE("the page has both curves and a mark for each block") {
  const folder f;
  const outcome page = f.run("advise --format html --device h100-sxm " + late);
  CHECK(page.status == 0);
  CHECK(has(page.output, "<path class=\"before\""));
  CHECK(has(page.output, "<path class=\"after\""));
  std::size_t marks = 0;
  for (std::size_t at = 0; (at = page.output.find("<circle class=\"moved\"", at)) != std::string::npos; ++at) ++marks;
  CHECK(marks == 4);  // each of two edits, before and after
  CHECK(has(page.output, "head_grad"));
  CHECK_FALSE(has(page.output, "<script"));
}

TEST_CASE("memory and the page point to advise where the order takes much") {
  const folder f;
  CHECK(has(f.run("memory " + late).output, "of the need follow from the order of the instructions"));
  CHECK(has(f.run("--format html " + late).output, "of the need follow from the order of the instructions"));
  CHECK_FALSE(has(f.run("memory " HLOLINT_TEST_DATA "/ok").output, "from the order of the instructions"));
}

TEST_CASE("lint has a note if it is asked for") {
  const folder f;
  CHECK(f.run("--isolated " + late).output.find("[BUD011") == std::string::npos);
  const json found = f.run_json("--isolated --select BUD011 --device h100-sxm " + late, 0);
  REQUIRE(found["diagnostics"].size() == 1);
  CHECK(found["diagnostics"][0]["instruction"] == "head_grad");
}

TEST_CASE("many modules: most saved first, also as JSON and as a page") {
  folder f;
  for (int n = 1; n <= 4; ++n) f.write("a" + std::to_string(n) + ".gpu_after_optimizations.txt", scheduled(n));
  f.write("jit_copy.gpu_after_optimizations.txt",
          "HloModule jit_copy, is_scheduled=true\n\nENTRY %e {\n  %p = f32[8]{0} parameter(0)\n"
          "  ROOT %c = f32[8]{0} copy(%p)\n}\n");
  const std::string text = f.run("advise .").output;
  CHECK(has(text, "5 modules, by what can be saved\n"));
  CHECK(has(text, "and 1 module of one operation, as JAX compiles outside of jit: jit_copy, not searched"));
  const json report = f.run_json("advise .", 0);
  const json& list = report.at("advice");
  REQUIRE(list.size() == 5);
  CHECK(list.at(0).at("module") == "m4");
  CHECK(list.at(0).at("edits").size() >= 1);
  CHECK(list.at(4).at("not_searched") == "one operation outside of a program");
  CHECK(list.at(4).at("edits").empty());
  const std::string page = f.run("advise --format html .").output;
  CHECK(has(page, "<h2>5 modules, by what can be saved</h2>"));
  CHECK(has(page, "<a href=\"#module-3\">m4</a>"));
  CHECK(has(page, "<section id=\"module-3\">"));
  CHECK(page.find(">m4<") < page.find(">m3<"));
}

TEST_CASE("a module without a schedule has no advice") {
  const folder f;
  f.write("m.gpu_after_optimizations.txt", aliased_twice);
  const outcome none = f.run("advise m.gpu_after_optimizations.txt");
  CHECK(none.status == 2);
  CHECK(has(none.output, "the HLO is not scheduled"));
}
