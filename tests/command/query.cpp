// `hlolint query`, and rules of the configuration that are queries.
#include "outside.hpp"

#include <match/fixtures.hpp>

using namespace from_outside;

TEST_CASE("a query lists what matches, as grep does") {
  const folder f;
  f.write("m.txt", hlolint::testing::step_text);
  const outcome one = f.run("query 'all-gather($w) where in loop' m.txt");
  CHECK(one.status == 0);
  CHECK(one.output.find("m.txt:20:4: %gather = f32[64,64]{1,0} all-gather(%w)") != std::string::npos);
  CHECK(one.output.find("$w = ") != std::string::npos);
  CHECK(one.output.find("mlp.py:7") != std::string::npos);
  CHECK(f.run("query --count any m.txt").output == "29\n");
  CHECK(f.run("query 'dot where in entry' m.txt").status == 1);
  CHECK(f.run("query 'collective' --by source m.txt").output.find("1  mlp.py:7") != std::string::npos);
  CHECK(f.run("query --first parameter --count m.txt").output == "1\n");
  f.write("job.log",
          "Ran out of memory in memory space hbm. Used 5.00G of 4.50G hbm. Exceeded hbm capacity by 512M.\n");
  const outcome unanswered = f.run("query any job.log");
  CHECK(unanswered.status == 2);
  CHECK(unanswered.errors.find("there is no HLO text, so nothing was searched") != std::string::npos);
}

TEST_CASE("a mistake in a query is shown with its place") {
  const folder f;
  f.write("m.txt", hlolint::testing::step_text);
  const outcome wrong = f.run("query 'copy where byts > 3' m.txt");
  CHECK(wrong.status == 2);
  CHECK(wrong.errors.find(
            "query:1:12: there is no property 'byts' (did you mean bytes?)\n  copy where byts > 3\n             ^") !=
        std::string::npos);
}

TEST_CASE("--explain names the step that does not match") {
  const folder f;
  f.write("m.txt", hlolint::testing::step_text);
  const outcome why = f.run("query 'all-reduce where bytes > 1GiB' --explain reduced m.txt");
  CHECK(why.status == 0);
  CHECK(why.output.find("reduced does not match at: bytes > 1GiB") != std::string::npos);
  CHECK(f.run("query any --explain nothing m.txt").status == 2);
}

TEST_CASE("matches as JSON") {
  const folder f;
  f.write("m.txt", hlolint::testing::step_text);
  const json found = f.run_json("query 'all-reduce($x)' m.txt", 0);
  CHECK(found["count"] == 1);
  CHECK(found["matches"][0]["instruction"] == "reduced");
  CHECK(found["matches"][0]["captures"][0]["name"] == "x");
  CHECK(found["matches"][0]["captures"][0]["instruction"] == "twice");
}

TEST_CASE("a rule of the configuration is a rule like the others") {
  const folder f;
  f.write("m.txt", hlolint::testing::step_text);
  f.write(".hlolint.toml", R"(
[[rule]]
id = "TEAM001"
name = "wide-sum"
match = "all-reduce($x: f32[...]) where bytes($x) >= 1KiB"
level = "error"
message = "sums {bytes($x)} in f32 in {computation}"
advice = "Cast gradients to bf16 before they are summed."
fires = """
HloModule m
%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}
ENTRY %e {
  %p = f32[1024]{0} parameter(0)
  ROOT %r = f32[1024]{0} all-reduce(%p), to_apply=%add
}
"""
silent = """
HloModule m
ENTRY %e {
  ROOT %p = f32[1024]{0} parameter(0)
}
"""
)");
  const json found = f.run_json("--select TEAM001 m.txt", 1);
  REQUIRE(found["diagnostics"].size() == 1);
  CHECK(found["diagnostics"][0]["rule"] == "TEAM001");
  CHECK(found["diagnostics"][0]["level"] == "error");
  CHECK(found["diagnostics"][0]["message"] == "sums 2.0KiB in f32 in main");
  CHECK(f.run("--select TEAM001 --level TEAM001=off m.txt").status == 0);
  CHECK(f.run("explain TEAM001").output.find("Cast gradients") != std::string::npos);
  CHECK(f.run("explain TEAM001").output.find("TEAM001 wide-sum (error)\n") == 0);
  CHECK(f.run("rules --test .hlolint.toml").output == "TEAM001: ok\n");
}

TEST_CASE("what is wrong with a rule of the configuration is reported with its place") {
  const folder f;
  f.write("m.txt", hlolint::testing::step_text);
  f.write(".hlolint.toml", "[[rule]]\nid = \"MEM001\"\nmatch = \"cpy\"\nmessage = \"{byts}\"\nlevel = \"bad\"\n");
  const outcome wrong = f.run("m.txt");
  CHECK(wrong.status == 2);
  CHECK(
      wrong.errors.find(
          ".hlolint.toml:3: error: [[rule]] MEM001: match, column 1: there is no opcode 'cpy' (did you mean copy?)") !=
      std::string::npos);
  CHECK(wrong.errors.find(".hlolint.toml:4: error: [[rule]] MEM001: message, column 2: there is no property 'byts'") !=
        std::string::npos);
  CHECK(wrong.errors.find(".hlolint.toml:1: error: [[rule]] MEM001: there is a rule 'MEM001' already") !=
        std::string::npos);
  CHECK(wrong.errors.find("level is note, warning or error, not 'bad'") != std::string::npos);
}
