#include <hlolint/analysis/time/transfer_groups.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("how many devices a program has decides whether its rings are closed (time_model.md 3.4, version 4)") {
  const device v6e = find_device("tpu-v6e").value();
  const auto seconds = [&](const std::string& devices, const std::string& config, const device& on) {
    const hlo_module module = module_of(
        "HloModule m, is_scheduled=true" + devices +
        "\n\nENTRY %e {\n%a = f32[4000000]{0} parameter(0)\nROOT %r = f32[16000000]{0} all-gather(%a), channel_id=1, "
        "replica_groups={{0,1,2,3}}, use_global_device_ids=true, dimensions={0}" +
        config + "\n}\n");
    const exposed_time time(module, on);
    REQUIRE(time.transfers().size() == 1);
    return time.transfers()[0].time.within;
  };
  const double open = 48e6 / 90e9;
  CHECK(seconds(", num_partitions=4", {}, v6e) == nearly(open));
  CHECK(seconds(", num_partitions=64", {}, v6e) == nearly(open));
  CHECK(seconds(", replica_count=2, num_partitions=64", {}, v6e) == nearly(open / 2));
  // What the compiler chose is what counts: rings through all chips need no link around the end.
  const std::string two =
      ", backend_config={\"ici_strategy_config\":{\"color_strategies\":[{\"phase_rings\":[]},"
      "{\"phase_rings\":[]}]}}";
  CHECK(seconds(", num_partitions=4", two, v6e) == nearly(open / 2));
  CHECK(seconds(", num_partitions=4", ", backend_config={\"color_strategies\":[]}", v6e) == nearly(open));
  device own = v6e;
  own.torus_wraps_from = 1;
  CHECK(seconds(", num_partitions=4", {}, own) == nearly(open / 2));
}

TEST_CASE("groups that stand apart share the links between them (time_model.md 3.4, version 4)") {
  device v6e = find_device("tpu-v6e").value();
  const auto slower = [&](const std::string& devices, const std::string& groups) {
    const hlo_module module = module_of(
        "HloModule m, is_scheduled=true, num_partitions=" + devices +
        "\n\n%sum {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
        "ENTRY %e {\n%a = f32[4000000]{0} parameter(0)\nROOT %r = f32[4000000]{0} all-reduce(%a), channel_id=1, "
        "replica_groups=" +
        groups + ", use_global_device_ids=true, to_apply=%sum\n}\n");
    const exposed_time time(module, v6e);
    REQUIRE(time.transfers().size() == 1);
    const transfer_time& t = time.transfers()[0].time;
    return t.within / (t.wire_bytes / 90e9);
  };
  // 2x4: 0 1, 2 3, 4 5, 6 7. The way from 0 to 4 leads through 2, and so does that from 2 to 6.
  CHECK(slower("8", "[4,2]<=[2,4]T(1,0)") == nearly(2));
  CHECK(slower("8", "[4,2]<=[8]") == nearly(1));
  CHECK(slower("8", "[2,4]<=[4,2]T(1,0)") == nearly(1));
  CHECK(slower("8", "[2,4]<=[8]") == nearly(1));
  CHECK(slower("8", "[1,8]<=[8]") == nearly(1));
  CHECK(slower("8", "{{0,4}}") == nearly(1));                    // no other group uses the link
  CHECK(slower("8", "{{0,5},{1,4},{2,7},{3,6}}") == nearly(1));  // no line
  CHECK(slower("12", "[6,2]<=[2,6]T(1,0)") == nearly(1));        // no rectangle that is known
  CHECK(slower("16", "[8,2]<=[2,8]T(1,0)") == nearly(2));
  CHECK(slower("16", "[8,2]<=[2,2,4]T(0,2,1)") == nearly(1));
  CHECK(slower("32", "[8,4]<=[4,8]T(1,0)") == nearly(2));
  v6e.domain_size = 4;  // two slices
  CHECK(slower("8", "[4,2]<=[8]") == nearly(1));
  CHECK(slice_width(find_device("tpu-v6e").value(), 8) == 2);
  CHECK(slice_width(find_device("tpu-v5e").value(), 256) == 16);
  CHECK(slice_width(find_device("tpu-v5e").value(), 512) == 0);
  CHECK(slice_width(find_device("tpu-v5p").value(), 8) == 0);
  CHECK(slice_width(v6e, 8) == 0);
}

TEST_CASE("the largest group and the domains that it touches, and pairs that leave their domain") {
  const hlo_module module = module_of(R"(HloModule m, num_partitions=16

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %near = f32[32]{0} all-gather(%p), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0},
      use_global_device_ids=true
  %far = f32[16]{0} all-gather(%p), channel_id=2, replica_groups={{0,1},{7,8}}, dimensions={0},
      use_global_device_ids=true
  %whole = f32[128]{0} all-gather(%p), channel_id=3, replica_groups=[1,16]<=[16], dimensions={0},
      use_global_device_ids=true
  %still = f32[8]{0} collective-permute(%p), channel_id=4, source_target_pairs={{0,0},{3,3}}
  %step = f32[8]{0} collective-permute(%p), channel_id=5, source_target_pairs={{0,1},{3,3}}
  ROOT %cross = f32[8]{0} collective-permute(%p), channel_id=6, source_target_pairs={{0,1},{7,8}}
}
)");
  transfer_groups groups(module, std::int64_t{8});
  const auto extent = [&](const char* name) { return groups.extent(instruction_of(module, name)); };
  CHECK(extent("near") == group_extent{4, 1});
  CHECK(extent("far") == group_extent{2, 2});
  CHECK(extent("whole") == group_extent{16, 2});
  CHECK_FALSE(groups.moves(instruction_of(module, "still")));
  CHECK(groups.moves(instruction_of(module, "step")));
  CHECK_FALSE(groups.crosses(instruction_of(module, "step")));
  CHECK(groups.crosses(instruction_of(module, "cross")));
}

TEST_CASE("directions are those that the compiler chose, half of them over an open axis") {
  const auto directions = [](const std::string& config) {
    const hlo_module module = module_of(
        "HloModule m, num_partitions=4\n\nENTRY %e {\n%a = f32[4000]{0} parameter(0)\n"
        "ROOT %r = f32[16000]{0} all-gather(%a), channel_id=1, replica_groups={{0,1,2,3}}, "
        "use_global_device_ids=true, dimensions={0}, backend_config=" +
        config + "\n}\n");
    const device v6e = find_device("tpu-v6e").value();
    return transfer_groups(module, v6e).directions(module.entry().root(), v6e);
  };
  const std::string rings = "{\"ici\":{\"color_strategies\":[{\"phases\":[]},{\"phases\":[]},{\"phases\":[]}]";
  CHECK(directions(rings + "}}") == 3);
  CHECK(directions(rings + ",\"strategy\":\"TWO_MESH\"}}") == 1.5);
  CHECK(directions("{\"name\":\"value\"}") == 1);
}
