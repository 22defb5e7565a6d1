#include <hlolint/analysis/program/trip_count.hpp>

#include <hlolint/analysis/program/loops.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A loop over (counter, limit, x). Every text is the right side of an instruction.
struct loop_text {
  std::string first = "s32[] constant(0)";                           // %first in the entry
  std::string next = "s32[] add(%i, %one)";                          // %next in the body
  std::string goes_on = "pred[] compare(%i, %limit), direction=LT";  // root of the condition
  std::string limit = "s32[] constant(32)";                          // %limit in the condition
  std::string carried_limit = "s32[] constant(12)";                  // element 1 before the loop
  std::string next_limit = "s32[] bitcast(%n)";                      // and after an iteration
  std::string config{}, type = "s32[]";
  std::string fused{};  // more computations

  hlo_module module() const {
    const std::string state = "(" + type + ", s32[], f32[8]{0})";
    const std::string elements = "  %i = " + type +
                                 " get-tuple-element(%p), index=0\n"
                                 "  %n = s32[] get-tuple-element(%p), index=1\n"
                                 "  %x = f32[8]{0} get-tuple-element(%p), index=2\n";
    return module_of(
        "HloModule m, is_scheduled=true\n\n" + fused + "%body {\n  %p = " + state + " parameter(0)\n" + elements +
        "  %one = " + type + " constant(1)\n  %two = " + type + " constant(2)\n  %minus = " + type +
        (type[0] == 's' ? " constant(-1)" : " constant(255)") + "\n  %next = " + next + "\n  %keep = " + next_limit +
        "\n  %y = f32[8]{0} negate(%x)\n  ROOT %t = " + state + " tuple(%next, %keep, %y)\n}\n\n" +
        "%condition {\n  %p = " + state + " parameter(0)\n" + elements + "  %limit = " + limit + "\n  %one = " + type +
        " constant(1)\n  ROOT %go = " + goes_on + "\n}\n\n" +
        "ENTRY %main {\n  %in = f32[8]{0} parameter(0)\n  %given = s32[] parameter(1)\n  %first = " + first +
        "\n  %until = " + carried_limit + "\n  %init = " + state + " tuple(%first, %until, %in)\n  ROOT %w = " + state +
        " while(%init), condition=%condition, body=%body" + config + "\n}\n");
  }
  trip_count count() const {
    const hlo_module m = module();
    return trip_count_of(instruction_of(m, "w"));
  }
};

constexpr auto derived = trip_basis::derived, assumed = trip_basis::assumed, unknown = trip_basis::unknown;

}  // namespace

TEST_CASE("XLA's own count wins") {
  CHECK(loop_text{.config = ", backend_config={\"known_trip_count\":{\"n\":\"7\"}}"}.count() ==
        trip_count{7, trip_basis::known});
}

TEST_CASE("start, step and condition prove a count") {
  CHECK(loop_text{}.count() == trip_count{32, derived});
  CHECK(loop_text{.first = "s32[] constant(5)"}.count() == trip_count{27, derived});
  CHECK(loop_text{.first = "s32[] constant(32)"}.count() == trip_count{0, derived});
  CHECK(loop_text{.first = "s32[] constant(-8)"}.count() == trip_count{40, derived});
  CHECK(loop_text{.next = "s32[] add(%two, %i)", .limit = "s32[] constant(31)"}.count() == trip_count{16, derived});
  CHECK(loop_text{.goes_on = "pred[] compare(%i, %limit), direction=LE"}.count() == trip_count{33, derived});
  CHECK(loop_text{.goes_on = "pred[] compare(%i, %limit), direction=NE"}.count() == trip_count{32, derived});
  CHECK(loop_text{.goes_on = "pred[] compare(%limit, %i), direction=GT"}.count() == trip_count{32, derived});
  CHECK(loop_text{.goes_on = "pred[] compare(%i, %limit), direction=EQ", .limit = "s32[] constant(0)"}.count() ==
        trip_count{1, derived});
  const std::string down = "pred[] compare(%i, %limit), direction=GT";
  for (const char* next : {"s32[] subtract(%i, %one)", "s32[] add(%i, %minus)"})
    CHECK(
        loop_text{.first = "s32[] constant(9)", .next = next, .goes_on = down, .limit = "s32[] constant(2)"}.count() ==
        trip_count{7, derived});
  // the limit is carried and stays the same
  CHECK(loop_text{.goes_on = "pred[] compare(%i, %n), direction=LT"}.count() == trip_count{12, derived});
  // what does not change a value does not hide it
  CHECK(loop_text{.next = "s32[] copy(%i)\n  %stepped = s32[] add(%next, %one)"}.count().basis == unknown);
  CHECK(loop_text{.first = "s32[] copy(%given)", .carried_limit = "s32[] constant(1)"}.count().basis == assumed);
}

TEST_CASE("a count is found through fusions, calls and copies") {
  const std::string fused =
      "%add.in {\n  %a = s32[] parameter(0)\n  %step = s32[] constant(4)\n  ROOT %s = s32[] add(%a, %step)\n}\n\n"
      "%less.in {\n  %b = s32[] parameter(1)\n  %a = s32[] parameter(0)\n  ROOT %l = pred[] compare(%b, %a), "
      "direction=LT\n}\n\n";
  CHECK(loop_text{.next = "s32[] fusion(%i), kind=kLoop, calls=%add.in",
                  .goes_on = "pred[] fusion(%limit, %i), kind=kLoop, calls=%less.in",
                  .fused = fused}
            .count() == trip_count{8, derived});
  CHECK(loop_text{.next = "s32[] call(%i), to_apply=%add.in", .fused = fused}.count() == trip_count{8, derived});
  CHECK(loop_text{.first = "s32[]{:T(128)} copy-done((s32[], s32[], u32[]) copy-start(s32[] constant(2)))"}.count() ==
        trip_count{30, derived});
}

