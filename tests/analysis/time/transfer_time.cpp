#include <hlolint/analysis/time/transfer_time.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
/// A fusion `f` of a TPU in which a reduce-scatter is an all-reduce and a slice; `config` is written after the fusion.
timed scattered(const std::string& config = {}) {
  return time_of(
      "%sum {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
      "%all-reduce-scatter {\n%p = f32[4000000]{0} parameter(0)\n%i = s32[] parameter(1)\n"
      "%r = f32[4000000]{0} all-reduce(%p), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, "
      "to_apply=%sum, backend_config={\"flag_configs\":[]}\n"
      "ROOT %d = f32[1000000]{0} dynamic-slice(%r, %i), dynamic_slice_sizes={1000000}\n}\n\n"
      "ENTRY %e {\n%a = f32[4000000]{0} parameter(0)\n%i = s32[] parameter(1)\n"
      "ROOT %f = f32[1000000]{0} fusion(%a, %i), kind=kCustom, calls=%all-reduce-scatter" +
          config + "\n}\n",
      find_device("tpu-v6e").value());
}
}  // namespace

TEST_CASE("a collective that is only visible inside a fusion") {
  const timed t = scattered();
  REQUIRE(t.time->transfers().size() == 1);
  CHECK(t.of("f").synchronous);
  CHECK(t.of("f").time.kind == hlo_opcode::reduce_scatter);
  CHECK(t.of("f").time.wire_bytes == nearly(16e6 * 3 / 4));
}

TEST_CASE("the compiler's choice of directions may stand on the fusion around a collective (version 11)") {
  const timed chosen = scattered(
      ", backend_config={\"collective_algorithm_config\":{\"debug\":"
      "\"StrategySubgroupND{colors:2 phases:2 cores:{2 2}\"}}");
  CHECK(chosen.of("f").time.within == nearly(scattered().of("f").time.within / 2));
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
  CHECK(kinds_text(one) == "collective-permute");
  CHECK(kinds_text(two) == "2 collective-permute");
  CHECK(kinds_text(time("%y = f32[1000000]{0} all-gather(%p), channel_id=2, replica_groups={}, dimensions={0}\n")) ==
        "collective-permute + all-gather");
}

TEST_CASE("a kernel of XLA's own moves a small array on the stream of the others (time_model.md 3.2, version 7)") {
  const auto module = [](const std::string& config) {
    return module_of(
        "HloModule m, num_partitions=8, is_scheduled=true\n\n%sum {\n%x = f32[] parameter(0)\n"
        "%y = f32[] parameter(1)\nROOT %z = f32[] add(%x, %y)\n}\n\n"
        "ENTRY %e {\n%a = f32[65536]{0} parameter(0)\n"
        "%s = f32[65536]{0} all-reduce-start(%a), channel_id=1, replica_groups=[1,8]<=[8], use_global_device_ids=true, "
        "to_apply=%sum" +
        config + "\nROOT %d = f32[65536]{0} all-reduce-done(%s)\n}\n");
  };
  const auto kernel = [](const std::string& strategy) {
    return ", backend_config={\"collective_backend_config\":{\"is_sync\":false,\"kernel_strategy\":\"" + strategy +
           "\"}}";
  };
  const device h100 = find_device("h100-sxm").value();
  const auto time = [&](const std::string& config) {
    const hlo_module text = module(config);
    return *transfer_times(text, h100).of(instruction_of(text, "s"));
  };
  const auto role = [&](const std::string& config) {
    const hlo_module text = module(config);
    return transfer_sources(text).role_of(instruction_of(text, "s"));
  };
  const double bytes = 65536 * 4;
  const transfer_time one = time(kernel("KERNEL_STRATEGY_ONE_SHOT")), two = time(kernel("twoShot")), nccl = time("");
  CHECK(one.wire_bytes == nearly(7 * bytes));
  CHECK(one.latency == nearly(h100.kernel_overhead + 2e-6));
  CHECK(two.wire_bytes == nearly(2 * bytes * 7 / 8));
  CHECK(two.latency == nearly(h100.kernel_overhead + 4e-6));
  CHECK(one.seconds() < nccl.seconds());
  CHECK(two.seconds() < nccl.seconds());
  CHECK(role(kernel("ONE_SHOT")) == transfer_role::synchronous);
  CHECK(role(kernel("NCCL")) == transfer_role::starts);
  CHECK(role("") == transfer_role::starts);
  CHECK(time(kernel("NCCL")).seconds() == nccl.seconds());
  CHECK(
      own_kernel_time(h100, collective_kernel::one_shot, pair_time(h100, hlo_opcode::send, 8, true, true)).seconds() ==
      pair_time(h100, hlo_opcode::send, 8, true, true).seconds());  // not over the network
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
  using chips = std::array<std::int64_t, 3>;
  CHECK(slice_of(find_device("tpu-v6e").value(), 8) == chips{2, 4, 1});
  CHECK(slice_of(find_device("tpu-v5e").value(), 256) == chips{16, 16, 1});
  CHECK(slice_of(find_device("tpu-v5e").value(), 512) == chips{});
  CHECK(slice_of(find_device("tpu-v5p").value(), 8) == chips{});
  CHECK(slice_of(v6e, 8) == chips{});
}

