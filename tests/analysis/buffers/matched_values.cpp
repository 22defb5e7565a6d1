#include <hlolint/analysis/buffers/matched_values.hpp>

#include "analysis/buffers/matched_program.hpp"
#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("matched_values: assigned values and computed ones, by name") {
  const hlo_module module = module_of(matched_text);
  const matched_values values(module, dump_of_matched({{"a", 0, 64, 1, 3, {3}}, {"b", 64, 64, 2, 3, {3}}}));
  CHECK(values.same_program());
  for (std::size_t v = 0; v < values.dump().values().size(); ++v) {
    REQUIRE(values.computed(v));
    const hlo_value& computed = values.flow().values()[*values.computed(v)];
    CHECK(values.flow().instruction(computed).name() == values.dump().values()[v].name.instruction);
    CHECK(values.assigned(*values.computed(v)) == v);
    CHECK(values.is_result(*values.computed(v)) == (values.dump().values()[v].name.instruction == "r"));
  }
  const hlo_instruction a = instruction_of(module, "a");
  REQUIRE(values.at(a, {}));
  CHECK(values.names().name_of(a) == "a");
  CHECK_FALSE(values.at(a, {1}));
  CHECK(values.ranges().of(*values.at(a, {})) == time_span{1, 3});
}

TEST_CASE("matched_values: another name, and another order of the schedule, are of another program") {
  const hlo_module module = module_of(matched_text);
  const matched_values named(module, dump_of_matched({{"a", 0, 64, 1, 3, {3}}, {"other", 64, 64, 2, 3, {3}}}));
  CHECK_FALSE(named.same_program());
  std::size_t unknown = 0;
  for (std::size_t v = 0; v < named.dump().values().size(); ++v) unknown += !named.computed(v);
  CHECK(unknown == 1);
  const matched_values ordered(module, dump_of_matched({{"b", 0, 64, 1, 3, {3}}, {"a", 64, 64, 2, 3, {3}}}));
  CHECK_FALSE(ordered.same_program());
  CHECK(ordered.computed(0));
}

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
