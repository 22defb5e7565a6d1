#include <hlolint/report/findings/cost_lists.hpp>
#include <hlolint/report/findings/finding_overview.hpp>

#include <hlolint/report/json.hpp>

#include "report/text_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using hlolint::testing::nearly;
using namespace hlolint::report;

namespace {

diagnostic found(std::string rule, std::string instruction, std::vector<finding_impact> impacts) {
  static const source dump(std::string("a\nb\n"), "m.txt");
  diagnostic d;
  d.rule = std::move(rule);
  d.name = "some-name";
  d.level = severity::warning;
  d.message = "message";
  d.where = {dump, {0, 1}};
  d.module = "jit_f";
  d.instruction = std::move(instruction);
  d.impacts = std::move(impacts);
  if (!d.impacts.empty()) d.impact = d.impacts.front();
  return d;
}
diagnostic slow(std::string rule, std::uint32_t instruction, double seconds) {
  diagnostic d = found(std::move(rule), "i" + std::to_string(instruction), {{seconds, impact_unit::seconds}});
  d.time_shares = {{instruction, seconds}};
  return d;
}
diagnostic big(std::string rule, std::int64_t offset, std::int64_t size) {
  diagnostic d =
      found(std::move(rule), "v" + std::to_string(offset), {{static_cast<double>(size), impact_unit::resident_bytes}});
  d.buffer = buffer_place{0, offset, size, {}, {}};
  return d;
}

std::string with_time(double seconds) {
  run_result run;
  run.diagnostics = {slow("PRF002", 1, seconds)};
  run.steps = {{"jit_f", "m.txt", "h100-sxm", "", 1, 0.99, 0.01, 0.5, 0}};
  std::ostringstream json;
  json_report(json, 0)(run);
  return report_text::text_of(run, {}) + json.str();
}

}  // namespace

TEST_CASE("two lists: what costs both stands in both") {
  const std::vector<diagnostic> list{
      found("A", "a", {{3e9, impact_unit::resident_bytes}}), found("B", "b", {{0.02, impact_unit::seconds}}),
      found("C", "c", {{1e9, impact_unit::resident_bytes}, {0.05, impact_unit::seconds}}), found("D", "d", {})};
  const auto groups = group_findings(list, true, finding_order::file);
  const auto rules = [&](cost_unit unit) {
    std::string out;
    for (const finding_group* g : ranked_by(unit, groups)) out += g->first().rule;
    return out;
  };
  CHECK(rules(cost_unit::time) == "CB");
  CHECK(rules(cost_unit::memory) == "AC");
}

TEST_CASE("an instruction's time counts once, however many rules name it") {
  std::vector<diagnostic> list{slow("A", 7, 0.03), slow("B", 7, 0.05), slow("C", 8, 0.01)};
  CHECK(sum_of_time(list, impact_unit::seconds) == nearly(0.06));
  list[2].module = "jit_g", list[1].module = "jit_g";  // another module's instruction 7
  CHECK(sum_of_time(list, impact_unit::seconds) == nearly(0.09));
  list[0].dismissed = dismissal{};
  CHECK(sum_of_time(list, impact_unit::seconds) == nearly(0.06));
  // Rules about the HLO and about the buffers name files of one module.
  std::vector<diagnostic> of_files{slow("A", 7, 0.03), slow("B", 7, 0.05)};
  of_files[0].where.in = source(std::string(), "d/module_0001.jit_f.sm_9.0_gpu_after_optimizations.txt");
  of_files[1].where.in =
      source(std::string(), "d/module_0001.jit_f.sm_9.0_gpu_after_optimizations-buffer-assignment.txt");
  CHECK(sum_of_time(of_files, impact_unit::seconds) == nearly(0.05));
  CHECK(sum_of_time(list, impact_unit::relative_time) == 0);
}

