// `hlolint diff` from outside.
#include "tool/compare/diff_fixture.hpp"
#include "outside.hpp"

#include <string>

using namespace from_outside;
using namespace hlolint::testing;

namespace {

void write_pair(const folder& in, const std::string& name, const dumped& texts) {
  in.write(name + "/" + diff_stem + ".txt", texts.hlo);
  in.write(name + "/" + diff_stem + "-buffer-assignment.txt", texts.buffers);
}

/// A folder with both compilations, and renumbered ones.
struct both : folder {
  both() {
    write_pair(*this, "old", good_step());
    write_pair(*this, "new", bad_step());
    write_pair(*this, "renumbered", renumbered(good_step()));
    write(".hlolint.toml", "ignore = [\"ALI004\", \"ALI013\"]\n");  // XLA copies a parameter for an all-reduce-start
  }
};

/// A column of 8192 elements (32 KiB) in tiles of TPUs: layout 0,1 takes 262144 bytes, and layout 1,0, with one element
/// in each row of a tile, 4194304.
dumped column_in(const std::string& layout, const std::string& bytes) {
  const std::string column = "f32[8192,1]{" + layout + ":T(8,128)}", result = "f32[8192,1]{0,1:T(8,128)}";
  return {"HloModule jit_column, is_scheduled=true, entry_computation_layout={(f32[8192,128]{" + layout +
              ":T(8,128)})->" + result +
              "}\n\nENTRY %main.4 (p.1: f32[8192,128]) -> f32[8192,1] {\n"
              "  %p.1 = f32[8192,128]{" +
              layout + ":T(8,128)} parameter(0)\n  %slice.2 = " + column +
              " slice(%p.1), slice={[0:8192], [0:1]}\n  ROOT %negate.3 = " + result + " negate(%slice.2)\n}\n",
          "BufferAssignment:\nallocation 0: size 4194304, parameter 0, shape |f32[8192,128]| at ShapeIndex {}:\n"
          " value: <0 p.1 @0> (size=4194304,offset=0): f32[8192,128]{" +
              layout +
              ":T(8,128)}\n"
              "allocation 1: size 262144, output shape is |f32[8192,1]|, maybe-live-out:\n"
              " value: <2 negate.3 @0> (size=262144,offset=0): " +
              result +
              "\n"
              "allocation 2: size " +
              bytes +
              ", preallocated-temp:\n"
              " value: <1 slice.2 @0> (size=" +
              bytes + ",offset=0): " + column +
              "\n\n"
              "HloLiveRange (max 3):\n  InstructionSequence:\n    0:p.1\n    1:slice.2\n    2:negate.3\n"
              "  BufferLiveRange:\n    p.1{}:0-3\n    slice.2{}:1-2\n    negate.3{}:2-3\n  Live ranges at 2 (peak):\n"
              "    p.1{}: 4194304 bytes\n    slice.2{}: " +
              bytes + " bytes\n    negate.3{}: 262144 bytes\n"};
}

}  // namespace

TEST_CASE("diff: a lost donation, a synchronous collective, a higher peak, and so a longer step: these, and status 1") {
  const both in;
  const outcome got = in.run("diff old new");
  CHECK(got.status == 1);
  CHECK(got.errors.empty());
  CHECK(got.output == std::string("module jit_step (new/") + diff_stem + ".txt)\n" +
                          R"(  worse    estimated step takes longer on a100-80: 1.01 ms -> 1.17 ms (+157 us, +15.5 %)
             waiting for transfers: 0 us -> 157 us (+157 us)
  worse    peak grew: 36.00MiB -> 44.00MiB (+8.00MiB, +22.2 %)
             need: 40.00MiB -> 44.00MiB (+4.00MiB, +10.0 %)
             multiply in all: 0B -> 4.00MiB (+4.00MiB)
             sine in all: 0B -> 4.00MiB (+4.00MiB)
  worse    parameter 0 (f32[1048576]{0}, 4.00MiB, weights) is no longer donated to output {0}
             weights.1
  worse    all-reduce of 16.00MiB, f32[4194304] (train.py:31, jit(step)/psum) became synchronous
           [COL001]
             all-reduce.3, was all-reduce-start.3

4 worse in 1 module
)");
  CHECK(in.run("diff new old").status == 0);
  CHECK(has(in.run("diff new old").output, "\n4 better in 1 module\n"));
  CHECK(in.run("diff old new --exit-zero").status == 0);
  CHECK(has(in.run("diff renumbered new").output, "\n4 worse in 1 module\n"));
}

