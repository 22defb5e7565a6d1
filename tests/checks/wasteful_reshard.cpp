#include <hlolint/checks/collectives/wasteful_reshard.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `%p` has 32 MiB; `%mine` is an offset from the partition's number, `%same` one that is equal everywhere.
findings lint_entry(const std::string& body, const wasteful_reshard& check = {},
                    const std::string& header = ", is_scheduled=true") {
  return lint(check,
              module_of("HloModule m" + header +
                        ", num_partitions=4\n\n%add (a: f32[], b: f32[]) -> f32[] {\n"
                        "  %a = f32[] parameter(0)\n"
                        "  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
                        "%sliced (sp: f32[4096,2048], sq: s32[]) -> f32[1024,2048] {\n"
                        "  %sp = f32[4096,2048]{1,0} parameter(0)\n"
                        "  %sq = s32[] parameter(1)\n  %sz = s32[] constant(0)\n"
                        "  %ss = f32[1024,2048]{1,0} dynamic-slice(%sp, %sq, %sz), dynamic_slice_sizes={1024,2048}\n"
                        "  ROOT %sn = f32[1024,2048]{1,0} negate(%ss)\n}\n\n"
                        "ENTRY %main {\n  %p = f32[4096,2048]{1,0} parameter(0)\n  %same = s32[] parameter(1)\n"
                        "  %z = s32[] constant(0)\n"
                        "  %id = u32[] partition-id()\n  %mine = s32[] convert(%id)\n" +
                        body + "}\n"));
}
const std::string reduce =
    "  %r = f32[4096,2048]{1,0} all-reduce(%p), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, "
    "to_apply=%add, metadata={op_name=\"grad\" source_file=\"t.py\" source_line=5}\n";
const std::string slice = " = f32[1024,2048]{1,0} dynamic-slice(%r, %mine, %z), dynamic_slice_sizes={1024,2048}\n";

}  // namespace

TEST_CASE("COL016 catches") {
  SUBCASE("an all-reduce of which a slice is kept") {
    const findings found = lint_entry(reduce + "  ROOT %s" + slice);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "r");
    CHECK(found[0].bytes == 24_MiB);
    CHECK(found[0].message ==
          "all-reduce of 32.00MiB, of which each device keeps 8.00MiB by its own number: a reduce-scatter would do "
          "(position 5 of 7 in main)");
    CHECK(found[0].source_line == 5);
    CHECK(found[0].related[0].instruction == "s");
  }
  SUBCASE("in a fusion, after an asynchronous all-gather") {
    const findings found = lint_entry(
        "  %q = f32[1024,2048]{1,0} parameter(2)\n"
        "  %g = (f32[1024,2048]{1,0}, f32[4096,2048]{1,0}) all-gather-start(%q), channel_id=1, "
        "replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true\n"
        "  %r = f32[4096,2048]{1,0} all-gather-done(%g)\n"
        "  ROOT %s = f32[1024,2048]{1,0} fusion(%r, %mine), kind=kLoop, calls=%sliced\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "g");
    CHECK(found[0].related[1].instruction == "ss");
  }
}

TEST_CASE("COL016 catches not") {
  CHECK(lint_entry(reduce + "  ROOT %s" + slice, wasteful_reshard{.min_waste = 25_MiB}).empty());
  CHECK(lint_entry(reduce + "  ROOT %s" + slice, {}, "").skipped.size() == 1);
  // the whole is used too
  CHECK(lint_entry(reduce + "  %s" + slice + "  ROOT %n = f32[4096,2048]{1,0} negate(%r)\n").empty());
  CHECK(lint_entry(reduce + "  %s" + slice + "  ROOT %t = (f32[4096,2048]{1,0}) tuple(%r)\n").empty());
  // every device takes the same slice
  CHECK(lint_entry(reduce +
                   "  ROOT %s = f32[1024,2048]{1,0} dynamic-slice(%r, %same, %z), dynamic_slice_sizes={1024,2048}\n")
            .empty());
  CHECK(lint_entry(reduce + "  ROOT %s = f32[1024,2048]{1,0} fusion(%r, %same), kind=kLoop, calls=%sliced\n").empty());
}
