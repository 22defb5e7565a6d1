// The reports that other programs show: SARIF, GitHub, GitLab, JUnit, Markdown, JSON lines.
#include <hlolint/report/json.hpp>
#include <hlolint/report/sarif.hpp>
#include <hlolint/tool/report/code_hosts/github.hpp>
#include <hlolint/tool/report/code_hosts/gitlab.hpp>
#include <hlolint/tool/report/code_hosts/junit.hpp>
#include <hlolint/tool/report/code_hosts/markdown.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;

namespace {

template <class Report, class... More>
std::string text_of(const run_result& run, const More&... more) {
  std::ostringstream out;
  Report report(out);
  report(run, more...);
  return out.str();
}

diagnostic found(std::string rule, severity level, std::string message, location where) {
  diagnostic d;
  d.rule = std::move(rule);
  d.name = "some-name";
  d.level = level;
  d.message = std::move(message);
  d.where = std::move(where);
  d.fingerprint = "00000000000000ff";
  return d;
}

// The place lies after two letters of two bytes each.
const source umlauts(std::string("line one\n  \xC3\xA4\xC3\xB6 = f32[] add(x)\n"), "dumps/m 1.txt");

run_result three() {
  run_result run;
  run.tool_version = "1.2.3";
  input_summary input;
  input.path = "dumps/m 1.txt";
  input.status = parse_status::ok;
  run.inputs.push_back(input);
  run.diagnostics.push_back(found("PAD001", severity::warning, "50% <lost>, a|b", {umlauts, {18, 24}}));
  diagnostic in_program = found("MEM001", severity::error, "two\nlines", {umlauts, {0, 4}});
  in_program.source_file = "src/train.py";
  in_program.source_line = 7;
  in_program.module = "jit_f";
  in_program.instruction = "add.1";
  in_program.advice = "Do it: now.";
  run.diagnostics.push_back(in_program);
  diagnostic gone = found("COL001", severity::error, "old", {umlauts, {0, 4}});
  gone.dismissed = dismissal{false, "known"};
  run.diagnostics.push_back(gone);
  return run;
}

const std::vector<rule_entry> rules{
    {{.id = "MEM001", .name = "some-name", .level = severity::error, .what = "What.", .why = "Why."}, {"hlo"}, {}},
    {{.id = "PAD001", .name = "some-name", .what = "Pads."}, {}, {}}};

}  // namespace

TEST_CASE("columns for other programs count code points") {
  CHECK(region_of({umlauts, {18, 24}}) == code_point_region{2, 8, 2, 14});
  CHECK(uri_of("dumps/m 1.txt") == "dumps/m%201.txt");
  CHECK(uri_of("/a/#b") == "file:///a/%23b");
}

