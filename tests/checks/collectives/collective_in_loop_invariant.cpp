#include <hlolint/checks/collectives/collective_in_loop_invariant.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A loop that carries `%w` (1 MiB) and gathers `operand`; `next` is what it carries on.
findings lint_loop(const std::string& operand, const std::string& next, const std::string& count = "8",
                   const std::string& groups = "{{0,1}}") {
  const std::string gather = operand.empty() ? std::string{}
                                             : "  %g = f32[524288]{0} all-gather(%" + operand +
                                                   "), replica_groups=" + groups + ", dimensions={0}\n";
  return lint(collective_in_loop_invariant{},
              module_of("HloModule m, is_scheduled=true, replica_count=2\n\n"
                        "%body (bp: (f32[262144])) -> (f32[262144]) {\n"
                        "  %bp = (f32[262144]{0}) parameter(0)\n  %w = f32[262144]{0} get-tuple-element(%bp), index=0\n"
                        "  %n = f32[262144]{0} negate(%w)\n" +
                        gather + "  ROOT %t = (f32[262144]{0}) tuple(%" + next +
                        ")\n}\n\n"
                        "%condition (cp: (f32[262144])) -> pred[] {\n  %cp = (f32[262144]{0}) parameter(0)\n"
                        "  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n  %p = (f32[262144]{0}) parameter(0)\n"
                        "  ROOT %l = (f32[262144]{0}) while(%p), condition=%condition, body=%body, "
                        "backend_config={\"known_trip_count\":{\"n\":\"" +
                        count + "\"}}\n}\n"));
}

}  // namespace

TEST_CASE("COL013 catches") {
  const findings found = lint_loop("n", "w");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "g");
  CHECK(found[0].bytes == 2_MiB);  // of one run
  CHECK(found[0].message ==
        "all-gather of 2.00MiB x 8 iterations transfers the same data in every iteration (position 3 of 5 in body)");
  CHECK(found[0].related[0].instruction == "l");
}

TEST_CASE("COL013: an array that is sharded along the dimension that the loop walks over") {
  const std::string walks = "The array is sharded along the dimension that it is collected along";
  CHECK(lint_loop("n", "w", "524288")[0].advice.starts_with(walks));
  CHECK_FALSE(lint_loop("n", "w")[0].advice.starts_with(walks));
}

TEST_CASE("COL013 does not catch") {
  CHECK(lint_loop("w", "n").empty());                    // carried on changed
  CHECK(lint_loop("n", "w", "1").empty());               // one iteration
  CHECK(lint_loop("n", "w", "8", "{{0},{1}}").empty());  // transfers nothing
  CHECK(lint_loop("", "w").empty());
}

namespace {

/// A loop of `count` iterations that gathers a row of `%w`, which has `rows` of 1 MiB and is carried on as `next`; the
/// index is computed from the number of the iteration.
findings lint_rows(const std::string& rows, const std::string& count, const std::string& next = "w") {
  const std::string whole = "f32[" + rows + ",262144]", tuple = "(s32[], " + whole + ")";
  return lint(
      collective_in_loop_invariant{},
      module_of("HloModule m, is_scheduled=true, replica_count=2\n\n"
                "%row (rp: " +
                whole + ", ri: s32[]) -> f32[1,262144] {\n  %rp = " + whole +
                " parameter(0)\n  %ri = s32[] parameter(1)\n  %two = s32[] constant(2)\n"
                "  %rd = s32[] divide(%ri, %two)\n  %z = s32[] constant(0)\n"
                "  ROOT %rs = f32[1,262144] dynamic-slice(%rp, %rd, %z), dynamic_slice_sizes={1,262144}\n}\n\n"
                "%body (bp: " +
                tuple + ") -> " + tuple + " {\n  %bp = " + tuple +
                " parameter(0)\n  %n = s32[] get-tuple-element(%bp), index=0\n  %w = " + whole +
                " get-tuple-element(%bp), index=1\n  %changed = " + whole +
                " negate(%w)\n"
                "  %one = s32[] constant(1)\n  %more = s32[] add(%n, %one)\n"
                "  %r = f32[1,262144] fusion(%w, %n), kind=kLoop, calls=%row\n"
                "  %g = f32[2,262144] all-gather(%r), replica_groups={{0,1}}, dimensions={0}\n"
                "  ROOT %t = " +
                tuple + " tuple(%more, %" + next +
                ")\n}\n\n"
                "%condition (cp: " +
                tuple + ") -> pred[] {\n  %cp = " + tuple +
                " parameter(0)\n"
                "  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n  %p = " +
                tuple + " parameter(0)\n  ROOT %l = " + tuple + " while(%p), condition=%condition, body=%body" +
                (count.empty() ? "" : ", backend_config={\"known_trip_count\":{\"n\":\"" + count + "\"}}") + "\n}\n"));
}

}  // namespace

TEST_CASE("COL013 catches slices that must come again") {
  const findings found = lint_rows("2", "9");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "g");
  CHECK(found[0].bytes == 2_MiB * 7 / 9);  // of one run, on average
  CHECK(found[0].message ==
        "all-gather of 2.00MiB x 9 iterations, but of at most 2 different slices: at least 7 of 9 iterations repeat an "
        "earlier transfer (position 7 of 9 in body)");
}

TEST_CASE("COL013 catches no slices that may all differ") {
  CHECK(lint_rows("9", "9").empty());
  CHECK(lint_rows("8", "9").empty());             // one again is not worth the memory
  CHECK(lint_rows("2", "").empty());              // how often it runs is not known
  CHECK(lint_rows("2", "9", "changed").empty());  // the array differs
}
