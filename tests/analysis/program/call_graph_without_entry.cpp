// A module whose text is cut off before ENTRY: which computations still count as running step by step.
#include <hlolint/analysis/program/call_graph.hpp>

#include <hlolint/parse_hlo.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

namespace {

const std::string text = R"(HloModule m, is_scheduled=true, entry_computation_layout={(f32[8]{0}, s32[], f32[4]{0})->f32[8]{0}}, num_partitions=2

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

%unknown (up: f32[8]) -> f32[8] {
  ROOT %up = f32[8]{0} parameter(0)
}

)";

}  // namespace

TEST_CASE("without ENTRY: loop bodies that are named, and what holds collectives beside fusions") {
  const parsed_file file = parse_hlo(source(text));
  CHECK(file.status == parse_status::partial);
  REQUIRE(file.modules().size() == 1);
  const hlo_module& m = file.modules()[0];
  REQUIRE_FALSE(m.entry());
  const call_graph graph(m);
  const struct { const char* name; execution how; } table[] = {
      {"add", execution::embedded},
      {"fused", execution::embedded},
      {"all-reduce-scatter", execution::unreached},  // may be the body of a fusion of the entry
      {"inner_body", execution::sequential},
      {"inner_condition", execution::sequential},
      {"plain_caller", execution::unreached},        // the body of a loop, or of an async start
      {"wrapped", execution::async},
      {"outer_body", execution::sequential},
      {"unknown", execution::unreached},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.name));
    CHECK(graph.execution_of(m.find_computation(row.name)) == row.how);
  }
}

TEST_CASE("with ENTRY the same text leaves nothing to guess") {
  const parsed_file file = parse_hlo(source(text + "ENTRY %e (a: f32[8], b: s32[], c: f32[4]) -> f32[8] {\n  %a = f32[8]{0} parameter(0)\n"
                                                   "  %b = s32[] parameter(1)\n  %c = f32[4]{0} parameter(2)\n  ROOT %n = f32[8]{0} negate(%a)\n}\n"));
  CHECK(file.status == parse_status::ok);
  const call_graph graph(file.modules().at(0));
  CHECK(graph.execution_of(file.modules()[0].find_computation("outer_body")) == execution::unreached);
  CHECK(graph.execution_of(file.modules()[0].find_computation("inner_body")) == execution::unreached);
}
