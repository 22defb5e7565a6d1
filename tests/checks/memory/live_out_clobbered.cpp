#include <hlolint/checks/memory/live_out_clobbered.hpp>

#include "checks/paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const std::string& results, const value_row& n, const value_row& m) {
  return paired_outcome(live_out_clobbered{}, small_module(results),
                        {{live_out, {n, m}}, {live_out, {{"a", 0, 32, 4, 6, {}}}}});
}

}  // namespace

TEST_CASE("MEM009 catches") {
  CHECK(outcome_of("%a, %n", {"n", 0, 32, 1, 2, {4}}, {"m", 0, 32, 2, 3, {3}}) ==
        texts{"error: m (bytes 0 to 32 of allocation 0, live 2-3 by the HLO, 2-3 by the dump) overwrites a result of "
              "the program, n (bytes 0 "
              "to 32 of allocation 0, live 1-6 by the HLO, 1-2 by the dump)"});
  value_row n{"n", 0, 32, 1, 2, {4}}, m{"m", 16, 32, 2, 3, {3}};
  n.ranged = m.ranged = false;  // as without the file of live ranges
  CHECK(outcome_of("%a, %n", n, m).size() == 1);
}

TEST_CASE("MEM009 does not catch") {
  CHECK(outcome_of("%a, %n", {"n", 0, 32, 1, 6, {4}}, {"m", 32, 32, 2, 3, {3}}).empty());
  CHECK(outcome_of("%a, %n", {"n", 0, 32, 1, 6, {4}}, {"m", 0, 32, 2, 3, {3}}).empty());  // MEM001
  CHECK(outcome_of("%a", {"n", 0, 32, 1, 1, {4}}, {"m", 0, 32, 2, 3, {3}}).empty());      // no result: MEM011
}
