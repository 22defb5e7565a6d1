#include "analysis/module_of.hpp"
#include "tool/report/memory/memory_fixture.hpp"
#include "nearly.hpp"

#include <hlolint/tool/report/picture_of.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::testing;

namespace {

// One value of the padded shape f32[8,3], in a dump of the TPU's sizes.
constexpr const char* padded_buffers = R"(BufferAssignment:
allocation 0: size 8192, preallocated-temp:
 value: <0 a @0> (size=4096,offset=0): f32[8,3]{1,0:T(8,128)}
 value: <1 b @0> (size=4096,offset=4096): f32[8,128]{1,0:T(8,128)}
)";

// b is written over a while a is read at 3.
constexpr const char* clashing_buffers = R"(BufferAssignment:
allocation 0: size 3072, preallocated-temp:
 value: <0 a @0> (size=2048,offset=0): f32[512]{0}
 value: <1 b @0> (size=2048,offset=1024): f32[512]{0}

HloLiveRange (max 4):
  InstructionSequence:
    0:p
    1:a
    2:b
    3:c
  BufferLiveRange:
    a{}:1-3
    b{}:2-4
  Live ranges at 2 (peak):
    a{}: 2048 bytes (cumulative: 2048 bytes)
)";

constexpr const char* transfers = R"(HloModule t, is_scheduled=true, num_partitions=4

%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %sum = f32[] add(%x, %y)
}

ENTRY %main (p: f32[1024]) -> f32[1024] {
  %p = f32[1024]{0} parameter(0)
  %start = f32[1024]{0} all-reduce-start(%p), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add, metadata={op_name="jit(f)/sum" source_file="f.py" source_line=3}
  %work = f32[1024]{0} negate(%p)
  %more = f32[1024]{0} negate(%work)
  %done = f32[1024]{0} all-reduce-done(%start)
  %empty = f32[1024]{0} all-reduce-start(%more), channel_id=2, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add
  %empty-done = f32[1024]{0} all-reduce-done(%empty)
  %alone = f32[1024]{0} all-reduce(%done), channel_id=3, replica_groups={{0},{1},{2},{3}}, use_global_device_ids=true, to_apply=%add
  ROOT %sync = f32[1024]{0} all-reduce(%alone), channel_id=4, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add
}
)";

module_picture transfers_on(target backend) {
  return picture_of(context({.hlo = module_of(transfers), .target = backend}));
}
std::vector<std::string> exposed(const module_picture& m) {
  std::vector<std::string> out;
  for (const transfer_picture& t : m.transfers)
    if (t.exposed) out.push_back(t.instruction);
  return out;
}

}  // namespace

TEST_CASE("picture_of: allocations, values and curves of a small module") {
  const module_picture m = picture_of(context(module_of(small_hlo), buffers_of(small_buffers)));
  CHECK(m.name == "small");
  CHECK(m.scheduled);
  CHECK(m.missing.empty());
  CHECK(m.sequence == std::vector<std::string>{"p", "a", "b", "c"});
  CHECK(m.last_position == 4);

  REQUIRE(m.allocations.size() == 3);
  const allocation_picture& temp = m.allocations[0];  // the temporary one first
  CHECK(temp.number == 2);
  CHECK(temp.kind == "temp");
  CHECK(temp.color == 1);
  CHECK(temp.size == 4608);
  CHECK(temp.bound == 4096);
  REQUIRE(temp.value_count == 2);
  const value_rectangle &a = m.values[temp.first_value], &b = m.values[temp.first_value + 1];
  CHECK(a.instruction == "a");
  CHECK(a.source.op_name == "jit(f)/a");
  CHECK(a.source.file == "f.py");
  CHECK(a.source.line == 7);
  CHECK(b.offset == 2560);
  CHECK(b.shape == "f32[512]{0}");
  CHECK(b.padding == 0);
  REQUIRE(b.life);

  REQUIRE(m.spaces.size() == 3);  // all, and two colors
  CHECK_FALSE(m.spaces[0].color);
  CHECK(m.spaces[0].allocated == 6656);
  CHECK(m.spaces[2].color == 1);
  byte_count peak = 0;
  for (const occupancy_step& step : m.spaces[2].steps) peak = std::max(peak, step.bytes);
  CHECK(peak == 4096);
  CHECK(m.overlaps.empty());
  CHECK(m.values.size() == 4);
}

TEST_CASE("picture_of: without the HLO, sources come from the buffer dump") {
  const module_picture m = picture_of(context(buffers_of(small_buffers)));
  CHECK(m.values[0].source.file == "f.py");
  CHECK(m.transfers.empty());
  CHECK(m.sequence.size() == 4);
}

