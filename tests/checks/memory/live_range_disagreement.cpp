#include <hlolint/checks/memory/live_range_disagreement.hpp>

#include "checks/paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const value_row& n, const value_row& m) {
  return paired_outcome(live_range_disagreement{}, small_module(),
                        {{temp, {n, m}}, {live_out, {{"a", 0, 32, 4, 6, {}}}}});
}

}  // namespace

TEST_CASE("MEM011 catches") {
  CHECK(outcome_of({"n", 0, 32, 1, 1, {4}}, {"m", 0, 32, 2, 3, {3}}) ==
        texts{"warning: m (bytes 0 to 32 of allocation 0, live 2-3 by the HLO, 2-3 by the dump) overlaps n (bytes 0 "
              "to 32 of allocation 0, "
              "live 1-4 by the HLO, 1-1 by the dump), which the HLO still needs"});
  value_row unranged{"n", 0, 32, 1, 4, {4}};
  unranged.ranged = false;
  CHECK(outcome_of(unranged, {"m", 0, 32, 2, 3, {3}}).size() == 1);
}

TEST_CASE("MEM011 does not catch") {
  value_row unranged{"n", 0, 32, 1, 4, {4}};
  unranged.ranged = false;  // DMP010
  CHECK(outcome_of(unranged, {"m", 32, 32, 2, 3, {3}}).empty());
  CHECK(outcome_of({"n", 0, 32, 1, 4, {4}}, {"m", 32, 32, 2, 3, {3}}).empty());
  CHECK(outcome_of({"n", 0, 32, 1, 2, {4}}, {"m", 32, 32, 2, 3, {3}}).empty());  // shorter, but in no one's way
  CHECK(outcome_of({"n", 0, 32, 1, 4, {4}}, {"m", 0, 32, 2, 3, {3}}).empty());   // the dump shows it: MEM001
}