TEST_CASE("no more is hidden than there is work to hide it") {
  std::vector<diagnostic> list{slow("COL001", 7, 0.03), slow("COL001", 8, 0.05), slow("PRF004", 9, 0.01)};
  list[0].time_shares[0].by_overlap = list[1].time_shares[0].by_overlap = true;
  CHECK(sum_of_time(list, impact_unit::seconds) == nearly(0.09));
  CHECK(sum_of_time(list, impact_unit::seconds, false, {}, 0.02) == nearly(0.03));
  list.push_back(slow("COL016", 8, 0.04));  // sending less needs no work beside it
  CHECK(sum_of_time(list, impact_unit::seconds, false, {}, 0.02) == nearly(0.07));
  run_result run;
  run.diagnostics = list;
  run.steps = {{"jit_f", "m.txt", "tpu-v6e", "", 0.1, 0.02, 0.08, 0.25, 0}};
  CHECK(headroom_of(run, true).won == nearly(0.07));
}

TEST_CASE("a byte counts once, however many rules name it") {
  std::vector<diagnostic> list{big("A", 0, 100), big("B", 50, 100), big("C", 50, 20), big("D", 400, 1)};
  CHECK(sum_of_memory(list) == 151);
  list[3].buffer->allocation = 1, list[3].buffer->offset = 0;
  CHECK(sum_of_memory(list) == 151);
  list = {found("A", "x", {{10, impact_unit::resident_bytes}}), found("B", "x", {{30, impact_unit::resident_bytes}})};
  CHECK(sum_of_memory(list) == 30);
  // One rule knows the place of a value, another one only its instruction, a third one speaks of the whole module.
  list = {big("A", 0, 100), found("B", "copy", {{120, impact_unit::resident_bytes}}),
          found("C", "", {{90, impact_unit::resident_bytes}})};
  for (diagnostic& d : list) d.module = list[1].module, d.where = list[1].where;
  list[0].instruction = "copy";
  CHECK(sum_of_memory(list) == 120);
  list[2].impacts[0].amount = 500;
  CHECK(sum_of_memory(list) == 500);
}

TEST_CASE("a group leads with its costliest member") {
  std::vector<diagnostic> list{slow("A", 1, 0.001), slow("A", 2, 0.01), slow("A", 3, 0.002)};
  for (diagnostic& d : list) d.source_file = "train.py", d.source_line = 7;
  const auto groups = group_findings(list, true, finding_order::file);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].first().instruction == "i2");
  CHECK(groups[0].findings[1]->instruction == "i1");  // then as they came
  CHECK(groups[0].findings[2]->instruction == "i3");
}

TEST_CASE("twice the time is twice the time in text and JSON") {
  const std::string once = with_time(0.0345), twice = with_time(0.069);
  for (const char* part :
       {"could win ~34.5 ms of a step of ~1000 ms (3.5 %); 99 % is compute; model FLOP utilization 50 %",
        "\"amount\":0.0345,\"unit\":\"seconds\""}) {
    CAPTURE(part);
    CHECK(once.find(part) != std::string::npos);
  }
  for (const char* part :
       {"could win ~69.0 ms of a step of ~1000 ms (6.9 %)", "\"amount\":0.069,\"unit\":\"seconds\""}) {
    CAPTURE(part);
    CHECK(twice.find(part) != std::string::npos);
  }
}

TEST_CASE("the headroom says what it rests on") {
  run_result run;
  CHECK(headroom_lines(run).empty());
  run.diagnostics = {slow("A", 1, 0.003)};
  run.steps = {{"jit_f", "m.txt", "tpu-v6e", "a hint", 0.03, 0.03, 0, 0.25, 3}};
  REQUIRE(headroom_lines(run).size() == 1);
  CHECK(headroom_lines(run)[0] ==
        "time: the findings could win ~3.00 ms of a step of >= 30.0 ms, 3 calls unknown (10 %); 100 % is "
        "compute; "
        "model FLOP utilization 25 % on tpu-v6e (a guess from a hint; --device names it)");
  run.steps[0].device.clear();
  run.diagnostics[0].impacts = {{0.003, impact_unit::relative_time}};
  CHECK(headroom_lines(run)[0] ==
        "time: the findings could win 10 % of a step, if the device is like common ones (--device names "
        "one); "
        "3 calls unknown");
}