TEST_CASE("diff: padding at the peak") {
  const folder in;
  const auto write = [&](const std::string& name, const dumped& texts) {
    in.write(name + "/module_0003.jit_column.tpu_after_optimizations.txt", texts.hlo);
    in.write(name + "/module_0003.jit_column.tpu_after_optimizations-buffer-assignment.txt", texts.buffers);
  };
  write("across", column_in("0,1", "262144"));
  write("along", column_in("1,0", "4194304"));
  const outcome got = in.run("diff across along");
  CHECK(got.status == 1);
  CHECK(got.errors.empty());
  // of 256 KiB twice 224, and of 4 MiB all but 32 KiB
  CHECK(has(got.output, "padding at the peak: 448.0KiB -> 4.19MiB (+3.75MiB, "));
  CHECK(has(in.run("diff along across").output, "padding at the peak: 4.19MiB -> 448.0KiB (-3.75MiB, "));
  const json changes = in.run_json("diff across along", 1)["diff"]["changes"];
  REQUIRE(changes.size() == 2);
  CHECK(changes[0]["kind"] == "time");
  CHECK(changes[0]["time"]["what"] == "step");
  CHECK(changes[0]["time"]["unit"] == "ms");
  CHECK(changes[1]["kind"] == "memory");
  CHECK(changes[1]["bytes"].dump() == R"({"what":"peak","before":4718592,"after":8650752})");
  CHECK(changes[1]["with"].dump().find(R"({"what":"padding at the peak","before":458752,"after":4390912})") !=
        std::string::npos);
  CHECK(in.run("diff along along").output == "no difference in 1 module\n");
}

TEST_CASE("diff: nothing in identical dumps and in renumbered ones") {
  const both in;
  for (const char* const words :
       {"diff old old", "diff new new", "diff old renumbered", "diff renumbered old", "diff -j 2 old renumbered"}) {
    CAPTURE(words);
    const outcome got = in.run(words);
    CHECK(got.status == 0);
    CHECK(got.output == "no difference in 1 module\n");
  }
}

TEST_CASE("diff: a text without its dump is of the device that the other side shows") {
  folder f;
  const std::string step =
      "HloModule step, is_scheduled=true, num_partitions=16\n\nENTRY %main (p: f32[25000000]) -> f32[25000000] {\n"
      "  %p = f32[25000000]{0} parameter(0)\n"
      "  %s = (f32[25000000]{0}, f32[25000000]{0}) collective-permute-start(%p), channel_id=1, "
      "source_target_pairs={{0,8},{8,0}}\n  ROOT %d = f32[25000000]{0} collective-permute-done(%s)\n}\n";
  f.write("dump/m.sm_9.0_gpu_after_optimizations.txt", step);
  f.write("dump/m.gpu_target_config.pbtxt",
          "gpu_device_info { memory_bandwidth: 4000000000000 name: \"NVIDIA H200\" device_interconnect_info { "
          "active_links: 18 } }\n");
  f.write("alone/m.gpu_after_optimizations.txt", step);
  for (const char* const words : {"diff dump alone", "diff alone dump"}) {
    const outcome got = f.run(words);
    CHECK(got.status == 0);
    CHECK(got.output.find("not compared") == std::string::npos);
  }
}

TEST_CASE("diff: files, with those that lie beside them") {
  const both in;
  const std::string stem = diff_stem;
  CHECK(has(in.run("diff old/" + stem + ".txt new/" + stem + ".txt").output, "\n4 worse in 1 module\n"));
  CHECK(has(in.run("diff old/" + stem + "-buffer-assignment.txt new").output, "\n4 worse in 1 module\n"));

  in.write("other/module_0001.jit_g.txt", clean);
  const outcome alone = in.run("diff old other");  // two lone modules belong together
  CHECK(has(alone.output, "(the new one is estimated from the HLO)"));
  write_pair(in, "more", good_step());
  in.write("more/module_0001.jit_g.txt", clean);
  const outcome more = in.run("diff old more");
  CHECK(more.status == 0);
  CHECK(has(more.output, "changed  the module is new, with a need of 64B\n"));
}

TEST_CASE("diff: JSON in the common envelope") {
  const both in;
  const json report = in.run_json("diff old new", 1);
  CHECK(report["schema"] == 1);
  CHECK(report["inputs"].size() == 4);
  CHECK(report["diagnostics"].empty());
  CHECK(report["diff"]["worse"] == 4);
  CHECK(report["diff"]["modules"] == 1);
  const json& changes = report["diff"]["changes"];
  REQUIRE(changes.size() == 4);
  CHECK(changes[0]["kind"] == "time");
  CHECK(changes[1]["kind"] == "memory");
  CHECK(changes[1]["bytes"].dump() == R"({"what":"peak","before":37748736,"after":46137344})");
  CHECK(changes[2]["kind"] == "donation");
  CHECK(changes[3]["kind"] == "synchronous");
  CHECK(changes[3]["rules"].dump() == R"(["COL001"])");
  CHECK(in.run_json("diff old renumbered", 0)["diff"]["changes"].empty());
}

