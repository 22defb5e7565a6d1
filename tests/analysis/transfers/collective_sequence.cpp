#include <hlolint/analysis/transfers/collective_sequence.hpp>

#include "analysis/collective_programs.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
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

TEST_CASE("collective_step: the bigger side, as far as it is known") {
  collective_step s;
  CHECK_FALSE(s.bytes());
  s.operand_bytes = 32;
  CHECK(s.bytes() == 32);
  s.result_bytes = 64;
  CHECK(s.bytes() == 64);
}

TEST_CASE("step_hash: the order in memory counts, tiles and memory space do not") {
  const auto of = [](const char* text) {
    detail::step_hash hash;
    hash.add(shape_of(text));
    return hash.value();
  };
  CHECK(of("f32[8,4]{1,0}") == of("f32[8,4]{1,0:T(8,128)S(1)}"));
  CHECK(of("f32[8,4]{1,0}") != of("f32[8,4]{0,1}"));
  CHECK(of("f32[8,4]{1,0}") != of("f32[4,8]{1,0}"));
  CHECK(of("f32[8,4]{1,0}") != of("s32[8,4]{1,0}"));
  CHECK(of("(f32[8]{0}, f32[4]{0})") != of("(f32[4]{0}, f32[8]{0})"));
  detail::step_hash one, two;
  one.add(1), one.add(2), two.add(2), two.add(1);
  CHECK(one.value() != two.value());
}

TEST_CASE("device_table: groups that are equal have equal keys, however they are written") {
  const hlo_module module = module_of(R"(HloModule m, replica_count=4

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %t = token[] after-all()
  %a = f32[8]{0} all-reduce(%p), replica_groups={{2,3},{0,1}}, to_apply=%sum
  %b = f32[8]{0} all-reduce(%p), replica_groups=[2,2]<=[4], to_apply=%sum
  %c = f32[8]{0} all-reduce(%p), replica_groups={{2,3},{0,1}}, to_apply=%sum
  %d = f32[8]{0} all-reduce(%p), replica_groups={{0,2},{1,3}}, to_apply=%sum
  %pairs = f32[8]{0} collective-permute(%p), source_target_pairs={{1,0},{0,1}}
  %host = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=1, is_host_transfer=true
  %sends = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=2,
    frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2}}}
  ROOT %gs = (f32[8]{0}, f32[32]{0}) all-gather-start(%p), replica_groups={{0,1,2,3}}, dimensions={0}
}
)");
  detail::device_table table(module);
  const auto add = [&](const char* name) { return table.add(instruction_of(module, name)); };
  const std::size_t a = add("a"), b = add("b");
  CHECK(add("c") == a);  // written alike: decoded once
  CHECK(b != a);
  CHECK(table.key(a) == table.key(b));
  CHECK(table.of(a) == table.of(b));
  CHECK(table.of(a).mode == group_mode::cross_replica);
  CHECK(table.of(a).groups == std::vector<std::vector<std::int64_t>>{{0, 1}, {2, 3}});
  CHECK(table.key(add("d")) != table.key(a));
  CHECK_FALSE(table.of(add("pairs")).mode);
  CHECK(table.of(add("pairs")).groups == std::vector<std::vector<std::int64_t>>{{0, 1}, {1, 0}});
  CHECK(table.of(add("sends")).groups == std::vector<std::vector<std::int64_t>>{{0, 1}, {1, 2}});
  CHECK(detail::is_point_to_point(instruction_of(module, "sends")));
  CHECK_FALSE(detail::is_point_to_point(instruction_of(module, "host")));
  CHECK_FALSE(detail::is_point_to_point(instruction_of(module, "pairs")));
  CHECK(*detail::result_part(instruction_of(module, "gs")) == shape_of("f32[32]{0}"));
  CHECK(*detail::result_part(instruction_of(module, "sends")) == shape_of("f32[8]{0}"));
  CHECK(*detail::result_part(instruction_of(module, "a")) == shape_of("f32[8]{0}"));
  CHECK(operand_bytes(instruction_of(module, "gs")) == 32);
}