TEST_CASE("a condition alone suggests a count") {
  CHECK(loop_text{.first = "s32[] copy(%given)"}.count() == trip_count{32, assumed});
  CHECK(loop_text{.next = "s32[] multiply(%i, %two)"}.count() == trip_count{32, assumed});
  CHECK(loop_text{.first = "s32[] constant(30)", .next = "s32[] multiply(%i, %two)"}.count() == trip_count{2, assumed});
  // the step is proven and the start is not
  CHECK(loop_text{.first = "s32[] copy(%given)", .next = "s32[] add(%i, %two)"}.count() == trip_count{16, assumed});
  // counting down from nothing known
  CHECK(loop_text{.first = "s32[] copy(%given)", .goes_on = "pred[] compare(%i, %limit), direction=GT"}.count() ==
        trip_count{1, unknown});
}

TEST_CASE("what proves nothing counts once") {
  CHECK(loop_text{.goes_on = "pred[] constant(true)"}.count() == trip_count{1, unknown});
  CHECK(loop_text{.limit = "s32[] add(%i, %n)"}.count().basis == unknown);
  // it never ends, or only by leaving the range of its type
  CHECK(loop_text{.next = "s32[] copy(%i)"}.count() == trip_count{1, unknown});
  CHECK(loop_text{.next = "s32[] add(%i, %minus)"}.count() == trip_count{1, unknown});
  CHECK(loop_text{.next = "s32[] add(%i, %two)",
                  .goes_on = "pred[] compare(%i, %limit), direction=NE",
                  .limit = "s32[] constant(33)"}
            .count() == trip_count{1, unknown});
  CHECK(
      loop_text{.goes_on = "pred[] compare(%i, %limit), direction=LE", .limit = "s32[] constant(2147483647)"}.count() ==
      trip_count{1, unknown});
  CHECK(loop_text{
            .first = "u8[] constant(0)", .next = "u8[] add(%i, %one)", .limit = "u8[] constant(255)", .type = "u8[]"}
            .count() == trip_count{255, derived});
  // a limit that changes is none
  CHECK(loop_text{.goes_on = "pred[] compare(%i, %n), direction=LT", .next_limit = "s32[] add(%n, %i)"}.count() ==
        trip_count{1, unknown});
}

TEST_CASE("a long way is given up") {
  std::string chain = "s32[] constant(1)\n  %step0 = s32[] copy(%first)\n";
  for (int k = 0; k < 5000; ++k)
    chain += "  %step" + std::to_string(k + 1) + " = s32[] copy(%step" + std::to_string(k) + ")\n";
  const auto with = [&](const char* last) {
    std::string text = std::string(loop_text{.first = chain}.module().text().text());
    const std::string given = "tuple(%first, %until";
    text.replace(text.find(given), given.size(), "tuple(%" + std::string(last) + ", %until");
    const hlo_module module = module_of(text);
    return trip_count_of(instruction_of(module, "w")).basis;
  };
  CHECK(with("step100") == derived);
  CHECK(with("step5000") == assumed);
}

TEST_CASE("loops multiply by the count that is found, and mark it") {
  const hlo_module proven = loop_text{}.module(), suggested = loop_text{.first = "s32[] copy(%given)"}.module();
  const auto runs = [](const hlo_module& m) { return loops(m).runs_of(m.find_computation("body")); };
  CHECK(runs(proven) == repetition{32, true, false});
  CHECK(runs(suggested) == repetition{32, false, true});
  CHECK(repetition_text(loops(proven), proven.find_computation("body")) == " x 32 iterations");
  CHECK(repetition_text(loops(suggested), suggested.find_computation("body")) == " x 32 iterations (assumed)");
  const repetition at_least = repetition{}.in_loop({5, assumed}).in_loop({1, unknown}).in_loop({3, derived});
  CHECK(at_least == repetition{15, false, false});
  CHECK(runs_by_name(proven).of("body").times == 32);
  CHECK(runs_by_name(proven).of("nothing of this name").times == 1);
}

TEST_CASE("elements that operands name without an instruction of their own count as well") {
  const hlo_module m = module_of(
      "HloModule m, is_scheduled=true\n\n%body {\n  %p = (s32[], f32[8]{0}) parameter(0)\n  %one = s32[] constant(1)\n"
      "  %next = s32[] add(%p#0, %one)\n  %y = f32[8]{0} negate(%p#1)\n"
      "  ROOT %t = (s32[], f32[8]{0}) tuple(%next, %y)\n}\n\n"
      "%condition {\n  %p = (s32[], f32[8]{0}) parameter(0)\n  %limit = s32[] constant(32)\n"
      "  ROOT %go = pred[] compare(%p#0, %limit), direction=LT\n}\n\n"
      "ENTRY %main {\n  %in = f32[8]{0} parameter(0)\n  %first = s32[] constant(0)\n"
      "  %init = (s32[], f32[8]{0}) tuple(%first, %in)\n"
      "  ROOT %w = (s32[], f32[8]{0}) while(%init), condition=%condition, body=%body\n}\n");
  CHECK(trip_count_of(instruction_of(m, "w")) == trip_count{32, derived});
}
