// Configuration, suppressions, baseline, formats, several jobs, compressed and standard input.
#include "outside.hpp"

#include <set>

using namespace from_outside;

namespace {

// No configuration of whoever runs the tests.
constexpr const char* own = "--target gpu ";

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

}  // namespace

TEST_CASE("a configuration file above the working directory is used; --config and --isolated") {
  const folder f;
  f.write("m.txt", waiting);
  f.write(".hlolint.toml", "target = \"gpu\"\nignore = [\"COL001\"]\n");
  CHECK(rules_in(f.run_json("m.txt", 0)).empty());
  f.write("below/m.txt", waiting);
  CHECK(f.run("--format json . ", "cd below &&").status == 0);
  CHECK(rules_in(f.run_json(std::string(own) + "--isolated m.txt", 1)) == std::vector<std::string>{"COL001"});
  f.write("other.toml", "target = \"gpu\"\nfail-on = \"error\"\n[level]\nCOL001 = \"note\"\n");
  CHECK(f.run_json("--config other.toml m.txt", 0)["diagnostics"][0]["level"] == "note");
  CHECK(f.run("--config none.toml m.txt").status == 2);
  // The command line wins.
  CHECK(rules_in(f.run_json("--config other.toml --level COL001=off m.txt", 0)).empty());
  CHECK(f.run("--config other.toml --fail-on note m.txt").status == 1);
}

TEST_CASE("what is wrong with a configuration is reported with its place") {
  const folder f;
  f.write("m.txt", clean);
  struct {
    const char* text;
    const char* message;
  } const table[] = {
      {"selct = []\n", ".hlolint.toml:1:1: error: unknown key 'selct' (did you mean select?)"},
      {"\nignore = \"MEM\"\n", ".hlolint.toml:2:10: error: 'ignore' must be a list of texts"},
      {"jobs = -1\n", ".hlolint.toml:1:8: error: 'jobs' must be a whole number"},
      {"[[suppress]]\nrule = \"MEM\"\n", "error: [[suppress]] needs 'reason'"},
      {"[[suppress]]\nrule = \"MEM\"\nreason = \"x\"\nexpires = \"soon\"\n",
       ":4:11: error: 'expires' must be a day such as 2026-12-31"},
      {"[[contract]]\nname = \"c\"\nmax-bytes = \"much\"\n", "'max-bytes' must be a number of bytes"},
      {"[[contract]]\nname = \"c\"\nopcode = \"all-gathr\"\nmax-count = 1\n",
       ".hlolint.toml:3:10: error: opcode 'all-gathr' fits no collective (did you mean all-gather?)"},
      {"[[contract]]\nname = \"c\"\nopcode = \"all-gather-start\"\nmax-count = 1\n", "without -start"},
      {"[[contract]]\nname = \"c\"\nelement-type = \"bf17\"\n", ":3:16: error: element-type 'bf17' fits no type"},
      {"[[contract]]\nname = \"c\"\nmin-count = 3\nmax-count = 2\n",
       ":3:13: error: no module can meet this: min-count is larger"},
      {"[[contract]]\nname = \"c\"\ngroup-size = 8\nmax-group-size = 4\n",
       ":3:14: error: no collective can meet this: group-size is larger"},
      {"[[contract]]\nname = \"c\"\nmodule = \"f\"\n", ":2:8: error: [[contract]] has no condition"},
      {"[[contract]]\nname = \"c\"\nparameter = \"w\"\n", ":3:13: error: parameter needs sharding"},
      {"[[contract]]\nname = \"c\"\nsharding = \"replicated\"\n", ":3:12: error: sharding needs parameter"},
      {"[[contract]]\nname = \"c\"\nparameter = \"w\"\nsharding = \"replicatd\"\n",
       ":4:12: error: 'replicatd' is no sharding (did you mean replicated?); it is replicated, not-replicated, or"},
      {"[[contract]]\nname = \"c\"\nparameter = \"w\"\nsharding = \"{devices=[8,1]<=[4]}\"\n",
       ":4:12: error: '{devices=[8,1]<=[4]}' is no sharding (the tiles need 8 devices, found 4); it is"},
      {"[[contract]]\nname = \"c\"\nparameter = \"w\"\nsharding = \"{devices=[8,1]<=[8]}, metadata={}\"\n",
       ":4:12: error: '{devices=[8,1]<=[8]}, metadata={}' is no sharding"},
      {"[[contract]]\nname = \"c\"\nparameter = \"w\"\nsharding = \"{}\"\n",
       ":4:12: error: no array can have this sharding, which is that of an empty tuple"},
      {"[[contract]]\nname = \"c\"\nmust-overlap = 1\n", "'must-overlap' must be true or false"},
      {"[[contract]]\nname = \"c\"\nmax-exposed-ms = -1\n", "'max-exposed-ms' must be a number, not negative"},
      {"format = \"full-text\"\n",
       "formats are text, concise, json, jsonl, sarif, github, gitlab, junit, markdown, html"},
      {"format = \"xml\"\n", "format: unknown word 'xml'"},
      {"ignore = [\"XYZ\"]\n", "unknown rule 'XYZ'"},
      {"[options.COL001]\nmin-byte = 1\n", "COL001 has no option 'min-byte' (did you mean min-bytes?)"},
      {"[options.COL001]\nmin-bytes = \"many\"\n", "COL001: option 'min-bytes' is a number of bytes"},
      {"a = [\n", ".hlolint.toml:1:7: error:"},
      {"jobs = 1\n[[[level]]]\n", ".hlolint.toml:2:3: error:"},
      {"\xEF\xBB\xA9 = 1\n", ".hlolint.toml:1:1: error:"},
      {"jobs = 1 \xEF\xBB\xA9\n", ".hlolint.toml:1:10: error:"},
  };
  for (const auto& row : table) {
    CAPTURE(row.text);
    f.write(".hlolint.toml", row.text);
    const outcome got = f.run("m.txt");
    CHECK(got.status == 2);
    CHECK_MESSAGE(has(got.errors, row.message), got.errors);
  }
}