namespace {

// The seconds of bytes of an all-reduce, as a multiple of those over one direction of a link at a time.
double slower_on(const device& on, const std::string& groups) {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true, num_partitions=" + std::to_string(on.slice.ids.size()) +
      "\n\n%sum {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
      "ENTRY %e {\n%a = f32[4000000]{0} parameter(0)\nROOT %r = f32[4000000]{0} all-reduce(%a), channel_id=1, "
      "replica_groups=" +
      groups + ", use_global_device_ids=true, to_apply=%sum\n}\n");
  const exposed_time time(module, on);
  REQUIRE(time.transfers().size() == 1);
  const transfer_time& t = time.transfers()[0].time;
  return t.within / (t.wire_bytes / 90e9);
}

}  // namespace

TEST_CASE("the devices that the program is assigned to decide which groups share links, and which are rings") {
  device v6e = find_device("tpu-v6e").value();
  v6e.slice = {{2, 4, 1}, {}, {0, 1, 2, 3, 4, 5, 6, 7}};
  v6e.torus_wraps_from = device::never;
  CHECK(slower_on(v6e, "[4,2]<=[2,4]T(1,0)") == nearly(2));  // 0 and 4, with 2 between
  CHECK(slower_on(v6e, "[4,2]<=[8]") == nearly(1));
  v6e.slice.ids = {0, 1, 4, 5, 2, 3, 6, 7};  // 0 and 2 are neighbors, and the parts 0 and 2 of the program are not
  CHECK(slower_on(v6e, "[4,2]<=[2,4]T(1,0)") == nearly(1));
  CHECK(slower_on(v6e, "[4,2]<=[2,2,2]T(0,2,1)") == nearly(2));
  v6e.slice = {{4, 2, 1}, {}, {0, 1, 2, 3, 4, 5, 6, 7}};  // 4x2 although eight chips alone would be taken for 2x4
  CHECK(slower_on(v6e, "[4,2]<=[2,4]T(1,0)") == nearly(1));

  v6e.slice.closed = {true, false, false};
  v6e.torus_wraps_from = 1;
  CHECK(slower_on(v6e, "[2,4]<=[8]") == nearly(0.5));  // along x
  CHECK(slower_on(v6e, "[1,8]<=[8]") == nearly(1));    // along y too

  device chips_of_two = find_device("tpu-7x").value();  // one device of each chip
  chips_of_two.slice = {{4, 1, 1}, {}, {0, 2, 4, 6}};
  CHECK(slower_on(chips_of_two, "{{0,2},{1,3}}") == nearly(2));
  chips_of_two.slice.ids = {0, 4, 2, 6};
  CHECK(slower_on(chips_of_two, "{{0,2},{1,3}}") == nearly(1));
}

