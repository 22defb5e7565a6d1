// The reports of a comparison, from values made by hand.
#include <hlolint/tool/report/compare/diff_json.hpp>
#include <hlolint/tool/report/compare/diff_text.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::compare;

namespace {

program_diff example() {
  program_diff out;
  out.compared = 2;
  module_change peak;
  peak.kind = change_kind::memory;
  peak.module = "jit_f";
  peak.file = "new/jit_f.txt";
  peak.text = "peak grew";
  peak.number = changed_number{"peak", 24_MiB, 40_MiB, number_unit::bytes};
  peak.with = {{"total", 0, 16_MiB, number_unit::bytes}};
  out.changes.push_back(peak);
  module_change synchronous;
  synchronous.kind = change_kind::synchronous;
  synchronous.module = "jit_f";
  synchronous.file = "new/jit_f.txt";
  synchronous.text = "all-gather of 16.00MiB, f32[8] became synchronous";
  synchronous.count = 3;
  synchronous.before = {"start.1", "start.2", "start.3"};
  synchronous.after = {"gather.1", "gather.2", "gather.3"};
  synchronous.rules = {"COL001", "COL002"};
  out.changes.push_back(synchronous);
  module_change gone;
  gone.kind = change_kind::module;
  gone.verdict = change_verdict::neither;
  gone.module = "jit_<g>";
  gone.text = "the module is gone";
  out.changes.push_back(gone);
  out.remarks.push_back("jit_f: only the new one has live ranges, so what needs it is not compared");
  return out;
}

template <class Write>
std::string written(Write&& write) {
  std::ostringstream out;
  write(out);
  return out.str();
}
std::string text_of(const program_diff& found) {
  return written([&](std::ostream& out) { write_diff(out, found); });
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("diff: what JAX compiles beside a program is one line") {
  program_diff found = example();
  found.changes.back().module = "jit_copy", found.changes.back().helper = true;
  found.programs = 1;
  const std::string text = text_of(found);
  CHECK(has(text, "and 1 module of one operation, as JAX compiles outside of jit: jit_copy"));
  CHECK(has(text, "1 otherwise changed in"));
  CHECK_FALSE(has(text, "module jit_copy"));
  CHECK(has(text, "2 worse, 1 otherwise changed in 2 modules\n"));
  found.programs = 0;  // nothing else
  CHECK(has(text_of(found), "module jit_copy"));
}

TEST_CASE("diff: text") {
  CHECK(text_of(example()) == R"(module jit_f (new/jit_f.txt)
  worse    peak grew: 24.00MiB -> 40.00MiB (+16.00MiB, +66.7 %)
             total: 0B -> 16.00MiB (+16.00MiB)
  worse    all-gather of 16.00MiB, f32[8] became synchronous, 3 times [COL001, COL002]
             gather.1 and 2 others, was start.1 and 2 others

module jit_<g>
  changed  the module is gone

jit_f: only the new one has live ranges, so what needs it is not compared
2 worse, 1 otherwise changed in 2 modules
)");
  program_diff nothing;
  nothing.compared = 1;
  CHECK(text_of(nothing) == "no difference in 1 module\n");

  program_diff wide = example();
  wide.changes.resize(1);
  wide.changes[0].text =
      "a text that is long enough to need a second line, because one line of a terminal has no more than a hundred "
      "columns";
  CHECK(has(text_of(wide), "  worse    a text that is long"));
  CHECK(has(text_of(wide), "\n           "));
  wide.changes[0].text = "an escape \x1b[31m";
  CHECK_FALSE(has(text_of(wide), "\x1b"));
}

TEST_CASE("diff: JSON") {
  const std::string text = written([](std::ostream& out) {
    json_writer json(out, 0);
    write_diff_json(json, example());
  });
  CHECK(
      text ==
      R"({"modules":2,"worse":2,"better":0,"changed":1,"changes":[)"
      R"({"kind":"memory","verdict":"worse","module":"jit_f","file":"new/jit_f.txt","text":"peak grew",)"
      R"("bytes":{"what":"peak","before":25165824,"after":41943040},"with":[{"what":"total","before":0,"after":16777216}]},)"
      R"({"kind":"synchronous","verdict":"worse","module":"jit_f","file":"new/jit_f.txt",)"
      R"("text":"all-gather of 16.00MiB, f32[8] became synchronous","count":3,"before":["start.1","start.2","start.3"],)"
      R"("after":["gather.1","gather.2","gather.3"],"rules":["COL001","COL002"]},)"
      R"({"kind":"module","verdict":"changed","module":"jit_<g>","text":"the module is gone"}],)"
      R"("remarks":["jit_f: only the new one has live ranges, so what needs it is not compared"]})");
}

TEST_CASE("diff: Markdown") {
  const auto markdown = [](const program_diff& found, const std::vector<diagnostic>& problems = {}) {
    return written([&](std::ostream& out) { write_diff_markdown(out, found, problems); });
  };
  const std::string text = markdown(example());
  CHECK(
      text.starts_with("### hlolint diff: 2 worse, 1 otherwise changed in 2 modules\n\n"
                       "| | module | what | old | new | change |\n|---|---|---|---:|---:|---:|\n"));
  CHECK(has(text,
            "| **worse** | `jit_f` | peak grew<br>total: 0B -\\> 16.00MiB (+16.00MiB) | 24.00MiB | 40.00MiB | "
            "+16.00MiB, +66.7 % |\n"));
  CHECK(has(
      text,
      "became synchronous, 3 times \\[COL001, COL002\\]<br>gather.1 and 2 others, was start.1 and 2 others | | | |\n"));
  CHECK(has(text, "| changed | `jit_<g>` | the module is gone | | | |\n"));
  CHECK(has(text, "\n- jit\\_f: only the new one has live ranges"));
  CHECK_FALSE(has(text, "not shown"));

  program_diff many;
  many.changes.resize(52);
  CHECK(has(markdown(many), "\n2 more are not shown.\n"));
  diagnostic problem;
  problem.message = "the file is empty";
  problem.where = {source(std::string_view{}, "a|b.txt", borrow), {}};
  CHECK(has(markdown({}, {problem}), "\n- `a\\|b.txt`: the file is empty\n"));
}

TEST_CASE("diff: how much a number changed") {
  CHECK(difference_text({"", 24_MiB, 40_MiB}) == "+16.00MiB, +66.7 %");
  CHECK(difference_text({"", 40_MiB, 24_MiB}) == "-16.00MiB, -40.0 %");
  CHECK(difference_text({"", 0, 5}) == "+5B");
  CHECK(difference_text({"", 5, 0}) == "-5B, -100 %");
  CHECK(difference_text({"", 1, 1_GiB + 1}) == "+1.00GiB");
}

TEST_CASE("equal changes of many arrays are one") {
  program_diff found;
  found.compared = 1;
  for (int k = 0; k < 5; ++k) {
    module_change& lost =
        add_change(found.changes, change_kind::donation, change_verdict::worse,
                   "parameter " + std::to_string(k) + " (f32[" + std::to_string(k + 1) +
                       ",4], params['w']) is no longer donated to output {" + std::to_string(k) + "}");
    lost.module = "jit_f", lost.file = "new/jit_f.txt", lost.bytes = 16_MiB;
    lost.after = {"p." + std::to_string(k)};
  }
  CHECK(text_of(found) ==
        "module jit_f (new/jit_f.txt)\n"
        "  worse    parameter 0 (f32[1,4], params['w']) is no longer donated to output {0}\n"
        "             p.0\n"
        "             and 4 more like it: p.1, p.2, p.3, ...; 80.00MiB together\n"
        "\n5 worse in 1 module\n");
}
