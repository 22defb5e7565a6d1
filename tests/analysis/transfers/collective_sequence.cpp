#include <hlolint/analysis/transfers/collective_sequence.hpp>

#include "analysis/collective_programs.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string steps_in(const collective_sequence& sequence) {
  std::string out;
  for (const collective_step& s : sequence) out += (out.empty() ? "" : " ") + std::string(s.instruction.name());
  return out;
}

}  // namespace

TEST_CASE("collective_sequence: each where a device comes to it") {
  const hlo_module module = module_of(nested_text);
  const collective_sequence sequence(module);
  CHECK(steps_in(sequence) == "ar in_loop x in_left inside in_call c2 s");

  const collective_step& start = sequence[0];
  CHECK(start.kind == hlo_opcode::all_reduce);
  CHECK(start.channel == 6);
  CHECK(start.reduction == hlo_opcode::add);
  CHECK(start.bytes() == 32);
  CHECK_FALSE(start.loop);
  CHECK(sequence.devices_of(start).mode == group_mode::flattened_id);
  CHECK(sequence.devices_of(start).groups == std::vector<std::vector<std::int64_t>>{{0, 1, 2, 3}});

  CHECK(sequence[1].loop.name() == "w");
  CHECK(sequence[1].runs == repetition{12, true});
  CHECK(sequence[2].kind == hlo_opcode::all_to_all);
  CHECK(sequence[2].transfer.name() == "ex");
  CHECK(sequence[3].conditional.name() == "c");
  CHECK(sequence[3].branch == 0);
  CHECK(sequence.devices_of(sequence[3]).groups == std::vector<std::vector<std::int64_t>>{{0, 1}, {1, 0}});
  CHECK(sequence[4].result_bytes == 8);
  CHECK(sequence[4].operand_bytes == 32);
  CHECK(sequence[6].again.name() == "called");
  CHECK(sequence[7].result_bytes == 32);  // of the start's two halves the result
}

TEST_CASE("collective_sequence: a TPU transfer of several fusions is one") {
  const collective_sequence sequence(module_of(R"(HloModule m, is_scheduled=true, replica_count=2

%begin (bp: f32[8]) -> (f32[8], f32[16]) {
  %bp = f32[8]{0} parameter(0)
  %g1 = f32[16]{0} all-gather(%bp), channel_id=4, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={chain_id="0"}
  ROOT %b = (f32[8]{0}, f32[16]{0}) custom-call(%g1), custom_call_target="AsyncCollectiveStart"
}

%finish (fp: f32[8], fq: f32[16]) -> f32[16] {
  %fp = f32[8]{0} parameter(0)
  %fq = f32[16]{0} parameter(1)
  %g2 = f32[16]{0} all-gather(%fp), channel_id=4, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={chain_id="0"}
  ROOT %e = f32[16]{0} custom-call(%g2, %fq), custom_call_target="AsyncCollectiveDone"
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %start = (f32[8]{0}, f32[16]{0}) fusion(%p), kind=kCustom, calls=%begin
  %x = f32[8]{0} get-tuple-element(%start), index=0
  %y = f32[16]{0} get-tuple-element(%start), index=1
  ROOT %done = f32[16]{0} fusion(%x, %y), kind=kCustom, calls=%finish
}
)"));
  CHECK(steps_in(sequence) == "start");
  CHECK(sequence[0].transfer.name() == "g1");
  CHECK(sequence[0].bytes() == 64);
}

TEST_CASE("collective_sequence: names, forms of writing and asynchrony do not count") {
  const auto fingerprint = [](const std::string& body, const std::string& header = "num_partitions=4") {
    return collective_sequence(module_of(collectives_in(body, header))).fingerprint();
  };
  const std::uint64_t plain = fingerprint(all_reduce_of_p("x", "1"));
  CHECK(plain == fingerprint(all_reduce_of_p("all-reduce.77", "1", "{{2,3},{0,1}}")));
  CHECK(plain == fingerprint(all_reduce_of_p("x", "1", "[2,2]<=[4]")));
  CHECK(plain == fingerprint("  %n = f32[8]{0} negate(%p)\n" + all_reduce_of_p("x", "1")));
  CHECK(plain == fingerprint("  %s = f32[8]{0} all-reduce-start(%p), channel_id=1, replica_groups=[2,2]<=[4], "
                             "use_global_device_ids=true, to_apply=%add\n  %d = f32[8]{0} all-reduce-done(%s)\n"));
  CHECK(plain == fingerprint(all_reduce_of_p("x", "1", "[2,2]<=[4]", "f32[8]{0:T(1024)S(1)}")));
  CHECK(plain != fingerprint(all_reduce_of_p("x", "2")));
  CHECK(plain != fingerprint(all_reduce_of_p("x", "1"), "num_partitions=8"));
  CHECK(fingerprint("") == fingerprint("", "num_partitions=8, is_scheduled=true"));
  const collective_sequence one(module_of(collectives_in(all_reduce_of_p("x", "1")))),
      other(module_of(collectives_in(all_reduce_of_p("x", "2"))));
  CHECK(one.fingerprint_without_channels() == other.fingerprint_without_channels());
}
