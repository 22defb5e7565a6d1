#include <hlolint/checks/memory/misplaced_value.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string program =
    "HloModule m, is_scheduled=true\n\n"
    "%sum (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n"
    "  ROOT %s = f32[] add(%x, %y)\n}\n\n"
    "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %q = (f32[8]{0}, f32[]) parameter(1)\n"
    "  %g = f32[8]{0} get-tuple-element(%q), index=0\n  %z = f32[] constant(0)\n  %n = f32[8]{0} add(%p, %g)\n"
    "  %k = f32[] reduce(%n, %z), dimensions={0}, to_apply=%sum\n  ROOT %t = (f32[]) tuple(%k)\n}\n";

std::string value(const std::string& name, int size, int offset = 0) {
  return " value: <0 " + name + " @0> (size=" + std::to_string(size) + ",offset=" + std::to_string(offset) +
         "): " + (size == 4 ? "f32[]" : "f32[8]{0}") + "\n";
}
std::string parameter(const std::string& number, const std::string& shape, const std::string& index) {
  return ", parameter " + number + ", shape |" + shape + "| at ShapeIndex " + index;
}

/// The lines of a right assignment, of which a test replaces some.
struct assignment {
  std::string p = parameter("0", "f32[8]", "{}"), q = parameter("1", "(f32[8], f32[])", "{0}"), result = live_out,
              in_p = value("p", 32), in_q = value("q{0}", 32), in_result = value("k", 4), in_constant = value("z", 4),
              in_thread = value("s", 4, 8), in_temp = value("n", 32);
  static inline const std::string live_out = ", output shape is |(f32[])|, maybe-live-out";

  std::string text() const {
    return "BufferAssignment:\nallocation 0: size 32" + p + ":\n" + in_p + "allocation 1: size 32" + q + ":\n" + in_q +
           "allocation 2: size 4" + parameter("1", "(f32[8], f32[])", "{1}") + ":\n" + value("q{1}", 4) +
           "allocation 3: size 8" + parameter("1", "(f32[8], f32[])", "{}") + ":\n" + value("q{}", 8) +
           "allocation 4: size 4" + result + ":\n" + in_result + "allocation 5: size 4, constant:\n" + in_constant +
           "allocation 6: size 12, thread-local:\n" + value("x", 4) + value("y", 4, 4) + in_thread +
           "allocation 7: size 64, preallocated-temp:\n" + in_temp + "allocation 8: size 8, maybe-live-out:\n" +
           value("t{}", 8);
  }
};
texts outcome_of(const assignment& a, const std::string& hlo = program) {
  return outcome(misplaced_value{}, context(module_of(hlo), buffers_of(numbered(a.text()))));
}

}  // namespace

TEST_CASE("MEM013 catches parameters outside their allocations") {
  CHECK(outcome_of({.in_p = value("q{0}", 32), .in_q = value("p", 32)}) ==
        texts{"error: q{0} is parameter 1 at index {0}, but lies in allocation 0, which is for parameter 0 at index {}",
              "error: p is parameter 0 at index {}, but lies in allocation 1, which is for parameter 1 at index {0}"});
  CHECK(outcome_of({.in_p = "", .in_temp = value("n", 32) + value("p", 32, 32)}) ==
        texts{"error: p is parameter 0 at index {}, but lies in allocation 7, which is for no parameter"});
  CHECK(outcome_of({.p = parameter("2", "f32[8]", "{}")}) ==
        texts{"error: allocation 0 is for parameter 2 at index {}, which the program does not have"});
  CHECK(outcome_of({.q = parameter("1", "(f32[8], f32[])", "{3}")}) ==
        texts{"error: allocation 1 is for parameter 1 at index {3}, which the program does not have"});
  CHECK(outcome_of({.p = parameter("1", "f32[8]", "{0}")}) ==
        texts{"error: p is parameter 0 at index {}, but lies in allocation 0, which is for parameter 1 at index {0}"});
  CHECK(outcome_of({.p = parameter("0", "f32[16]", "{}")}) ==
        texts{"error: allocation 0 is for parameter 0 at index {} of shape f32[16], but p is f32[8]"});
}

TEST_CASE("MEM013 catches results outside live-out memory, and of another shape") {
  CHECK(outcome_of({.result = ""}) ==
        texts{"error: k is a result of the program, but lies in allocation 4, which is not marked maybe-live-out"});
  CHECK(outcome_of({.result = ", output shape is |(f32[2])|, maybe-live-out"}) ==
        texts{"error: allocation 4 is for a result of shape (f32[2]), but the program returns (f32[])"});
}

TEST_CASE("MEM013 catches values in memory of constants and threads") {
  CHECK(outcome_of({.in_constant = value("z", 4) + value("n", 32), .in_temp = ""}) ==
        texts{"error: n is written into allocation 5, which holds the constant z"});
  CHECK(outcome_of({.in_thread = value("s", 4, 8) + value("n", 32), .in_temp = ""}) ==
        texts{"error: n is a value of the schedule, but lies in allocation 6, which each thread has for itself"});
}

