#include <hlolint/analysis/buffers/overlap_classes.hpp>

#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("overlap_classes: from the dump alone, in whichever order the two are named") {
  const value_table table(dump_of({{temp,
                                    {{"a", 0, 64, 1, 5, {5}},
                                     {"b", 0, 64, 5, 9, {8}},
                                     {"c", 0, 64, 9, 12, {12}},
                                     {"d", 32, 64, 12, 14, {14}},
                                     {"e", 0, 64, 4, 6, {6}},
                                     value_row{"x", 0, 64, 0, 0, {}, {}, {}, {}, false}}}}));
  const overlap_classes classes(table);
  const auto of = [&](std::size_t a, std::size_t b) {
    CHECK(classes.of(a, b) == classes.of(b, a));
    return std::string(name_of(classes.of(a, b)));
  };
  CHECK(of(0, 1) == "hand-off");
  CHECK(of(1, 2) == "unexplained");
  CHECK(of(2, 3) == "partial touch");
  CHECK(of(0, 2) == "disjoint");
  CHECK(of(0, 4) == "clash");
  CHECK(of(0, 5) == "no range");
}

TEST_CASE("overlap_classes: the HLO decides about a touch, if it has the live ranges of the dump") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = u8[64]{0} parameter(0)\n"
      "  %a = u8[64]{0} custom-call(%p), custom_call_target=\"k\"\n  %b = u8[64]{0} not(%a)\n"
      "  %c = u8[64]{0} custom-call(%b), custom_call_target=\"k\"\n"
      "  %d = u8[64]{0} custom-call(%c), custom_call_target=\"u\", output_to_operand_aliasing={{}: (0, {})}\n"
      "  ROOT %r = u8[64]{0} custom-call(%d), custom_call_target=\"k\"\n}\n");
  const auto table = [](std::int64_t end_of_a) {
    return dump_of(
        {{", parameter 0, shape |u8[64]| at ShapeIndex {}", {{"p", 0, 64, 0, 6, {1}}}},
         {temp,
          {{"a", 0, 64, 1, end_of_a, {2}}, {"b", 0, 64, 2, 3, {3}}, {"c", 0, 64, 3, 4, {4}}, {"d", 0, 64, 4, 5, {5}}}},
         {", maybe-live-out", {{"r", 0, 64, 5, 6}}}},
        5);
  };
  const value_table right(table(2));
  const overlap_classes classes(module, right);
  CHECK(classes.of(1, 2) == overlap_class::may_share);
  CHECK(classes.of(2, 3) == overlap_class::not_shareable);  // a call reads it and writes elsewhere
  CHECK(classes.of(3, 4) == overlap_class::one_buffer);
  const value_table other(dump_of({{temp, {{"b", 0, 64, 2, 4, {4}}, {"c", 0, 64, 4, 5, {5}}}}}));
  CHECK(overlap_classes(module, other).of(0, 1) == overlap_class::hand_off);  // as without the HLO
}
