// The command from outside: words in, exit status and text out.
#include "outside.hpp"

#include <sstream>

using namespace from_outside;

namespace {

// MEM001, an error: a.1 and b.1 share bytes while both live.
constexpr std::string_view clashing = R"(BufferAssignment:
allocation 0: size 96, preallocated-temp:
 value: <1 a.1 @0> (size=64,offset=0): f32[16]{0}
 value: <2 b.1 @0> (size=64,offset=32): f32[16]{0}

Total bytes used: 96 (96B)

Used values:
<1 a.1 @0>
 positions:
  a.1
 uses:
  add.1, operand 0
 from instruction: %a.1 = f32[16]{0} iota(), iota_dimension=0
<2 b.1 @0>
 positions:
  b.1
 uses:
  add.1, operand 1
 from instruction: %b.1 = f32[16]{0} iota(), iota_dimension=0


HloLiveRange (max 3):
  InstructionSequence:
    0:a.1
    1:b.1
    2:add.1
  BufferLiveRange:
    a.1{}:0-2
    b.1{}:1-2
  Live ranges at 1 (peak):
    a.1: 64 bytes
    b.1: 64 bytes
)";

constexpr std::string_view png{"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16};

}  // namespace

TEST_CASE("a command that is spelt wrongly is not taken for a file only") {
  const folder here;
  const outcome got = here.run("memroy");
  CHECK(got.status == 2);
  CHECK(has(got.errors, "there is no file and no command 'memroy' (did you mean memory?)"));
  here.write("memroy", clean);
  CHECK(here.run("memroy").status == 0);
}

TEST_CASE("words that mean nothing end with 2 and a reason") {
  const folder here;
  here.write("clean.txt", clean);
  for (const std::string words : {"",
                                  "lint",
                                  "parse",
                                  "explain",
                                  "--no-such-option clean.txt",
                                  "clean.txt --format xml",
                                  "clean.txt --select",
                                  "clean.txt --select NOPE",
                                  "clean.txt --ignore MEM01x",
                                  "clean.txt --level MEM001",
                                  "clean.txt --level MEM001=loud",
                                  "clean.txt --target abacus",
                                  "clean.txt --fail-on fire",
                                  "clean.txt --color blue",
                                  "clean.txt --ignore SYN001",
                                  "clean.txt --level unreadable-input=off",
                                  "rules clean.txt",
                                  "explain NOPE999",
                                  "parse --select ALL clean.txt",
                                  "clean.txt rules"}) {
    CAPTURE(words);
    const outcome got = here.run(words);
    CHECK(got.status == 2);
    CHECK_FALSE(got.errors.empty());
    CHECK(got.output.empty());
  }
  CHECK(has(here.run("clean.txt --select overlaping-live-buffers").errors, "did you mean overlapping-live-buffers?"));
  CHECK(has(here.run("explain overlaping-live-buffers").errors, "did you mean overlapping-live-buffers?"));
  CHECK(has(here.run("explain bud").errors, "unknown rule 'bud': there are BUD001, BUD002, "));
  CHECK(has(here.run("clean.txt --level MEM001=warn").errors, "unknown level 'warn'"));
}

TEST_CASE("help and version are answers") {
  const folder here;
  const outcome help = here.run("--help");
  CHECK(help.status == 0);
  for (const char* const word :
       {"--select", "--extend-select", "--ignore", "--level", "--fail-on", "--exit-zero", "--target", "--color",
        "--format", "--output", "parse", "rules", "explain", "Exit status"})
    CHECK(has(help.output, word));
  CHECK(here.run("lint --help").output == help.output);
  CHECK(here.run("parse --help").status == 0);
  const outcome version = here.run("--version");
  CHECK(version.status == 0);
  CHECK(version.output.starts_with("hlolint 0."));
  const std::string commit = version.output.substr(version.output.find_first_of(" \n", 8));
  CHECK((commit == "\n" || (commit.size() == 16 && commit.starts_with(" (") && commit.ends_with(")\n"))));
}