TEST_CASE("the link of a permute follows from the devices that the program is assigned to") {
  const auto link = [](std::vector<std::int64_t> ids) {
    device v5p = find_device("tpu-v5p").value();
    v5p.slice = {{2, 2, 2}, {}, std::move(ids)};
    const hlo_module module = module_of(
        "HloModule m, is_scheduled=true, num_partitions=8\n\nENTRY %e {\n%a = f32[4000000]{0} parameter(0)\n"
        "ROOT %r = f32[4000000]{0} collective-permute(%a), channel_id=1, "
        "source_target_pairs={{0,1},{2,3},{4,5},{6,7}}\n}\n");
    const exposed_time time(module, v5p);
    REQUIRE(time.transfers().size() == 1);
    return std::string(time.transfers()[0].time.link);
  };
  CHECK(link({0, 1, 2, 3, 4, 5, 6, 7}) == "+x");
  CHECK(link({0, 2, 1, 3, 4, 6, 5, 7}) == "+y");
  CHECK(link({4, 0, 5, 1, 6, 2, 7, 3}) == "-z");
  CHECK(link({0, 1, 2}) == "+x");  // of another program
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
  device on = find_device("tpu-v6e").value();
  const auto directions = [&](const std::string& config) {
    const hlo_module module = module_of(
        "HloModule m, num_partitions=4\n\nENTRY %e {\n%a = f32[4000]{0} parameter(0)\n"
        "ROOT %r = f32[16000]{0} all-gather(%a), channel_id=1, replica_groups={{0,1,2,3}}, "
        "use_global_device_ids=true, dimensions={0}, backend_config=" +
        config + "\n}\n");
    return transfer_groups(module, on).directions(module.entry().root(), module.entry().root(), on);
  };
  const std::string rings = "{\"ici\":{\"color_strategies\":[{\"phases\":[]},{\"phases\":[]},{\"phases\":[]}]";
  CHECK(directions(rings + "}}") == 3);
  CHECK(directions(rings + ",\"strategy\":\"TWO_MESH\"}}") == 1.5);
  CHECK(directions("{\"name\":\"value\"}") == 1);
  // Closed rings through the slice, one for each color, at most two for each axis.
  const auto algorithm = [&](const std::string& members) {
    return directions("{\"collective_algorithm_config\":{" + members + "}}");
  };
  CHECK(algorithm("\"debug\":\"UniDirection1DRingStrategy{colors:2 phases:1 cores:{4}\"") == 2);
  // No more than the links between the four chips of a square, on each side one.
  CHECK(algorithm("\"debug\":\"UniDirectionNDRingStrategy{colors:4 phases:2 cores:{2 2}\"") == 2);
  CHECK(algorithm("\"debug\":\"UniDirection1DRingStrategy{colors:4 phases:1 cores:{4}\"") == 2);
  CHECK(algorithm("\"debug\":\"StrategyRing{colors:1 phases:1 cores:{4}\",\"emitter\":\"RotatedPincerShortEmitter\"") ==
        2);
  CHECK(algorithm("\"debug\":\"StrategyRing{colors:1 phases:1 cores:{4}\"") == 1);
  CHECK(algorithm("\"emitter\":\"SinglePhaseRingSumEmitter\"") == 1);  // as without
  CHECK(algorithm("\"emitter\":\"1DAllGatherNonMajorDim\"") == 1);
  CHECK(algorithm("\"emitter\":\"3DAllGatherOnMajorDim\",\"debug\":\"group_size = 4\"") == 3);
  on.torus_wraps_from = 1;
  CHECK(algorithm("\"emitter\":\"1DAllGatherNonMajorDim\"") == 2);
  CHECK(algorithm("\"emitter\":\"2DAllGatherNonMajorDim\"") == 2);
}

TEST_CASE(
    "between two chips along an axis there is one link, whatever the colors are (time_model.md 3.4, version 10)") {
  device v5p = find_device("tpu-v5p").value();
  v5p.slice = {{2, 2, 2}, {}, {0, 1, 2, 3, 4, 5, 6, 7}};
  const auto directions = [&](const device& on, const std::string& groups) {
    const hlo_module module = module_of(
        "HloModule m, num_partitions=8\n\nENTRY %e {\n%a = f32[4000]{0} parameter(0)\n"
        "ROOT %r = f32[16000]{0} all-gather(%a), channel_id=1, replica_groups=" +
        groups +
        ", "
        "use_global_device_ids=true, dimensions={0}, backend_config={\"collective_algorithm_config\":"
        "{\"debug\":\"UniDirectionNDRingStrategy{colors:6 phases:3 cores:{2 2 2}\"}}\n}\n");
    return transfer_groups(module, on).directions(module.entry().root(), module.entry().root(), on);
  };
  CHECK(directions(v5p, "{{0,4},{1,5},{2,6},{3,7}}") == 1);
  CHECK(directions(v5p, "{{0,1,2,3},{4,5,6,7}}") == 2);
  CHECK(directions(v5p, "{{0,1,2,3,4,5,6,7}}") == 3);
  v5p.slice = {{4, 2, 1}, {}, {0, 1, 2, 3, 4, 5, 6, 7}};
  CHECK(directions(v5p, "{{0,2},{1,3},{4,6},{5,7}}") == 0.5);  // two groups share each link (version 11)
  CHECK(directions(v5p, "{{0,1,2,3},{4,5,6,7}}") == 2);        // four in a row
  CHECK(directions(v5p, "{{0,1,2,3,4,5,6,7}}") == 3);
}

