// hlolint ranks: the dumps of the ranks of a job against each other.
#include "outside.hpp"

using namespace from_outside;

namespace {

/// A module with the named all-reduces, in order, one channel each.
std::string step(const std::vector<int>& channels, const std::string& name = "jit_step",
                 const std::string& suffix = "") {
  std::string text = "HloModule " + name +
                     ", is_scheduled=true, num_partitions=4\n\n"
                     "%add (a: f32[], b: f32[]) -> f32[] {\n"
                     "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
                     "ENTRY %main {\n  %p = f32[1024]{0} parameter(0)\n";
  for (const int channel : channels)
    text += "  %reduce" + suffix + "." + std::to_string(channel) +
            " = f32[1024]{0} all-reduce(%p), channel_id=" + std::to_string(channel) +
            ", replica_groups=[1,4]<=[4], use_global_device_ids=true, to_apply=%add, "
            "metadata={op_name=\"psum" +
            std::to_string(channel) + "\" source_file=\"train.py\" source_line=7}\n";
  return text + "  ROOT %end" + suffix + " = f32[1024]{0} negate(%p)\n}\n";
}
const std::string file = "module_0007.jit_step.sm_9.0_gpu_after_optimizations.txt";
const std::string other_number = "module_0012.jit_step.sm_9.0_gpu_after_optimizations.txt";

}  // namespace

TEST_CASE("ranks: equal ones") {
  const folder here;
  here.write("host0/" + file, step({1, 2, 3}));
  here.write("host1/" + other_number, step({1, 2, 3}, "jit_step", ".clone"));  // numbers and names do not matter
  here.write("host0/module_0001.jit_init.sm_9.0_gpu_after_optimizations.txt", step({}, "jit_init"));
  here.write("host1/module_0001.jit_init.sm_9.0_gpu_after_optimizations.txt", step({}, "jit_init"));
  const outcome got = here.run("ranks host0 host1");
  CHECK(got.status == 0);
  CHECK(has(got.output, "2 modules on 2 ranks (host0 and host1): 2 equal, 0 different, 0 not on all ranks\n"));
  CHECK(has(got.output, "  equal: jit_step (3 collectives), 1 module without collectives\n"));
  CHECK(has(got.output, "no findings in 4 files"));
  CHECK(here.run("ranks .").output == got.output);
}

TEST_CASE("ranks: one that differs is named, and all wait for it") {
  const folder here;
  for (const char* const rank : {"rank0", "rank1", "rank2", "rank10"})
    here.write("job/" + std::string(rank) + "/xla/" + file, step({1, 2, 3}));
  here.write("job/rank2/xla/" + file, step({1, 3, 2}));
  const outcome got = here.run("ranks job");
  CHECK(got.status == 1);
  CHECK(got.output.starts_with("job/rank2/xla/" + file + ":"));
  CHECK(
      has(got.output,
          "error: collective 2 of 3 on rank2 is all-reduce of 4.0KiB over [1,4]<=[4], channel_id=3 (reduce.3), but on "
          "rank0, rank1 and rank10 all-reduce of 4.0KiB over [1,4]<=[4], channel_id=2 (reduce.2), which on rank2 is "
          "collective 3 [COL011 rank-divergence]"));
  CHECK(has(got.output, "train.py:7, psum3"));
  CHECK(has(got.output, "  different: jit_step (3 collectives on rank0, rank1 and rank10; 3 on rank2)\n"));
  CHECK(has(got.output, "\n1 error in 4 files"));
  CHECK(here.run("ranks job --fail-on never").status == 0);
  CHECK(here.run("ranks job --exit-zero").status == 0);
  CHECK(here.run("ranks job --level COL011=note").status == 0);
  CHECK(here.run("ranks job/rank0 job/rank1").status == 0);
  CHECK(here.run("ranks job/rank0/xla/" + file + " job/rank2/xla/" + file).status == 1);
  CHECK(here.run("ranks job -j 3").output == got.output);

  const json report = here.run_json("ranks job", 1);
  CHECK(rules_in(report) == std::vector<std::string>{"COL011"});
  CHECK(report["diagnostics"][0]["module"] == "jit_step");
  CHECK(report["diagnostics"][0]["related"].size() == 2);
  const json& compared = report["compared"];
  CHECK(compared["ranks"].dump() == R"(["rank0","rank1","rank2","rank10"])");
  REQUIRE(compared["modules"].size() == 1);
  CHECK(compared["modules"][0]["module"] == "jit_step");
  CHECK(compared["modules"][0]["missing_on"].empty());
  REQUIRE(compared["modules"][0]["sides"].size() == 2);
  CHECK(compared["modules"][0]["sides"][0]["ranks"].size() == 3);
  CHECK(compared["modules"][0]["sides"][1]["ranks"].dump() == R"(["rank2"])");
  CHECK(compared["modules"][0]["sides"][1]["collectives"] == 3);
  CHECK(has(here.run("ranks job --format sarif").output, "COL011"));
  CHECK(has(here.run("ranks job --format github").output, "COL011"));
}

