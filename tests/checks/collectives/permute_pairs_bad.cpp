#include <hlolint/checks/collectives/permute_pairs_bad.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_pairs(const std::string& pairs, const std::string& header = {}, const std::string& channel = {}) {
  return lint(permute_pairs_bad{}, module_of("HloModule m" + header +
                                             "\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
                                             "  ROOT %c = f32[8]{0} collective-permute(%p)" +
                                             channel + ", source_target_pairs=" + pairs + "\n}\n"));
}

}  // namespace

TEST_CASE("COL008 catches") {
  const findings source = lint_pairs("{{0,1},{0,2}}");
  REQUIRE(source.size() == 1);
  CHECK(source[0].level == severity::error);
  CHECK(source[0].instruction == "c");
  CHECK(source[0].message ==
        "source 0 appears more than once in the source_target_pairs of collective-permute (position 1 of 2 in main)");
  REQUIRE(lint_pairs("{{0,1},{2,1}}").size() == 1);
  CHECK(lint_pairs("{{0,1},{2,1}}")[0].message.find("target 1 appears more than once") == 0);
  const findings outside = lint_pairs("{{0,1},{1,4}}", ", replica_count=4");
  REQUIRE(outside.size() == 1);
  CHECK(outside[0].message.find("replica 4, which is not below 4, stands") == 0);
  CHECK(lint_pairs("{{0,1},{1,4}}", ", num_partitions=4", ", channel_id=1").size() == 1);
}

TEST_CASE("COL008 does not catch") {
  CHECK(lint_pairs("{{0,1},{1,2},{2,3},{3,0}}", ", replica_count=4").empty());  // a ring
  CHECK(lint_pairs("{{0,0},{1,1}}").empty());                                   // no one moves
  CHECK(lint_pairs("{{0,7}}").empty());                                         // how many devices is not known
  CHECK(lint_pairs("{{0,7}}", ", replica_count=4, num_partitions=8", ", channel_id=1").empty());
  CHECK(lint_pairs("{}").empty());
  // writes two slots in place, so each device may send and receive twice
  const std::string in_place =
      "HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %q = f32[8]{0} parameter(1)\n"
      "  %z = s32[] constant(0)\n"
      "  %i = (s32[]) tuple(%z)\n  %o = ((s32[]), (s32[])) tuple(%i, %i)\n"
      "  ROOT %c = f32[8]{0} collective-permute(%p, %q, %o, %o), source_target_pairs=";
  CHECK(lint(permute_pairs_bad{}, module_of(in_place + "{{0,1},{0,2}}\n}\n")).empty());
  CHECK(lint(permute_pairs_bad{}, module_of(in_place + "{{0,1},{0,2},{0,3}}\n}\n")).size() == 1);
}
