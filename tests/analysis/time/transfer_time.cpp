#include <hlolint/analysis/time/transfer_time.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("a collective that is only visible inside a fusion") {
  const timed t = time_of(
      "%sum {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
      "%all-reduce-scatter {\n%p = f32[4000000]{0} parameter(0)\n%i = s32[] parameter(1)\n"
      "%r = f32[4000000]{0} all-reduce(%p), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, "
      "to_apply=%sum\n"
      "ROOT %d = f32[1000000]{0} dynamic-slice(%r, %i), dynamic_slice_sizes={1000000}\n}\n\n"
      "ENTRY %e {\n%a = f32[4000000]{0} parameter(0)\n%i = s32[] parameter(1)\n"
      "ROOT %f = f32[1000000]{0} fusion(%a, %i), kind=kCustom, calls=%all-reduce-scatter\n}\n",
      find_device("tpu-v6e").value());
  REQUIRE(t.time->transfers().size() == 1);
  CHECK(t.of("f").synchronous);
  CHECK(t.of("f").time.kind == hlo_opcode::reduce_scatter);
  CHECK(t.of("f").time.wire_bytes == nearly(16e6 * 3 / 4));
}

TEST_CASE("transfer_times: the bytes of each kind, and nothing for what transfers nothing") {
  const hlo_module module = module_of(R"(HloModule m, num_partitions=4

ENTRY %e {
  %p = f32[1000]{0} parameter(0)
  %t = token[] after-all()
  %gs = (f32[1000]{0}, f32[4000]{0}) all-gather-start(%p), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0},
    use_global_device_ids=true
  %gd = f32[4000]{0} all-gather-done(%gs)
  %x = f32[1000]{0} all-to-all(%p), channel_id=2, replica_groups={{0,1,2,3}}, dimensions={0}
  %c = f32[1000]{0} collective-permute(%p), channel_id=3, source_target_pairs={{0,1},{1,0}}
  %h = (f32[1000]{0:S(5)}, f32[1000]{0}, u32[]) copy-start(%p)
  %hd = f32[1000]{0:S(5)} copy-done(%h)
  %s = (f32[1000]{0}, u32[], token[]) send(%p, %t), channel_id=4, is_host_transfer=true
  %sd = token[] send-done(%s), channel_id=4, is_host_transfer=true
  ROOT %n = f32[1000]{0} negate(%p)
}
)");
  const transfer_times times(module, find_device("h100-sxm").value());
  const auto of = [&](const char* name) { return *times.of(instruction_of(module, name)); };
  CHECK(of("gs").kind == hlo_opcode::all_gather);
  CHECK(of("gs").bytes == 16000);
  CHECK(of("gs").group == group_extent{4, 1});
  CHECK(of("gs").wire_bytes == nearly(12000));
  CHECK(of("x").bytes == 4000);
  CHECK(of("c").bytes == 4000);
  CHECK(of("c").path == transfer_path::fast);
  CHECK(of("h").kind == hlo_opcode::copy);
  CHECK(of("h").path == transfer_path::host);
  CHECK(of("s").kind == hlo_opcode::send);
  CHECK(of("s").path == transfer_path::host);
  for (const char* const name : {"gd", "hd", "n", "p"}) CHECK(times.of(instruction_of(module, name)) == nullptr);
}

TEST_CASE("transfer_times: transfers of one async computation go one after the other, and begin together") {
  const auto time = [](const std::string& second) {
    const hlo_module module = module_of(
        "HloModule m, num_partitions=16\n\n%both {\n%p = f32[1000000]{0} parameter(0)\n"
        "%x = f32[1000000]{0} collective-permute(%p), channel_id=1, source_target_pairs={{0,1},{1,0}}\n" +
        second +
        "ROOT %n = f32[1000000]{0} negate(%x)\n}\n\nENTRY %e {\n%a = f32[1000000]{0} parameter(0)\n"
        "%s = ((f32[1000000]{0}), f32[1000000]{0}, u32[]) async-start(%a), calls=%both\n"
        "ROOT %d = f32[1000000]{0} async-done(%s)\n}\n");
    return *transfer_times(module, find_device("h100-sxm").value()).of(instruction_of(module, "s"));
  };
  const std::string permute = "%y = f32[1000000]{0} collective-permute(%p), channel_id=2, source_target_pairs=";
  const transfer_time one = time({}), two = time(permute + "{{0,1},{1,0}}\n"), far = time(permute + "{{0,8},{8,0}}\n");
  CHECK(two.wire_bytes == 2 * one.wire_bytes);
  CHECK(two.within == nearly(2 * one.within));
  CHECK(two.latency == one.latency);
  CHECK(two.path == transfer_path::fast);
  CHECK(far.path == transfer_path::network);
  CHECK(far.within == one.within);
  CHECK(far.between > 0);
}

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
  device eight;
  eight.domain_size = 8;
  transfer_groups groups(module, eight);
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
