#include <hlolint/checks/budget/dominant_value.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "checks/buffer_text.hpp"

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(int big, int small) {
  return outcome(dominant_value{},
                 assignment_of("allocation 0: size " + std::to_string(big) +
                               ", maybe-live-out:\n value: <0 a @0> (size=" + std::to_string(big) + ",offset=0): u8[" +
                               std::to_string(big) + "]{0}\n value: <1 b @0> (size=" + std::to_string(big) +
                               ",offset=0): u8[" + std::to_string(big) + "]{0}\nallocation 1: size " +
                               std::to_string(small) + ", preallocated-temp:\n"));
}

}  // namespace

TEST_CASE("BUD003 catches") {
  CHECK(outcome_of(100'000'000, 100'000'000) == texts{"note: a (u8[100000000]{0}) takes 95.37MiB, 50 % of all memory"});
}

TEST_CASE("BUD003 advises to donate only what can be donated") {
  const auto advice = [](const std::string& kind) {
    const auto list = as_catalogue(dominant_value{});
    const findings found = lint(list,
                                context(assignment_of("allocation 0: size 100000000, " + kind +
                                                      ":\n value: <0 a @0> (size=100000000,offset=0): "
                                                      "u8[100000000]{0}\n")),
                                all_settings(list));
    REQUIRE(found.size() == 1);
    return found[0].advice;
  };
  const std::string argument = "parameter 0, shape |u8[100000000]| at ShapeIndex {}";
  CHECK(advice(argument).find("donate") != std::string::npos);
  CHECK(advice(argument + ", maybe-live-out").find("donate") == std::string::npos);  // it is
  CHECK(advice("preallocated-temp").find("donate") == std::string::npos);
}

TEST_CASE("BUD003 does not catch") {
  CHECK(outcome_of(100'000'000, 300'000'000).empty());
  CHECK(outcome_of(10'000'000, 0).empty());  // small
}
