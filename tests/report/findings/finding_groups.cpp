#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/report/text.hpp>
#include <hlolint/report/wrapped_text.hpp>

#include "report/text_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;

namespace {

const source& dump() {
  static const source text(std::string("a\nb\nc\nd\n"), "m.txt");
  return text;
}

diagnostic found(std::string rule, severity level, double bytes, std::uint32_t offset = 0) {
  diagnostic d;
  d.rule = std::move(rule);
  d.name = "some-name";
  d.level = level;
  d.message = "message";
  d.where = {dump(), {offset, offset + 1}};
  d.source_file = "train.py";
  d.source_line = 7;
  d.shape = "f32[8]{0}";
  if (bytes > 0) d.impact = finding_impact{bytes, impact_unit::resident_bytes};
  return d;
}

// 48 layers, each with names and a place of its own.
std::vector<diagnostic> layers() {
  std::vector<diagnostic> out;
  for (int i = 0; i < 48; ++i) {
    out.push_back(found("PAD001", severity::warning, 1 << 20, 2));
    out.back().instruction = "fusion." + std::to_string(i);
    out.back().module = "jit_layer." + std::to_string(i);
    out.back().op_name = "jit(f)/layer_" + std::to_string(i);
    out.back().message = "fusion." + std::to_string(i) + " is padded";
  }
  return out;
}

std::string text_of(std::vector<diagnostic> list, const text_options& options = {}) {
  run_result run;
  run.diagnostics = std::move(list);
  return report_text::text_of(run, options);
}

}  // namespace

TEST_CASE("48 equal layers are one finding with a count and the sum") {
  const std::vector<diagnostic> list = layers();
  const auto groups = group_findings(list, true, finding_order::impact);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].findings.size() == 48);
  CHECK(sum_text(groups[0]) == "48 times, 48.00MiB of memory together");
  CHECK(group_findings(list, false, finding_order::impact).size() == 48);
  const std::string text = text_of(list);
  CHECK(text.find(
            "m.txt:2:1: warning: fusion.0 is padded (48 times, 48.00MiB of memory together) [PAD001 some-name]\n") ==
        0);
  CHECK(text.find("  also at: :2 fusion.1, :2 fusion.2,") != std::string::npos);
  CHECK(text.find(" and 39 others (--no-group)\n") != std::string::npos);
  CHECK(text.find("48 warnings in 0 files\n") != std::string::npos);
  text_options each;
  each.together = false;
  CHECK(text_of(list, each).find("fusion.47 is padded [PAD001") != std::string::npos);
}

TEST_CASE("what differs in rule, line, shape or level is not put together; errors only if they read the same") {
  diagnostic other_line = found("PAD001", severity::warning, 1), other_shape = other_line, other_level = other_line;
  other_line.source_line = 8;
  other_shape.shape = "f32[9]{0}";
  other_level.level = severity::note;
  std::vector<diagnostic> list{found("PAD001", severity::warning, 1), other_line, other_shape, other_level,
                               found("PAD002", severity::warning, 1)};
  CHECK(group_findings(list, true, finding_order::impact).size() == 5);
  diagnostic a = found("COL017", severity::error, 0), b = a;
  a.message = "contract 'a': 3 collectives", b.message = "contract 'b': 3 collectives";
  list = {a, b, b};
  CHECK(group_findings(list, true, finding_order::impact).size() == 2);
  diagnostic unread = found("SYN001", severity::error, 0);
  list = {unread, unread};
  CHECK(group_findings(list, true, finding_order::impact).size() == 2);
  a.dismissed = dismissal{};
  list = {a};
  CHECK(group_findings(list, true, finding_order::impact).empty());
}

TEST_CASE("level first, then impact, seconds among bytes; or as in the files") {
  diagnostic slow = found("COL001", severity::warning, 0);
  slow.impact = finding_impact{0.001, impact_unit::seconds};  // as 1 GB
  const std::vector<diagnostic> list{found("A", severity::note, 1e12), found("B", severity::warning, 1e8), slow,
                                     found("C", severity::warning, 1e10), found("D", severity::error, 0)};
  std::string order;
  for (const finding_group& g : group_findings(list, true, finding_order::impact)) order += g.first().rule + " ";
  CHECK(order == "D C COL001 B A ");
  order.clear();
  for (const finding_group& g : group_findings(list, true, finding_order::file)) order += g.first().rule + " ";
  CHECK(order == "A B COL001 C D ");
}

TEST_CASE("a long list ends with the five that matter most and their sum; --top cuts it") {
  std::vector<diagnostic> list;
  for (int i = 0; i < 6; ++i) {
    list.push_back(found("PAD00" + std::to_string(i), severity::warning, (i + 1) << 20));
    list.back().instruction = "copy." + std::to_string(i);
  }
  const std::string text = text_of(list);
  CHECK(text.find("what costs most memory:\n  1. warning PAD005 some-name, 6.00MiB of memory: train.py:7\n") !=
        std::string::npos);
  CHECK(text.find("  5. warning PAD001 some-name, 2.00MiB of memory: train.py:7\n"
                  "  all findings: 21.00MiB of memory, each byte counted once\n\n6 warnings in 0 files\n") !=
        std::string::npos);
  text_options two;
  two.top = 2;
  const std::string cut = text_of(list, two);
  CHECK(cut.find("[PAD004 some-name]") != std::string::npos);
  CHECK(cut.find("[PAD003 some-name]") == std::string::npos);
  CHECK(cut.find("and 4 more findings (--top)\n") != std::string::npos);
  list.pop_back();
  CHECK(text_of(list).find("what costs most") == std::string::npos);
}