TEST_CASE("--set and [options] set options of rules") {
  const folder f;
  f.write("m.txt", waiting);
  CHECK(rules_in(f.run_json(std::string(own) + "--set COL001.min-bytes=1GiB m.txt", 0)).empty());
  CHECK(f.run(std::string(own) + "--set COL001 m.txt").status == 2);
  f.write(".hlolint.toml", "[options.sync-collective]\nmin-bytes = \"1GiB\"\n");
  CHECK(rules_in(f.run_json(std::string(own) + "m.txt", 0)).empty());
  CHECK(rules_in(f.run_json(std::string(own) + "--set COL001.min-bytes=16 m.txt", 1)).size() == 1);
}

TEST_CASE("--show-settings prints a configuration that can be read again") {
  const folder f;
  f.write(".hlolint.toml",
          "select = [\"COL\"]\njobs = 3\n[[suppress]]\nrule = \"COL001\"\n"
          "reason = \"it's \\\"fine\\\"\"\nexpires = 2099-01-31\n"
          "[level]\n\"no such\\nrule\" = \"note\"\n[options.\"nor't\\t\\\"his\"]\n\"a b\" = 1\n"
          "[[contract]]\nname = \"c\"\nmax-count = 4\nparameter = \"p*\"\nsharding = \"not-replicated\"\n");
  const outcome first = f.run("--show-settings --set COL001.min-bytes=4 --level COL001=note --level COL001=off");
  CHECK(first.status == 0);
  for (const char* const key : {"select", "extend-select", "ignore", "fail-on", "target", "format", "baseline", "jobs",
                                "level", "options", "suppress", "contract"})
    CHECK_MESSAGE(has(first.output, key), key);
  CHECK(has(first.output, "max-count = 4\nparameter = 'p*'\nsharding = 'not-replicated'\n"));
  f.write(".hlolint.toml", first.output);
  CHECK(f.run("--show-settings").output.substr(first.output.find('\n')) ==
        first.output.substr(first.output.find('\n')));
}

