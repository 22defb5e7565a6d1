#include <hlolint/analysis/buffers/matched_values.hpp>

#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// `a` is read at 3, where it ends; `b` begins at 2.
const char* const matched_text =
    "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = u8[64]{0} parameter(0)\n"
    "  %a = u8[64]{0} custom-call(%p), custom_call_target=\"k\"\n"
    "  %b = u8[64]{0} custom-call(%p), custom_call_target=\"k\"\n"
    "  ROOT %r = u8[64]{0} custom-call(%a, %b), custom_call_target=\"k\"\n}\n";
buffer_dump dump_of_matched(const std::vector<value_row>& temporaries) {
  return dump_of({{", parameter 0, shape |u8[64]| at ShapeIndex {}", {{"p", 0, 64, 0, 4, {1, 2}}}},
                  {temp, temporaries},
                  {", maybe-live-out", {{"r", 0, 64, 3, 4}}}},
                 3);
}

}  // namespace

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
  CHECK(values.name_of(a) == "a");
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
