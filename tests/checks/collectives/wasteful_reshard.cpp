#include <hlolint/checks/collectives/sync_collective.hpp>
#include <hlolint/checks/collectives/wasteful_reshard.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `%p` has 32 MiB; `%mine` is an offset from the partition's number, `%same` one that is equal everywhere.
template <class Check = wasteful_reshard>
findings lint_entry(const std::string& body, const Check& check = {},
                    const std::string& header = ", is_scheduled=true") {
  const auto list = as_catalogue(check);
  return lint(list,
              context({.hlo = module_of(
                           "HloModule m" + header +
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
                           body + "}\n"),
                       .target = target::gpu}),
              all_settings(list));
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
  SUBCASE("an all-gather before a TopK of which each device keeps its own rows") {
    const findings found = lint_entry(
        "  %g = f32[16384,2048]{1,0} all-gather(%p), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, "
        "use_global_device_ids=true\n"
        "  %t = (f32[16384,8]{1,0}, s32[16384,8]{1,0}) custom-call(%g), custom_call_target=\"TopK\"\n"
        "  %v = f32[16384,8]{1,0} get-tuple-element(%t), index=0\n"
        "  ROOT %s = f32[4096,8]{1,0} dynamic-slice(%v, %mine, %z), dynamic_slice_sizes={4096,8}\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].message ==
          "all-gather of 128.00MiB, of which each device keeps 32.00MiB by its own number after what works on each row "
          "alone (position 5 of 9 in main)");
    CHECK(found[0].related.back().instruction == "t");
    CHECK(found[0].advice.find("shard_map") != std::string::npos);
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

TEST_CASE("COL016 catches an all-gather of an array in which few rows are looked up") {
  const auto looked_up = [](const std::string& rows, const std::string& more = {}) {
    return lint_entry("  %q = f32[1024,2048]{1,0} parameter(2)\n  %at = s32[" + rows +
                      ",1]{1,0} parameter(3)\n"
                      "  %r = f32[4096,2048]{1,0} all-gather(%q), channel_id=1, replica_groups={{0,1,2,3}}, "
                      "dimensions={0}, use_global_device_ids=true\n" +
                      more + "  ROOT %l = f32[" + rows +
                      ",2048]{1,0} gather(%r, %at), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
                      "index_vector_dim=1, slice_sizes={1,2048}\n");
  };
  const findings found = looked_up("64");
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "all-gather of 32.00MiB, of which each device only looks rows up: that in each device's own part would move "
        "2.00MiB (position 7 of 9 in main)");
  CHECK(found[0].bytes == 30_MiB);
  CHECK(found[0].related[0].instruction == "l");
  CHECK(found[0].advice.find("sharded for the lookup") != std::string::npos);
  // The rows of all devices together are no smaller than the array, or something else reads it.
  CHECK(looked_up("512").empty());
  CHECK(looked_up("64", "  %n = f32[4096,2048]{1,0} negate(%r)\n").empty());
}

TEST_CASE("COL016 counts half of an all-reduce's time, and knows what a program asked for") {
  const context dump(
      module_of("HloModule m, is_scheduled=true, num_partitions=4\n\n"
                "%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n"
                "  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
                "ENTRY %main {\n  %p = f32[4096,2048]{1,0} parameter(0)\n  %z = s32[] constant(0)\n"
                "  %id = u32[] partition-id()\n  %mine = s32[] convert(%id)\n"
                "  %r = f32[4096,2048]{1,0} all-reduce(%p), channel_id=1, "
                "replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add, "
                "metadata={op_name=\"jit(f)/shard_map/psum\"}\n  ROOT %s" +
                slice + "}\n"));
  std::vector<finding> found;
  auto keep = [&](finding d) { found.push_back(std::move(d)); };
  wasteful_reshard{}(dump, sink_ref(keep));
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].saves.size() == 1);
  CHECK(found[0].saves[0].share == 0.5);
  CHECK(found[0].advice.find("psum_scatter") != std::string::npos);
}

TEST_CASE("COL016 sees a chain of gathers as one") {
  const std::string chain =
      "  %q = f32[1024,1024]{1,0} parameter(2)\n"
      "  %f = f32[4096,1024]{1,0} all-gather(%q), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, "
      "use_global_device_ids=true\n  %c = f32[4096,1024]{1,0} copy(%f)\n"
      "  %r = f32[4096,2048]{1,0} all-gather(%c), channel_id=2, replica_groups={{0,1},{2,3}}, dimensions={1}, "
      "use_global_device_ids=true\n";
  const findings found = lint_entry(chain + "  ROOT %s" + slice);
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "r");
  CHECK(found[0].bytes == 40_MiB);
  CHECK(
      found[0].message ==
      "a chain of 2 all-gathers of together 48.00MiB, of which each device keeps 8.00MiB by its own number (position 8 "
      "of 10 in main)");
  CHECK(found[0].related[0].instruction == "f");
  // the first is needed elsewhere too
  const findings used = lint_entry(chain + "  %n = f32[4096,1024]{1,0} negate(%f)\n  ROOT %s" + slice);
  REQUIRE(used.size() == 1);
  CHECK(used[0].bytes == 24_MiB);
}

TEST_CASE("what COL016 reports is only a note of COL001") {
  const findings found = lint_entry<sync_collective>(reduce + "  ROOT %s" + slice);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].advice.find("COL016") != std::string::npos);
  const findings whole = lint_entry<sync_collective>(reduce + "  ROOT %s = f32[4096,2048]{1,0} negate(%r)\n");
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].advice.find("COL016") == std::string::npos);
}

TEST_CASE("COL016 does not catch") {
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
