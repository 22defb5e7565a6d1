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
  CHECK(found.cut_short() == std::vector<std::size_t>{1});
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
  const buffer_conflict& conflict = *found.begin();
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

namespace {
// Two values of temporary memory at the same bytes, whose ranges overlap.
std::string two_values(const std::string& a, const std::string& a_range, const std::string& b,
                       const std::string& b_range, const std::string& sequence, const std::string& places = "0 0") {
  const std::string other = places.substr(places.find(' ') + 1);
  std::string text = "BufferAssignment:\nallocation 0: size 16384, preallocated-temp:\n value: <1 " + a +
                     " @0> (size=4096,offset=" + places.substr(0, places.find(' ')) +
                     "): s32[1024]{0:T(1024)}\n value: <2 " + b +
                     " @0> (size=" + (other == "0" && places != "0 0" ? "8192" : "4096") + ",offset=" + other +
                     "): s32[" + (other == "0" && places != "0 0" ? "2048" : "1024") +
                     "]{0:T(1024)}\n\nHloLiveRange (max 9):\n  InstructionSequence:\n";
  std::size_t at = 0;
  for (std::size_t begin = 0; begin < sequence.size(); ++at) {
    const std::size_t end = std::min(sequence.find(' ', begin), sequence.size());
    text += "    " + std::to_string(at) + ":" + sequence.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return text + "  BufferLiveRange:\n    " + (a.ends_with('}') ? a : a + "{}") + ":" + a_range + "\n    " +
         (b.ends_with('}') ? b : b + "{}") + ":" + b_range + "\n  Live ranges at 0 (peak):\n";
}
std::size_t conflicts(const std::string& hlo, const std::string& buffers) {
  const parsed_file dump = parse(buffers);
  REQUIRE(dump.buffers);
  return buffer_conflicts(module_of(hlo), *dump.buffers).size();
}
const std::string called =
    "HloModule m, is_scheduled=true\n\nf {\n  a = s32[1024]{0:T(1024)} parameter(0)\n"
    "  ROOT c = s32[1024]{0:T(1024)} custom-call(a), custom_call_target=\"k\"\n}, "
    "execution_thread=\"sparsecore\"\n\nENTRY e {\n"
    "  p = s32[1024]{0:T(1024)} parameter(0)\n";
std::string start(const std::string& name, const std::string& operands) {
  return "  " + name + " = ((" + std::string(operands.empty() ? "" : "s32[1024]{0:T(1024)}") + "), " +
         (operands.empty() ? "()" : "s32[1024]{0:T(1024)}") + ", (s32[1024]{0:T(1024)})) async-start(" + operands +
         "), async_execution_thread=\"sparsecore\", calls=f\n";
}
}  // namespace

TEST_CASE("the context of a program that is only loaded is not in use yet") {
  const auto program = [](const std::string& operands) {
    return called + start("s", operands) +
           "  n = s32[1024]{0:T(1024)} negate(p)\n  m = s32[1024]{0:T(1024)} negate(n)\n" +
           (operands.empty()
                ? "  u = ((s32[1024]{0:T(1024)}), s32[1024]{0:T(1024)}, (s32[1024]{0:T(1024)})) async-update(s, p)\n"
                : "  u = ((s32[1024]{0:T(1024)}), s32[1024]{0:T(1024)}, (s32[1024]{0:T(1024)})) async-update(s)\n") +
           "  d = s32[1024]{0:T(1024)} async-done(u)\n  ROOT r = s32[1024]{0:T(1024)} add(m, d)\n}\n";
  };
  CHECK(conflicts(program(""), two_values("s{2,0}", "1-4", "n", "2-3", "p s n m u d r")) == 0);
  CHECK(conflicts(program("p"), two_values("s{2,0}", "1-4", "n", "2-3", "p s n m u d r")) == 1);
}

TEST_CASE("contexts of operations on a SparseCore have one place") {
  const std::string program = called + start("s", "p") + start("t", "p") +
                              "  d = s32[1024]{0:T(1024)} async-done(s)\n  x = s32[1024]{0:T(1024)} async-done(t)\n"
                              "  ROOT r = s32[1024]{0:T(1024)} add(x, d)\n}\n";
  CHECK(conflicts(program, two_values("s{2,0}", "1-3", "t{2,0}", "2-4", "p s t d x r")) == 0);
  CHECK(conflicts(program, two_values("s{2,0}", "1-3", "d", "2-4", "p s t d x r")) == 1);
}

TEST_CASE("ConcatBitcast joins parts that lie where they belong") {
  const auto program = [](const std::string& target) {
    return "HloModule m, is_scheduled=true\n\nENTRY e {\n  p = s32[1024]{0:T(1024)} parameter(0)\n  a = "
           "s32[1024]{0:T(1024)} negate(p)\n"
           "  ROOT w = s32[2048]{0:T(1024)} custom-call(p, a), custom_call_target=\"" +
           target + "\"\n}\n";
  };
  const std::string inside = two_values("a", "1-2", "w", "2-3", "p a w", "4096 0");
  CHECK(conflicts(program("ConcatBitcast"), inside) == 0);
  CHECK(conflicts(program("mine"), inside) == 1);
  CHECK(conflicts(program("ConcatBitcast"), two_values("a", "1-2", "w", "2-3", "p a w", "2048 4096")) == 1);
}

TEST_CASE("a value in alternate memory ends in each branch of the conditional that reads it last") {
  const auto program = [](const std::string& reader, const std::string& after) {
    return "HloModule m, is_scheduled=true\n\nf {\n  x = (s32[1024]{0:T(1024)S(1)}, s32[1024]{0:T(1024)}) "
           "parameter(0)\n"
           "  x0 = s32[1024]{0:T(1024)S(1)} get-tuple-element(x), index=0\n"
           "  x1 = s32[1024]{0:T(1024)} get-tuple-element(x), index=1\n"
           "  b = s32[1024]{0:T(1024)S(1)} negate(x1)\n  ROOT c = s32[1024]{0:T(1024)} add(b, " +
           reader +
           ")\n}\n\ng {\n  ROOT z = s32[1024]{0:T(1024)} parameter(0)\n}\n\nENTRY e {\n"
           "  p = s32[1024]{0:T(1024)} parameter(0)\n  q = pred[] parameter(1)\n"
           "  a = s32[1024]{0:T(1024)S(1)} negate(p)\n"
           "  t = (s32[1024]{0:T(1024)S(1)}, s32[1024]{0:T(1024)}) tuple(a, p)\n"
           "  r = s32[1024]{0:T(1024)} conditional(q, t, p), true_computation=f, false_computation=g\n"
           "  ROOT w = s32[1024]{0:T(1024)} add(r, " +
           after + ")\n}\n";
  };
  const auto in_space = [](const std::string& buffers, const std::string& color) {
    std::string out = buffers;
    return out.replace(out.find("16384,") + 6, 0, " color " + color + ",");
  };
  const auto ranges = [](const std::string& end) {
    return two_values("a", "2-" + end, "b", "7-8", "p q a t x x0 x1 b c z r w");
  };
  CHECK(conflicts(program("x1", "r"), in_space(ranges("10"), "1")) == 0);
  CHECK(conflicts(program("x1", "r"), in_space(ranges("10"), "0")) == 1);  // not planned in this way
  CHECK(conflicts(program("x0", "r"), in_space(ranges("10"), "1")) == 1);  // read later in the branch
  CHECK(conflicts(program("x1", "a"), in_space(ranges("11"), "1")) == 1);  // read behind the conditional
}

TEST_CASE("a value that lives at one position inside the range of another clashes with it") {
  const std::string program =
      "HloModule m, is_scheduled=true\n\nENTRY e {\n  p = s32[1024]{0:T(1024)} parameter(0)\n"
      "  a = s32[1024]{0:T(1024)} negate(p)\n  b = s32[1024]{0:T(1024)} negate(p)\n"
      "  ROOT c = s32[1024]{0:T(1024)} negate(a)\n}\n";
  CHECK(conflicts(program, two_values("a", "1-3", "b", "2-2", "p a b c")) == 1);
}
