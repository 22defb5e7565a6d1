// What a dump without live ranges is completed with is what XLA prints.
#include "analysis/module_of.hpp"

#include <hlolint/analysis/buffers/completed_dump.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const char* const hlo = R"(HloModule m, is_scheduled=true

ENTRY e {
  p = f32[4]{0} parameter(0)
  a = f32[4]{0} negate(p)
  ROOT t = (f32[4]{0}) tuple(a)
}
)";

const std::string assignment = R"(BufferAssignment:
allocation 0: size 16, parameter 0, shape |f32[4]| at ShapeIndex {}:
 value: <0 p @0> (size=16,offset=0): f32[4]{0}
allocation 1: size 8, output shape is |(f32[4])|, maybe-live-out:
 value: <2 t{} @0> (size=8,offset=0): (f32[4]{0})
allocation 2: size 16, maybe-live-out:
 value: <1 a @0> (size=16,offset=0): f32[4]{0}

Total bytes used: 40 (40B)
)";

const std::string rest = R"(
Used values:
<0 p @0>
 positions:
  p
 uses:
  a, operand 0
 from instruction: %p = f32[4]{0} parameter(0)
<2 t{} @0>
 positions:
  t {}
 uses:
  (none)
 from instruction: %t = (f32[4]{0}) tuple(%a)
<1 a @0>
 positions:
  a
  t {0}
 uses:
  t, operand 0
 from instruction: %a = f32[4]{0} negate(%p)


HloLiveRange (max 3):
  InstructionSequence:
    0:p
    1:a
    2:t
  BufferLiveRange:
    p{}:0-3
    t{}:2-3
    a{}:1-3
  Live ranges at 2 (peak):
    a{}: 16 bytes (cumulative: 16 bytes)
    p{}: 16 bytes (cumulative: 32 bytes)
    t{}: 8 bytes (cumulative: 40 bytes)
)";

std::string ranges(const buffer_dump& dump) {
  const live_range_block& block = *dump.live_ranges();
  std::string out = std::to_string(block.max) + ':';
  for (const std::string_view name : block.sequence) out += std::string(name) + ' ';
  for (const live_range& r : block.ranges)
    out +=
        std::string(r.instruction) + to_string(r.index) + std::to_string(r.start) + '-' + std::to_string(r.end) + ' ';
  return out;
}

std::string values(const buffer_dump& dump) {
  std::string out;
  const auto index = [](const auto& at) { return at ? to_string(*at) : std::string(); };
  for (const used_value& v : dump.used_values()) {
    out += to_string(v.name) + ": ";
    for (const value_position& p : dump.positions(v)) out += std::string(p.instruction) + index(p.index) + ' ';
    for (const value_use& u : dump.uses(v))
      out += std::string(u.instruction) + '(' + std::to_string(u.operand) + index(u.index) + ") ";
  }
  return out;
}

}  // namespace

TEST_CASE("a dump is completed with what XLA prints") {
  const buffer_dump printed = buffers_of(assignment + rest);
  const completed_dump completed(module_of(hlo), buffers_of(assignment));
  REQUIRE(completed.dump());
  CHECK(ranges(*completed.dump()) == ranges(printed));
  CHECK(values(*completed.dump()) == values(printed));
  CHECK(completed.dump()->live_ranges()->computed);
  CHECK_FALSE(printed.live_ranges()->computed);
  CHECK(completed.dump()->where(completed.dump()->live_ranges()->ranges[1].text).begin().line == 5);
}

TEST_CASE("a dump of another program is not completed") {
  std::string other = assignment;
  other.replace(other.find("<1 a @0>"), 8, "<1 b @0>");
  CHECK(completed_dump(module_of(hlo), buffers_of(other)).dump() == nullptr);
  CHECK(completed_dump(module_of(hlo), buffers_of("BufferAssignment:\n")).dump() == nullptr);
}