TEST_CASE("ranks: modules that some ranks do not have, and what is no rank") {
  const folder here;
  for (const char* const rank : {"a", "b", "c"}) here.write(std::string(rank) + "/" + file, step({1, 2}));
  here.write("a/module_0009.jit_save.sm_9.0_gpu_after_optimizations.txt", step({5}, "jit_save"));
  here.write("logs/out.log", "nothing to see");
  const outcome got = here.run("ranks .");
  CHECK(got.status == 0);
  CHECK(has(got.output, "2 modules on 3 ranks (a, b and c): 1 equal, 0 different, 1 not on all ranks\n"));
  CHECK(has(got.output, "  not on all ranks: jit_save (1 collective) only on a\n"));
  CHECK(has(got.output, "  folders without dumps: logs\n"));
  CHECK(here.run_json("ranks .", 0)["compared"]["modules"][1]["missing_on"].dump() == R"(["b","c"])");

  // stages of a pipeline have names of their own
  here.write("p/0/" + file, step({1, 2}, "jit_stage_a"));
  here.write("p/1/" + file, step({3}, "jit_stage_b"));
  CHECK(here.run("ranks p").status == 0);
}

TEST_CASE("ranks: only HLO is read, and what cannot be read ends with 2") {
  const folder here;
  for (const char* const rank : {"a", "b"}) {
    here.write(std::string(rank) + "/" + file, step({1, 2}));
    here.write(std::string(rank) + "/module_0007.jit_step.sm_9.0_gpu_after_optimizations-buffer-assignment.txt",
               "BufferAssignment:\ncut");
    here.write(std::string(rank) + "/module_0007.jit_step.before_optimizations.txt", step({2, 1}));
  }
  CHECK(here.run("ranks a b").status == 0);
  CHECK(here.run("ranks a nowhere").status == 2);
  here.write("b/" + file, step({1, 2}).substr(0, 420));
  const outcome cut = here.run("ranks a b");
  CHECK(cut.status == 2);
  CHECK_FALSE(has(cut.output, "COL011"));  // half a module is no other program
  CHECK(has(cut.output, "  not read in full: b\n"));
  CHECK(here.run_json("ranks a b", 2)["compared"]["unread"].dump() == R"(["b"])");
}

TEST_CASE("ranks: words and configuration") {
  const folder here;
  here.write("a/" + file, step({1, 2}));
  here.write("b/" + file, step({1}));
  for (const std::string words :
       {"ranks", "ranks a", "ranks a b --select COL", "ranks a b --baseline x.json", "ranks a b --format xml"}) {
    CAPTURE(words);
    CHECK(here.run(words).status == 2);
  }
  CHECK(here.run("ranks a b").status == 1);
  here.write(".hlolint.toml",
             "select = [\"MEM\"]\n\n[[suppress]]\nrule = \"COL011\"\nmodule = \"jit_step\"\n"
             "reason = \"stages\"\n");
  const outcome got = here.run("ranks a b");
  CHECK(got.status == 0);
  CHECK(has(got.output, "1 dismissed"));
  CHECK(here.run("ranks a b --isolated").status == 1);
  CHECK(has(here.run("ranks --help").output, "DIR"));
}