TEST_CASE("diff: Markdown, and a file to write to") {
  const both in;
  CHECK(in.run("diff old new --format markdown -o comment.md").status == 1);
  const std::string text = read(in / "comment.md");
  CHECK(text.starts_with("### hlolint diff: 4 worse in 1 module\n\n| | module | what | old | new | change |\n"));
  CHECK(has(text,
            "| **worse** | `jit_step` | peak grew<br>need: 40.00MiB -\\> 44.00MiB (+4.00MiB, +10.0 %)<br>multiply in "
            "all: 0B -\\> 4.00MiB "
            "(+4.00MiB)<br>sine in all: 0B -\\> 4.00MiB (+4.00MiB) | 36.00MiB | "
            "44.00MiB | +8.00MiB, +22.2 % |\n"));
  CHECK(in.run("diff old old --format markdown").output == "### hlolint diff: no difference in 1 module\n");
}

TEST_CASE("diff: tolerance, rules and the configuration") {
  const both in;
  CHECK(has(in.run("diff old new --tolerance 23%").output, "\n2 worse in 1 module\n"));  // for times, too
  CHECK(has(in.run("diff old new --tolerance 23%,4MiB").output, "\n1 worse in 1 module\n"));
  CHECK(in.run("diff old new --tolerance 20%,1GiB").status == 0);
  CHECK(in.run("diff old new --fail-on never").status == 0);
  CHECK_FALSE(has(in.run("diff old new --ignore COL").output, "COL001"));
  CHECK_FALSE(has(in.run("diff old new --target cpu").output, "synchronous"));

  // Only a finding: a constant of the module is below what is compared as such.
  in.write("old2/m.txt", clean);
  in.write("new2/m.txt", aliased_twice);
  const outcome finding = in.run("diff old2 new2");
  CHECK(finding.status == 1);
  CHECK(has(finding.output, "[ALI002]"));
  CHECK(in.run("diff old2 new2 --select COL").status == 0);
  CHECK(in.run("diff old2 new2 --fail-on never").status == 0);
  in.write(".hlolint.toml", "format = \"sarif\"\nbaseline = \"none.json\"\nignore = [\"ALI\"]\n");
  CHECK(in.run("diff old2 new2").status == 0);
  CHECK(in.run("diff old2 new2 --isolated").status == 1);
}

TEST_CASE("diff: half a module is no other one") {
  const both in;
  const dumped step = good_step();
  write_pair(in, "cut", {step.hlo.substr(0, step.hlo.find("  %all-reduce-done.6")), step.buffers});
  const outcome got = in.run("diff old cut");
  CHECK(got.status == 2);
  CHECK(
      got.output.starts_with("jit_step: not compared, as the new one could not be read in full\n"
                             "no difference in 0 modules\n"));
  CHECK(in.run("diff cut old").status == 2);
}

TEST_CASE("diff: a side without a module is an error, not one whose modules are gone") {
  const both in;
  in.write("drawn/module_0001.m.cpu_after_optimizations.dot", "digraph {}\n");
  for (const char* const words : {"diff old drawn", "diff drawn old"}) {
    const outcome got = in.run(words);
    CHECK(got.status == 2);
    CHECK(has(got.errors, "there is no module in drawn"));
  }
}

TEST_CASE("diff: what cannot be read, and wrong words") {
  const both in;
  in.write("prose.txt", "This is no dump.\n");
  CHECK(in.run("diff old prose.txt").status == 2);
  CHECK(has(in.run("diff old prose.txt").output, "SYN000"));
  CHECK(has(in.run("diff old prose.txt --format markdown").output, "- `prose.txt`: "));
  CHECK(in.run_json("diff old prose.txt", 2)["diagnostics"][0]["rule"] == "SYN000");
  for (const char* const words : {"diff missing.txt old", "diff old missing.txt"}) {
    const outcome got = in.run(words);
    CHECK(got.status == 2);
    CHECK(got.output.empty());  // instead of a whole side that is new, or gone
    CHECK(has(got.errors, "diff: there is no file or folder 'missing.txt'"));
  }
  for (const char* const words :
       {"diff", "diff old", "diff old new more", "diff old new --tolerance x", "diff old new --format sarif",
        "diff old new --baseline b.json", "diff old new --update-baseline"}) {
    CAPTURE(words);
    const outcome got = in.run(words);
    CHECK(got.status == 2);
    CHECK(got.output.empty());
    CHECK_FALSE(got.errors.empty());
  }
  CHECK(in.run("diff --help").status == 0);
}
