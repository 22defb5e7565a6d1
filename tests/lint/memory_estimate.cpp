#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/checks/budget/memory_contract.hpp>
#include <hlolint/checks/budget/over_budget.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/lint/memory_estimate.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// 4 MiB in, 4 MiB out, 16 MiB between.
context::parts step(const std::string& header = ", is_scheduled=true") {
  context::parts parts;
  parts.hlo = module_of("HloModule jit_step" + header +
                        "\n\nENTRY %main {\n  %p = f32[1048576]{0} parameter(0)\n"
                        "  %big.1 = f32[4194304]{0} custom-call(%p), custom_call_target=\"grow\"\n"
                        "  ROOT %small.1 = f32[1048576]{0} custom-call(%big.1), custom_call_target=\"shrink\"\n}\n");
  return parts;
}

struct counted_values {
  static constexpr rule about{
      .id = "TST001", .name = "counted", .level = severity::warning, .needs = need::memory, .what = "w", .why = "y"};
  void operator()(const context& dump, sink auto& report) const {
    report(finding{std::to_string(memory_need(*dump.buffers()).total)});
  }
};

struct live {
  static constexpr rule about{.id = "TST002",
                              .name = "live",
                              .level = severity::warning,
                              .needs = need::buffers | need::live_ranges,
                              .what = "w",
                              .why = "y"};
  void operator()(const context& dump, sink auto& report) const {
    report(finding{"lives to " + std::to_string(dump.buffers()->live_ranges()->ranges.back().end)});
  }
};
struct printed {
  static constexpr rule about{.id = "TST003",
                              .name = "printed",
                              .level = severity::warning,
                              .needs = need::buffers | need::printed_ranges,
                              .what = "w",
                              .why = "y"};
  void operator()(const context&, sink auto& report) const { report(finding{"never"}); }
};

}  // namespace

TEST_CASE("with_memory: an estimate where nothing was dumped, made once") {
  const context alone(step());
  CHECK(alone.has(need::memory));
  CHECK_FALSE(alone.has(need::buffers));
  const context& with = with_memory(alone);
  CHECK(with.memory_is_estimated());
  CHECK(&with_memory(alone) == &with);
  CHECK(&with_memory(with) == &with);
  CHECK(with.name() == "jit_step");
  CHECK(memory_need(*with.buffers()).total == 24_MiB);
  CHECK(memory_summary_of(with) == memory_summary{"jit_step", 24_MiB, 16_MiB, 24_MiB});
  CHECK(&with.get<live_ranges>().flow().tables() == &alone.get<module_tables>());

  const context unscheduled(step(""));
  CHECK(unscheduled.missing(need::memory) == need::memory);
  CHECK(&with_memory(unscheduled) == &unscheduled);
  context::parts dumped = step();
  dumped.buffers = buffers_of("BufferAssignment:\nallocation 0: size 8, preallocated-temp:\n");
  const context with_dump(std::move(dumped));
  CHECK(&with_memory(with_dump) == &with_dump);
}

TEST_CASE("with_memory: an assignment without live ranges has those that follow from the HLO") {
  constexpr std::string_view assignment =
      "BufferAssignment:\n"
      "allocation 0: size 4194304, parameter 0, shape |f32[1048576]| at ShapeIndex {}:\n"
      " value: <0 p @0> (size=4194304,offset=0): f32[1048576]{0}\n"
      "allocation 1: size 4194304, output shape is |f32[1048576]|, maybe-live-out:\n"
      " value: <2 small.1 @0> (size=4194304,offset=0): f32[1048576]{0}\n"
      "allocation 2: size 16777216, preallocated-temp:\n"
      " value: <1 big.1 @0> (size=16777216,offset=0): f32[4194304]{0}\n";
  context::parts parts = step();
  parts.buffers = buffers_of(assignment);
  const context dumped(std::move(parts));
  CHECK(dumped.missing(need::live_ranges) == need::live_ranges);
  const context& with = with_memory(dumped);
  CHECK(with.has(need::buffers | need::live_ranges | need::used_values));
  CHECK(with.missing(need::printed_ranges) == need::printed_ranges);
  CHECK(with.memory_from() == memory_origin::dumped);
  CHECK(with.memory_words() == computed_ranges_words);
  CHECK(&with_memory(dumped) == &with);
  CHECK(&with_memory(with) == &with);
  CHECK(memory_summary_of(with).peak == 24_MiB);

  std::string found;
  const auto report = [&](const diagnostic& d) { found = d.message; };
  CHECK(run(catalogue(live{}), dumped, report).empty());
  CHECK(found == "lives to 2");
  CHECK(run(catalogue(printed{}), dumped, report).size() == 1);
}