TEST_CASE("without ranks COL011 is not checked, and this is reported") {
  const folder here;
  here.write("m.txt", step({1}));
  CHECK(has(here.run("m.txt --select COL011").output,
            "error: rule COL011 could not be evaluated in module jit_step: no dumps of several ranks; see `hlolint "
            "ranks` [CFG005 not-evaluated]"));
}

TEST_CASE("digest: hosts contribute small files, merged in any order, compared as their dumps") {
  const folder here;
  for (const char* const rank : {"rank0", "rank1", "rank2", "rank10"})
    here.write("job/" + std::string(rank) + "/xla/" + file, step({1, 2, 3}));
  here.write("job/rank2/xla/" + file, step({1, 3}));
  for (const std::string rank : {"rank0", "rank1", "rank2", "rank10"}) {
    const outcome made = here.run("digest job/" + rank + "/xla -o " + rank + ".json");
    CHECK(made.status == 0);
    CHECK(made.output.empty());
    CHECK(read(here / (rank + ".json")).size() < 2000);
  }
  const outcome got = here.run("ranks rank0.json rank1.json rank2.json rank10.json");
  CHECK(got.status == 1);
  CHECK(has(got.output,
            "rank2.json:1:1: error: collective 3 of 3 on rank0, rank1 and rank10 is missing on rank2 (2 in "
            "all): all-reduce of 4.0KiB to f32[1024]"));
  CHECK(has(got.output, " over [1,4]<=[4] [COL011 rank-divergence]"));
  CHECK(has(got.output, "1 module on 4 ranks (rank0-2 and rank10): 0 equal, 1 different, 0 not on all ranks\n"));
  const auto joined = [&](const std::string& words) { return here.run("digest " + words).output; };
  const std::string all = joined("rank0.json rank1.json rank2.json rank10.json");
  CHECK(all == joined("rank10.json rank2.json rank0.json rank1.json"));
  CHECK(here.run("digest rank2.json rank10.json -o b.json").status == 0);
  CHECK(all == joined("rank1.json b.json rank0.json"));
  CHECK(all == joined("job --each-folder"));
  CHECK(here.run("ranks rank0.json rank1.json rank10.json").status == 0);
  CHECK(here.run("digest job/rank0 --name other").output.find("\"other\"") != std::string::npos);
  here.write("bad.json", "{\"digest\":1,\"modules\":[],\"ranks\":[{\"names\":[\"a\"],\"modules\":[7]}]}");
  CHECK(has(here.run("digest bad.json").errors, "bad.json: 'modules' names no module"));
  CHECK(here.run("ranks bad.json rank0.json").status == 2);
  CHECK(here.run("ranks rank0.json job/rank1").status == 2);
  CHECK(here.run("ranks rank0.json").status == 2);
}

TEST_CASE("digest: what a module takes, from its HLO alone, is what memory prints") {
  const folder here;
  here.write("job/rank0/" + file,
             "HloModule step, is_scheduled=true\n\nENTRY main {\n  p = f32[1000]{0} parameter(0)\n"
             "  t = f32[3000]{0} custom-call(p), custom_call_target=\"a\"\n"
             "  ROOT r = f32[1000]{0} custom-call(t), custom_call_target=\"b\"\n}\n");
  const std::string digest = here.run("digest job/rank0").output;
  const json memory = json::parse(digest)["modules"][0]["memory"];
  CHECK(memory["total"] == 20000);
  CHECK(memory["temporaries"] == 12000);
  CHECK(memory["estimated"].is_boolean());
  CHECK(has(here.run("memory job/rank0").output, "20000 bytes"));
  here.write("r.json", digest);
  CHECK(here.run("digest r.json").output == digest);
  here.write("bad.json", std::string(digest).replace(digest.find("20000"), 5, "\"x\""));
  CHECK(here.run("digest bad.json").status == 2);
}

TEST_CASE("ranks: many equal ones are named as ranges") {
  const folder here;
  for (int i = 0; i < 12; ++i)
    here.write("job/rank" + std::to_string(i) + "/" + file,
               step(i == 5 ? std::vector<int>{1} : std::vector<int>{1, 2}));
  const outcome got = here.run("ranks job");
  CHECK(has(got.output, "collective 2 of 2 on rank0-4 and rank6-11 is missing on rank5"));
  CHECK(has(got.output, "1 module on 12 ranks (rank0-11)"));
}
