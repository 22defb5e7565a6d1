#include <hlolint/checks/collectives/channel_id_clash.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_two(const std::string& first, const std::string& second, const std::string& other = "9") {
  return lint(channel_id_clash{},
              module_of("HloModule m, num_partitions=4\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
                        "  %o = f32[16]{0} all-gather(%p), dimensions={0}, replica_groups={{0,1},{2,3}}, "
                        "channel_id=" +
                        other +
                        ", use_global_device_ids=true\n"
                        "  %x = f32[16]{0} " +
                        first +
                        ", use_global_device_ids=true\n"
                        "  ROOT %y = f32[16]{0} " +
                        second + "\n}\n"));
}
const std::string gather = "all-gather(%p), dimensions={0}, replica_groups={{0,1},{2,3}}, channel_id=";
const std::string other_groups = "all-gather(%p), dimensions={0}, replica_groups={{0,2},{1,3}}, channel_id=";
const std::string permute = "collective-permute(%x), source_target_pairs={{0,1}}, channel_id=";

}  // namespace

TEST_CASE("COL010 catches") {
  const findings kinds = lint_two(gather + "3", permute + "3");
  REQUIRE(kinds.size() == 1);
  CHECK(kinds[0].level == severity::warning);
  CHECK(kinds[0].instruction == "y");
  CHECK(kinds[0].message ==
        "collective-permute has channel_id=3, as all-gather x, but is of another kind (2 collectives on this channel)");
  CHECK(kinds[0].related[0].instruction == "x");
  const findings groups = lint_two(gather + "3", other_groups + "3");
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].message.find("has other groups of devices") != std::string::npos);
}

TEST_CASE("COL010 does not catch") {
  CHECK(lint_two(gather + "3", permute + "4").empty());
  CHECK(lint_two(gather + "3", gather + "3").empty());  // clones
  // JAX 0.8 gives all collectives of shard_map channel 1, and XLA numbers its own from there
  CHECK(lint_two(gather + "1", permute + "1").empty());
  CHECK(lint_two(gather + "1", other_groups + "1").empty());
  // one channel for all: nothing is told apart by it
  CHECK(lint_two(gather + "3", permute + "3", "3").empty());
  // the same, written otherwise
  CHECK(lint_two(gather + "3", "all-gather(%p), dimensions={0}, replica_groups=[2,2]<=[4], channel_id=3").empty());
}

TEST_CASE("COL010 does not catch the parts of transfers between slices, which libtpu numbers apart") {
  const auto lint_with = [](const std::string& handler) {
    return lint(
        channel_id_clash{},
        module_of("HloModule m, num_partitions=4\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
                  "  %t = token[] after-all()\n  %s = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=9, "
                  "is_host_transfer=true, frontend_attributes={_xla_host_transfer_handler_name=\"" +
                  handler + "\"}\n  %o = f32[16]{0} " + gather + "9, use_global_device_ids=true\n  %x = f32[16]{0} " +
                  gather + "3, use_global_device_ids=true\n  ROOT %y = f32[16]{0} " + permute + "3\n}\n"));
  };
  CHECK(lint_with("xla_megascale_runtime").empty());
  CHECK(lint_with("other").size() == 1);
}
