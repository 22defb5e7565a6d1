// Moves that are refused, and similar moves that are allowed.
#include "tool/advise/fixtures.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("a value is made before it is read, and after its control predecessors") {
  const hlo_module m = module_of(R"(HloModule m, is_scheduled=true

ENTRY %main (p: f32[8]) -> (f32[8], f32[8], f32[8]) {
  %p = f32[8]{0} parameter(0)
  %a = f32[8]{0} negate(%p)
  %b = f32[8]{0} cosine(%p)
  %c = f32[8]{0} sine(%p), control-predecessors={%b}
  ROOT %r = (f32[8]{0}, f32[8]{0}, f32[8]{0}) tuple(%a, %b, %c)
}
)");
  CHECK(may_follow(m, "a", "c"));
  CHECK_FALSE(may_follow(m, "b", "c"));
  CHECK_FALSE(may_follow(m, "a", "r"));
}

TEST_CASE("a reader stays before what overwrites its operand in place") {
  const auto text = [](std::string_view updated) {
    return "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }\n\n"
           "ENTRY %main (p: f32[8], u: f32[1], i: s32[], z: f32[]) -> (f32[8], f32[8]) {\n"
           "  %p = f32[8]{0} parameter(0)\n  %u = f32[1]{0} parameter(1)\n  %i = s32[] parameter(2)\n"
           "  %z = f32[] parameter(3)\n  %other = f32[8]{0} broadcast(%z), dimensions={}\n"
           "  %reader = f32[8]{0} negate(%p)\n"
           "  %dus = f32[8]{0} dynamic-update-slice(%" +
           std::string(updated) +
           ", %u, %i)\n"
           "  ROOT %r = (f32[8]{0}, f32[8]{0}) tuple(%dus, %reader)\n}\n";
  };
  CHECK_FALSE(may_follow(module_of(text("p")), "reader", "dus"));
  std::string aliased_elsewhere = text("other");
  const std::string alias = ", input_output_alias={ {0}: (0, {}, may-alias) }";
  aliased_elsewhere.erase(aliased_elsewhere.find(alias), alias.size());
  CHECK(may_follow(module_of(aliased_elsewhere), "reader", "dus"));
}

TEST_CASE("a reader of a loop counter stays before the counter's next value") {
  const hlo_module m = module_of(R"(HloModule m, is_scheduled=true

%body (s: (s32[], f32[8])) -> (s32[], f32[8]) {
  %s = (s32[], f32[8]{0}) parameter(0)
  %n = s32[] get-tuple-element(%s), index=0
  %x = f32[8]{0} get-tuple-element(%s), index=1
  %one = s32[] constant(1)
  %reader = f32[8]{0} custom-call(%n), custom_call_target="__cublas$gemm"
  %free = f32[8]{0} cosine(%x)
  %next = s32[] add(%n, %one)
  %y = f32[8]{0} multiply(%free, %reader)
  ROOT %t = (s32[], f32[8]{0}) tuple(%next, %y)
}

%cond (c: (s32[], f32[8])) -> pred[] {
  %c = (s32[], f32[8]{0}) parameter(0)
  %k = s32[] get-tuple-element(%c), index=0
  %most = s32[] constant(4)
  ROOT %less = pred[] compare(%k, %most), direction=LT
}

ENTRY %main (p: (s32[], f32[8])) -> (s32[], f32[8]) {
  %p = (s32[], f32[8]{0}) parameter(0)
  ROOT %w = (s32[], f32[8]{0}) while(%p), condition=%cond, body=%body
}
)");
  CHECK_FALSE(may_follow(m, "reader", "next"));
  CHECK(may_follow(m, "free", "next"));
}

TEST_CASE("effects keep their order, and anything else may cross them") {
  const auto text = [](std::string_view target) {
    return "HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[8]) -> (f32[8], f32[8], f32[8]) {\n"
           "  %p = f32[8]{0} parameter(0)\n  %a = f32[8]{0} custom-call(%p), custom_call_target=\"" +
           std::string(target) +
           "\"\n  %work = f32[8]{0} negate(%p)\n  %b = f32[8]{0} all-reduce(%p), replica_groups={}, to_apply=%sum\n"
           "  ROOT %r = (f32[8]{0}, f32[8]{0}, f32[8]{0}) tuple(%a, %b, %work)\n}\n\n"
           "%sum (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n"
           "  ROOT %z = f32[] add(%x, %y)\n}\n";
  };
  CHECK_FALSE(may_follow(module_of(text("writes_a_file")), "a", "b"));
  CHECK(may_follow(module_of(text("writes_a_file")), "work", "b"));
  CHECK(may_follow(module_of(text("__cublas$gemm")), "a", "b"));
}

TEST_CASE("what calls a computation with an effect has one") {
  const auto text = [](std::string_view target) {
    return "HloModule m, is_scheduled=true\n\n%inner (q: f32[8]) -> f32[8] {\n  %q = f32[8]{0} parameter(0)\n"
           "  ROOT %deep = f32[8]{0} custom-call(%q), custom_call_target=\"" +
           std::string(target) +
           "\"\n}\n\nENTRY %main (p: f32[8]) -> (f32[8], f32[8]) {\n  %p = f32[8]{0} parameter(0)\n"
           "  %a = f32[8]{0} call(%p), to_apply=%inner\n"
           "  %b = f32[8]{0} custom-call(%p), custom_call_target=\"writes_a_file\"\n"
           "  ROOT %r = (f32[8]{0}, f32[8]{0}) tuple(%a, %b)\n}\n";
  };
  CHECK_FALSE(may_follow(module_of(text("writes_a_file")), "a", "b"));
  CHECK(may_follow(module_of(text("__cublas$gemm")), "a", "b"));
}

TEST_CASE("what uses another memory space keeps its order") {
  const auto text = [](std::string_view space) {
    return "HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n"
           "  %a = f32[8]{0" +
           std::string(space) + "} negate(%p)\n  %b = f32[8]{0" + std::string(space) +
           "} cosine(%p)\n  ROOT %r = f32[8]{0} add(%a, %b)\n}\n";
  };
  CHECK_FALSE(may_follow(module_of(text(":S(1)")), "a", "b"));
  CHECK(may_follow(module_of(text("")), "a", "b"));
}

TEST_CASE("custom calls that only compute have no effect") {
  CHECK(advise::is_pure_target("__cublas$lt$matmul"));
  CHECK_FALSE(advise::is_pure_target("xla_ffi_python_gpu_callback"));
}