TEST_CASE("the exit status follows the findings") {
  const folder here;
  here.write("clean.txt", clean);
  here.write("error.txt", aliased_twice);
  here.write("warning.txt", waiting);
  struct row {
    std::string words;
    int status;
  };
  const row table[] = {
      {"clean.txt", 0},
      {"lint clean.txt", 0},
      {"error.txt", 1},
      {"lint error.txt", 1},
      {"clean.txt error.txt", 1},
      {"error.txt --exit-zero", 0},
      {"error.txt --fail-on error", 1},
      {"error.txt --fail-on never", 0},
      {"error.txt --ignore ALI002", 0},
      {"error.txt --ignore ALI", 0},
      {"error.txt --select COL,MEM", 0},
      {"--select COL --extend-select alias-duplicate error.txt", 1},
      {"error.txt --level ALI002=off", 0},
      {"error.txt --level ALI002=note", 0},
      {"error.txt --level ALI002=note --fail-on note", 1},
      {"error.txt --level ALI002=warning --fail-on error", 0},
      {"warning.txt --target gpu", 1},
      {"warning.txt --target gpu --fail-on error", 0},
      {"warning.txt --target cpu", 0},
      {"warning.txt", 0},  // without a target a plain collective may be normal
      {"parse error.txt", 0},
      {"rules", 0},
  };
  for (const row& r : table) {
    CAPTURE(r.words);
    CHECK(here.run(r.words).status == r.status);
  }
}

TEST_CASE("what cannot be read ends with 2, whatever else is found or reported") {
  const folder here;
  here.write("error.txt", aliased_twice);
  here.write("empty.txt", "");
  here.write("picture.txt", png);
  here.write("prose.txt", "Dear reader,\nthis is no dump.\n");
  here.write("broken.txt", std::string(aliased_twice).replace(aliased_twice.find("negate(f32"), 7, "negate  "));
  here.write("cut.txt", aliased_twice.substr(0, aliased_twice.size() - 60));
  fs::create_directories(here / "nothing/deep");
  here.write("nothing/picture.png", png);

  for (const std::string path :
       {"missing.txt", "empty.txt", "picture.txt", "prose.txt", "nothing", "missing/missing.txt"}) {
    CAPTURE(path);
    json report = here.run_json(path, 2);
    REQUIRE(report["diagnostics"].size() == 1);
    json& found = report["diagnostics"][0];
    CHECK(found["rule"] == "SYN000");
    CHECK(found["level"] == "error");
    CHECK(found["path"] == path);
    CHECK(found["line"] == 1);
    CHECK(found["column"] == 1);
    CHECK(found["fingerprint"].get<std::string>().size() == 16);
    if (path != "nothing") {
      REQUIRE(report["inputs"].size() == 1);
      CHECK(report["inputs"][0].dump() == json{{"path", path}, {"kind", "unknown"}, {"status", "failed"}}.dump());
    }
    const outcome text = here.run(path);
    CHECK(text.status == 2);
    CHECK(text.output.starts_with(path + ":1:1: error: "));
    CHECK(here.run("parse " + path).status == 2);
    CHECK(here.run(path + " --exit-zero --fail-on never --select MEM --ignore ALL").status == 2);
    CHECK(here.run(path + " error.txt").status == 2);
  }

  for (const std::string path : {"broken.txt", "cut.txt"}) {
    CAPTURE(path);
    json report = here.run_json(path, 2);
    CHECK(report["inputs"][0]["status"] == "partial");
    CHECK(rules_in(report) == std::vector<std::string>{"SYN001", "ALI002"});  // what is whole is checked
    CHECK(here.run(path + " --exit-zero").status == 2);
  }
}

TEST_CASE("the text report") {
  const folder here;
  here.write("twice.txt", aliased_twice);
  const outcome got = here.run("twice.txt");
  CHECK(got.errors.empty());
  CHECK(has(got.output, "twice.txt:1:"));
  CHECK(has(got.output, ": error: "));
  CHECK(has(got.output, " [ALI002 alias-duplicate]\n    1 | "));
  CHECK(has(got.output, "\n      | "));
  CHECK(has(got.output, "^~"));
  CHECK(has(got.output, "\n  twice.txt:1:"));
  CHECK(has(got.output, "\n  advice: "));
  CHECK(has(got.output, "\n1 error in 1 file"));
  CHECK(here.run("twice.txt").output == got.output);
  CHECK_FALSE(has(got.output, "\x1b"));  // no terminal here
  CHECK(has(here.run("twice.txt --color always").output, "\x1b[1;31merror\x1b[0m"));
  CHECK(has(here.run("twice.txt --color always", "NO_COLOR=1").output, "\x1b["));
  CHECK_FALSE(has(here.run("twice.txt --color never").output, "\x1b"));

  here.write("clean.txt", clean);
  CHECK(has(here.run("clean.txt").output, "no findings in 1 file"));
  CHECK(has(here.run("clean.txt").output, "not checked: "));
}

