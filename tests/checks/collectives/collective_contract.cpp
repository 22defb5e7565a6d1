#include <hlolint/checks/collectives/collective_contract.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hlolint;
using hlolint::testing::module_of;

namespace {

std::string findings_of(const module_contract& agreed) {
  const hlo_module module = module_of(
      "HloModule jit_step.3, num_partitions=4\n\n%add (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n"
      "  %y = f32[] parameter(1)\n"
      "  ROOT %s = f32[] add(%x, %y)\n}\n\nENTRY %main {\n  %p = f32[256]{0} parameter(0)\n"
      "  %g = f32[1024]{0} all-gather(%p), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, "
      "use_global_device_ids=true, "
      "metadata={op_name=\"layer0/gather\"}\n"
      "  %r = f32[256]{0} all-reduce(%p), channel_id=2, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, "
      "to_apply=%add, "
      "metadata={op_name=\"layer1/reduce\"}\n"
      "  ROOT %t = (f32[1024]{0}, f32[256]{0}) tuple(%g, %r)\n}\n");
  collective_contract check;
  check.contracts.push_back(agreed);
  std::string out;
  for (const diagnostic& d : lint(check, module)) out += d.instruction + ": " + d.message + "\n";
  return out;
}

module_contract on(std::string opcode) {
  module_contract out;
  out.name = "c";
  out.opcode = std::move(opcode);
  return out;
}

}  // namespace

TEST_CASE("COL017: counts, groups and bytes of the collectives that a contract is about") {
  module_contract agreed = on("all-gather");
  agreed.max_count = 1;
  CHECK(findings_of(agreed) == "");
  agreed.max_count = 0;
  CHECK(findings_of(agreed) == "g: contract 'c': all-gather number 1, at most 0 are agreed\n");
  agreed.module = "jit_eval";
  CHECK(findings_of(agreed) == "");
  agreed.module = "jit_step";
  CHECK(findings_of(agreed) != "");
  agreed.op_name = "layer1/*";
  CHECK(findings_of(agreed) == "");

  agreed = on("");
  agreed.min_count = 2;
  CHECK(findings_of(agreed) == "");
  agreed.min_count = 3;
  CHECK(findings_of(agreed) == ": contract 'c': 2 collectives, at least 3 are agreed\n");

  agreed = on("*");
  agreed.group_size = 2;
  CHECK(findings_of(agreed) == "g: contract 'c': all-gather over groups of 4, agreed are 2\n");
  agreed.group_size.reset();
  agreed.max_group_size = 3;
  CHECK(findings_of(agreed) == "g: contract 'c': all-gather over groups of 4, at most 3 are agreed\n");

  agreed = on("all-reduce");
  agreed.max_bytes = 1024;
  CHECK(findings_of(agreed) == "");
  agreed.max_bytes = 1000;
  CHECK(findings_of(agreed) == "r: contract 'c': 1.0KiB are moved, at most 1000B are agreed\n");
}

TEST_CASE("COL017: element types and overlap") {
  module_contract agreed = on("all-reduce");
  agreed.element_type = "bf16";
  CHECK(findings_of(agreed) == "r: contract 'c': all-reduce in f32, agreed is bf16\n");
  agreed.element_type = "f*";
  CHECK(findings_of(agreed) == "");
  agreed.element_type.clear();
  agreed.must_overlap = true;
  CHECK(findings_of(agreed) == "");  // without a schedule nothing is known
}

TEST_CASE("COL017: synchronous and asynchronous forms are one") {
  const auto findings = [](const std::string& forms, const module_contract& agreed) {
    const hlo_module module = module_of(
        "HloModule jit_step, is_scheduled=true, num_partitions=4\n\nENTRY %main {\n"
        "  %p = bf16[256]{0} parameter(0)\n" +
        forms + "\n}\n");
    collective_contract check;
    check.contracts.push_back(agreed);
    std::string out;
    for (const diagnostic& d : lint(check, module)) out += d.instruction + ": " + d.message + "\n";
    return out;
  };
  const std::string rest = ", channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true\n";
  const std::string sync = "  ROOT %g = bf16[1024]{0} all-gather(%p)" + rest;
  const std::string start = "  %s = (bf16[256]{0}, bf16[1024]{0}) all-gather-start(%p)" + rest;
  const std::string work = "  %n = bf16[256]{0} negate(%p)\n";
  const std::string done = "  ROOT %d = bf16[1024]{0} all-gather-done(%s)";
  module_contract agreed = on("all-gather");
  agreed.max_count = 0;
  CHECK(findings(sync, agreed) == "g: contract 'c': all-gather number 1, at most 0 are agreed\n");
  CHECK(findings(start + work + done, agreed) == "s: contract 'c': all-gather number 1, at most 0 are agreed\n");
  agreed.max_count.reset();
  agreed.must_overlap = true;
  CHECK(findings(sync, agreed) == "g: contract 'c': all-gather is synchronous, agreed is that it overlaps\n");
  CHECK(findings(start + done, agreed) ==
        "s: contract 'c': all-gather has no work between start and done, agreed is that it overlaps\n");
  CHECK(findings(start + work + done, agreed) == "");
  agreed.element_type = "f32";
  CHECK(findings(start + work + done, agreed) == "s: contract 'c': all-gather in bf16, agreed is f32\n");
  agreed = on("all-gather");
  agreed.max_exposed_ms = 1;
  CHECK(findings(sync, agreed) == "");  // without a device it cannot be evaluated, see contract_evaluation.cpp
}