TEST_CASE("suppressions dismiss findings; those that are unused or expired are findings themselves") {
  const folder f;
  f.write("m.txt", waiting);
  f.write(".hlolint.toml",
          "target = \"gpu\"\n[[suppress]]\nrule = \"COL001\"\nop_name = \"jit(f)/*\"\n"
          "reason = \"known\"\n");
  json report = f.run_json("m.txt", 0);
  REQUIRE(report["diagnostics"].size() == 1);
  CHECK(report["diagnostics"][0]["dismissed"]["reason"] == "known");
  CHECK(report["summary"]["warnings"] == 0);
  CHECK(has(f.run("m.txt").output, "no findings, 1 dismissed in 1 file"));
  const json sarif = json::parse(f.run("m.txt --format sarif").output);
  CHECK(sarif["runs"][0]["results"][0]["suppressions"][0]["justification"] == "known");

  f.write(".hlolint.toml",
          "target = \"gpu\"\n[[suppress]]\nrule = \"COL001\"\nmodule = \"other\"\nreason = \"known\"\n");
  CHECK(rules_in(f.run_json("m.txt", 1)) == std::vector<std::string>{"COL001", "CFG001"});
  f.write(".hlolint.toml",
          "target = \"gpu\"\n[[suppress]]\nrule = \"COL001\"\nreason = \"known\"\n"
          "expires = 2020-01-31\n");
  report = f.run_json("m.txt", 1);
  CHECK(rules_in(report) == std::vector<std::string>{"COL001", "CFG002"});
  CHECK(has(report["diagnostics"][1]["message"], "has expired on 2020-01-31"));
}

TEST_CASE("a contract that matches no module is a finding at its line") {
  const folder f;
  f.write("m.txt", waiting);
  f.write(".hlolint.toml",
          "select = [\"CFG\"]\n\n[[contract]]\nname = \"gone\"\nmodule = \"no_such*\"\nmax-count = 1\n"
          "[[contract]]\nname = \"all\"\nmax-count = 1\n[[suppress]]\nrule = \"COL001\"\nreason = \"known\"\n");
  const outcome got = f.run("m.txt");
  CHECK(got.status == 1);
  CHECK(has(got.output,
            ".hlolint.toml:3:1: warning: the contract 'gone' matches no module that was read: module is "
            "'no_such*' [CFG004 unused-contract]\n    3 | [[contract]]\n"));
  CHECK(has(got.output, ".hlolint.toml:10:1: warning: the suppression of COL001 (known) covers no finding"));
  CHECK_FALSE(has(got.output, "'all'"));
}

TEST_CASE("contracts of the configuration are held against the shardings of parameters") {
  const folder f;
  f.write("m.txt",
          "HloModule jit_step, is_scheduled=true, num_partitions=8\n\nENTRY %main (w: f32[8,8]) -> f32[8,8] {\n"
          "  %w.3 = f32[8,8]{1,0} parameter(0), sharding={devices=[8,1]<=[8]}, metadata={op_name=\"params['w']\"}\n"
          "  ROOT %n = f32[8,8]{1,0} negate(%w.3)\n}\n");
  const auto contract = [](const std::string& parameter, const std::string& sharding) {
    return "select = [\"PRF016\", \"CFG\"]\n[[contract]]\nname = \"sharded\"\nparameter = \"" + parameter +
           "\"\nsharding = \"" + sharding + "\"\n";
  };
  f.write(".hlolint.toml", contract("params*", "{ devices=[8, 1] <= [8] }"));
  CHECK(rules_in(f.run_json("m.txt", 0)).empty());
  f.write(".hlolint.toml", contract("params*", "{devices=[1,8]<=[8]}"));
  const outcome got = f.run("m.txt");
  CHECK(got.status == 1);
  CHECK_MESSAGE(has(got.output,
                    "m.txt:4:4: error: contract 'sharded': parameter w.3 has the sharding "
                    "{devices=[8,1]<=[8]}, agreed is {devices=[1,8]<=[8]} [PRF016 sharding-contract]"),
                got.output);
  f.write(".hlolint.toml", contract("weights*", "replicated"));
  const outcome unused = f.run("m.txt");
  CHECK(unused.status == 1);
  CHECK_MESSAGE(has(unused.output,
                    ".hlolint.toml:2:1: warning: the contract 'sharded' matches no parameter that was "
                    "read: parameter is 'weights*' [CFG004 unused-contract]"),
                unused.output);
}

TEST_CASE("contracts of the configuration are held against the collectives") {
  const folder f;
  f.write("m.txt", waiting);
  f.write(".hlolint.toml",
          "target = \"gpu\"\nselect = [\"COL017\"]\n[[contract]]\nname = \"none\"\n"
          "opcode = \"all-gather\"\nmax-count = 0\n");
  CHECK(rules_in(f.run_json("m.txt", 1)) == std::vector<std::string>{"COL017"});
}

