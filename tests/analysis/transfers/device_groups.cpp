#include <hlolint/analysis/transfers/device_groups.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

using groups = std::vector<std::vector<std::int64_t>>;

struct fixture {
  hlo_module module;
  std::optional<device_groups> found;
};

fixture decode(const std::string& attributes, const std::string& header = ", replica_count=2, num_partitions=2",
               const std::string& opcode = "all-gather") {
  const bool gather = opcode == "all-gather";
  fixture out{module_of("HloModule m" + header + "\n\nENTRY %e {\n  %p = f32[4]{0} parameter(0)\n  ROOT %c = f32[" +
                        (gather ? "8" : "4") + "]{0} " + opcode + "(%p), " + attributes + ", dimensions={0}\n}\n"),
              {}};
  out.found = find_device_groups(out.module.entry().root(), out.module);
  return out;
}

}  // namespace

TEST_CASE("the mode follows from channel_id and use_global_device_ids (scheduling.md 2)") {
  const auto replica = decode("replica_groups={{0,1}}").found;
  REQUIRE(replica);
  CHECK(replica->mode == group_mode::cross_replica);
  CHECK(replica->devices == groups{{0, 2}, {1, 3}});

  const auto both = decode("channel_id=1, replica_groups={{0},{1}}").found;
  REQUIRE(both);
  CHECK(both->mode == group_mode::cross_replica_and_partition);
  CHECK(both->devices == groups{{0, 1}, {2, 3}});

  const auto flat = decode("channel_id=1, replica_groups={{0,3},{1,2}}, use_global_device_ids=true").found;
  REQUIRE(flat);
  CHECK(flat->mode == group_mode::flattened_id);
  CHECK(flat->devices == groups{{0, 3}, {1, 2}});

  const auto partition =
      decode("channel_id=1, replica_groups={{0,1}}", ", replica_count=2, num_partitions=2", "all-to-all").found;
  REQUIRE(partition);
  CHECK(partition->mode == group_mode::cross_partition);
  CHECK(partition->devices == groups{{0, 1}, {2, 3}});
}

TEST_CASE("all spellings of groups") {
  const auto iota = decode("channel_id=1, replica_groups=[2,2]<=[2,2]T(1,0), use_global_device_ids=true").found;
  REQUIRE(iota);
  CHECK(iota->devices == groups{{0, 2}, {1, 3}});
  const auto everything = decode("replica_groups={}").found;
  REQUIRE(everything);
  CHECK(everything->ids == groups{{0, 1}});
  CHECK(everything->largest() == 2);
  const auto one = decode("replica_groups={{0}}", "").found;
  REQUIRE(one);
  CHECK(one->largest() == 1);
}

TEST_CASE("what the mode forbids gives nothing") {
  CHECK_FALSE(decode("channel_id=1, replica_groups={}, use_global_device_ids=true").found);
  CHECK_FALSE(decode("replica_groups={{0,7}}").found);
  CHECK_FALSE(decode("replica_groups={{0,1},{0,1}}").found);
  CHECK_FALSE(decode("replica_groups={{0,1}}", ", replica_count=4000000, num_partitions=4000000").found);
}

TEST_CASE("cycles of pairs") {
  CHECK(has_cycle({{0, 1}, {1, 0}}));
  CHECK(has_cycle({{0, 1}, {1, 2}, {2, 3}, {3, 1}}));
  CHECK(has_cycle({{4, 4}}));
  CHECK_FALSE(has_cycle({{0, 1}, {1, 2}, {0, 2}, {5, 1}}));
  CHECK_FALSE(has_cycle({}));
}

TEST_CASE("repeated devices") {
  CHECK(find_repeated_device({{0, 1}, {0, 2}}) == repeated_device{0, true});
  CHECK(find_repeated_device({{0, 1}, {2, 1}}) == repeated_device{1, false});
  CHECK(find_repeated_device({{0, 1}, {0, 2}}, 2) == std::nullopt);
  CHECK(find_repeated_device({{0, 1}, {1, 0}}) == std::nullopt);
}

TEST_CASE("connected devices") {
  using sets = std::vector<std::vector<std::int64_t>>;
  CHECK(connected_devices({{0, 1}, {3, 2}, {1, 2}, {5, 5}}) == sets{{0, 1, 2, 3}, {5}});
  CHECK(connected_devices({{0, 1}, {2, 3}}) == sets{{0, 1}, {2, 3}});
  CHECK(connected_devices({}).empty());
}

TEST_CASE("pairs of send and recv") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %t = token[] after-all()\n"
      "  %s = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=1, "
      "frontend_attributes={_xla_send_recv_pipeline=\"0\",_xla_send_recv_source_target_pairs={{0,1},{1,2}}}\n"
      "  ROOT %d = token[] send-done(%s), channel_id=1\n}\n");
  const auto pairs = send_recv_pairs(instruction_of(module, "s"));
  REQUIRE(pairs);
  CHECK(pairs->pairs == std::vector<device_pair>{{0, 1}, {1, 2}});
  CHECK(pairs_text(pairs->pairs) == "{{0,1},{1,2}}");
  CHECK(pairs_text(pairs->pairs, 1) == "{{0,1},...}");
  CHECK(is_pipelined_send_recv(instruction_of(module, "s")));
  CHECK_FALSE(send_recv_pairs(instruction_of(module, "d")));
  CHECK_FALSE(is_pipelined_send_recv(instruction_of(module, "d")));
}
