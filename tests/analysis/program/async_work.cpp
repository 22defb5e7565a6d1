#include <hlolint/analysis/program/async_work.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("starts, updates and dones by opcode") {
  using enum hlo_opcode;
  CHECK(is_start_opcode(all_gather_start));
  CHECK(is_start_opcode(copy_start));
  CHECK(is_start_opcode(send));
  CHECK_FALSE(is_start_opcode(all_gather));
  CHECK(start_opcode_of(collective_permute_done) == collective_permute_start);
  CHECK(start_opcode_of(recv_done) == recv);
  CHECK(start_opcode_of(async_update) == async_start);
  CHECK(start_opcode_of(async_start) == unknown);
  CHECK(is_done_opcode(async_done));
  CHECK_FALSE(is_done_opcode(async_update));
  CHECK_FALSE(is_done_opcode(add));
  CHECK(is_transfer_opcode(async_update));
  CHECK(is_transfer_opcode(recv));
  CHECK_FALSE(is_transfer_opcode(all_reduce));
  CHECK(takes_no_time(bitcast));
  CHECK(takes_no_time(tuple));
  CHECK_FALSE(takes_no_time(copy));
  CHECK_FALSE(takes_no_time(copy_done));
}

TEST_CASE("what XLA records of a collective: whether it runs synchronously") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %plain = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config={"is_sync":true}
  %nested = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0},
      backend_config={"collective_backend_config":{"is_sync":false}}
  %quoted = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config="{\"is_sync\":true}"
  %octal = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config="{\"\151s_sync\":true}"
  %framework = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0},
      frontend_attributes={sync_collective="true"}
  %other = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config={"name":"value"}
  ROOT %none = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}
}
)");
  for (const char* const name : {"plain", "quoted", "octal", "framework"})
    CHECK(sync_flag(instruction_of(module, name)) == true);
  CHECK(sync_flag(instruction_of(module, "nested")) == false);
  for (const char* const name : {"other", "none"}) CHECK_FALSE(sync_flag(instruction_of(module, name)));
}

TEST_CASE("bytes of a transfer: the bigger side, of a start from its own shape") {
  const hlo_module module = module_of(R"(HloModule m

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %q = f32[4]{0} parameter(1)
  %open = f32[?]{0} parameter(2)
  %gather = f32[16]{0} all-gather(%p), replica_groups={{0,1}}, dimensions={0}
  %scatter = f32[4]{0} reduce-scatter(%p), replica_groups={{0,1}}, dimensions={0}, to_apply=%sum
  %both = (f32[8]{0}, f32[4]{0}) all-reduce(%p, %q), replica_groups={{0,1}}, to_apply=%sum
  %half = f32[16]{0} all-gather(%open), replica_groups={{0,1}}, dimensions={0}
  %none = f32[?]{0} all-gather(%open), replica_groups={{0,1}}, dimensions={0}
  %gs = (f32[8]{0}, f32[16]{0}) all-gather-start(%p), replica_groups={{0,1}}, dimensions={0}
  %rs = (f32[8]{0}, f32[4]{0}) all-reduce-start(%p, %q), replica_groups={{0,1}}, to_apply=%sum
  %cs = (f32[8]{0:S(5)}, f32[8]{0}, u32[]) copy-start(%p)
  ROOT %cd = f32[8]{0:S(5)} copy-done(%cs)
}
)");
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  CHECK(transfer_bytes(of("gather")) == 64);
  CHECK(transfer_bytes(of("scatter")) == 32);
  CHECK(transfer_bytes(of("both")) == 48);
  CHECK(transfer_bytes(of("half")) == 64);
  CHECK_FALSE(transfer_bytes(of("none")));
  CHECK(started_bytes(of("gs")) == 64);
  CHECK(started_bytes(of("rs")) == 48);
  CHECK(started_bytes(of("cs")) == 32);
}