TEST_CASE("with_memory: what is certain is as XLA assigns it, and a doubt is a reason") {
  context::parts parts = step();
  parts.target = target::cpu;
  const context known(std::move(parts));
  CHECK(with_memory(known).memory_from() == memory_origin::assigned);
  CHECK_FALSE(with_memory(known).memory_is_estimated());
  CHECK(with_memory(known).memory_words() == assigned_words);
  const context unknown(step());
  CHECK(with_memory(unknown).memory_words() == std::string(estimate_words) + "the target is not known (--target)");
  CHECK(unknown.memory_from() == memory_origin::dumped);
  CHECK(unknown.memory_words().empty());
}

TEST_CASE("needed_memory: the need of the memory, without its values") {
  for (const target on : {target::cpu, target::gpu, target::tpu}) {
    context::parts parts;
    parts.hlo = module_of(
        "HloModule m, is_scheduled=true\n\n%add {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n"
        "  ROOT %s = f32[] add(%x, %y)\n}\n\nENTRY %main {\n  %p = f32[65536]{0} parameter(0)\n"
        "  %zero = f32[] constant(0)\n  %near = f32[65536]{0:S(1)} negate(%p)\n  %far = f32[65536]{0} negate(%near)\n"
        "  %sum = f32[] reduce(%far, %zero), dimensions={0}, to_apply=%add\n  ROOT %t = (f32[]) tuple(%sum)\n}\n");
    parts.target = on;
    const context module(std::move(parts));
    const std::optional<byte_count> needed = needed_memory(module);
    CHECK_FALSE(module.known<memory_estimate>());
    CHECK_FALSE(known_memory(module));
    CHECK(needed == memory_need(*with_memory(module).buffers(), on).total);
    CHECK(needed_memory(module) == needed);
    CHECK(known_memory(module) == &with_memory(module));
  }
  CHECK_FALSE(needed_memory(context(step(""))));
}

TEST_CASE("likely_buffers: tables of tuples take what they take on the device") {
  const auto rule_on = [](std::string_view device) {
    context::parts parts = step();
    parts.target = target::tpu;
    parts.device = find_device(device);
    return context(std::move(parts)).get<likely_buffers>().made->rules().sizes;
  };
  CHECK(rule_on("tpu-v2") == size_rule::tpu_tiled_v3);
  CHECK(rule_on("tpu-v3") == size_rule::tpu_tiled_v3);
  CHECK(rule_on("tpu-v4") == size_rule::tpu_tiled_v5e);
  CHECK(rule_on("tpu-v5e") == size_rule::tpu_tiled_v5e);
  CHECK(rule_on("tpu-v6e") == size_rule::tpu_tiled);
}

TEST_CASE("with_memory: an estimate uses the buffers that were made before, and is the same") {
  const auto on_cpu = [] {
    context::parts parts = step();
    parts.target = target::cpu;
    return parts;
  };
  const context alone(on_cpu()), shared(on_cpu());
  CHECK(shared.get<likely_buffers>().plan.need == 24_MiB);
  CHECK(memory_summary_of(with_memory(shared)) == memory_summary_of(with_memory(alone)));
  CHECK(with_memory(shared).memory_words() == with_memory(alone).memory_words());
  CHECK(alone.known<likely_buffers>() == nullptr);  // large, so that it is not kept
  CHECK(shared.known<likely_buffers>() == &shared.get<likely_buffers>());
}

