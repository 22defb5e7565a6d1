#include <hlolint/analysis/program/reassembly.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// The reassembly of element 1 of a body that makes `%new` of `%old`, two rows of four elements.
std::optional<reassembly> reassembly_in(const std::string& body) {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %body {\n  %p = (s32[], f32[2,4]{1,0}) parameter(0)\n"
      "  %i = s32[] get-tuple-element(%p), index=0\n  %old = f32[2,4]{1,0} get-tuple-element(%p), index=1\n" +
      body + "  ROOT %t = (s32[], f32[2,4]{1,0}) tuple(%i, %new)\n}\n");
  return reassembly_of(module.entry(), 1);
}

const std::string rows =
    "  %a = f32[1,4]{1,0} slice(%old), slice={[0:1], [0:4]}\n  %b = f32[1,4]{1,0} slice(%old), slice={[1:2], [0:4]}\n";

}  // namespace

TEST_CASE("slices that are joined as they stood") {
  const auto found = reassembly_in(rows + "  %new = f32[2,4]{1,0} concatenate(%a, %b), dimensions={0}\n");
  REQUIRE(found);
  CHECK(found->parts == 2);
  CHECK(found->last.name() == "new");
  REQUIRE(found->moves.size() == 3);
  CHECK(found->moves[0].name() == "a");
  CHECK(found->moves[2].name() == "new");
}

TEST_CASE("slices that are written one by one") {
  const std::string written =
      "  %e = f32[2,4]{1,0} custom-call(), custom_call_target=\"AllocateBuffer\"\n  %zero = s32[] constant(0)\n"
      "  %one = s32[] constant(1)\n  %second = f32[2,4]{1,0} dynamic-update-slice(%e, %b, %one, %zero)\n"
      "  %new = f32[2,4]{1,0} dynamic-update-slice(%second, %a, ";
  CHECK(reassembly_in(rows + written + "%zero, %zero)\n"));
  CHECK_FALSE(reassembly_in(rows + written + "%i, %zero)\n"));    // at an unknown place
  CHECK_FALSE(reassembly_in(rows + written + "%one, %zero)\n"));  // over the other one
}

TEST_CASE("other values are not made of slices of the old one") {
  CHECK_FALSE(reassembly_in("  %new = f32[2,4]{1,0} negate(%old)\n"));
  CHECK_FALSE(reassembly_in("  %new = f32[2,4]{1,0} copy(%old)\n"));
  CHECK_FALSE(reassembly_in(rows + "  %new = f32[2,4]{1,0} concatenate(%b, %a), dimensions={0}\n"));
  CHECK_FALSE(reassembly_in(rows + "  %n = f32[1,4]{1,0} negate(%b)\n"
                                   "  %new = f32[2,4]{1,0} concatenate(%a, %n), dimensions={0}\n"));
}
