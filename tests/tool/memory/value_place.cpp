#include <hlolint/tool/memory/value_place.hpp>

#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// One value, whose instruction stands in the dump.
buffer_dump dump_of_b(const std::string& instruction) {
  return dump_of(
      {{", preallocated-temp", {{.name = "b", .size = 32, .start = 1, .end = 2, .instruction = instruction}}}}, 3);
}
const assigned_value& only_value(const context& of) { return of.buffers()->values().front(); }

}  // namespace

TEST_CASE("value_place: the source and the opcode of a value are those of its instruction in the HLO") {
  const context both(
      module_of("HloModule m, is_scheduled=true\n\nENTRY %e {\n  %a = f32[8]{0} parameter(0)\n  ROOT %b = "
                "f32[8]{0} negate(%a), metadata={source_file=\"model.py\" source_line=7}\n}\n"),
      dump_of_b("sine(%a)"));
  CHECK(program_place_of(both, only_value(both)).text() == "model.py:7");
  CHECK(opcode_of(both, only_value(both)) == "negate");
}

TEST_CASE("value_place: without HLO the text of the dump tells them") {
  const context alone(dump_of_b("sine(%a), metadata={source_file=\"step.py\" source_line=9}"));
  CHECK(program_place_of(alone, only_value(alone)).text() == "step.py:9");
  CHECK(opcode_of(alone, only_value(alone)) == "sine");
}
