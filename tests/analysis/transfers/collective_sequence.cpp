#include <hlolint/analysis/transfers/collective_sequence.hpp>
#include <hlolint/analysis/transfers/sequence_difference.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string reducers =
    "%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
    "  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
    "%max (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
    "  ROOT %larger = f32[] maximum(%a, %b)\n}\n\n";

std::string entry_of(const std::string& body, const std::string& header = "is_scheduled=true, num_partitions=4") {
  return "HloModule m, " + header + "\n\n" + reducers + "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n" + body +
         "  ROOT %end = f32[8]{0} negate(%p)\n}\n";
}

/// An all-reduce of `%p`.
std::string reduce(const std::string& name, const std::string& channel, const std::string& groups = "{{0,1},{2,3}}",
                   const std::string& type = "f32[8]{0}", const std::string& by = "add") {
  return "  %" + name + " = " + type + " all-reduce(%p), channel_id=" + channel + ", replica_groups=" + groups +
         ", use_global_device_ids=true, to_apply=%" + by + "\n";
}
const std::string gather =
    "  %g = f32[32]{0} all-gather(%p), channel_id=9, replica_groups={{0,1,2,3}}, dimensions={0}, "
    "use_global_device_ids=true\n";

std::string names_in(const collective_sequence& sequence) {
  std::string out;
  for (const collective_step& s : sequence) out += (out.empty() ? "" : " ") + std::string(s.instruction.name());
  return out;
}

/// What comes of `second` where all others run `first`.
std::string difference(const std::string& first, const std::string& second,
                       const std::string& header = "num_partitions=4") {
  const collective_sequence a(module_of(entry_of(first, header))), b(module_of(entry_of(second, header)));
  const sequence_difference d = find_difference(a, b);
  CHECK((d.what == divergence::equal) == (a.fingerprint() == b.fingerprint()));
  const sequence_difference back = find_difference(b, a);
  CHECK(back.at == d.at);
  CHECK(back.only_in_first == d.only_in_second);
  return std::string(name_of(d.what)) + ' ' + std::to_string(d.at);
}

constexpr const char* nested = R"(HloModule m, is_scheduled=true, num_partitions=4

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

%condition (cp: f32[8]) -> pred[] {
  %cp = f32[8]{0} parameter(0)
  ROOT %t = pred[] constant(true)
}

%body (bp: f32[8]) -> f32[8] {
  %bp = f32[8]{0} parameter(0)
  ROOT %in_loop = f32[8]{0} all-reduce(%bp), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add
}

%exchange (ep: f32[8]) -> f32[8] {
  %ep = f32[8]{0} parameter(0)
  ROOT %ex = f32[8]{0} all-to-all(%ep), channel_id=2, replica_groups={{0,1,2,3}}, dimensions={0}
}

%left (lp: f32[8]) -> f32[8] {
  %lp = f32[8]{0} parameter(0)
  ROOT %in_left = f32[8]{0} collective-permute(%lp), channel_id=3, source_target_pairs={{1,0},{0,1}}
}

%right (rp: f32[8]) -> f32[8] {
  ROOT %rp = f32[8]{0} parameter(0)
}

%fused (fp: f32[8]) -> f32[2] {
  %fp = f32[8]{0} parameter(0)
  ROOT %inside = f32[2]{0} reduce-scatter(%fp), channel_id=4, replica_groups=[1,4]<=[4], dimensions={0}, use_global_device_ids=true, to_apply=%add
}

%called (dp: f32[8]) -> f32[8] {
  %dp = f32[8]{0} parameter(0)
  ROOT %in_call = f32[8]{0} all-reduce(%dp), channel_id=5, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %q = pred[] parameter(1)
  %ar = f32[8]{0} all-reduce-start(%p), channel_id=6, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add
  %ard = f32[8]{0} all-reduce-done(%ar)
  %w = f32[8]{0} while(%ard), condition=%condition, body=%body, backend_config={"known_trip_count":{"n":"12"}}
  %x = ((f32[8]{0}), f32[8]{0}) async-start(%w), calls=%exchange
  %xd = f32[8]{0} async-done(%x)
  %c = f32[8]{0} conditional(%q, %xd, %xd), true_computation=%left, false_computation=%right
  %f = f32[2]{0} fusion(%c), kind=kCustom, calls=%fused
  %c1 = f32[8]{0} call(%c), to_apply=%called
  %c2 = f32[8]{0} call(%c1), to_apply=%called
  %s = (f32[8]{0}, f32[8]{0}) all-gather-start(%c2), channel_id=7, replica_groups={{0},{1},{2},{3}}, dimensions={0}, use_global_device_ids=true
  %sd = f32[8]{0} all-gather-done(%s)
  %tok = token[] after-all()
  %h = (f32[8]{0}, u32[], token[]) send(%sd, %tok), channel_id=8, is_host_transfer=true
  %hd = token[] send-done(%h), channel_id=8, is_host_transfer=true
  ROOT %n = f32[8]{0} negate(%sd)
}
)";

}  // namespace

TEST_CASE("collective_sequence: each where a device comes to it") {
  const hlo_module module = module_of(nested);
  const collective_sequence sequence(module);
  CHECK(names_in(sequence) == "ar in_loop x in_left inside in_call c2 s");

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
  CHECK(names_in(sequence) == "start");
  CHECK(sequence[0].transfer.name() == "g1");
  CHECK(sequence[0].bytes() == 64);
}