TEST_CASE("SARIF: the program's line first, the dump second; dismissed findings are suppressed ones") {
  const auto json = nlohmann::json::parse(text_of<sarif_report>(three(), rules));
  CHECK(json["version"] == "2.1.0");
  const auto& run = json["runs"][0];
  CHECK(run["columnKind"] == "unicodeCodePoints");
  const auto& rule = run["tool"]["driver"]["rules"][0];
  CHECK(rule["name"] == "SomeName");
  CHECK(rule["help"]["markdown"] ==
        "# MEM001 some-name\n\n## What it reports\n\nWhat.\n\n## Why this is bad\n\nWhy.\n\n## Reads\n\nhlo\n");
  CHECK_FALSE(rule.contains("helpUri"));
  REQUIRE(run["results"].size() == 3);
  const auto& padding = run["results"][0];
  CHECK(padding["ruleIndex"] == 1);
  CHECK(padding["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "dumps/m%201.txt");
  CHECK(padding["locations"][0]["physicalLocation"]["region"]["startColumn"] == 8);
  CHECK(!padding.contains("suppressions"));
  const auto& memory = run["results"][1];
  CHECK(memory["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/train.py");
  CHECK(memory["locations"][0]["physicalLocation"]["region"]["startLine"] == 7);
  CHECK(memory["locations"][1]["physicalLocation"]["artifactLocation"]["uri"] == "dumps/m%201.txt");
  CHECK(memory["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "jit_f/add.1");
  CHECK(memory["partialFingerprints"]["hlolint/v2"] == "00000000000000ff");
  CHECK(run["results"][2]["suppressions"][0]["justification"] == "known");
}

TEST_CASE("SARIF: what is too much for a code host is left out from the bottom, and reported") {
  run_result run;
  run.diagnostics.assign(sarif_report::most_results + 2, found("PAD001", severity::warning, "w", {umlauts, {0, 1}}));
  run.diagnostics.push_back(found("MEM001", severity::error, "e", {umlauts, {0, 1}}));
  const auto json = nlohmann::json::parse(text_of<sarif_report>(run, rules));
  CHECK(json["runs"][0]["results"].size() == sarif_report::most_results);
  CHECK(json["runs"][0]["results"].back()["ruleId"] == "MEM001");
  CHECK(json["runs"][0]["invocations"][0]["toolExecutionNotifications"].size() == 1);
}

TEST_CASE("GitHub: the gravest first, in the program if known, nothing that ends a command early") {
  const std::string text = text_of<github_report>(three());
  CHECK(
      text ==
      "::error title=hlolint (MEM001 some-name),file=src/train.py,line=7::two%0Alines (dumps/m 1.txt:1)%0ADo it: now.\n"
      "::warning title=hlolint (PAD001 some-name),file=dumps/m 1.txt,line=2,col=8,endLine=2,endColumn=14::50%25 "
      "<lost>, a|b\n");
  run_result many;
  for (char letter = 'a'; letter < 'a' + 12; ++letter)
    many.diagnostics.push_back(found("PAD001", severity::warning, std::string(1, letter), {umlauts, {0, 1}}));
  CHECK(text_of<github_report>(many).find("::notice title=hlolint::2 more") != std::string::npos);
  many.diagnostics.assign(12, found("PAD001", severity::warning, "w", {umlauts, {0, 1}}));
  const std::string one = text_of<github_report>(many);
  CHECK(one.find("::w%0A12 times\n") != std::string::npos);
  CHECK(one.find("::warning", 1) == std::string::npos);
}

TEST_CASE("GitHub: what a terminal would act on is not passed on") {
  run_result run;
  diagnostic hostile = found("PAD001", severity::warning, "a\x1b[2Jb\r\n::error::c\td\xff", {umlauts, {0, 1}});
  hostile.source_file = "f\x07.py";
  run.diagnostics.push_back(hostile);
  CHECK(text_of<github_report>(run) ==
        "::warning title=hlolint (PAD001 some-name),file=f\xEF\xBF\xBD.py::a\xEF\xBF\xBD[2Jb%0D%0A::error::c d"
        "\xEF\xBF\xBD (dumps/m 1.txt:1)\n");
}

TEST_CASE("GitLab: an array of issues with fingerprints") {
  const auto json = nlohmann::json::parse(text_of<gitlab_report>(three()));
  REQUIRE(json.size() == 2);
  CHECK(json[0]["severity"] == "minor");
  CHECK(json[0]["location"]["positions"]["begin"]["column"] == 8);
  CHECK(json[1]["location"]["path"] == "src/train.py");
  CHECK(json[1]["location"]["lines"]["begin"] == 7);
  CHECK(json[1]["fingerprint"] == "00000000000000ff");
}

TEST_CASE("JUnit: a suite per file, failures for findings, skipped ones for dismissed findings") {
  run_result run = three();
  input_summary clean;
  clean.path = "clean.txt";
  run.inputs.push_back(clean);
  const std::string text = text_of<junit_report>(run);
  // Jenkins's schema knows no skipped ones here.
  CHECK(text.find("<testsuites name=\"hlolint\" tests=\"4\" failures=\"2\" errors=\"0\">") != std::string::npos);
  CHECK(text.find("<testsuite name=\"dumps/m 1.txt\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"1\">") !=
        std::string::npos);
  CHECK(text.find("message=\"50% &lt;lost&gt;, a|b\"") != std::string::npos);
  CHECK(text.find("name=\"no findings\"/>") != std::string::npos);
  CHECK(text.find("<skipped message=\"known\"/>") != std::string::npos);
}

TEST_CASE("Markdown: one table, text that cannot break it") {
  const std::string text = text_of<markdown_report>(three());
  CHECK(text.find("### hlolint: 1 error, 1 warning, 0 notes in 1 file\n") == 0);
  CHECK(text.find("50% \\<lost\\>, a\\|b |\n") != std::string::npos);
  CHECK(text.find("`src/train.py:7`<br>`m 1.txt:1`") != std::string::npos);
  CHECK(text.find("1 finding dismissed") != std::string::npos);
  run_result many;
  for (int i = 0; i < 60; ++i)
    many.diagnostics.push_back(
        found("PAD001", severity::warning, std::string(static_cast<std::size_t>(i + 1), 'w'), {umlauts, {0, 1}}));
  CHECK(text_of<markdown_report>(many).find("\n10 more are not shown.\n") != std::string::npos);
  many.diagnostics.assign(60, found("PAD001", severity::warning, "w", {umlauts, {0, 1}}));
  CHECK(text_of<markdown_report>(many).find("w<br>60 times |\n") != std::string::npos);
}

TEST_CASE("JSON lines: a whole object on each line") {
  std::istringstream lines(text_of<json_lines_report>(three()));
  std::vector<nlohmann::json> all_lines;
  for (std::string line; std::getline(lines, line);) all_lines.push_back(nlohmann::json::parse(line));
  REQUIRE(all_lines.size() == 3);
  CHECK(all_lines[0]["rule"] == "PAD001");
  CHECK(all_lines[2]["dismissed"]["reason"] == "known");
}