TEST_CASE("a baseline keeps what is known quiet, and what is new loud") {
  const folder f;
  f.write("m.txt", waiting);
  CHECK(f.run(std::string(own) + "--update-baseline m.txt").status == 2);
  CHECK(f.run(std::string(own) + "--baseline known.json m.txt").status == 2);  // there is none yet
  CHECK(f.run(std::string(own) + "--baseline known.json --update-baseline m.txt").status == 0);
  const json report = f.run_json(std::string(own) + "--baseline known.json m.txt", 0);
  CHECK(report["diagnostics"][0]["dismissed"]["by"] == "baseline");
  f.write("n.txt", aliased_twice);
  CHECK(f.run(std::string(own) + "--baseline known.json m.txt n.txt").status == 1);
  const json fixed = f.run_json(std::string(own) + "--set COL001.min-bytes=1GiB --baseline known.json m.txt", 1);
  REQUIRE(rules_in(fixed) == std::vector<std::string>{"CFG003"});
  CHECK(
      fixed["diagnostics"][0]["message"].get<std::string>().starts_with("1 entry of the baseline matches no finding"));
  CHECK(rules_in(f.run_json(std::string(own) + "--ignore COL001 --baseline known.json m.txt", 0)).empty());
  f.write("other.txt", clean);
  CHECK(rules_in(f.run_json(std::string(own) + "--baseline known.json other.txt", 0)).empty());
  f.write("known.json", "{\"schema\": 7}");
  CHECK(f.run(std::string(own) + "--baseline known.json m.txt").status == 2);
}

TEST_CASE("every format shows the same finding") {
  const folder f;
  f.write("m.txt", waiting);
  f.write("f.py", "");  // GitHub gets only lines of files that are there
  struct {
    const char* format;
    const char* part;
  } const table[] = {
      {"text", "m.txt:5:9: warning: "},
      {"full", "m.txt:5:9: warning: "},
      {"concise", "m.txt:5:9: warning: "},
      {"json", "\"rule\": \"COL001\""},
      {"html", "<!doctype html>"},
      {"jsonl", "{\"rule\":\"COL001\""},
      {"sarif", "\"ruleId\": \"COL001\""},
      {"github", "::warning title=hlolint (COL001 sync-collective),file=f.py,line=3::"},
      {"gitlab", "\"check_name\": \"COL001\""},
      {"junit", "<failure type=\"COL001\""},
      {"markdown", "| warning | COL001 | `f.py:3`<br>`m.txt:5` |"},
  };
  for (const auto& row : table) {
    CAPTURE(row.format);
    const outcome got = f.run(std::string(own) + "m.txt --format " + row.format);
    CHECK(got.status == 1);
    CHECK_MESSAGE(has(got.output, row.part), got.output);
  }
  CHECK(count(f.run(std::string(own) + "m.txt --format concise").output, "\n") == 2);
  CHECK(f.run("m.txt --format xml").status == 2);
}

TEST_CASE("several jobs write what one writes, in the same order") {
  const folder f;
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(1000 + i);
    f.write("module_" + number + ".jit_f.sm_8.0_gpu_after_optimizations.txt", i % 3   ? waiting
                                                                              : i % 2 ? clean
                                                                                      : aliased_twice);
  }
  const outcome one = f.run("-j1 .");
  CHECK(one.status == 1);
  CHECK(has(one.output, " (26 times, "));
  CHECK(count(f.run("--no-group .").output, "[COL001 ") == 26);
  for (const char* const jobs : {"-j2 .", "-j0 .", "-j 7 ."}) CHECK(f.run(jobs).output == one.output);
}

TEST_CASE("compressed files and standard input are read as what they hold") {
  const folder f;
  f.write("module_0001.f.gpu_after_optimizations.txt", waiting);
  if (std::system("gzip --version >/dev/null 2>&1") == 0) {
    REQUIRE(
        f.run("--version >/dev/null && gzip -k *.txt && mv *.txt plain && mkdir zipped && mv *.gz zipped #").status ==
        0);
    CHECK(rules_in(f.run_json("zipped", 1)) == std::vector<std::string>{"COL001"});
    f.write("zipped/module_0001.f.gpu_after_optimizations.txt.gz", "no gzip at all");
    CHECK(f.run("zipped").status == 2);
  }
  const outcome piped = f.run("--target gpu --format concise - <plain >../output 2>../errors #");
  CHECK(piped.status == 1);
  CHECK(has(piped.output, "<standard input>:5:9: warning: "));
}
