#include <hlolint/checks/collectives/replica_groups_bad.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_op(const std::string& op, const std::string& attributes, const std::string& header) {
  return lint(replica_groups_bad{}, module_of("HloModule m, " + header +
                                              "\n\n%add (a: f32[], b: f32[]) -> f32[] {\n"
                                              "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
                                              "  ROOT %sum = f32[] add(%a, %b)\n}\n\nENTRY %main {\n"
                                              "  %p = f32[8]{0} parameter(0)\n  ROOT %c = f32[8]{0} " +
                                              op + "(%p), " + attributes + "\n}\n"));
}
findings reduce(const std::string& attributes, const std::string& header) {
  return lint_op("all-reduce", attributes + ", to_apply=%add", header);
}
findings exchange(const std::string& attributes, const std::string& header) {
  return lint_op("all-to-all", attributes + ", dimensions={0}", header);
}

}  // namespace

TEST_CASE("COL009 catches") {
  struct row {
    const char *groups, *header, *message;
  };
  const row rows[] = {
      {"replica_groups={{0,1},{1,2}}", "replica_count=4",
       "device 1 stands twice in replica_groups in mode cross_replica"},
      {"replica_groups={{0,1},{3,4}}", "replica_count=4", "device 2 is missing among the 4 devices"},
      {"replica_groups={{0,1}}", "replica_count=4", "replica_groups names 2 devices, expected 4 in mode cross_replica"},
      {"replica_groups={{0,1},{}}", "replica_count=2", "one of the replica_groups is empty"},
      {"channel_id=1, replica_groups={}, use_global_device_ids=true", "replica_count=2",
       "replica_groups is empty in mode flattened_id"},
      {"channel_id=1, replica_groups=[2,2]<=[4], use_global_device_ids=true", "replica_count=2, num_partitions=4",
       "replica_groups names 4 devices, expected 8 in mode flattened_id"}};
  for (const row& r : rows) {
    INFO(r.groups);
    const findings found = reduce(r.groups, r.header);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::error);
    CHECK(found[0].instruction == "c");
    CHECK(found[0].message.find(r.message) == 0);
  }
  CHECK(exchange("replica_groups={{0,1},{2}}", "replica_count=3").size() == 1);
  CHECK(exchange("channel_id=1, replica_groups={{0,1},{2,3}}", "num_partitions=2").size() == 1);
}

TEST_CASE("COL009 catches groups that do not fit the shapes") {
  const auto message = [](const std::string& instruction, const std::string& header = "num_partitions=4") {
    const findings found =
        lint(replica_groups_bad{}, module_of("HloModule m, " + header +
                                             "\n\n%add {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
                                             "  ROOT %sum = f32[] add(%a, %b)\n}\n\nENTRY %main {\n"
                                             "  %p = f32[64,8]{1,0} parameter(0)\n  ROOT %c = " +
                                             instruction + "\n}\n"));
    CHECK(found.size() < 2);
    return found.empty() ? std::string() : found[0].message.substr(0, found[0].message.find(" ("));
  };
  const std::string ids = ", channel_id=1, use_global_device_ids=true, dimensions={0}";
  CHECK(message("f32[256,8]{1,0} all-gather(%p), replica_groups={{0,1,2,3}}" + ids) == "");
  CHECK(message("f32[256,8]{1,0} all-gather(%p), replica_groups={{0,1},{2,3}}" + ids) ==
        "dimension 0 grows from 64 to 256, but a group of replica_groups has 2 devices in mode flattened_id");
  CHECK(message("(f32[64,8]{1,0}, f32[256,8]{1,0}) all-gather-start(%p), replica_groups=[2,2]<=[4]" + ids) ==
        "dimension 0 grows from 64 to 256, but a group of replica_groups has 2 devices in mode flattened_id");
  CHECK(message("f32[16,8]{1,0} reduce-scatter(%p), replica_groups=[1,4]<=[4], to_apply=%add" + ids) == "");
  CHECK(message("f32[32,8]{1,0} reduce-scatter(%p), replica_groups=[1,4]<=[4], to_apply=%add" + ids) ==
        "dimension 0 shrinks from 64 to 32, but a group of replica_groups has 4 devices in mode flattened_id");
  CHECK(message("f32[256,8]{1,0} all-gather(%p), replica_groups={{0}}, channel_id=1, dimensions={0}") == "");
  CHECK(message("f32[128,8]{1,0} all-gather(%p), replica_groups={{0,1}}, channel_id=1, dimensions={0}",
                "replica_count=2, num_partitions=4") ==
        "dimension 0 grows from 64 to 128, but a group of replica_groups has 8 devices in mode "
        "cross_replica_and_partition");
  // The module does not give the number of its partitions.
  CHECK(message("f32[256,8]{1,0} all-gather(%p), replica_groups={{0,1}}, channel_id=1, dimensions={0}",
                "replica_count=2") == "");
  CHECK(message("f32[256,8]{1,0} all-gather(%p)" + ids) ==
        "replica_groups is missing in mode flattened_id, where every device must be named");
  CHECK(message("f32[<=256,8]{1,0} all-gather(%p), replica_groups={{0,1},{2,3}}" + ids) == "");
}

TEST_CASE("COL009 does not catch") {
  CHECK(reduce("replica_groups={}", "replica_count=4").empty());
  CHECK(reduce("replica_groups={{0,1},{2}}", "replica_count=3").empty());     // an all-reduce may be uneven
  CHECK(reduce("replica_groups={{0,1},{2,3}}", "num_partitions=2").empty());  // number of replicas not known
  CHECK(reduce("channel_id=1, replica_groups={{0,1}}", "replica_count=2, num_partitions=4").empty());
  CHECK(reduce("channel_id=1, replica_groups=[2,4]<=[4,2]T(1,0), use_global_device_ids=true",
               "replica_count=2, num_partitions=4")
            .empty());
  CHECK(exchange("channel_id=1, replica_groups={{0,1},{2,3}}", "num_partitions=4").empty());
  CHECK(lint_op("collective-broadcast", "replica_groups={{0,1},{2,2}}", "replica_count=4").empty());
}
