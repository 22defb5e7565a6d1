#include <hlolint/analysis/assignment/value_handover.hpp>

#include "analysis/assigned_text.hpp"
#include "analysis/facts_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("value_handover: in a heap only from where a value is defined, in a place from anywhere") {
  const facts_of facts(
      entry_text("  p = f32[8]{0} parameter(0)\n  a = f32[8]{0} custom-call(p), custom_call_target=\"k\"\n"
                 "  b = f32[8]{0} negate(a)\n  c = f32[8]{0} bitcast(b)\n  d = f32[8]{0} negate(c)\n"
                 "  ROOT e = f32[8]{0} custom-call(d), custom_call_target=\"k\"\n"));
  const value_handover handover(facts.ranges.sets(), assignment_rules{});
  const auto value = [&](const char* name) { return static_cast<std::uint32_t>(facts.value(name)); };
  for (int twice = 0; twice < 2; ++twice) {  // answers are remembered
    CHECK(handover.in_heap(value("a"), value("b")));
    CHECK_FALSE(handover.in_heap(value("b"), value("d")));  // what is read is the bitcast
    CHECK_FALSE(handover.in_heap(value("d"), value("e")));
    CHECK_FALSE(handover.in_heap(value("b"), value("a")));
    CHECK(handover.in_place(value("b"), value("d"), facts.ranges.schedule()));
    CHECK_FALSE(handover.in_place(value("a"), value("d"), facts.ranges.schedule()));
  }
}

TEST_CASE("until August 2026 only the last position of a value may be taken over") {
  assignment_rules rules = plain_rules();
  const std::string_view text = R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[256]{0} parameter(0)
  p1 = f32[256]{0} parameter(1)
  v0 = f32[256]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[256]{0} bitcast(v0)
  v2 = f32[256]{0} negate(v0)
  ROOT r = (f32[256]{0}, f32[256]{0}, f32[256]{0}) tuple(p1, p0, v2)
}
)";
  CHECK(assigned(text, rules) ==
        "sizes 1024 1024 1024 24; "
        "0: p0; "
        "1: p1; "
        "2: v0 v2; "
        "3: r{}");
  rules.only_last_position = true;
  CHECK(assigned(text, rules) ==
        "sizes 1024 1024 1024 24 1024; "
        "0: p0; "
        "1: p1; "
        "2: v2; "
        "3: r{}; "
        "4: v0");
}

TEST_CASE("value_handover: on a TPU what is printed decides, elsewhere it is ignored") {
  const auto given = [](const std::string& lists, target on) {
    const facts_of facts(
        entry_text("  p = f32[8]{0} parameter(0)\n  a = f32[8]{0} negate(p)\n"
                   "  b = f32[8]{0} negate(a), backend_config={" +
                   lists + "}\n  ROOT r = f32[8]{0} custom-call(b), custom_call_target=\"k\"\n"));
    return value_handover(facts.ranges.sets(), assignment_rules::of(on))
        .in_heap(static_cast<std::uint32_t>(facts.value("a")), static_cast<std::uint32_t>(facts.value("b")));
  };
  const std::string nothing = R"("aliasing_operands":{"lists":[]})",
                    both = R"("aliasing_operands":{"lists":[{"indices":["0","1"]}]})";
  CHECK(given("", target::tpu));
  CHECK_FALSE(given(nothing, target::tpu));
  CHECK(given(both, target::tpu));
  CHECK(given(nothing, target::cpu));
}

TEST_CASE("value_handover: on a TPU elements of tuples are written over on the chip alone") {
  const auto given = [](const std::string& space, const std::string& read) {
    const std::string one = "f32[8]{0" + space + "}";
    const facts_of facts(entry_text("  p = f32[8]{0} parameter(0)\n  a = (" + one +
                                    ", f32[]) custom-call(p), custom_call_target=\"k\"\n  g = " + one +
                                    " get-tuple-element(a), index=0\n  w = " + one +
                                    " custom-call(p), custom_call_target=\"k\"\n  b = " + one + " negate(" + read +
                                    R"(), backend_config={"aliasing_operands":{"lists":[{"indices":["0","1"]}]}})" +
                                    "\n  ROOT r = f32[8]{0} custom-call(b), custom_call_target=\"k\"\n"));
    return value_handover(facts.ranges.sets(), assignment_rules::of(target::tpu))
        .in_heap(static_cast<std::uint32_t>(facts.value(read == "g" ? "a{0}" : read)),
                 static_cast<std::uint32_t>(facts.value("b")));
  };
  CHECK(given("", "w"));
  CHECK_FALSE(given("", "g"));
  CHECK(given(":S(1)", "g"));
}
