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
  CHECK(sources.kind_of(of("sr")) == hlo_opcode::reduce_scatter);
  CHECK(sources.kind_of(of("ex")) == of("ex").opcode());
  CHECK(sources.kind_of(of("gs")) == hlo_opcode::all_gather);
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

TEST_CASE("transfer_sources: what an async-start launches as a fusion, on a stream of its own") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true, num_partitions=2

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

%kernel {
  %kp = f32[4]{0} parameter(0)
  ROOT %kr = f32[4]{0} all-reduce(%kp), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum,
    backend_config={"collective_backend_config":{"is_sync":false,"kernel_strategy":"KERNEL_STRATEGY_ONE_SHOT"}}
}

%launched {
  %lp = f32[4]{0} parameter(0)
  ROOT %lf = f32[4]{0} fusion(%lp), kind=kCustom, calls=%kernel
}

%wrapped {
  %wp = f32[4]{0} parameter(0)
  ROOT %wr = f32[4]{0} all-reduce(%wp), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum,
    backend_config={"collective_backend_config":{"is_sync":false,"kernel_strategy":"KERNEL_STRATEGY_ONE_SHOT"}}
}

%put {
  %pa = f32[8,4]{1,0:S(5)} parameter(0)
  %pu = f32[1,4]{1,0} parameter(1)
  %pi = s32[] parameter(2)
  ROOT %pd = f32[8,4]{1,0:S(5)} dynamic-update-slice(%pa, %pu, %pi, %pi)
}

%puts {
  %sa = f32[8,4]{1,0:S(5)} parameter(0)
  %su = f32[1,4]{1,0} parameter(1)
  %si = s32[] parameter(2)
  ROOT %sf = f32[8,4]{1,0:S(5)} fusion(%sa, %su, %si), kind=kLoop, calls=%put
}

ENTRY %e {
  %p = f32[4]{0} parameter(0)
  %a = f32[8,4]{1,0:S(5)} parameter(1)
  %u = f32[1,4]{1,0} parameter(2)
  %i = s32[] parameter(3)
  %beside = ((f32[4]{0}), f32[4]{0}) async-start(%p), calls=%launched
  %d1 = f32[4]{0} async-done(%beside)
  %on_stream = ((f32[4]{0}), f32[4]{0}) async-start(%p), calls=%wrapped
  %d2 = f32[4]{0} async-done(%on_stream)
  %host = ((f32[8,4]{1,0:S(5)}, f32[1,4]{1,0}, s32[]), f32[8,4]{1,0:S(5)}, u32[]) async-start(%a, %u, %i), calls=%puts
  %d3 = f32[8,4]{1,0:S(5)} async-done(%host)
  ROOT %n = f32[4]{0} negate(%p)
}
)");
  const transfer_sources sources(module);
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  CHECK(sources.transfer_of(of("beside")) == of("kr"));
  CHECK(sources.role_of(of("beside")) == transfer_role::starts);
  CHECK(sources.runs_on_own_stream(of("beside")));
  CHECK(sources.is_copy(of("kr")));
  CHECK_FALSE(sources.is_copy(of("beside")));
  CHECK(sources.role_of(of("on_stream")) == transfer_role::synchronous);
  CHECK_FALSE(sources.runs_on_own_stream(of("on_stream")));
  CHECK(sources.transfer_of(of("host")) == of("pd"));
  CHECK(sources.role_of(of("host")) == transfer_role::starts);
}