TEST_CASE("a ragged all-to-all sends no more than its first operand or its result") {
  const auto bytes = [](const char* tokens, const char* buffer) {
    const hlo_module module =
        module_of(std::string("HloModule m, num_partitions=4\n\nENTRY %e {\n%t = ") + tokens +
                  " parameter(0)\n%b = " + buffer + " parameter(1)\n%i = s32[4]{0} parameter(2)\nROOT %r = " + buffer +
                  " ragged-all-to-all(%t, %b, %i, %i, %i, %i), channel_id=1, replica_groups={{0,1,2,3}}\n}\n");
    return transfer_times(module, find_device("tpu-v5p").value()).of(module.entry().root())->bytes;
  };
  CHECK(bytes("f32[1000]{0}", "f32[4000]{0}") == 4000);
  CHECK(bytes("f32[4000]{0}", "f32[1000]{0}") == 4000);
}

TEST_CASE("the link of a permute is that of most of its pairs") {
  const auto link = [](const char* pairs, const char* on = "tpu-v5e") {
    const hlo_module module =
        module_of(std::string("HloModule m, num_partitions=16\n\nENTRY %e {\n%a = f32[4000]{0} parameter(0)\n"
                              "ROOT %r = f32[4000]{0} collective-permute(%a), channel_id=1, source_target_pairs={") +
                  pairs + "}\n}\n");
    return std::string(transfer_times(module, find_device(on).value()).of(module.entry().root())->link);
  };
  CHECK(link("{0,1},{1,2},{2,3},{3,0}") == "+x");
  CHECK(link("{1,0},{2,1},{3,2},{0,3}") == "-x");
  CHECK(link("{0,4},{4,8},{8,12},{12,0}") == "+y");  // 4x4
  CHECK(link("{0,4},{4,8},{8,12},{12,0}", "tpu-v5p") == "+y");
  CHECK(link("{0,1},{1,0}").empty());  // both ways
  CHECK(link("{0,1},{1,2},{2,3},{3,0}", "h100-sxm").empty());
}

TEST_CASE("transfer_times: between slices by way of the hosts, at the slower of their link and the network") {
  const hlo_module module = module_of(
      "HloModule m, num_partitions=4\n\nENTRY %e {\n  %p = f32[4000000]{0} parameter(0)\n  %t = token[] after-all()\n"
      "  %s = (f32[4000000]{0}, u32[], token[]) send(%p, %t), channel_id=4, is_host_transfer=true, "
      "frontend_attributes={_xla_host_transfer_handler_name=\"xla_megascale_runtime\","
      "_xla_megascale_transfer_type=\"ALL_REDUCE\"}\n"
      "  %h = (f32[4000000]{0}, u32[], token[]) send(%p, %t), channel_id=5, is_host_transfer=true\n"
      "  ROOT %n = f32[4000000]{0} negate(%p)\n}\n");
  device on = find_device("tpu-v6e").value();
  const auto time_on = [&](const char* name) { return *transfer_times(module, on).of(instruction_of(module, name)); };
  CHECK(time_on("h").path == transfer_path::host);
  CHECK(time_on("s").path == transfer_path::network);
  CHECK(time_on("s").kind == hlo_opcode::send);
  CHECK(time_on("s").between == nearly(16e6 / 12.5e9));
  on.network_rate = 0;
  CHECK(time_on("s").between == nearly(16e6 / on.host_rate));
}