TEST_CASE("entries that read the same are told apart by instruction and line of the dump") {
  std::vector<diagnostic> list;
  for (int i = 0; i < 6; ++i) {
    list.push_back(found("PAD001", severity::warning, (i + 1) << 20, 2));
    list.back().instruction = std::string("copy_") + static_cast<char>('a' + i);
    list.back().shape = "f32[" + std::to_string(i) + "]";  // no group
  }
  list.back().source_line = 8;
  const std::string text = text_of(list);
  CHECK(text.find("  1. warning PAD001 some-name, 6.00MiB of memory: train.py:8\n") != std::string::npos);
  CHECK(text.find("  2. warning PAD001 some-name, 5.00MiB of memory: train.py:7, copy_e at m.txt:2\n") !=
        std::string::npos);
}

TEST_CASE("an argument without a sharding is one cause in all modules that read it, and its bytes count once") {
  std::vector<diagnostic> list;
  for (int i = 0; i < 3; ++i) {
    list.push_back(found("PRF014", severity::warning, 8 << 20));
    list.back().module = "jit_f" + std::to_string(i);
    list.back().source_line = i, list.back().op_name = "x" + std::to_string(i);
  }
  std::vector<finding_group> groups = group_findings(list, true, finding_order::impact);
  REQUIRE(groups.size() == 1);
  CHECK(sum_text(groups[0]) == "3 times in 3 modules, 8.00MiB of memory in each");
  list.back().shape = "f32[9]{0}";
  CHECK(group_findings(list, true, finding_order::impact).size() == 2);
  for (diagnostic& d : list) d.rule = "PRF001";
  CHECK(group_findings(list, true, finding_order::impact).size() == 3);
}

TEST_CASE("statistics: rules, counts, impact") {
  std::vector<diagnostic> list = layers();
  list.push_back(found("COL001", severity::error, 0));
  list.push_back(found("COL001", severity::error, 0));
  list.back().dismissed = dismissal{};
  text_options numbers;
  numbers.statistics = true;
  CHECK(text_of(list, numbers) ==
        "rule    name       errors  warnings  notes  dismissed  impact\n"
        "PAD001  some-name       0        48      0          0  48.00MiB of memory\n"
        "COL001  some-name       1         0      0          1  -\n\n"
        "1 error, 48 warnings, 1 dismissed in 0 files\n");
}

TEST_CASE("on a terminal messages fit its width, and long names lose their middle") {
  diagnostic d = found("PAD001", severity::warning, 0);
  d.message = "a message of several words about " + std::string(90, 'x') + "_the_end that goes on and on";
  d.advice = "advice that is so long that it does not fit into one line of a terminal of sixty columns";
  text_options narrow;
  narrow.wrap = 60;
  const std::string text = text_of({d}, narrow);
  CHECK(text.find("...") != std::string::npos);
  CHECK(text.find("_the_end that") != std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(columns_of(line) <= 60);
  CHECK(text_of({d}).find(std::string(90, 'x')) != std::string::npos);  // pipes get all of it
}

TEST_CASE("shortened keeps beginning and end and never cuts a code point") {
  CHECK(shortened("short", 20) == "short");
  CHECK(shortened("abcdefghijklmnopqrstuvwxyz", 11) == "abcd...wxyz");
  std::string wide;
  for (int i = 0; i < 30; ++i) wide += "\xC3\xA4";
  CHECK(columns_of(shortened(wide, 11)) == 11);
}

TEST_CASE("functions compiled many times are one line at the end") {
  run_result run;
  for (int i = 0; i < 9; ++i) {
    input_summary input;
    input.path = "d/module_000" + std::to_string(i) + ".jit_add.cpu_after_optimizations.txt";
    input.kind = input_kind::hlo;
    input.status = parse_status::ok;
    input.module = i < 6 ? "jit_add." + std::to_string(i) : "jit_step";
    input.modules = 1;
    run.inputs.push_back(input);
  }
  std::ostringstream out;
  text_report report(out);
  report(run);
  CHECK(out.str() ==
        "9 modules of 2 functions: jit_add 6 times (--select DMP011 shows what differs)\n"
        "no findings in 9 files\n");
}

TEST_CASE("time of two modules is of their steps, also where they have one name") {
  const auto slow = [](const char* path, const char* module) {
    diagnostic d = found("PRF002", severity::warning, 0);
    d.where = {source(std::string("a\n"), path), {0, 1}};
    d.module = module;
    d.impacts = {{0.001, impact_unit::seconds}};
    return d;
  };
  const auto sum = [&](const char* path, const char* module) {
    const std::vector<diagnostic> list{slow("a/m.txt", "jit_f"), slow(path, module)};
    return sum_text(group_findings(list, true, finding_order::impact).front());
  };
  CHECK(sum("a/m.txt", "jit_f") == "2 times, 2.00 ms of a step together");
  CHECK(sum("a/m.txt", "jit_g") == "2 times, 2.00 ms of the steps of 2 modules together");
  CHECK(sum("b/m.txt", "jit_f") == "2 times, 2.00 ms of the steps of 2 modules together");
}
