#include <hlolint/analysis/program/call_graph.hpp>

#include <hlolint/parse_hlo.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* text = R"(HloModule m, is_scheduled=true

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

%fused (fp: f32[4]) -> f32[] {
  %fp = f32[4]{0} parameter(0)
  %zero = f32[] constant(0)
  ROOT %r = f32[] reduce(%fp, %zero), dimensions={0}, to_apply=%add
}

%inner (ip: f32[]) -> f32[] {
  %ip = f32[] parameter(0)
  ROOT %in = f32[] negate(%ip)
}

%wrapped (wp: f32[]) -> f32[] {
  %wp = f32[] parameter(0)
  ROOT %wc = f32[] call(%wp), to_apply=%inner
}

%body (bp: f32[]) -> f32[] {
  %bp = f32[] parameter(0)
  %st = ((f32[]), f32[]) async-start(%bp), calls=%wrapped
  ROOT %dn = f32[] async-done(%st)
}

%condition (cp: f32[]) -> pred[] {
  %cp = f32[] parameter(0)
  ROOT %lt = pred[] compare(%cp, %cp), direction=LT
}

%branch (brp: f32[]) -> f32[] {
  ROOT %brp = f32[] parameter(0)
}

%uncalled (np: f32[]) -> f32[] {
  ROOT %np = f32[] parameter(0)
}

ENTRY %main (p: f32[4], q: pred[]) -> f32[] {
  %p = f32[4]{0} parameter(0)
  %q = pred[] parameter(1)
  %f = f32[] fusion(%p), kind=kLoop, calls=%fused
  %w = f32[] while(%f), condition=%condition, body=%body
  ROOT %c = f32[] conditional(%q, %w, %w), true_computation=%branch, false_computation=%branch
}
)";

// Cut off before ENTRY.
const std::string cut_off_text = R"(HloModule m, is_scheduled=true, num_partitions=2,
    entry_computation_layout={(f32[8]{0}, s32[], f32[4]{0})->f32[8]{0}}

%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %sum = f32[] add(%x, %y)
}

%fused (fp: f32[8]) -> f32[8] {
  %fp = f32[8]{0} parameter(0)
  ROOT %fn = f32[8]{0} negate(%fp)
}

%all-reduce-scatter (rp: f32[8]) -> f32[8] {
  %rp = f32[8]{0} parameter(0)
  ROOT %rr = f32[8]{0} all-reduce(%rp), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add
}

%inner_body (ip: f32[8]) -> f32[8] {
  %ip = f32[8]{0} parameter(0)
  ROOT %in = f32[8]{0} exponential(%ip)
}

%inner_condition (icp: f32[8]) -> pred[] {
  %icp = f32[8]{0} parameter(0)
  ROOT %true = pred[] constant(true)
}

%plain_caller (pp: f32[8]) -> f32[8] {
  %pp = f32[8]{0} parameter(0)
  ROOT %pw = f32[8]{0} while(%pp), condition=%inner_condition, body=%inner_body
}

%wrapped (wp: f32[8]) -> f32[8] {
  ROOT %wp = f32[8]{0} parameter(0)
}

%outer_body (op: f32[8]) -> f32[8] {
  %op = f32[8]{0} parameter(0)
  %of = f32[8]{0} fusion(%op), kind=kLoop, calls=%fused
  %og = f32[8]{0} all-reduce(%of), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add
  %os = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(%og), calls=%wrapped
  ROOT %od = f32[8]{0} async-done(%os)
}

%async_collective_fusion.7 (ap: f32[8]) -> f32[8] {
  %ap = f32[8]{0} parameter(0)
  %af = f32[8]{0} fusion(%ap), kind=kLoop, calls=%fused
  ROOT %ag = f32[8]{0} all-reduce(%af), channel_id=3, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add
}

%unknown (up: f32[8]) -> f32[8] {
  ROOT %up = f32[8]{0} parameter(0)
}

)";

}  // namespace

TEST_CASE("call_graph distinguishes steps of the schedule from parts of instructions") {
  const hlo_module module = module_of(text);
  const call_graph graph(module);
  const auto execution_of = [&](const char* name) { return graph.execution_of(module.find_computation(name)); };
  CHECK(execution_of("main") == execution::sequential);
  CHECK(execution_of("body") == execution::sequential);
  CHECK(execution_of("condition") == execution::sequential);
  CHECK(execution_of("branch") == execution::sequential);
  CHECK(execution_of("fused") == execution::embedded);
  CHECK(execution_of("add") == execution::embedded);
  CHECK(execution_of("wrapped") == execution::async);
  CHECK(execution_of("inner") == execution::async);
  CHECK(execution_of("uncalled") == execution::unreached);
  std::vector<std::string> callers;
  for (const hlo_instruction i : graph.callers(module.find_computation("branch"))) callers.emplace_back(i.name());
  CHECK(callers == std::vector<std::string>{"c", "c"});
  CHECK(graph.callers(module.find_computation("main")).empty());
  const std::vector<bool> of_loop = graph.computations_run_by(module.entry().find("w"));
  REQUIRE(of_loop.size() == module.computation_count());
  CHECK(of_loop[module.find_computation("body").id()]);
  CHECK(of_loop[module.find_computation("condition").id()]);
  CHECK(!of_loop[module.find_computation("wrapped").id()]);
  CHECK(graph.computations_run_by(module.entry().find("f")).empty());
}

TEST_CASE("without ENTRY: loop bodies that are named, and what holds collectives beside fusions") {
  const parsed_file file = parse_hlo(source(cut_off_text));
  CHECK(file.status == parse_status::partial);
  REQUIRE(file.modules().size() == 1);
  const hlo_module& m = file.modules()[0];
  REQUIRE_FALSE(m.entry());
  const call_graph graph(m);
  const struct {
    const char* name;
    execution how;
  } table[] = {
      {"add", execution::embedded},
      {"fused", execution::embedded},
      {"all-reduce-scatter", execution::unreached},  // may be the body of a fusion of the entry
      {"inner_body", execution::sequential},
      {"inner_condition", execution::sequential},
      {"plain_caller", execution::unreached},  // the body of a loop, or of an async start
      {"wrapped", execution::async},
      {"outer_body", execution::sequential},
      {"async_collective_fusion.7", execution::unreached},  // by its name
      {"unknown", execution::unreached},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.name));
    CHECK(graph.execution_of(m.find_computation(row.name)) == row.how);
  }
}

TEST_CASE("with ENTRY the same text leaves nothing to guess") {
  const parsed_file file = parse_hlo(
      source(cut_off_text +
             "ENTRY %e (a: f32[8], b: s32[], c: f32[4]) -> f32[8] {\n  %a = f32[8]{0} parameter(0)\n"
             "  %b = s32[] parameter(1)\n  %c = f32[4]{0} parameter(2)\n  ROOT %n = f32[8]{0} negate(%a)\n}\n"));
  CHECK(file.status == parse_status::ok);
  const call_graph graph(file.modules().at(0));
  CHECK(graph.execution_of(file.modules()[0].find_computation("outer_body")) == execution::unreached);
  CHECK(graph.execution_of(file.modules()[0].find_computation("inner_body")) == execution::unreached);
}
