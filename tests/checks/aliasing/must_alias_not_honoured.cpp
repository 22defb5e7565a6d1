#include <hlolint/checks/aliasing/must_alias_not_honoured.hpp>

#include "checks/paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string donated = ", input_output_alias={ {0}: (0, {}, must-alias) }";
const std::string parameter = ", parameter 0, shape |f32[8]| at ShapeIndex {}";
const value_row p{"p", 0, 32, 0, 6, {1, 2}}, a{"a", 0, 32, 4, 6, {}};

}  // namespace

TEST_CASE("ALI008 catches") {
  CHECK(paired_outcome(must_alias_not_honoured{}, small_module("%a", donated), {{parameter, {p}}, {live_out, {a}}}) ==
        texts{"error: output {0} is aliased to parameter 0 at index {} ({0}: (0, {}, must-alias)), but a lies in "
              "allocation 1 and not in "
              "allocation 0"});
  CHECK(paired_outcome(must_alias_not_honoured{}, small_module("%a"), {{parameter + live_out, {p, a}}}) ==
        texts{"warning: a is written into the buffer of parameter 0 at index {}, which is not donated"});
  CHECK(paired_outcome(must_alias_not_honoured{}, small_module("%a"), {{parameter + live_out, {a, p}}}) ==
        texts{"warning: a is written into the buffer of parameter 0 at index {}, which is not donated"});
}

TEST_CASE("ALI008 does not catch") {
  CHECK(
      paired_outcome(must_alias_not_honoured{}, small_module("%a", donated), {{parameter + live_out, {p, a}}}).empty());
  CHECK(paired_outcome(must_alias_not_honoured{}, small_module("%a"), {{parameter, {p}}, {live_out, {a}}}).empty());
  // The parameter itself is the result.
  CHECK(paired_outcome(must_alias_not_honoured{}, small_module("%p"), {{parameter + live_out, {p}}}).empty());
  CHECK(paired_outcome(must_alias_not_honoured{}, small_module("%p", donated), {{parameter + live_out, {p}}}).empty());
}
