// What a module was before XLA optimized it: read for the rules that compare, and only for them.
#include "outside.hpp"

#include <algorithm>

using namespace from_outside;

namespace {

constexpr std::string_view final_module =
    R"(HloModule step, is_scheduled=true, entry_computation_layout={(f32[8192,1024]{1,0})->(f32[8192,1024]{1,0})}

ENTRY %main (p: f32[8192,1024]) -> (f32[8192,1024]) {
  %p = f32[8192,1024]{1,0} parameter(0), metadata={op_name="state"}
  %negate.1 = f32[8192,1024]{1,0} negate(%p)
  ROOT %tuple.1 = (f32[8192,1024]{1,0}) tuple(%negate.1)
}
)";
constexpr std::string_view with_alias =
    R"(HloModule step, input_output_alias={ {0}: (0, {}, may-alias) }, entry_computation_layout={(f32[8192,1024]{1,0})->(f32[8192,1024]{1,0})}

ENTRY %main {
  %p = f32[8192,1024]{1,0} parameter(0), metadata={op_name="state"}
  %negate.1 = f32[8192,1024]{1,0} negate(%p)
  ROOT %tuple.1 = (f32[8192,1024]{1,0}) tuple(%negate.1)
}
)";

const std::string before = "module_0001.step.before_optimizations.txt",
                  after = "module_0001.step.cpu_after_optimizations.txt";
using names = std::vector<std::string>;

names paths_in(const json& report) {
  names out;
  for (const json& input : report.at("inputs")) out.push_back(input.at("path"));
  return out;
}
names skipped_in(const json& report) {
  names out;
  for (const json& check : report.at("skipped")) out.push_back(check.at("rule"));
  return out;
}

}  // namespace

TEST_CASE("in a folder the earlier stage is compared with") {
  const folder here;
  here.write("d/" + before, with_alias);
  here.write("d/" + after, final_module);
  json report = here.run_json("d", 1);
  REQUIRE(rules_in(report) == names{"ALI009"});
  CHECK(report["diagnostics"][0]["path"] == "d/" + after);
  CHECK(report["diagnostics"][0]["bytes"] == 33554432);
  CHECK(report["diagnostics"][0]["related"][0]["path"] == "d/" + before);
  CHECK(paths_in(report) == names{"d/" + before, "d/" + after});
  CHECK(report["inputs"][0]["target"] == "cpu");  // known from the final module's file
}

TEST_CASE("the earlier stage is not read if no rule asks for it") {
  const folder here;
  here.write("d/" + before, "HloModule step, what is this\n");
  here.write("d/" + after, final_module);
  const json report = here.run_json("--ignore ALI009,PRF014,PRF016,PRF019 d", 0);
  CHECK(paths_in(report) == names{"d/" + after});
  CHECK(skipped_in(report) == skipped_in(here.run_json("--ignore ALI009,PRF014,PRF016,PRF019 d/" + after, 0)));
  CHECK(has(here.run("--ignore ALI009,PRF014,PRF016,PRF019 d").output, " in 1 file (1 other file left out)"));
  CHECK(paths_in(here.run_json("parse d", 0)) == names{"d/" + after});
  // Read, it must be right.
  CHECK(rules_in(here.run_json("d", 2)).at(0).starts_with("SYN"));
}

TEST_CASE("rules that only use the earlier stage have it read, too") {
  const folder here;
  const auto text = [](const std::string& more) {
    return "HloModule step, is_scheduled=true, num_partitions=8\n\nENTRY %main {\n  ROOT %p = f32[8192,4096]{1,0} "
           "parameter(0)" +
           more + "\n}\n";
  };
  here.write("d/" + before, text(", sharding={replicated}"));
  here.write("d/" + after, text(""));
  CHECK(rules_in(here.run_json("--select PRF014 d", 1)) == names{"PRF014"});
  CHECK(paths_in(here.run_json("--select PRF012 d", 0)) == names{"d/" + after});
}

TEST_CASE("named together, the stages are compared; named alone, one is linted") {
  const folder here;
  here.write("a/" + before, with_alias);
  here.write("b/final.txt", final_module);
  json report = here.run_json("b/final.txt a/" + before, 1);
  CHECK(rules_in(report) == names{"ALI009"});
  CHECK(paths_in(report) == names{"b/final.txt", "a/" + before});
  // Who names the rule wants it checked.
  report = here.run_json("--select ALI009,ALI002 a/" + before, 1);
  CHECK(rules_in(report) == names{"CFG005"});
  CHECK(skipped_in(report).empty());
  CHECK(has(here.run("--select ALI009 b/final.txt").output,
            "error: rule ALI009 could not be evaluated in module step: no HLO of before optimization (XLA writes it to "
            "...before_optimizations.txt) [CFG005 not-evaluated]\n"));
  // A prefix asks for what there is.
  const names passed_over = skipped_in(here.run_json("--select ALI a/" + before, 0));
  CHECK(std::find(passed_over.begin(), passed_over.end(), "ALI009") != passed_over.end());
}

TEST_CASE("--companions finds the earlier stage") {
  const folder here;
  here.write(before, with_alias);
  here.write(after, final_module);
  here.write("module_0002.step.before_optimizations.txt", with_alias);
  CHECK(rules_in(here.run_json("--companions " + after, 1)) == names{"ALI009"});
  CHECK(paths_in(here.run_json("--companions " + after, 1)) == names{after, before});
  CHECK(paths_in(here.run_json("--companions --ignore ALI009,PRF014,PRF016,PRF019 " + after, 0)) == names{after});
}

TEST_CASE("a folder without a final module stays one") {
  const folder here;
  here.write("d/" + before, with_alias);
  CHECK(rules_in(here.run_json("d", 1)) == names{"DMP007"});
}
