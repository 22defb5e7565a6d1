#include <hlolint/lint/rule.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/report/text.hpp>

#include "report/text_of.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;
using report_text::text_of;

namespace {

const source& dump() {
  static const source text(std::string("first line\n"
                                       " value: <7 fusion.1{0} @0> (size=8,offset=0): f32[2]\n"
                                       " value: <9 add.2 @0> (size=8,offset=4): f32[2]\n"),
                           "dumps/m-buffer-assignment.txt");
  return text;
}

location at(std::string_view part) {
  const std::size_t begin = dump().text().find(part);
  return {dump(), {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + part.size())}};
}

diagnostic clash() {
  diagnostic found;
  found.rule = "MEM001";
  found.name = "overlapping-live-buffers";
  found.message = "add.2 overlaps fusion.1{0}";
  found.where = at("<9 add.2 @0>");
  found.related.push_back({at("<7 fusion.1{0} @0>"), "fusion.1", {}, "the other value lives here"});
  found.source_file = "train.py";
  found.source_line = 12;
  found.op_name = "jit(step)/add";
  found.advice = "report it to XLA";
  return found;
}

}  // namespace

TEST_CASE("text_report shows a finding, its other places, the program's line and advice") {
  CHECK(text_of(clash()) ==
        R"(dumps/m-buffer-assignment.txt:3:9: error: add.2 overlaps fusion.1{0} [MEM001 overlapping-live-buffers]
    3 |  value: <9 add.2 @0> (size=8,offset=4): f32[2]
      |         ^~~~~~~~~~~~
  dumps/m-buffer-assignment.txt:2:9: the other value lives here
    2 |  value: <7 fusion.1{0} @0> (size=8,offset=0): f32[2]
      |         ^~~~~~~~~~~~~~~~~~
  program: train.py:12, jit(step)/add
  advice: report it to XLA
)");
}

TEST_CASE("text_report gives the same advice only once") {
  std::ostringstream out;
  text_report report(out);
  report(clash());
  const std::size_t size = out.str().size();
  report(clash());
  CHECK(out.str().substr(size) + "  advice: report it to XLA\n" == out.str().substr(0, size));
}

TEST_CASE("text_report without a text to show, without a name, without a source line") {
  diagnostic found;
  found.rule = "SYN000";
  found.message = "cannot read\x1b[2J";
  found.where = {source(std::string_view{}, "gone.txt", borrow), {}};
  found.source_file = "train.py";
  CHECK(text_of(found) == "gone.txt:1:1: error: cannot read\xEF\xBF\xBD[2J [SYN000]\n  program: train.py\n");
}

TEST_CASE("text_report in colors writes the same words") {
  std::string colored = text_of(clash(), {.colors = true});
  CHECK(colored.find("\x1b[1;31merror\x1b[0m: \x1b[1madd.2") != std::string::npos);
  CHECK(colored.find("      |         \x1b[1;31m^~~~~~~~~~~~\x1b[0m\n") != std::string::npos);
  for (std::size_t begin = colored.find('\x1b'); begin != std::string::npos; begin = colored.find('\x1b'))
    colored.erase(begin, colored.find('m', begin) + 1 - begin);
  CHECK(colored == text_of(clash()));
}

TEST_CASE("text_report ends a run with what was not checked and the numbers") {
  run_result run;
  CHECK(text_of(run) == "no findings in 0 files\n");

  run.inputs.resize(2);
  run.inputs[0].status = parse_status::ok;
  run.ignored_files = 3;
  run.skipped = {{"MEM001", "a", "no live ranges"}, {"COL001", "a", "no HLO text"},
                 {"MEM003", "a", "no live ranges"}, {"MEM001", "b", "no live ranges"},
                 {"MEM003", "b", "no live ranges"}, {"COL001", "", "no HLO text"}};
  CHECK(text_of(run) ==
        "not checked: COL001 in 2 modules (no HLO text); MEM001, MEM003 in 2 modules (no live ranges)\n"
        "no findings in 2 files, 1 of them not read in full (3 other files left out)\n");

  // Reasons that differ in numbers are one.
  run_result cut = run;
  cut.skipped = {{"COL001", "a", "checked in part: ENTRY is missing, 1 of 2 computations are known", true},
                 {"COL001", "b", "checked in part: ENTRY is missing, 0 of 14 computations are known", true}};
  CHECK(text_of(cut).starts_with("not checked: COL001 in 2 modules (checked in part: ENTRY is missing)\n"));

  // other modules of these names
  for (const skipped_check& check : std::vector(run.skipped)) run.skipped.push_back(check);
  CHECK(text_of(run).starts_with(
      "not checked: COL001 in 2 modules (no HLO text); MEM001, MEM003 in 2 modules (no live ranges)\n"));

  run.skipped.clear();
  run.inputs[1].status = parse_status::ok;
  run.ignored_files = 0;
  diagnostic note;
  note.level = severity::note;
  note.where = at("first");
  note.message = "m";
  run.diagnostics = {clash(), note, note};
  const std::string text = text_of(run);
  CHECK(text.ends_with("\n\n1 error, 2 notes in 2 files\n"));
}

TEST_CASE("text_report lists what was read") {
  run_result run;
  input_summary hlo;
  hlo.path = "m.txt";
  hlo.kind = input_kind::hlo;
  hlo.status = parse_status::partial;
  hlo.module = "jit_f";
  hlo.modules = 2;
  hlo.computations = 1;
  hlo.instructions = 12;
  input_summary buffers;
  buffers.path = "m-buffer-assignment.txt";
  buffers.kind = input_kind::buffer_assignment;
  buffers.status = parse_status::ok;
  buffers.allocations = 3;
  buffers.values = 0;
  run.inputs = {hlo, buffers};
  std::ostringstream out;
  text_report(out).inputs(run);
  CHECK(out.str() ==
        "m.txt: hlo, partial, module jit_f and 1 other, 1 computation, 12 instructions\n"
        "m-buffer-assignment.txt: buffer-assignment, ok, 3 allocations, 0 values\n");
}
