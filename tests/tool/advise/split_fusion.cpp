// Fusions of several results that can be split, and fusions that cannot.
#include "tool/advise/program_changes.hpp"

#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr byte_count whole = 1048576 * 4;

// All operands and results are live while the fusion runs. After the first result nothing reads the first operand.
const std::string both = R"(HloModule m, is_scheduled=true

%fused (a: f32[1048576], b: f32[1048576]) -> (f32[1048576], f32[1048576]) {
  %a = f32[1048576]{0} parameter(0)
  %b = f32[1048576]{0} parameter(1)
  %m = f32[1048576]{0} reverse(%a), dimensions={0}
  %n = f32[1048576]{0} reverse(%b), dimensions={0}
  %x = f32[1048576]{0} add(%m, %n)
  %y = f32[1048576]{0} exponential(%n)
  ROOT %t = (f32[1048576]{0}, f32[1048576]{0}) tuple(%x, %y)
}

ENTRY %main (p: f32[1024]) -> f32[1024] {
  %p = f32[1024]{0} parameter(0)
  %o1 = f32[1048576]{0} custom-call(%p), custom_call_target="__cublas$gemm"
  %o2 = f32[1048576]{0} custom-call(%p), custom_call_target="__cublas$gemm"
  %pair = (f32[1048576]{0}, f32[1048576]{0}) fusion(%o1, %o2), kind=kLoop, calls=%fused, metadata={op_name="act"}
  %g1 = f32[1048576]{0} get-tuple-element(%pair), index=1
  %g0 = f32[1048576]{0} get-tuple-element(%pair), index=0
  ROOT %r = f32[1024]{0} custom-call(%g0, %g1), custom_call_target="__cublas$gemm"
}
)";

// Two such fusions one after the other: two equal peaks.
std::string twice() {
  std::string out = with(both, "ENTRY", R"(%fused.2 (a: f32[1048576], b: f32[1048576]) -> (f32[1048576], f32[1048576]) {
  %a = f32[1048576]{0} parameter(0)
  %b = f32[1048576]{0} parameter(1)
  %x = f32[1048576]{0} reverse(%a), dimensions={0}
  %y = f32[1048576]{0} reverse(%b), dimensions={0}
  ROOT %t = (f32[1048576]{0}, f32[1048576]{0}) tuple(%x, %y)
}

ENTRY)");
  out = with(out, "  ROOT %r = f32[1024]{0} custom-call(%g0, %g1), custom_call_target=\"__cublas$gemm\"\n",
             R"(  %q = f32[1024]{0} custom-call(%g0, %g1), custom_call_target="__cublas$gemm"
  %o3 = f32[1048576]{0} custom-call(%q), custom_call_target="__cublas$gemm"
  %o4 = f32[1048576]{0} custom-call(%q), custom_call_target="__cublas$gemm"
  %pair.2 = (f32[1048576]{0}, f32[1048576]{0}) fusion(%o3, %o4), kind=kLoop, calls=%fused.2
  %h0 = f32[1048576]{0} get-tuple-element(%pair.2), index=0
  %h1 = f32[1048576]{0} get-tuple-element(%pair.2), index=1
  ROOT %r = f32[1024]{0} custom-call(%h0, %h1), custom_call_target="__cublas$gemm"
)");
  return out;
}

}  // namespace

TEST_CASE("a fusion at the peak is split where that frees an operand before all results are there") {
  const auto found = changes_of(both);
  REQUIRE(found);
  REQUIRE(found->list.size() == 1);
  const advise::program_change& one = found->list.front();
  CHECK(one.kind == advise::change_kind::split);
  CHECK(one.instruction == "pair");
  CHECK(one.computation == "main");
  CHECK(one.source == "act");
  CHECK(one.shape == "(f32[1048576]{0}, f32[1048576]{0})");
  CHECK(one.bytes == 2 * whole);
  CHECK(one.parts == std::vector<std::string>{"g0", "g1"});  // in the other order it would free nothing
  CHECK(one.repeated == 1);
  CHECK(one.read_again == whole);
  CHECK(found->need_before - found->need_after >= whole);

  const hlo_module split = module_of(found->text);
  CHECK_FALSE(instruction_of(split, "r").operand(0).has(attribute_key::index));
  for (const char* const name : {"g0", "g1"}) {
    const hlo_instruction part = instruction_of(split, name);
    CHECK(part.opcode() == hlo_opcode::fusion);
    CHECK(part.attribute(attribute_key::kind) == "kLoop");
    CHECK(part.attribute(attribute_key::metadata) == "{op_name=\"act\"}");
  }
  CHECK(instruction_of(split, "g0").operand_count() == 2);
  REQUIRE(instruction_of(split, "g1").operand_count() == 1);  // what it needs
  CHECK(instruction_of(split, "g1").operand(0).name() == "o2");
  CHECK(instruction_of(split, "g1").called_computation(0).parameter_count() == 1);
  CHECK(found->text.find("pair") == std::string::npos);
  CHECK(found->text.find("%fused.split (b.split: f32[1048576]) -> f32[1048576] {") != std::string::npos);
}

TEST_CASE("equal peaks are lower only if all of them are") {
  const auto found = changes_of(twice());
  REQUIRE(found);
  REQUIRE(found->list.size() == 2);
  CHECK(found->list[0].need_before - found->list[0].need_after < 1_MiB);
  CHECK(found->need_before - found->need_after >= whole);
}

