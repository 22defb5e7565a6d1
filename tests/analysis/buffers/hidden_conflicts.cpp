#include <hlolint/analysis/buffers/hidden_conflicts.hpp>

#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

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

TEST_CASE("hidden_conflicts: a clash that the printed live ranges do not show") {
  const hlo_module module = module_of(matched_text);
  const hidden_conflicts found(module, dump_of_matched({{"a", 0, 64, 1, 2, {2}}, {"b", 32, 64, 2, 3, {3}}}));
  REQUIRE(found.values().same_program());
  REQUIRE(found.size() == 1);
  const hidden_conflict& conflict = *found.begin();
  CHECK(found.values().dump().values()[conflict.first].name.instruction == "a");
  CHECK(found.values().dump().values()[conflict.second].name.instruction == "b");
  CHECK(conflict.bytes == 32);
  CHECK(conflict.position == 2);
}

TEST_CASE("hidden_conflicts: nothing where the dump shows it, where bytes are apart, or of another program") {
  const hlo_module module = module_of(matched_text);
  CHECK(hidden_conflicts(module, dump_of_matched({{"a", 0, 64, 1, 3, {3}}, {"b", 0, 64, 2, 3, {3}}})).size() == 0);
  CHECK(hidden_conflicts(module, dump_of_matched({{"a", 0, 64, 1, 2, {2}}, {"b", 64, 64, 2, 3, {3}}})).size() == 0);
  CHECK(hidden_conflicts(module, dump_of_matched({{"a", 0, 64, 1, 2, {2}}, {"other", 0, 64, 2, 3, {3}}})).size() == 0);
}
