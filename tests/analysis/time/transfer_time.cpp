#include <hlolint/analysis/time/transfer_time.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

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
