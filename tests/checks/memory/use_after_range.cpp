#include <hlolint/checks/memory/use_after_range.hpp>

#include "checks/paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const value_row& n) { return paired_outcome(use_after_range{}, small_module(), {{temp, {n}}}); }

/// n takes the place of p.
texts outcome_of_donated(std::int64_t end_of_p, std::int64_t end_of_n) {
  return paired_outcome(use_after_range{}, small_module("%n, %a", ", input_output_alias={ {0}: (0, {}, may-alias) }"),
                        {{", parameter 0, shape |f32[8]| at ShapeIndex {}, maybe-live-out",
                          {{"p", 0, 32, 0, end_of_p, {1, 2}}, {"n", 0, 32, 1, end_of_n, {4}}}}});
}

}  // namespace

TEST_CASE("MEM007 catches") {
  CHECK(outcome_of({"n", 0, 32, 1, 2, {4}}) ==
        texts{"error: the buffer of n lives until position 2 according to the dump, but a reads it at position 4"});
}

TEST_CASE("MEM007 does not catch") {
  CHECK(outcome_of({"n", 0, 32, 1, 4, {4}}).empty());
  CHECK(outcome_of({"n", 0, 32, 1, 6, {4}}).empty());
  // A dump of another program, with another schedule: DMP001.
  CHECK(outcome(use_after_range{}, context(module_of(small_module()), dump_of({{temp, {{"n", 0, 32, 1, 2, {4}}}}}, 5)))
            .empty());
}

TEST_CASE("MEM007 and values of one buffer") {
  // The range of p is cut where n begins, though m still reads it: that is ALI004.
  CHECK(outcome_of_donated(1, 6).empty());
  CHECK(outcome_of_donated(0, 6) ==
        texts{"error: the buffer of p lives until position 0 according to the dump, but m reads it at position 2"});
  CHECK(outcome_of_donated(1, 3) ==
        texts{"error: the buffer of n lives until position 3 according to the dump, but t reads it at position 5"});
}