TEST_CASE("parse shows what files hold") {
  const folder here;
  here.write("clean.txt", clean);
  here.write("two.txt", std::string(clean) + "\n" + std::string(aliased_twice));
  here.write("clash.txt", clashing);
  const outcome text = here.run("parse clean.txt clash.txt");
  CHECK(text.status == 0);
  CHECK(has(text.output, "clean.txt: hlo, ok, module clean, 1 computation, 2 instructions\n"));
  CHECK(has(text.output, "clash.txt: buffer-assignment, ok, "));
  CHECK(has(text.output, "1 allocation, 2 values\n"));

  json report = here.run_json("parse clean.txt two.txt clash.txt", 0);
  std::vector<std::string> members;
  for (const auto& [key, value] : report.items()) members.push_back(key);
  CHECK(members == std::vector<std::string>{"schema", "tool", "inputs", "diagnostics", "skipped", "summary"});
  REQUIRE(report["inputs"].size() == 3);
  CHECK(report["inputs"][0]["instructions"] == 2);
  CHECK_FALSE(report["inputs"][0].contains("modules"));
  CHECK(report["inputs"][1]["modules"] == 2);
  CHECK(report["inputs"][1]["instructions"] == 6);
  CHECK(report["inputs"][2]["allocations"] == 1);
  CHECK(report["inputs"][2]["values"] == 2);
  CHECK(report["diagnostics"].empty());
  CHECK(report["skipped"].empty());
}

TEST_CASE("a finding in JSON") {
  const folder here;
  here.write("m.tpu_after_optimizations.txt", waiting);
  json report = here.run_json("m.tpu_after_optimizations.txt", 1);
  CHECK(report["inputs"][0]["target"] == "tpu");
  REQUIRE(report["diagnostics"].size() == 1);
  json& found = report["diagnostics"][0];
  CHECK(found["rule"] == "COL001");
  CHECK(found["name"] == "sync-collective");
  CHECK(found["level"] == "warning");
  CHECK(found["line"] == 5);
  CHECK(found["module"] == "waiting");
  CHECK(found["computation"] == "main");
  CHECK(found["instruction"] == "all-gather.1");
  CHECK(found["source"].dump() == R"({"file":"f.py","line":3})");
  CHECK(found["bytes"] == 16777216);
  CHECK(found["related"].is_array());
  CHECK(report["summary"].dump() == R"({"errors":0,"warnings":1,"notes":0})");
  for (json& skipped : report["skipped"]) {
    CHECK(skipped["module"] == "waiting");
    CHECK_FALSE(skipped["reason"].get<std::string>().empty());
  }
}

TEST_CASE("buffers are checked without HLO") {
  const folder here;
  here.write("clash.txt", clashing);
  json report = here.run_json("clash.txt", 1);
  REQUIRE(rules_in(report) == std::vector<std::string>{"MEM001"});
  json& found = report["diagnostics"][0];
  CHECK(found["buffer"]["allocation"] == 0);
  CHECK(found["buffer"].contains("start"));
  REQUIRE(found["related"].size() >= 1);
  CHECK(found["related"][0]["buffer"].contains("offset"));
}

TEST_CASE("a folder is searched, its files are paired, and what is no dump is left alone") {
  const folder here;
  here.write("d/module_0001.f.gpu_after_optimizations.txt", waiting);
  here.write("d/module_0001.f.before_optimizations.txt", aliased_twice);
  here.write("d/module_0001.f.0003.spmd.after_a.before_b.txt", aliased_twice);
  here.write("d/deep/b.txt", clean);
  here.write("d/deep/a.txt", clashing);
  here.write("d/readme.txt", "Dear reader\n");
  here.write("d/picture.png", png);
  here.write("d/empty", "");
  json report = here.run_json("d", 1);
  std::vector<std::string> paths;
  for (json& input : report["inputs"]) paths.push_back(input["path"]);
  CHECK(paths == std::vector<std::string>{"d/deep/a.txt", "d/deep/b.txt", "d/module_0001.f.before_optimizations.txt",
                                          "d/module_0001.f.gpu_after_optimizations.txt"});
  // the earlier stage is there to be compared with
  CHECK(rules_in(report) == std::vector<std::string>{"MEM001", "COL001"});
  CHECK(has(here.run("d").output, " in 4 files (4 other files left out)"));
  CHECK(here.run_json("./d/", 1)["inputs"][0]["path"] == "./d/deep/a.txt");

  // Named, an earlier stage is linted like anything else.
  CHECK(rules_in(here.run_json("d/module_0001.f.before_optimizations.txt", 1)) == std::vector<std::string>{"ALI002"});
  // Once is enough.
  CHECK(here.run_json("d d/deep/a.txt d ./d/deep/../deep/a.txt", 1)["inputs"].size() == 4);
  // An empty file whose name promises a dump is no pass.
  here.write("d/module_0002.g.gpu_after_optimizations.txt", "");
  CHECK(here.run("d").status == 2);
}

