#include <hlolint/checks/memory/use_after_range.hpp>

#include "paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const value_row& n) { return paired_outcome(use_after_range{}, small_module(), {{temp, {n}}}); }

}  // namespace

TEST_CASE("MEM007 catches") {
  CHECK(outcome_of({"n", 0, 32, 1, 2, {4}}) == texts{"error: n ends at position 2 by the dump, but a reads its buffer at position 4"});
}

TEST_CASE("MEM007 catches not") {
  CHECK(outcome_of({"n", 0, 32, 1, 4, {4}}).empty());
  CHECK(outcome_of({"n", 0, 32, 1, 6, {4}}).empty());
  // One buffer by donation: the range of p is cut where the result begins, and the result's own counts.
  const std::string donated = small_module("%a", ", input_output_alias={ {0}: (0, {}, may-alias) }");
  const auto outcome_of_donated = [&](std::int64_t end) {
    return paired_outcome(use_after_range{}, donated, {{", parameter 0, shape |f32[8]| at ShapeIndex {}, maybe-live-out",
                                                        {{"p", 0, 32, 0, 2, {1, 2}}, {"a", 0, 32, 4, end, {}}}}});
  };
  CHECK(outcome_of_donated(6).empty());
  CHECK(outcome_of_donated(4).size() == 1);
}
