#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <optional>

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

namespace {

constexpr const char* text = R"(HloModule m, replica_count=4

%exchange (ep: f32[8]) -> f32[8] {
  %ep = f32[8]{0} parameter(0)
  ROOT %ex = f32[8]{0} all-to-all(%ep), replica_groups={{0,1},{2,3}}, dimensions={0}
}

%negated (np: f32[8]) -> f32[8] {
  %np = f32[8]{0} parameter(0)
  ROOT %nn = f32[8]{0} negate(%np)
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %g = (f32[8]{0}, f32[16]{0}) all-gather-start(%p), replica_groups=[2,2]<=[4], dimensions={0}
  %gd = f32[16]{0} all-gather-done(%g)
  %a = ((f32[8]{0}), f32[8]{0}) async-start(%p), calls=%exchange
  %ad = f32[8]{0} async-done(%a)
  %b = ((f32[8]{0}), f32[8]{0}) async-start(%p), calls=%negated
  %bd = f32[8]{0} async-done(%b)
  ROOT %c = f32[8]{0} call(%p), to_apply=%negated
}
)";

}  // namespace

TEST_CASE("collectives, however they are written") {
  const hlo_module module = module_of(text);
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  CHECK(collective_kind(of("g").opcode()) == hlo_opcode::all_gather);
  CHECK(collective_kind(of("gd").opcode()) == hlo_opcode::all_gather_done);
  CHECK(collective_of(of("g")) == of("g"));
  CHECK(collective_of(of("a")) == of("ex"));
  CHECK_FALSE(collective_of(of("b")));
  CHECK_FALSE(collective_of(of("gd")));
  CHECK(collective_bytes(of("g")) == 64);
  CHECK(collective_bytes(of("a")) == 32);
  CHECK(collective_bytes(of("ex")) == 32);
  CHECK(same_devices(of("g"), of("ex"), module_groups(module)));  // one written as lists, one as an iota
}

TEST_CASE("how messages name a transfer and its place") {
  CHECK(detail::transfer_text(hlo_opcode::all_gather, 112_MiB) == "all-gather of 112.00MiB");
  CHECK(detail::transfer_text(hlo_opcode::all_gather, std::nullopt) == "all-gather");
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %n = f32[8]{0} negate(%p)\n"
      "  %s = ((f32[8]{0}), f32[8]{0}, u32[]) all-to-all-start(%n), replica_groups={{0}}, dimensions={0}\n"
      "  ROOT %d = f32[8]{0} all-to-all-done(%s)\n}\n");
  CHECK(detail::position_text(instruction_of(module, "n")) == "position 1 of 4 in main");
  // Of what sugar implies the start is named.
  CHECK(detail::position_text(instruction_of(module, "s").called_computation(0).root()) == "position 2 of 4 in main");
}
