#include <hlolint/checks/memory/memory_space_mismatch.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const std::string& flags, const std::string& value_color, const std::string& after = {}) {
  return outcome(memory_space_mismatch{}, assignment_of("allocation 0: size 64" + flags + ":\n value: <0 a" +
                                                        value_color + "> (size=64,offset=0): f32[16]{0}\n" + after));
}

}  // namespace

TEST_CASE("MEM008 catches") {
  CHECK(outcome_of(", parameter 0, shape |f32[16]| at ShapeIndex {}", " @1") ==
        texts{"error: a is of color 1 but lies in allocation 0 of color 0"});
  CHECK(outcome_of(", color 2, maybe-live-out", " @0") ==
        texts{"error: a is of color 0 but lies in allocation 0 of color 2"});
  CHECK(outcome_of(", color 1, preallocated-temp", " @0") ==
        texts{"warning: a is of color 0 but lies in allocation 0 of color 1"});
}

TEST_CASE("MEM008 does not catch") {
  CHECK(outcome_of(", maybe-live-out", " @0").empty());
  CHECK(outcome_of(", color 1, preallocated-temp", " @1").empty());
  CHECK(outcome_of(", color 1, preallocated-temp", "").empty());  // before coloring
  CHECK(outcome_of(", color 1, preallocated-temp", " @0",
                   " reused by buffers of a different color:\n"
                   "  value: <0 a @0> (color=0)\n")
            .empty());
}