TEST_CASE("MEM013 catches values without an allocation") {
  const texts lost{"error: 1 of 11 values of the HLO lie in no allocation; the first is n"};
  CHECK(outcome_of({.in_temp = ""}) == lost);
  CHECK(outcome_of({.in_thread = ""}) ==
        texts{"error: 1 of 11 values of the HLO lie in no allocation; the first is s"});
  // Without HLO the used values show it.
  const std::string used =
      "\nUsed values:\n<0 p @0>\n positions:\n  p\n uses:\n  n, operand 0\n from instruction: %p = f32[8]{0} "
      "parameter(0)\n<1 n @0>\n positions:\n  n\n uses:\n from instruction: %n = f32[8]{0} negate(%p)\n";
  const std::string only_p = "allocation 0: size 32" + assignment{}.p + ":\n" + value("p", 32);
  CHECK(outcome(misplaced_value{}, assignment_of(only_p + used)) ==
        texts{"error: 1 of 2 used values lie in no allocation; the first is n"});
  CHECK(outcome(misplaced_value{}, assignment_of(numbered(only_p + value("n", 32)) + used)).empty());
}

TEST_CASE("MEM013 catches a value that the HLO does not define") {
  std::string more = program, rows;
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    more.insert(more.find("  %n ="), "  %c" + n + " = f32[8]{0} negate(%p)\n");
    rows += value("c" + n, 32, 64 + 32 * i);
  }
  more.insert(more.find("  ROOT %t"), "  %b = f32[8]{0} bitcast(%n)\n");
  CHECK(outcome_of({.in_temp = value("n", 32) + value("b", 32, 32) + rows}, more) ==
        texts{"error: 1 of 32 assigned values are not values of the HLO; the first is b"});
  CHECK(outcome_of({.in_temp = value("n", 32) + rows}, more).empty());
  CHECK(outcome_of({.in_temp = value("n", 32) + value("b", 32, 32)}, more).empty());            // too many
  CHECK(outcome_of({.in_temp = value("n", 32) + value("gone", 32, 32) + rows}, more).empty());  // DMP001
}

TEST_CASE("MEM013 does not catch") {
  CHECK(outcome_of({}).empty());
  // Before 2026 the shape of the element was printed.
  CHECK(outcome_of({.q = parameter("1", "f32[8]", "{0}")}).empty());
  CHECK(outcome_of({.p = parameter("0", "<unknown shape>", "{}")}).empty());
  // Names that the HLO does not have: DMP001.
  CHECK(outcome_of({.in_temp = value("other", 32)}).empty());
  // An earlier stage may have more values.
  CHECK(outcome_of({.in_temp = ""}, "HloModule m" + program.substr(program.find('\n'))).empty());
  // A loop whose start value is a constant: copies are not inserted yet.
  const std::string loop =
      "HloModule m, is_scheduled=true\n\n"
      "%c {\n  %i = s32[] parameter(0)\n  %l = s32[] constant(3)\n  ROOT %less = pred[] compare(%i, %l), "
      "direction=LT\n}\n"
      "\n%b {\n  %j = s32[] parameter(0)\n  %one = s32[] constant(1)\n  ROOT %k = s32[] add(%j, %one)\n}\n\n"
      "ENTRY %main {\n  %z = s32[] constant(0)\n  ROOT %w = s32[] while(%z), condition=%c, body=%b\n}\n";
  const auto places = [&](bool constant_overwritten) {
    const auto in = [](const std::string& name) { return " value: <0 " + name + " @0> (size=4,offset=0): s32[]\n"; };
    return outcome(
        misplaced_value{},
        context(module_of(loop),
                assignment_of(numbered(
                    "allocation 0: size 4, output shape is |s32[]|, constant, maybe-live-out:\n" + in("z") +
                    in("w (phi)") + in("i (phi)") + in("j (phi)") + in("k") + "allocation 1: size 4, constant:\n" +
                    in("l") + "allocation 2: size 4, constant:\n" + in("one") +
                    (constant_overwritten ? "" : "allocation 3: size 4, preallocated-temp:\n") + in("less")))));
  };
  CHECK(places(false).empty());
  CHECK(places(true) == texts{"error: less is written into allocation 2, which holds the constant one"});
}

TEST_CASE("MEM013 reports the value that has a live range as DMP010 does not") {
  const std::string ranges =
      "\nHloLiveRange (max 2):\n  InstructionSequence:\n    0:p\n    1:n\n  BufferLiveRange:\n    p{}:0-2\n    "
      "n{}:1-2\n"
      "  Live ranges at 1 (peak):\n    p: 32 bytes\n";
  const std::string hlo =
      "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  ROOT %n = f32[8]{0} "
      "negate(%p)\n}\n";
  const std::string only_p = "allocation 0: size 32" + assignment{}.p + ":\n" + value("p", 32);
  CHECK(outcome(misplaced_value{}, context(module_of(hlo), assignment_of(numbered(only_p)))).size() == 1);
  CHECK(
      outcome(misplaced_value{}, context(module_of(hlo), assignment_of(numbered(only_p) + ranges))).empty());  // DMP010
}
