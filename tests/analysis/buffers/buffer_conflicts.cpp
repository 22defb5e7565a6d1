#include <hlolint/analysis/buffers/buffer_conflicts.hpp>

#include "analysis/buffers/matched_program.hpp"
#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("buffer_conflicts: which values, how many bytes, from when on") {
  const buffer_conflicts found(dump_of(
      {{temp,
        {{"a", 0, 64, 1, 6, {6}}, {"b", 32, 64, 5, 9, {9}}, {"c", 0, 64, 9, 12, {12}}, {"d", 96, 64, 1, 20, {20}}}}}));
  REQUIRE(found.size() == 2);
  const buffer_conflict &clash = *found.begin(), &touch = *(found.begin() + 1);
  CHECK(clash.kind == overlap_class::clash);
  CHECK(clash.first == 0);
  CHECK(clash.second == 1);
  CHECK(clash.bytes == 32);
  CHECK(clash.position == 5);
  CHECK_FALSE(clash.only_renamed);
  CHECK(touch.kind == overlap_class::partial_touch);
  CHECK(touch.first == 1);
  CHECK(touch.second == 2);
  CHECK(touch.bytes == 32);
  CHECK(touch.position == 9);
  CHECK(found.cut_short().empty());
}

TEST_CASE("buffer_conflicts: after the clash a value may only be renamed, in temporary memory") {
  const auto renamed = [](const std::string& flags, const std::string& position) {
    const buffer_conflicts found(
        dump_of({{flags, {{"a", 0, 64, 1, 8, {4}, "", "", {position}}, {"b", 0, 64, 5, 9, {9}}}}}));
    REQUIRE(found.size() == 1);
    return found.begin()->only_renamed;
  };
  CHECK(renamed(temp, "bitcast.1"));
  CHECK(renamed(temp, "get-tuple-element.3"));
  CHECK_FALSE(renamed(temp, "op.8"));
  CHECK_FALSE(renamed(", maybe-live-out", "bitcast.1"));
}

TEST_CASE("buffer_conflicts: an allocation in which everything lies on everything is cut short") {
  std::vector<value_row> values;
  for (int i = 0; i < 200; ++i) values.push_back({"v" + std::to_string(i), 0, 64, 1, 9, {9}});
  const buffer_conflicts found(dump_of({{temp, {{"a", 0, 64, 1, 6, {6}}}}, {temp, values}}));
  CHECK(found.size() == buffer_conflicts::most_per_allocation);
  CHECK(found.cut_short() == record_list<std::size_t>{1});
}

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

TEST_CASE("hidden_conflicts: a clash that the printed live ranges do not show") {
  const hlo_module module = module_of(matched_text);
  const hidden_conflicts found(module, dump_of_matched({{"a", 0, 64, 1, 2, {2}}, {"b", 32, 64, 2, 3, {3}}}));
  REQUIRE(found.values().same_program());
  REQUIRE(found.size() == 1);
  const hidden_conflict& conflict = *found.begin();
  CHECK(found.values().dump().values()[conflict.first].name.instruction == "a");
  CHECK(found.values().dump().values()[conflict.second].name.instruction == "b");
  CHECK(conflict.bytes == 32);
  CHECK(conflict.position == 2);
}

TEST_CASE("hidden_conflicts: nothing where the dump shows it, where bytes are apart, or of another program") {
  const hlo_module module = module_of(matched_text);
  CHECK(hidden_conflicts(module, dump_of_matched({{"a", 0, 64, 1, 3, {3}}, {"b", 0, 64, 2, 3, {3}}})).size() == 0);
  CHECK(hidden_conflicts(module, dump_of_matched({{"a", 0, 64, 1, 2, {2}}, {"b", 64, 64, 2, 3, {3}}})).size() == 0);
  CHECK(hidden_conflicts(module, dump_of_matched({{"a", 0, 64, 1, 2, {2}}, {"other", 0, 64, 2, 3, {3}}})).size() == 0);
}
