#include <hlolint/checks/dump/live_range_inconsistent.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string hlo =
    "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[16]{0} parameter(0)\n"
    "  %n = f32[16]{0} negate(%p)\n  %q = f32[16]{0} parameter(1)\n"
    "  ROOT %a = f32[16]{0} add(%n, %q)\n}\n";

std::string buffers(const std::string& ranges, const std::string& used = "") {
  return "BufferAssignment:\nallocation 0: size 64, parameter 0, shape |f32[16]| at ShapeIndex {}:\n"
         " value: <0 p @0> (size=64,offset=0): f32[16]{0}\n"
         "allocation 1: size 64, parameter 1, shape |f32[16]| at ShapeIndex {}:\n"
         " value: <1 q @0> (size=64,offset=0): f32[16]{0}\nallocation 2: size 64, maybe-live-out:\n"
         " value: <2 n @0> (size=64,offset=0): f32[16]{0}\n value: <3 a @0> (size=64,offset=0): f32[16]{0}\n"
         "allocation 3: size 4, thread-local:\n value: <4 x @0> (size=4,offset=0): f32[]\n" +
         used +
         "\n\nHloLiveRange (max 4):\n  InstructionSequence:\n    0:p\n    1:n\n    2:q\n    3:a\n  BufferLiveRange:\n" +
         ranges + "  Live ranges at 3 (peak):\n";
}

const std::string right = "    p{}:0-4\n    n{}:1-3\n    q{}:0-4\n    a{}:3-4\n";

texts outcome_of(const std::string& ranges) {
  return outcome(live_range_inconsistent{}, context(module_of(hlo), buffers_of(buffers(ranges))));
}

}  // namespace

TEST_CASE("DMP010 catches") {
  CHECK(outcome_of("    p{}:0-4\n    q{}:0-4\n    a{}:3-4\n") ==
        texts{"error: 1 of 4 values of the schedule have no live range; the first is n"});
  CHECK(outcome_of(right + "    n{}:1-3\n") ==
        texts{"error: 1 of 5 live ranges belong to a value that already has one; the first is n"});
  CHECK(outcome_of(right + "    n{1}:1-3\n") ==
        texts{"error: 1 of 5 live ranges belong to no value in any allocation; the first is n"});
  const std::string misplaced =
      " live ranges do not begin at their instruction, or end before they begin or after the schedule; the first is ";
  CHECK(outcome_of("    p{}:0-4\n    n{}:2-3\n    q{}:0-4\n    a{}:3-4\n") == texts{"error: 1 of 4" + misplaced + "n"});
  CHECK(outcome_of("    p{}:0-4\n    n{}:0-3\n    q{}:3-4\n    a{}:3-4\n") == texts{"error: 2 of 4" + misplaced + "q"});
  CHECK(outcome_of("    p{}:0-4\n    n{}:1-0\n    q{}:0-4\n    a{}:3-5\n") == texts{"error: 2 of 4" + misplaced + "n"});
  const findings found =
      lint(live_range_inconsistent{}, context(module_of(hlo), buffers_of(buffers(right + "    n{}:1-3\n"))));
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "n");
  CHECK(found[0].computation == "main");
  CHECK(found[0].where.text() == "    n{}:1-3");
}

TEST_CASE("DMP010 does not catch") {
  CHECK(outcome_of(right).empty());
  // Something of the dump could not be read.
  const auto size_of = [](bool is_read_in_part) {
    return outcome(live_range_inconsistent{},
                   context({.buffers = buffers_of(buffers("    p{}:0-4\n")), .is_read_in_part = is_read_in_part}))
        .size();
  };
  CHECK(size_of(false) > 0);
  CHECK(size_of(true) == 0);
  // Without HLO what a value's instruction is stands after `from instruction:`; without that it may be a parameter.
  const auto alone = [](const std::string& ranges, const std::string& used) {
    return outcome(live_range_inconsistent{}, buffers_of(buffers(ranges, used))).size();
  };
  const std::string early = "    p{}:0-4\n    n{}:0-3\n    q{}:0-4\n    a{}:3-4\n";
  const auto used = [](const std::string& n) {
    return "\nTotal bytes used: 196 (196B)\n\nUsed values:\n<2 n @0>\n positions:\n  n\n uses:\n  (none)\n"
           " from instruction: %n = f32[16]{0} " +
           n + "\n";
  };
  CHECK(alone(right, "") == 0);
  CHECK(alone(early, "") == 0);
  CHECK(alone(early, used("parameter(2)")) == 0);
  CHECK(alone(early, used("negate(%p)")) == 1);
}

TEST_CASE("DMP010 knows the root of a wrapped computation without the HLO") {
  const auto outcome_with = [](const std::string& start, const std::string& root, const std::string& used) {
    return outcome(
        live_range_inconsistent{},
        buffers_of("BufferAssignment:\nallocation 0: size 64, parameter 0, shape |f32[16]| at ShapeIndex {}:\n"
                   " value: <0 p @0> (size=64,offset=0): f32[16]{0}\nallocation 1: size 128, preallocated-temp:\n"
                   " value: <1 g @0> (size=64,offset=0): " +
                   root + "\n value: <2 s{} @0> (size=16,offset=64): " + start +
                   "\nallocation 2: size 64, maybe-live-out:\n value: <3 a @0> (size=64,offset=0): f32[16]{0}\n" +
                   used +
                   "\n\nHloLiveRange (max 6):\n  InstructionSequence:\n    0:p\n    1:q\n    2:g\n    3:s\n    4:d\n"
                   "    5:a\n  BufferLiveRange:\n    p{}:0-6\n    g{}:3-5\n    s{}:3-4\n    a{}:5-6\n"
                   "  Live ranges at 3 (peak):\n"));
  };
  const std::string async = "((f32[16]{0}), f32[16]{0})", array = "f32[16]{0}";
  CHECK(outcome_with(async, array, "").empty());
  // Not the result of a start of this form, and another shape than it has.
  CHECK(outcome_with("(f32[16]{0}, f32[16]{0})", array, "").size() == 1);
  CHECK(outcome_with(async, "f32[8]{0}", "").size() == 1);

  const auto used = [](const std::string& position) {
    return "\nTotal bytes used: 256 (256B)\n\nUsed values:\n<1 g @0>\n positions:\n  g\n  " + position +
           "\n uses:\n  a, operand 0\n from instruction: %g = f32[16]{0} all-gather(%q), dimensions={0}\n"
           "<2 s{} @0>\n positions:\n  s {}\n uses:\n  d, operand 0 {}\n from instruction: %s = ((f32[16]{0}), "
           "f32[16]{0}) all-gather-start(%p), dimensions={0}\n";
  };
  CHECK(outcome_with(async, array, used("s {1}")).empty());
  CHECK(outcome_with(async, array, used("d")).size() == 1);
  // The table of a result that is a tuple.
  const std::string pair = "(f32[4]{0}, f32[4]{0})";
  CHECK(outcome_with("((f32[16]{0}), " + pair + ")", pair, used("d")).empty());
  CHECK(outcome_with(async, pair, used("d")).size() == 1);
}
