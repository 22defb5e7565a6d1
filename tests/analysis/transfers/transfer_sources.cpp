#include <hlolint/analysis/transfers/transfer_sources.hpp>

#include "analysis/async_fusions.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("transfer_sources: what transfers, through async computations, fusions and calls") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true, num_partitions=2

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

%exchange {
  %ep = f32[4]{0} parameter(0)
  ROOT %ex = f32[4]{0} all-to-all(%ep), channel_id=9, replica_groups={{0,1}}, dimensions={0}
}

%deeper {
  %dp = f32[4]{0} parameter(0)
  ROOT %df = f32[4]{0} fusion(%dp), kind=kCustom, calls=%exchange
}

%scatters {
  %sp = f32[4]{0} parameter(0)
  %si = s32[] parameter(1)
  %sr = f32[4]{0} all-reduce(%sp), channel_id=8, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum
  %sb = f32[4]{0} bitcast(%sr)
  ROOT %sd = f32[2]{0} dynamic-slice(%sb, %si), dynamic_slice_sizes={2}
}

%plain {
  %pp = f32[4]{0} parameter(0)
  ROOT %pn = f32[4]{0} negate(%pp)
}

ENTRY %e {
  %p = f32[4]{0} parameter(0)
  %i = s32[] parameter(1)
  %start = ((f32[4]{0}), f32[4]{0}, u32[]) async-start(%p), calls=%deeper
  %done = f32[4]{0} async-done(%start)
  %work = ((f32[4]{0}), f32[4]{0}, u32[]) async-start(%p), calls=%plain
  %worked = f32[4]{0} async-done(%work)
  %gs = (f32[4]{0}, f32[8]{0}) all-gather-start(%p), channel_id=1, replica_groups={{0,1}}, dimensions={0},
    use_global_device_ids=true, backend_config={"is_sync":true}
  %gd = f32[8]{0} all-gather-done(%gs)
  %cs = (f32[4]{0:S(5)}, f32[4]{0}, u32[]) copy-start(%p)
  %cd = f32[4]{0:S(5)} copy-done(%cs)
  %alone = f32[4]{0} all-to-all(%p), channel_id=2, replica_groups={{0,1}}, dimensions={0}
  %fused = f32[4]{0} fusion(%p), kind=kCustom, calls=%exchange
  %part = f32[2]{0} fusion(%p, %i), kind=kCustom, calls=%scatters
  ROOT %n = f32[4]{0} negate(%p)
}
)");
  const transfer_sources sources(module);
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  const auto role = [&](const char* name) { return sources.role_of(of(name)); };
  CHECK(sources.transfer_of(of("start")) == of("ex"));
  CHECK(sources.transfer_of(of("gs")) == of("gs"));
  CHECK(sources.transfer_of(of("cs")) == of("cs"));
  CHECK(sources.transfer_of(of("fused")) == of("ex"));
  CHECK_FALSE(sources.transfer_of(of("work")));
  CHECK_FALSE(sources.transfer_of(of("n")));
  CHECK(role("start") == transfer_role::starts);
  CHECK(role("done") == transfer_role::finishes);
  CHECK(role("work") == transfer_role::nothing);
  CHECK(role("gs") == transfer_role::synchronous);  // marked so
  CHECK(role("cs") == transfer_role::starts);
  CHECK(role("cd") == transfer_role::finishes);
  CHECK(role("alone") == transfer_role::synchronous);
  CHECK(role("fused") == transfer_role::synchronous);
  CHECK(role("n") == transfer_role::nothing);
  CHECK(sources.is_scatter(of("part"), of("sr")));
  CHECK_FALSE(sources.is_scatter(of("fused"), of("ex")));
  CHECK_FALSE(sources.is_scatter(of("alone"), of("alone")));
  for (const hlo_opcode may : {hlo_opcode::fusion, hlo_opcode::send, hlo_opcode::all_reduce, hlo_opcode::async_start})
    CHECK(transfer_sources::may_transfer(may));
  CHECK_FALSE(transfer_sources::may_transfer(hlo_opcode::add));
}

TEST_CASE("transfer_sources: fusions of the TPU that start and end a transfer") {
  const hlo_module module = module_of(async_fusions_text);
  const transfer_sources sources(module);
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  CHECK(sources.transfer_of(of("s")) == of("g1"));
  CHECK(sources.role_of(of("s")) == transfer_role::starts);
  CHECK_FALSE(sources.transfer_of(of("f")));
  CHECK(sources.role_of(of("f")) == transfer_role::nothing);  // work that carries it on
  CHECK(sources.role_of(of("d")) == transfer_role::finishes);
  REQUIRE(sources.fusion_role(of("f")));
  CHECK(sources.fusion_role(of("f"))->carries());
}

TEST_CASE("async_fusion_roles: which fusion starts, carries on and ends a transfer") {
  const hlo_module module = module_of(async_fusions_text);
  const async_fusion_roles roles(module);
  const auto of = [&](const char* name) { return roles.of(instruction_of(module, name)); };
  REQUIRE(of("s"));
  CHECK(of("s")->starts);
  CHECK_FALSE(of("s")->finishes);
  CHECK(of("s")->collective.name() == "g1");
  CHECK(of("s")->chain == "7/4");
  CHECK_FALSE(of("s")->carries());
  REQUIRE(of("f"));
  CHECK(of("f")->carries());
  CHECK(of("f")->chain == of("s")->chain);
  REQUIRE(of("d"));
  CHECK(of("d")->finishes);
  CHECK_FALSE(of("d")->carries());
  for (const char* const name : {"n", "p", "g1"}) CHECK(of(name) == nullptr);
}

TEST_CASE("async_fusion_roles: without a start no fusion has a role") {
  std::string text = async_fusions_text;
  const std::string start = "AsyncCollectiveStart";
  text.replace(text.find(start), start.size(), "SomethingElse");
  const hlo_module module = module_of(text);
  const async_fusion_roles roles(module);
  for (const hlo_instruction i : module.instructions()) CHECK(roles.of(i) == nullptr);
}