TEST_CASE("picture_of: what the layout adds, and values without time") {
  const module_picture m = picture_of(context(buffers_of(padded_buffers)));
  REQUIRE(m.values.size() == 2);
  CHECK(m.values[0].padding == 4096 - 8 * 3 * 4);
  CHECK(m.values[1].padding == 0);
  CHECK_FALSE(m.values[0].life);
  CHECK_FALSE(m.allocations[0].bound);
  CHECK(m.missing.find("no live ranges") == 0);
  CHECK(m.sequence.empty());
}

TEST_CASE("picture_of: bytes that two values have in common while both live") {
  const module_picture m = picture_of(context(buffers_of(clashing_buffers)));
  REQUIRE(m.overlaps.size() == 1);
  const overlap_rectangle& o = m.overlaps[0];
  CHECK(m.values[o.first].instruction == "a");
  CHECK(m.values[o.second].instruction == "b");
  CHECK(o.kind == "clash");
  CHECK(o.offset == 1024);
  CHECK(o.size == 1024);
  CHECK(o.life == position_range{2, 3});
}

TEST_CASE("picture_of: transfers from start to done, and those that nothing hides") {
  const module_picture m = transfers_on(target::gpu);
  REQUIRE(m.transfers.size() == 4);
  const transfer_picture& t = m.transfers[0];
  CHECK(t.instruction == "start");
  CHECK(t.done == "done");
  CHECK(t.kind == "all-reduce");
  CHECK(t.life == position_range{1, 4});
  CHECK(t.bytes == 4096);
  CHECK(t.between == 2);
  CHECK(t.real == 2);
  CHECK(t.collective);
  CHECK(t.asynchronous);
  CHECK(t.source.op_name == "jit(f)/sum");
  CHECK(m.transfers[3].done.empty());
  // `alone` moves nothing: each of its groups is one device.
  const std::vector<std::string> waited_for{"start", "empty", "sync"};  // two negations hide nothing of `start`
  CHECK(exposed(m) == waited_for);
  CHECK(exposed(transfers_on(target::unknown)) == waited_for);
  CHECK(exposed(transfers_on(target::cpu)).empty());
  CHECK(m.sequence.size() == 9);
  CHECK(m.last_position == 9);  // that of the estimate, which begins after the last instruction too
  CHECK_FALSE(m.values.empty());
}

TEST_CASE("picture_of: transfers that the dump's schedule does not have are counted") {
  const module_picture m = picture_of(context(module_of(transfers), buffers_of(small_buffers)));
  CHECK(m.transfers.empty());
  CHECK(m.unplaced_transfers == 4);
}

TEST_CASE("picture_of: what takes the need at the peak sums to it, and knows its device") {
  context::parts parts;
  parts.hlo = module_of(small_hlo), parts.buffers = buffers_of(small_buffers);
  parts.target = target::gpu;
  device on;
  on.name = "small-gpu", on.memory_size = 2000;
  parts.device = on;
  const module_picture m = picture_of(context(std::move(parts)));
  REQUIRE(m.memory);
  const memory_facts_picture& memory = *m.memory;
  CHECK(memory.need.total == 6656);
  CHECK(memory.capacity == 2000);
  CHECK(memory.left == 2000 - 2048);  // color 0 alone counts
  CHECK(memory.main_space == "HBM");
  CHECK(memory.peak == position_range{2, 2});
  CHECK(memory.in_use == 5120);
  CHECK(memory.padding == 0);
  byte_count sum = memory.more_bytes;
  for (const resident_picture& r : memory.resident) sum += r.bytes;
  CHECK(sum == memory.need.total);
  REQUIRE(memory.resident.size() == 5);
  REQUIRE(memory.resident[0].value);
  CHECK(m.values[*memory.resident[0].value].instruction == "a");
  CHECK(m.allocations[memory.resident[0].allocation].number == 2);
  CHECK_FALSE(memory.resident[4].value);  // 512 bytes that nothing uses
  REQUIRE(memory.origins.size() == 5);
  for (const origin_picture& origin : memory.origins) {
    byte_count whole = 0;
    for (const memory_group& group : origin.groups) whole += group.depth == 0 ? group.bytes : 0;
    CHECK(whole == memory.need.total);
  }
  CHECK(memory.origins[0].by == memory_by::source);
  CHECK(m.spaces[1].name == "HBM");
  CHECK_FALSE(m.estimated);
}

