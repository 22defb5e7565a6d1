#include <hlolint/report/json.hpp>
#include <hlolint/report/rank_summary_text.hpp>
#include <hlolint/report/sarif.hpp>
#include <hlolint/report/text.hpp>
#include <hlolint/tool/report/code_hosts/github.hpp>
#include <hlolint/tool/report/code_hosts/junit.hpp>
#include <hlolint/tool/report/code_hosts/markdown.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::compare;

namespace {

rank_summary some_ranks() {
  rank_summary out;
  out.ranks = {"a", "b", "c", "d"};
  out.modules = {{"jit_step", {{{"a", "b", "c", "d"}, 42, 7}}, {}},
                 {"jit_init", {{{"a", "b", "c", "d"}, 0, 1}}, {}},
                 {"jit_seed", {{{"a", "b", "c", "d"}, 0, 1}}, {}},
                 {"jit_eval", {{{"a", "c"}, 17, 8}, {{"b"}, 16, 9}}, {"d"}},
                 {"jit_save", {{{"a"}, 1, 3}}, {"b", "c", "d"}}};
  out.without_dumps = {"logs"};
  out.unread = {"d"};
  return out;
}
std::string text_of(const rank_summary& ranks, bool concise = false) {
  std::ostringstream out;
  write_rank_summary(out, ranks, concise);
  return out.str();
}

}  // namespace

TEST_CASE("what was compared between ranks, as text") {
  CHECK(text_of(some_ranks()) ==
        "5 modules on 4 ranks (a, b and 2 others): 3 equal, 1 different, 1 not on all ranks\n"
        "  equal: jit_step (42 collectives), 2 modules without collectives\n"
        "  different: jit_eval (17 collectives on a and c; 16 on b; not on d)\n"
        "  not on all ranks: jit_save (1 collective) only on a\n"
        "  not read in full: d\n"
        "  folders without dumps: logs\n");
  CHECK(text_of(some_ranks(), true) ==
        "5 modules on 4 ranks (a, b and 2 others): 3 equal, 1 different, 1 not on all ranks\n");

  rank_summary many;
  many.ranks = {"x", "y"};
  for (int i = 0; i < 20; ++i) many.modules.push_back({"m" + std::to_string(i), {{{"x", "y"}, 1, 5}}, {}});
  CHECK(text_of(many).ends_with(", m11 (1 collective) and 8 more\n"));

  run_result run;
  run.compared = some_ranks();
  std::ostringstream out;
  text_report report(out);
  report(run);
  CHECK(out.str() == text_of(some_ranks()) + "no findings in 0 files\n");
}

TEST_CASE("what was compared between ranks, in the other reports") {
  run_result run;
  run.compared = some_ranks();
  const auto text_by = [](auto&& write, const run_result& from) {
    std::ostringstream out;
    write(out)(from);
    return out.str();
  };
  const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  const run_result without;

  const auto as_markdown = [](std::ostream& out) { return markdown_report(out); };
  CHECK(text_by(as_markdown, run) ==
        "### hlolint: 0 errors, 0 warnings, 0 notes in 0 files\n\n"
        "5 modules on 4 ranks (a, b and 2 others): 3 equal, 1 different, 1 not on all ranks\n\n"
        "- equal: jit\\_step (42 collectives), 2 modules without collectives\n"
        "- different: jit\\_eval (17 collectives on a and c; 16 on b; not on d)\n"
        "- not on all ranks: jit\\_save (1 collective) only on a\n"
        "- not read in full: d\n"
        "- folders without dumps: logs\n");
  CHECK_FALSE(has(text_by(as_markdown, without), "ranks"));

  const auto as_github = [](std::ostream& out) { return github_report(out); };
  CHECK(text_by(as_github, run)
            .starts_with("::notice title=hlolint ranks::5 modules on 4 ranks (a, b and 2 others): 3 equal, 1 "
                         "different, 1 not on all "
                         "ranks%0Aequal: jit_step (42 collectives)"));
  CHECK(text_by(as_github, without).empty());

  const auto as_junit = [](std::ostream& out) { return junit_report(out); };
  run.compared->ranks[1] = "b & \xC3\xA4";
  const std::string suites = text_by(as_junit, run);
  CHECK(has(suites, "<testsuites name=\"hlolint\" tests=\"1\" failures=\"0\" errors=\"0\">"));
  CHECK(has(suites, "<property name=\"rank\" value=\"b &amp; \xC3\xA4\"/>"));
  CHECK(has(suites,
            "<system-out>5 modules on 4 ranks (a, b &amp; \xC3\xA4 and 2 others): 3 equal, 1 different, "
            "1 not on all ranks&#10;equal: jit_step"));
  CHECK_FALSE(has(text_by(as_junit, without), "ranks"));

  const auto as_sarif = [](const run_result& from) {
    std::ostringstream out;
    sarif_report write(out);
    write(from, {});
    return nlohmann::json::parse(out.str())["runs"][0];
  };
  CHECK(as_sarif(run)["properties"]["compared"]["ranks"].size() == 4);
  CHECK(as_sarif(run)["properties"]["compared"]["modules"][3]["missing_on"] == nlohmann::json{"d"});
  CHECK_FALSE(as_sarif(without).contains("properties"));
}

TEST_CASE("what was compared between ranks, as JSON") {
  run_result run;
  std::ostringstream without, with;
  json_report(without, 0)(run);
  CHECK(without.str().find("compared") == std::string::npos);
  run.compared = some_ranks();
  run.compared->modules.erase(run.compared->modules.begin(), run.compared->modules.begin() + 3);
  json_report(with, 0)(run);
  std::string text = with.str();
  const std::size_t begin = text.find("\"compared\""), end = text.find("\"summary\"");
  REQUIRE(begin < end);
  text = text.substr(begin, end - begin);
  std::string packed;
  for (const char c : text)
    if (c != ' ' && c != '\n') packed += c;
  CHECK(
      packed ==
      R"("compared":{"ranks":["a","b","c","d"],"unread":["d"],"without_dumps":["logs"],"modules":[)"
      R"({"module":"jit_eval","sides":[{"ranks":["a","c"],"collectives":17,"fingerprint":"0000000000000008"},)"
      R"({"ranks":["b"],"collectives":16,"fingerprint":"0000000000000009"}],"missing_on":["d"]},)"
      R"({"module":"jit_save","sides":[{"ranks":["a"],"collectives":1,"fingerprint":"0000000000000003"}],"missing_on":["b","c","d"]}]},)");
}