TEST_CASE("a fusion is not split where that would not be plain, or save nothing") {
  struct refused {
    const char *old, *changed;
  };
  const refused all[] = {
      {"kind=kLoop", "kind=kCustom"},
      {"calls=%fused, ", "calls=%fused, control-predecessors={%p}, "},
      {"calls=%fused, ", "calls=%fused, output_to_operand_aliasing={{0}: (0, {})}, "},
      {"calls=%fused, ", "calls=%fused, sharding={{replicated}, {replicated}}, "},
      {"calls=%fused, ", "calls=%fused, frontend_attributes={_scheduling_group_id=\"1\"}, "},
      {"%n = f32[1048576]{0} reverse(%b), dimensions={0}",
       "%low = f32[] constant(0)\n  %n = f32[1048576]{0} rng(%low, %low), distribution=rng_uniform"},
      {"reverse(%b), dimensions={0}", "custom-call(%b), custom_call_target=\"prints\""},
      {"tuple(%x, %y)", "tuple(%x, %b)"},       // an operand passes through
      {"exponential(%n)", "multiply(%m, %n)"},  // nothing is free any earlier
      {"index=1", "index=0"},                   // one result twice, the other not at all
      {"custom-call(%g0, %g1)", "custom-call(%g0, %g1, %pair)"},
      {"%g0 = f32[1048576]{0} get-tuple-element(%pair), index=0",
       "%g0 = f32[1048576]{0} custom-call(%pair), custom_call_target=\"__cublas$gemm\""},
      {"custom-call(%g0, %g1)", "custom-call(%g0, %g1, %o1, %o2)"},  // the operands are read later
  };
  for (const refused& r : all) {
    CAPTURE(r.changed);
    CHECK_FALSE(changes_of(with(both, r.old, r.changed)));
  }
}

TEST_CASE("a result that is written in place is left alone") {
  std::string text = with(both, "%y = f32[1048576]{0} exponential(%n)",
                          "%u = f32[1]{0} slice(%n), slice={[0:1]}\n  %z = s32[] constant(0)\n"
                          "  %y = f32[1048576]{0} dynamic-update-slice(%b, %u, %z)");
  CHECK_FALSE(changes_of(text));
}

TEST_CASE("a fusion that is called in a loop is split there") {
  std::string text = with(both, "ENTRY %main (p: f32[1024]) -> f32[1024] {\n  %p = f32[1024]{0} parameter(0)\n",
                          R"(%never (s.1: (s32[], f32[1024])) -> pred[] {
  %s.1 = (s32[], f32[1024]{0}) parameter(0)
  %i.1 = s32[] get-tuple-element(%s.1), index=0
  %nine = s32[] constant(9)
  ROOT %less = pred[] compare(%i.1, %nine), direction=LT
}

%body (s: (s32[], f32[1024])) -> (s32[], f32[1024]) {
  %s = (s32[], f32[1024]{0}) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %p = f32[1024]{0} get-tuple-element(%s), index=1
)");
  text = with(text, "ROOT %r = f32[1024]{0} custom-call(%g0, %g1), custom_call_target=\"__cublas$gemm\"\n}\n",
              R"(%r = f32[1024]{0} custom-call(%g0, %g1), custom_call_target="__cublas$gemm"
  ROOT %next = (s32[], f32[1024]{0}) tuple(%i, %r)
}

ENTRY %main (first: (s32[], f32[1024])) -> (s32[], f32[1024]) {
  %first = (s32[], f32[1024]{0}) parameter(0)
  ROOT %loop = (s32[], f32[1024]{0}) while(%first), condition=%never, body=%body
}
)");
  const auto found = change_of(text);
  REQUIRE(found);
  CHECK(found->computation == "body");
  CHECK(found->need_before - found->need_after >= whole);
}

TEST_CASE("a fusion is split in whatever form the text is written") {
  check_in_every_form(both);
  check_in_every_form(twice());
}

TEST_CASE("the proof finds a part that writes over an argument which a later part reads") {
  const hlo_module module = module_of(
      R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }

%fused (a: f32[1048576]) -> (f32[1048576], f32[1048576]) {
  %a = f32[1048576]{0} parameter(0)
  %x = f32[1048576]{0} multiply(%a, %a)
  %y = f32[1048576]{0} exponential(%a)
  ROOT %t = (f32[1048576]{0}, f32[1048576]{0}) tuple(%x, %y)
}

ENTRY %main (p: f32[1048576]) -> (f32[1048576], f32[1024]) {
  %p = f32[1048576]{0} parameter(0)
  %pair = (f32[1048576]{0}, f32[1048576]{0}) fusion(%p), kind=kLoop, calls=%fused
  %g0 = f32[1048576]{0} get-tuple-element(%pair), index=0
  %g1 = f32[1048576]{0} get-tuple-element(%pair), index=1
  %s = f32[1024]{0} custom-call(%g1), custom_call_target="__cublas$gemm"
  ROOT %r = (f32[1048576]{0}, f32[1024]{0}) tuple(%g0, %s)
}
)");
  const advise::module_editor editor(module, on_gpu());
  const auto now = editor.start();
  const advise::edit_proof proof(module, on_gpu().rules);
  const auto hazard_in = [&](const std::vector<std::string>& order) {
    const auto text = advise::split_text(*now, "main", "pair", order);
    REQUIRE(text);
    const hlo_module split = module_of(*text);
    CHECK(advise::compute_same_values(module, split));  // as if nothing were written in place
    return proof.hazard_of(split);
  };
  CHECK(hazard_in({"g0", "g1"}) == "p is read after g0 has overwritten it");
  CHECK(hazard_in({"g1", "g0"}).empty());
  CHECK_FALSE(advise::split_text(*now, "main", "pair", {"g0"}));
  CHECK_FALSE(advise::split_text(*now, "main", "g0", {"g0", "g1"}));
}

TEST_CASE("an instruction that has to wait for the fusion keeps it whole") {
  CHECK_FALSE(changes_of(with(both, "custom-call(%g0, %g1)", "custom-call(%g0, %g1), control-predecessors={%pair}")));
}