TEST_CASE("need::memory: an estimate is made for those who ask, and its findings are marked") {
  const context alone(step());
  const findings unasked = lint(counted_values{}, alone);
  CHECK(unasked.empty());
  REQUIRE(unasked.skipped.size() == 1);
  CHECK(unasked.skipped[0].reason == "no buffer assignment");
  const findings asked = lint(counted_values{}, alone, all_settings(as_catalogue(counted_values{})));
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].message == "25165824 (estimated from the HLO)");
  CHECK(asked[0].where.in.same_as(alone.hlo()->text()));
  CHECK(asked.skipped.empty());

  // A limit asks, too.
  over_budget budget;
  CHECK(lint(budget, alone).empty());
  CHECK(lint(budget, alone).skipped.empty());  // nothing to compare with
  CHECK(lint(budget, alone, all_settings(as_catalogue(budget))).skipped.size() == 1);
  budget.capacity = 16_MiB;
  REQUIRE(lint(budget, alone).size() == 1);
  CHECK(lint(budget, alone)[0].bytes == 8_MiB);
  CHECK(lint(budget, context(step(""))).skipped.size() == 1);
  memory_contract agreed;
  agreed.contracts.resize(1);
  agreed.contracts[0].module = "jit_other";
  agreed.contracts[0].max_total = 1;
  CHECK(lint(agreed, alone).empty());
  agreed.contracts[0].module = "jit_step";
  CHECK(lint(agreed, alone).size() == 1);
}

TEST_CASE("memory_estimate: of a compilation that ran out of memory, as XLA assigns without libtpu") {
  const auto needed = [](bool failed) {
    context::parts parts;
    parts.hlo = module_of(
        "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = f32[]{:T(128)} parameter(0)\n  %t = f32[8192]{0:T(1024)} "
        "custom-call(%p), custom_call_target=\"k\"\n  %u = f32[]{:T(128)} custom-call(%t), custom_call_target=\"k\"\n"
        "  ROOT %r = f32[8192]{0:T(1024)} custom-call(%u), custom_call_target=\"k\"\n}\n");
    parts.target = target::tpu, parts.is_out_of_memory = failed;
    const context dump(std::move(parts));
    return memory_need(*with_memory(dump).buffers(), target::tpu).total;
  };
  CHECK(needed(false) - needed(true) == 32_KiB);  // the temporary value lies where the result will be
}

TEST_CASE("memory_estimate: tighter where libtpu's own packing leaves little memory") {
  const auto needed = [](const std::optional<device>& on, const std::string& elements) {
    const std::string big = "f32[" + elements + "]{0:T(1024)}";
    context::parts parts;
    parts.hlo = module_of(
        "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = f32[]{:T(128)} parameter(0)\n  %t = " + big +
        " custom-call(%p), custom_call_target=\"k\"\n  %u = f32[]{:T(128)} custom-call(%t), custom_call_target=\"k\"\n"
        "  ROOT %r = " +
        big + " custom-call(%u), custom_call_target=\"k\"\n}\n");
    parts.target = target::tpu, parts.device = on;
    const context dump(std::move(parts));
    return memory_need(*with_memory(dump).buffers(), target::tpu).total >> 30;  // GiB
  };
  const std::string six = "1610612736", seven = "1879048192";  // elements of so many GiB
  CHECK(needed(find_device("tpu-v5e"), six) == 12);
  CHECK(needed(find_device("tpu-v5e"), seven) == 7);  // of 15.75 GiB
  CHECK(needed(find_device("tpu-v6e"), seven) == 14);
  CHECK(needed(std::nullopt, seven) == 14);
}
