#include <hlolint/analysis/sizes/same_sharding.hpp>
#include <hlolint/grammar/attributes/get.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;

namespace {

bool same(const std::string& a, const std::string& b) {
  CAPTURE(a);
  CAPTURE(b);
  const auto x = value_from_text<sharding>(a), y = value_from_text<sharding>(b);
  REQUIRE(x);
  REQUIRE(y);
  CHECK(same_sharding(*x, *y) == same_sharding(*y, *x));
  CHECK(same_sharding(*x, *x));
  return same_sharding(*x, *y);
}

bool replicated(const std::string& text) { return is_replicated(value_from_text<sharding>(text).value()); }

}  // namespace

TEST_CASE("lists, iotas, subgroups and meshes are compared by what each device holds") {
  CHECK(same("{devices=[2,2]<=[4]}", "{ devices=[2,2] 0,1,2,3 }"));
  CHECK(same("{devices=[2,2]<=[2,2]T(1,0)}", "{devices=[2,2]0,2,1,3}"));
  CHECK(same("{devices=[2,1,2]<=[4] last_tile_dim_replicate}", "{devices=[2,1,2]<=[4] last_tile_dims={replicated}}"));
  CHECK(same("{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}", "{devices=[2,1,2]1,0,3,2 last_tile_dim_replicate}"));
  CHECK(same("{mesh['x'=2,'y'=4], [{'x'}, {'y'}]}", "{devices=[2,4]<=[8]}"));
  CHECK(same("{mesh['x'=2,'y'=4], [{'y'}, {}]}", "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"));
  CHECK(same("{mesh['x'=2,'y'=4], [{'x', 'y'}, {}]}", "{devices=[8,1]<=[8]}"));
  CHECK(same("{mesh['x'=8], [{'x':(1)2}, {'x':(2)4}]}", "{devices=[2,4]<=[8]}"));
  CHECK(same("{mesh['x'=8], [{'x':(2)4}, {'x':(1)2}]}", "{devices=[4,2]<=[2,4]T(1,0)}"));
  CHECK(same("{mesh['x'=2], device_ids=(1,0), [{'x'}]}", "{devices=[2]1,0}"));
  CHECK(same("{{devices=[2]<=[2]}, {replicated}}", "{{devices=[2]0,1}, {replicated}}"));
}

TEST_CASE("what gives a device another part is another sharding") {
  CHECK_FALSE(same("{devices=[2,2]<=[4]}", "{devices=[4,1]<=[4]}"));
  CHECK_FALSE(same("{devices=[2,2]<=[4]}", "{devices=[2,2]<=[2,2]T(1,0)}"));
  CHECK_FALSE(same("{devices=[2]<=[2]}", "{devices=[2,2]<=[4] last_tile_dim_replicate}"));
  CHECK_FALSE(same("{devices=[2,2]<=[4] last_tile_dims={manual}}", "{devices=[2,2]<=[4] last_tile_dim_replicate}"));
  CHECK_FALSE(same("{replicated}", "{devices=[2]<=[2]}"));
  CHECK_FALSE(same("{manual}", "{replicated}"));
  CHECK_FALSE(same("{maximal device=0}", "{maximal device=1}"));
  CHECK_FALSE(same("{{replicated}}", "{replicated}"));
  CHECK_FALSE(same("{{replicated}}", "{{replicated}, {replicated}}"));
  CHECK_FALSE(same("{mesh['x'=2,'y'=2], [{'x'}], manual={'y'}}", "{devices=[2]<=[2]}"));
}

TEST_CASE("replicated, in all ways to write it") {
  CHECK(replicated("{replicated}"));
  CHECK(replicated("{devices=[1,1,8]<=[8] last_tile_dim_replicate}"));
  CHECK(replicated("{mesh['x'=2], [{}, {}]}"));
  CHECK(same("{devices=[1,1,8]<=[8] last_tile_dim_replicate}", "{replicated}"));
  CHECK_FALSE(replicated("{devices=[1,8]<=[8]}"));
  CHECK_FALSE(replicated("{devices=[1,8]<=[8] last_tile_dims={manual}}"));
  CHECK_FALSE(replicated("{maximal device=0}"));
  CHECK_FALSE(replicated("{manual}"));
}

TEST_CASE("sizes that nothing can hold end in an answer") {
  CHECK_FALSE(
      same("{devices=[1099511627776,2]<=[2199023255552]}", "{devices=[1099511627776,2]<=[2,1099511627776]T(1,0)}"));
  CHECK(same("{devices=[0,4]<=[0]}", "{devices=[0,4]<=[0,4]T(1,0)}"));
  CHECK_FALSE(same("{mesh['x'=0,'y'=4], [{'y'}]}", "{devices=[4]<=[4]}"));
  CHECK_FALSE(same("{mesh['x'=4611686018427387904,'y'=4], [{'x'},{'y'}]}", "{devices=[2,2]<=[4]}"));
}
