#include <hlolint/analysis/program/shape_places.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* places_text = R"(HloModule m

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %c = s32[] parameter(1)
  %bare = dot(%p, %p), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  %t = ((f32[8]{0}, f32[8]{0}), s32[]) parameter(2)
  %pair = (f32[8]{0}, (s32[])) parameter(3)
  ROOT %other = ((f32[8]{0}), s32[]) parameter(4)
}
)";

}  // namespace

TEST_CASE("shape_places: parts of results by number and by index, tuples before their elements") {
  const hlo_module module = module_of(places_text);
  const shape_places places(module);
  const id p = instruction_of(module, "p").id(), t = instruction_of(module, "t").id();
  CHECK(places.count(p) == 1);
  CHECK(places.count(t) == 5);  // ((a, b), c)
  CHECK(places.first(p) == 0);
  CHECK(places.first(t) == 3);
  CHECK(places.size() == 16);  // one without a shape has a place as well
  CHECK(places.is_tuple(t, 0));
  CHECK(places.is_tuple(t, 1));
  CHECK_FALSE(places.is_tuple(t, 2));
  CHECK(places.element_count(t, 1) == 2);
  CHECK(places.element_count(t, 4) == 0);
  CHECK(places.element(t, 0, 1) == 4);
  CHECK(places.element(t, 1, 1) == 3);
  CHECK(places.element(t, 0, 2) == none);
  CHECK(places.end(t, 1) == 4);
  CHECK(places.find(t, {0, 1}) == 3);
  CHECK(places.find(t, {}) == 0);
  CHECK(places.find(t, {1, 0}) == none);
  CHECK(places.part(t, 4)->type == element_type::s32);
  for (std::uint32_t n = 0; n < places.count(t); ++n) CHECK(places.find(t, places.index(t, n)) == n);
  CHECK(places.index(t, 3) == shape_index{0, 1});
  CHECK(places.first_step(t, 3) == 0);
  CHECK(places.first_step(t, 4) == 1);
  CHECK(places.first_step(t, 0) == none);
  const id bare = instruction_of(module, "bare").id();
  CHECK(places.part(bare, 0) == nullptr);
  CHECK(places.count(bare) == 1);
}

TEST_CASE("shape_places: common parts end where tuples differ in their number of elements") {
  const hlo_module module = module_of(places_text);
  const shape_places places(module);
  const auto common = [&](const char* a, std::uint32_t n, const char* b, std::uint32_t m) {
    std::string out;
    places.for_each_common(
        instruction_of(module, a).id(), n, instruction_of(module, b).id(), m,
        [&](std::uint32_t x, std::uint32_t y) { out += std::to_string(x) + "=" + std::to_string(y) + " "; });
    return out;
  };
  CHECK(common("t", 0, "t", 0) == "0=0 1=1 2=2 3=3 4=4 ");
  CHECK(common("t", 1, "pair", 0) == "1=0 2=1 3=2 ");   // an array beside a tuple: no further
  CHECK(common("t", 0, "pair", 0) == "0=0 1=1 4=2 ");   // a pair beside an array
  CHECK(common("t", 0, "other", 0) == "0=0 1=1 4=3 ");  // two elements beside one
}