TEST_CASE("what findings could win counts those of a baseline, too, and launches are no work") {
  run_result run;
  run.diagnostics = {slow("A", 1, 0.003)};
  run.diagnostics[0].dismissed.emplace();
  run.steps = {{"jit_f", "m.txt", "h100-sxm", "", 0.03, 0.03, 0, 0.25}};
  CHECK(headroom_lines(run)[0].starts_with(
      "time: the findings could win ~3.00 ms of a step of ~30.0 ms (10 %); 100 % is compute; model"));
  run.steps[0].launches = 0.024, run.steps[0].kernels = 300;
  CHECK(headroom_lines(run)[0].find(
            "; 20 % is compute; 80 % is the launch of 300 kernels that run shorter than it takes") !=
        std::string::npos);
}

TEST_CASE("what findings could win of a measured step is a part of what was measured") {
  run_result run;
  run.diagnostics = {slow("A", 1, 0.001)};
  run.steps = {{"jit_f", "m.txt", "h100-sxm", "", 0.0025, 0.0014, 0, 0.14}};
  run.steps[0].measured = true, run.steps[0].idle = 0.001;
  CHECK(headroom_lines(run)[0] ==
        "time: the findings could win ~1.00 ms of a step of 2.50 ms, measured (40 %); 56 % is compute, 40 % idle; "
        "model FLOP "
        "utilization 14 % on h100-sxm");
  run.steps[0].device.clear();  // the times need none
  CHECK(headroom_lines(run)[0] ==
        "time: the findings could win ~1.00 ms of a step of 2.50 ms, measured (40 %); 56 % is compute, 40 % idle");
}

TEST_CASE("notes that are off by default count in the headroom, and in the last line by their largest effect") {
  CHECK(hidden_notes_text({}).empty());
  run_result run;
  run.diagnostics = {slow("A", 1, 0.003)};
  run.not_shown = {slow("COL001", 2, 0.006), slow("A", 1, 0.002)};  // one instruction counts once
  run.steps = {{"jit_f", "m.txt", "h100-sxm", "", 0.03, 0.03, 0, 0.25}};
  CHECK(headroom_lines(run)[0].starts_with("time: the findings could win ~9.00 ms of a step of ~30.0 ms (30 %)"));
  CHECK(hidden_notes_text(run.not_shown) ==
        "2 notes are not shown, the largest 6.00 ms of a step: COL001 (--select COL)");
  run.steps[0].utilization = 0;
  CHECK(headroom_lines(run)[0].ends_with("; 100 % is compute; no matrix products on h100-sxm"));
  run.diagnostics.clear();
  CHECK(headroom_lines(run)[0].starts_with("time: the notes that are not shown could win ~8.00 ms of a step"));
  diagnostic large;
  large.rule = "BUD011", large.impacts = {{1 << 30, impact_unit::resident_bytes}};
  CHECK(hidden_notes_text({large}) == "1 note is not shown, 1.00GiB of memory: BUD011 (--select BUD)");
  large.impact = {1 << 30, impact_unit::resident_bytes};
  large.promise = promised_bytes{1_GiB, certainty::bound};
  CHECK(hidden_notes_text({large}, 2) ==
        "1 note is not shown, up to 1.00GiB of memory: BUD011 (--select BUD); what another order of 2 large modules "
        "would "
        "save is not counted (hlolint advise)");
  CHECK(hidden_notes_text({}, 1) == "what another order of 1 large module would save is not counted (hlolint advise)");
  CHECK(hidden_notes_text({diagnostic{}, diagnostic{}}) == "2 notes are not shown (--select ALL)");
}