TEST_CASE("--output writes there and nowhere else") {
  const folder here;
  here.write("twice.txt", aliased_twice);
  const outcome got = here.run("twice.txt --format json --output report.json");
  CHECK(got.status == 1);
  CHECK(got.output.empty());
  CHECK(read(here / "report.json") == here.run("twice.txt --format json").output);
  CHECK(here.run("twice.txt -o no/such/folder").status == 2);
  if (fs::exists("/dev/full")) {
    const outcome full = here.run("twice.txt --format json -o /dev/full");
    CHECK(full.status == 2);
    CHECK(has(full.errors, "cannot write"));
  }
  // A wrong word costs no old report.
  CHECK(here.run("twice.txt --select NOPE -o report.json").status == 2);
  CHECK_FALSE(read(here / "report.json").empty());
}

TEST_CASE("rules and explain") {
  const folder here;
  const outcome table = here.run("rules");
  CHECK(table.output.starts_with("ALI001  alias-size-mismatch "));
  for (const std::string& text : {table.output, here.run("--help").output, here.run("ranks --help").output}) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  }
  for (const char* const id : {"ALI001", "ALI002", "ALI010", "COL001", "COL002", "MEM001", "MEM002", "MEM003", "PAD001",
                               "SYN000", "SYN001", "SYN002", "DMP006"})
    CHECK(has("\n" + table.output, std::string("\n") + id + "  "));
  json rules = here.run_json("rules", 0)["rules"];
  for (json& entry : rules) {
    CAPTURE(entry.dump());
    const std::string rule = entry["id"], name = entry["name"];
    const outcome explained = here.run("explain " + rule);
    CHECK(explained.status == 0);
    CHECK(explained.output.starts_with(rule + " " + name + " ("));
    CHECK(here.run("explain " + name).output == explained.output);
    for (const char* const member : {"what", "why", "advice"}) CHECK_FALSE(entry[member].get<std::string>().empty());
  }
}

TEST_CASE("what is given in place of a dump is named, and what to give instead") {
  const folder here;
  struct row {
    const char *text, *word;
  };
  for (const row& r : {row{"{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }\n", "jaxpr"},
                       row{"CompiledMemoryStats(temp_size_in_bytes=0)\n", "memory_analysis()"},
                       row{"digraph G {\nrankdir = TB;\n}\n", "drawing"}, row{"https://xla.example/g\n", "address"},
                       row{"IR {\n  %0 = f32[8]{0} xla::device_data()\n}\n", "torch_xla"}}) {
    CAPTURE(r.text);
    here.write("x.txt", r.text);
    const outcome got = here.run("x.txt");
    CHECK(got.status == 2);
    CHECK(has(got.output, r.word));
  }
  // In a log they stand beside what is read.
  here.write("job.log",
             "CompiledMemoryStats(temp_size_in_bytes=0)\n"
             "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 34359738368 bytes.\n");
  const outcome log = here.run("job.log");
  CHECK(log.status == 1);
  CHECK(has(log.output, "BUD008"));
}

TEST_CASE("notes that are not shown are counted in the last line, and their time counts") {
  const folder f;
  const std::string array = "f32[67108864]{0}";
  std::string work = "  %n0 = " + array + " sine(%p)\n";  // most of the step
  for (int k = 1; k <= 20; ++k)
    work += "  %n" + std::to_string(k) + " = " + array + " sine(%n" + std::to_string(k - 1) + ")\n";
  f.write("m.txt",
          "HloModule step, is_scheduled=true, num_partitions=8\n\n%sum (a: f32[], b: f32[]) -> f32[] {\n"
          "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %c = f32[] add(%a, %b)\n}\n\n"
          "ENTRY %main {\n  %p = " +
              array + " parameter(0)\n" + work + "  %r = " + array +
              " all-reduce(%n20), channel_id=1, replica_groups={{0,1,2,3,4,5,6,7}}, use_global_device_ids=true, "
              "to_apply=%sum\n  ROOT %x = " +
              array + " cosine(%r)\n}\n");
  const std::string text = f.run("--device h100-sxm m.txt").output;
  CHECK(has(text, "no findings in 1 file; "));
  CHECK(has(text, " ms of a step: COL001 (--select COL)\n"));  // nothing is independent of it
  CHECK_FALSE(has(text, "could win ~0 ms"));
  const std::string notes = f.run("--device h100-sxm --extend-select COL001 m.txt").output;
  CHECK(has(notes, "note: all-reduce of 256.00MiB is synchronous"));
  CHECK_FALSE(has(f.run("--device h100-sxm --select COL m.txt").output, "not shown"));
  CHECK_FALSE(has(f.run("--device h100-sxm --ignore ALL m.txt").output, "not shown"));
  CHECK(f.run("--device h100-sxm --fail-on note m.txt").status == 0);
}
