#include <hlolint/analysis/program/program_place.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("a place in the user's program: an instruction's own, else that of the root it calls") {
  const hlo_module module = module_of(R"(HloModule m

%noted {
  %np = f32[8]{0} parameter(0), metadata={op_name="inner/p"}
  ROOT %nn = f32[8]{0} negate(%np), metadata={op_name="inner/neg" source_file="net.py" source_line=7}
}

%silent {
  %sp = f32[8]{0} parameter(0), metadata={op_name="inner/p"}
  ROOT %sn = f32[8]{0} negate(%sp)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %own = f32[8]{0} fusion(%p), kind=kLoop, calls=%noted, metadata={op_name="outer"}
  %from = f32[8]{0} fusion(%p), kind=kLoop, calls=%noted
  ROOT %nothing = f32[8]{0} fusion(%p), kind=kLoop, calls=%silent
}
)");
  const program_place own = program_place_of(instruction_of(module, "own"));
  CHECK(own.op_name == "outer");
  CHECK_FALSE(own.at);
  CHECK(own);
  const program_place from = program_place_of(instruction_of(module, "from"));
  CHECK(from.op_name == "inner/neg");
  CHECK(from.at.file == "net.py");
  CHECK(from.at.line == 7);
  CHECK(from == program_place_of(instruction_of(module, "nn")));
  CHECK_FALSE(program_place_of(instruction_of(module, "nothing")));
}