TEST_CASE("COL017: what another thread runs is asynchronous, however deep it stands") {
  const auto findings = [](const std::string& run) {
    const hlo_module module = module_of(
        "HloModule jit_step, is_scheduled=true, num_partitions=4\n\n%fused (f: bf16[256]) -> bf16[1024] {\n"
        "  %f = bf16[256]{0} parameter(0)\n"
        "  ROOT %g = bf16[1024]{0} all-gather(%f), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, "
        "use_global_device_ids=true\n}\n\n%called (c: bf16[256]) -> bf16[1024] {\n  %c = bf16[256]{0} parameter(0)\n"
        "  ROOT %fc = bf16[1024]{0} fusion(%c), kind=kCustom, calls=%fused\n}\n\n"
        "%wrapped (w: bf16[256]) -> bf16[1024] {\n  %w = bf16[256]{0} parameter(0)\n"
        "  ROOT %r = bf16[1024]{0} call(%w), to_apply=%called\n}\n\nENTRY %main {\n  %p = bf16[256]{0} parameter(0)\n" +
        run + "}\n");
    module_contract agreed = on("all-gather");
    agreed.must_overlap = true;
    collective_contract check;
    check.contracts.push_back(agreed);
    std::string out;
    for (const diagnostic& d : lint(check, module)) out += d.instruction + ": " + d.message + "\n";
    return out;
  };
  const std::string start =
      "  %s = ((bf16[256]{0}), bf16[1024]{0}, u32[]) async-start(%p), "
      "async_execution_thread=\"sparsecore\", calls=%wrapped\n";
  const std::string work = "  %n = bf16[256]{0} negate(%p)\n", done = "  ROOT %d = bf16[1024]{0} async-done(%s)\n";
  CHECK(findings(start + work + done) == "");
  CHECK(findings(start + done) ==
        "g: contract 'c': all-gather has no work between start and done, agreed is that it overlaps\n");
  CHECK(findings("  ROOT %d = bf16[1024]{0} fusion(%p), kind=kCustom, calls=%fused\n") ==
        "g: contract 'c': all-gather is synchronous, agreed is that it overlaps\n");
  CHECK(findings("  ROOT %d = bf16[1024]{0} call(%p), to_apply=%called\n") ==
        "g: contract 'c': all-gather is synchronous, agreed is that it overlaps\n");
}

TEST_CASE("COL017: no contract, no finding") {
  CHECK(lint(collective_contract{}, module_of("HloModule m\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n")).empty());
}

TEST_CASE("COL017 takes an all-reduce of which a fusion keeps a part for the reduce-scatter that it is") {
  const auto found = [](std::string kind) {
    module_contract agreed = on(std::move(kind));
    agreed.max_count = 0;
    collective_contract check;
    check.contracts.push_back(agreed);
    return lint(check, module_of(R"(HloModule m, is_scheduled=true, num_partitions=4

%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %s = f32[] add(%x, %y)
}

%scatter (fp: f32[1024], at: s32[]) -> f32[256] {
  %fp = f32[1024]{0} parameter(0)
  %at = s32[] parameter(1)
  %all = f32[1024]{0} all-reduce(%fp), channel_id=1, replica_groups=[1,4]<=[4], use_global_device_ids=true, to_apply=%add
  ROOT %part = f32[256]{0} dynamic-slice(%all, %at), dynamic_slice_sizes={256}
}

ENTRY %main {
  %p = f32[1024]{0} parameter(0)
  %i = s32[] parameter(1)
  ROOT %f = f32[256]{0} fusion(%p, %i), kind=kCustom, calls=%scatter
}
)"));
  };
  CHECK(found("all-reduce").empty());
  REQUIRE(found("reduce-scatter").size() == 1);
  CHECK(found("reduce-scatter")[0].message == "contract 'c': reduce-scatter number 1, at most 0 are agreed");
}

TEST_CASE("COL017 counts the bytes of a start once") {
  module_contract agreed = on("collective-permute");
  collective_contract check;
  agreed.max_bytes = 4096;
  check.contracts.push_back(agreed);
  const auto found = [&] {
    return lint(check, module_of(R"(HloModule m, is_scheduled=true, num_partitions=2

ENTRY %main {
  %p = f32[1024]{0} parameter(0)
  %s = (f32[1024]{0}, f32[1024]{0}, u32[], u32[]) collective-permute-start(%p), channel_id=1, source_target_pairs={{0,1}}
  ROOT %d = f32[1024]{0} collective-permute-done(%s)
}
)"));
  };
  CHECK(found().empty());
  check.contracts[0].max_bytes = 4095;
  CHECK(found().size() == 1);
}
