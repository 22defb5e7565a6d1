#include <hlolint/checks/padding/degenerate_lane_dim.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const std::string& shape, target backend = target::unknown, const degenerate_lane_dim& check = {}) {
  return outcome(
      check,
      context({.hlo = module_of("HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = " + shape +
                                " parameter(0)\n  %b = " + shape + " bitcast(%p)\n  ROOT %r = f32[] constant(0)\n}\n"),
               .target = backend}));
}

}  // namespace

TEST_CASE("PAD002 catches") {
  CHECK(outcome_of("u32[12582912,1]{1,0:T(8,128)}") ==
        texts{"note: u32[12582912,1]{1,0:T(8,128)} has only 1 elements along the 128 lanes of its tile: 6.00GiB for "
              "48.00MiB of elements"});
  CHECK(outcome_of("s32[8388608,8,4]{2,1,0:T(8,128)}", target::tpu).size() == 1);
  CHECK(outcome_of("f32[65536,8]{1,0:T(8,128)}", target::tpu, {.min_elements = 1000}).size() == 1);
}

TEST_CASE("PAD002 does not catch") {
  CHECK(outcome_of("u32[12582912,1]{0,1:T(8,128)}").empty());  // the long dimension is the minor one
  CHECK(outcome_of("u32[12582912,9]{1,0:T(8,128)}").empty());
  CHECK(outcome_of("u32[4096,1]{1,0:T(8,128)}").empty());
  CHECK(outcome_of("u32[12582912,1]{1,0}").empty());
  CHECK(outcome_of("u32[12582912,1]{1,0:T(8,128)}", target::gpu).empty());
}