TEST_CASE("picture_of: a scheduled module without a dump is an estimate, and one without a schedule is nothing") {
  const module_picture m = picture_of(context(module_of(small_hlo)));
  CHECK(m.estimated);
  REQUIRE(m.memory);
  CHECK(m.memory->need.total > 0);
  CHECK(m.memory->peak);
  CHECK(m.missing.find("estimated") == 0);
  CHECK(m.overlaps.empty());
  CHECK_FALSE(
      picture_of(context(module_of("HloModule m\n\nENTRY %e {\n  ROOT %p = f32[2]{0} parameter(0)\n}\n"))).memory);
}

TEST_CASE("picture_of: the timeline has lanes, what is exposed, and only with a device") {
  CHECK_FALSE(transfers_on(target::gpu).timeline);
  context::parts parts;
  parts.hlo = module_of(transfers), parts.target = target::gpu, parts.device = find_device("h100-sxm");
  const module_picture m = picture_of(context(std::move(parts)));
  REQUIRE(m.timeline);
  const timeline_picture& timeline = *m.timeline;
  CHECK(timeline.device == "h100-sxm");
  CHECK(timeline.lanes == std::vector<std::string>{"compute", "nccl"});
  CHECK(timeline.step == nearly(timeline.compute + timeline.exposed));
  CHECK(timeline.exposed > 0);
  std::size_t work = 0, waits = 0, moved = 0;
  std::int64_t exposed = 0;
  for (const timeline_block& b : timeline.blocks) {
    CHECK(b.begin >= 0);
    CHECK(b.begin + b.length <= timeline.length);
    work += b.what == "work", waits += b.what == "wait", moved += b.what == "transfer";
    exposed += b.exposed;
    CHECK((b.what == "transfer") == (b.lane == 1));
  }
  CHECK(work == 2);
  CHECK(moved >= 3);
  CHECK(waits == moved);
  CHECK(static_cast<double>(exposed) == nearly(timeline.exposed * 1e6).epsilon(0.001));
  // What the device waits for, though it is not nothing that stands beside it.
  CHECK(m.exposed_transfers == timeline.transfers.size());
}

TEST_CASE("timeline_of: neighbors that are too small to be seen are one block") {
  std::string text =
      "HloModule m, is_scheduled=true, num_partitions=4\n\nENTRY %e (p: f32[1000000]) -> f32[1000000] {\n"
      "  %p = f32[1000000]{0} parameter(0)\n  %v0 = f32[1000000]{0} negate(%p)\n";
  constexpr int count = 20000;
  for (int i = 1; i <= count; ++i)
    text += "  %v" + std::to_string(i) + " = f32[1000000]{0} negate(%v" + std::to_string(i - 1) + ")\n";
  text += "  ROOT %r = f32[1000000]{0} negate(%v" + std::to_string(count) + ")\n}\n";
  context::parts parts;
  parts.hlo = module_of(text), parts.target = target::gpu, parts.device = find_device("h100-sxm");
  const context module(std::move(parts));
  const auto timeline = timeline_of(module, {module.device(), {}});
  REQUIRE(timeline);
  CHECK(timeline->blocks.size() < 10000);
  std::size_t blocks = 0;
  for (const timeline_block& b : timeline->blocks) blocks += b.count;
  CHECK(blocks == count + 2);
}

TEST_CASE("scope_of: what the user's program made of an op_name") {
  CHECK(scope_of("jit(train_step)/jit(main)/jvp(moe)/router/gather") == "jvp(moe)/router");
  CHECK(scope_of("jit(f)/while/body/layer/dot_general") == "layer");
  CHECK(scope_of("jit(f)/add").empty());
  CHECK(scope_of("aten__mm").empty());
  CHECK(scope_of("").empty());
  CHECK(scope_of("jit(f)/a/b/c/d/e/add") == "a/b/c/d");
}

TEST_CASE("picture_of: a step with calls of unknown time is a lower bound") {
  const auto at_least = [](const std::string& call) {
    context::parts parts;
    parts.hlo = module_of(
        "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = f32[1024]{0} parameter(0)\n  ROOT %r = "
        "f32[1024]{0} " +
        call + "\n}\n");
    parts.target = target::gpu, parts.device = find_device("h100-sxm");
    const module_picture m = picture_of(context(std::move(parts)));
    REQUIRE(m.timeline);
    return m.timeline->work.at_least;
  };
  CHECK_FALSE(at_least("negate(%p)"));
  CHECK(at_least("custom-call(%p), custom_call_target=\"pfft3d\""));
}