TEST_CASE("collective_sequence: names, forms of writing and asynchrony do not count") {
  const auto fingerprint = [](const std::string& body, const std::string& header = "num_partitions=4") {
    return collective_sequence(module_of(entry_of(body, header))).fingerprint();
  };
  const std::uint64_t plain = fingerprint(reduce("x", "1"));
  CHECK(plain == fingerprint(reduce("all-reduce.77", "1", "{{2,3},{0,1}}")));
  CHECK(plain == fingerprint(reduce("x", "1", "[2,2]<=[4]")));
  CHECK(plain == fingerprint("  %n = f32[8]{0} negate(%p)\n" + reduce("x", "1")));
  CHECK(plain == fingerprint("  %s = f32[8]{0} all-reduce-start(%p), channel_id=1, replica_groups=[2,2]<=[4], "
                             "use_global_device_ids=true, to_apply=%add\n  %d = f32[8]{0} all-reduce-done(%s)\n"));
  CHECK(plain == fingerprint(reduce("x", "1", "[2,2]<=[4]", "f32[8]{0:T(1024)S(1)}")));
  CHECK(plain != fingerprint(reduce("x", "2")));
  CHECK(plain != fingerprint(reduce("x", "1"), "num_partitions=8"));
  CHECK(fingerprint("") == fingerprint("", "num_partitions=8, is_scheduled=true"));
  const collective_sequence one(module_of(entry_of(reduce("x", "1")))), other(module_of(entry_of(reduce("x", "2"))));
  CHECK(one.fingerprint_without_channels() == other.fingerprint_without_channels());
}

TEST_CASE("find_difference names the kind of difference") {
  const std::string x = reduce("x", "1"), y = reduce("y", "2"), z = reduce("z", "3", "{{0,1,2,3}}");
  CHECK(difference(x + y + z, x + y + z) == "equal 0");
  CHECK(difference(x + y + z + gather, x + y + gather) == "missing 2");
  CHECK(difference(x + y + z + gather, y + z + gather) == "missing 0");  // channels distinguish x from y
  CHECK(difference(x + y + z, x + y) == "missing 2");
  CHECK(difference(x + y, x + y + gather) == "extra 2");
  CHECK(difference(x + z + y + gather, x + y + z + gather) == "order 1");
  CHECK(difference(x + y + z, y + x + z) == "order 0");  // alike but for the channel
  CHECK(difference(x + z, x + gather) == "kind 1");
  CHECK(difference(x + z, x + reduce("z", "3")) == "devices 1");
  CHECK(difference(x + z, x + reduce("z", "3", "{{0,1,2,3}}", "f32[8]{0}", "max")) == "reduction 1");
  CHECK(difference(x + z, x + reduce("z", "3", "{{0,1,2,3}}", "bf16[8]{0}")) == "shape 1");
  CHECK(difference(x + y + z, x + y + reduce("z", "2", "{{0,1,2,3}}")) == "channel 2");  // clashes
  CHECK(difference("", x) == "extra 0");
}

TEST_CASE("find_difference: channels that are numbered otherwise") {
  const std::string usual = reduce("x", "1") + reduce("y", "2") + reduce("z", "3", "{{0,1,2,3}}");
  CHECK(difference(usual, reduce("x", "2") + reduce("y", "3") + reduce("z", "4", "{{0,1,2,3}}")) == "numbering 0");
  CHECK(difference(usual, reduce("x", "1") + reduce("y", "2") + reduce("z", "30", "{{0,1,2,3}}")) == "numbering 2");
  // A collective less, and all channels other ones: what is missing is still found, by form.
  CHECK(difference(usual + gather, reduce("x", "11") + reduce("y", "12") + gather) == "missing 2");
}

TEST_CASE("find_difference: loops") {
  const std::string before(nested);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = before;
    text.replace(text.find(from), from.size(), to);
    return find_difference(collective_sequence(module_of(before)), collective_sequence(module_of(text)));
  };
  const sequence_difference longer = with("\"12\"", "\"13\"");
  CHECK(longer.what == divergence::repetition);
  CHECK(longer.at == 1);
  const sequence_difference once = with("%c2 = f32[8]{0} call(%c1), to_apply=%called", "%c2 = f32[8]{0} negate(%c1)");
  CHECK(once.what == divergence::missing);
  CHECK(once.at == 6);
  // A loop over what has run before: it is run otherwise, but is the same.
  const auto again = [](const std::string& count) {
    std::string text(nested);
    const std::string call = "%c2 = f32[8]{0} call(%c1), to_apply=%called";
    text.replace(
        text.find(call), call.size(),
        "%c2 = f32[8]{0} while(%c1), condition=%condition, body=%body, backend_config={\"known_trip_count\":{\"n\":\"" +
            count + "\"}}");
    return module_of(text);
  };
  const collective_sequence five(again("5")), six(again("6"));
  const sequence_difference second = find_difference(five, six);
  CHECK(second.what == divergence::repetition);
  REQUIRE(second.first);
  CHECK(five[*second.first].again);
}
