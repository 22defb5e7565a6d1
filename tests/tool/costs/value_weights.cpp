#include <hlolint/tool/costs/value_weights.hpp>

#include <hlolint/analysis/analysis_cache.hpp>

#include "analysis/module_of.hpp"
#include "analysis/step_programs.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("value_weights: a weight in another form, what is made with it, and what is made of results alone") {
  const module_facts facts(module_of(training_text));
  const value_weights values(facts);
  const auto of = [&](const char* name, std::uint32_t part = 0) {
    return values.of(instruction_of(*facts.hlo(), name), part);
  };
  CHECK(of("up") == "params['up']");
  CHECK(of("whole_down") == "params['down']");
  CHECK(of("hidden") == "params['up']");      // a product with it
  CHECK(of("new_down") == "params['down']");  // its next value
  CHECK(of("wgrad") == "params['up']");
  CHECK(of("grads") == "params['up']");  // the stack that the loop has written
  CHECK(of("empty").empty());            // what the stack begins with
  CHECK(of("scores") == "(no weight)");
  CHECK(of("dy") == "(no weight)");
}

TEST_CASE("value_weights: what a scan saves of the values that it carries is no weight that they began with") {
  const module_facts facts(module_of(R"(HloModule scan, is_scheduled=true
%body (s: (s32[], f32[8,64], f32[4,8,64], f32[4,64,64])) -> (s32[], f32[8,64], f32[4,8,64], f32[4,64,64]) {
  %s = (s32[], f32[8,64], f32[4,8,64], f32[4,64,64]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %x = f32[8,64] get-tuple-element(%s), index=1
  %saved = f32[4,8,64] get-tuple-element(%s), index=2
  %layers = f32[4,64,64] get-tuple-element(%s), index=3
  %zero = s32[] constant(0)
  %row = f32[1,8,64] reshape(%x)
  %stack = f32[4,8,64] dynamic-update-slice(%saved, %row, %i, %zero, %zero)
  %part = f32[1,64,64] dynamic-slice(%layers, %i, %zero, %zero), dynamic_slice_sizes={1,64,64}
  %w = f32[64,64] reshape(%part)
  %y = f32[8,64] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  ROOT %t = (s32[], f32[8,64], f32[4,8,64], f32[4,64,64]) tuple(%next, %y, %stack, %layers)
}
%condition (c: (s32[], f32[8,64], f32[4,8,64], f32[4,64,64])) -> pred[] {
  %c = (s32[], f32[8,64], f32[4,8,64], f32[4,64,64]) parameter(0)
  %at = s32[] get-tuple-element(%c), index=0
  %limit = s32[] constant(4)
  ROOT %less = pred[] compare(%at, %limit), direction=LT
}
ENTRY %main (table: f32[100,64], stacked: f32[4,64,64], tokens: f32[8,100]) -> (f32[8,64], f32[4,8,64]) {
  %table = f32[100,64] parameter(0), metadata={op_name="params['table']"}
  %stacked = f32[4,64,64] parameter(1), metadata={op_name="params['layers']"}
  %tokens = f32[8,100] parameter(2), metadata={op_name="tokens"}
  %embedded = f32[8,64] dot(%tokens, %table), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %begin = s32[] constant(0)
  %fill = f32[] constant(0)
  %empty = f32[4,8,64] broadcast(%fill), dimensions={}
  %init = (s32[], f32[8,64], f32[4,8,64], f32[4,64,64]) tuple(%begin, %embedded, %empty, %stacked)
  %loop = (s32[], f32[8,64], f32[4,8,64], f32[4,64,64]) while(%init), condition=%condition, body=%body
  %out = f32[8,64] get-tuple-element(%loop), index=1
  %residuals = f32[4,8,64] get-tuple-element(%loop), index=2
  ROOT %both = (f32[8,64], f32[4,8,64]) tuple(%out, %residuals)
}
)"));
  const value_weights values(facts);
  const auto of = [&](const char* name) { return values.of(instruction_of(*facts.hlo(), name), 0); };
  CHECK(of("embedded") == "params['table']");
  CHECK(of("y") == "params['layers']");
  CHECK(of("residuals") == "(no weight)");
  CHECK(of("stack") == "(no weight)");
}
