#include <hlolint/grammar/attributes/shardings.hpp>

#include "grammar/attributes/checks.hpp"

#include <vector>

using namespace hlolint;
using enum tests::outcome;

namespace {
sharding read(std::string_view text) {
  CAPTURE(text);
  const auto value = grammar::value_of<sharding>(grammar::sharding, text);
  REQUIRE(value);
  return *value;
}
std::vector<std::int64_t> devices_of(const device_list& devices) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < devices.size(); ++i) out.push_back(devices[i]);
  return out;
}
}  // namespace

TEST_CASE("shardings, right and wrong") {
  for (const std::string_view text : {
           "{replicated}",
           "{manual}",
           "{unknown}",
           "{unreduced}",
           "{maximal device=3}",
           "{}",
           "{{replicated}, /*index=1*/{maximal device=0}}",
           "{devices=[2,1]0,1}",
           "{devices=[2,2]<=[4]}",
           "{devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}",
           "{devices=[2,2]0,1,2,3 last_tile_dims={manual, replicated}}",
           "{replicated shard_as 1}",
           "{devices=[2]0,1 shard_like 7}",
           "{replicated metadata={op_name=\"a\"}}",
           "{devices=[2]<=[2] metadata={{op_name=\"a\"},{op_name=\"b\"}}}",
           "{mesh['x'=2,'y'=4], [{'x'}, {'y', ?}]}",
           "{mesh['x'=8,'y'=4], [{'x':(1)2}, {}], replicated={'y'}, manual={'x':(4)2}}",
           "{mesh['x'=2], replicated}",
           "{mesh['x'=2] manual}",
           "{mesh['x'=2], unreduced=max {'x'}, metadata={{op_name=\"a\"}}}",
           "{mesh['x'=2,'y'=2], [{'x'}], unreduced=sum{'y'}}",
           "{mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)), [{'0'}]}",
           "{mesh['x'=2], device_ids=(1,0), [{?}]}",
           "{maximal_mesh[device_id=3]}",
           "{mesh[], []}",
           "{single_device[device_id=0]}",
           "{single_device[device_id=-1], metadata={{op_name=\"a\"}}}",
           "{{single_device[device_id=0]}, {replicated}}",
           "{unreduced=max}",
           "{replicated, metadata={{op_name=\"a\"}}}",
       })
    tests::check_row(grammar::sharding, text, fine);
  for (const std::string_view text : {"{|replicated_}",
                                      "{devices=[2]<=[2] |other=1}",
                                      "{devices=|2}",
                                      "{devices=[2]|}",
                                      "{devices=[2]<=|2}",
                                      "{devices=[4]<=[2,2]|}",
                                      "{maximal device=|x}",
                                      "{last_tile_dims={|some}}",
                                      "{{replicated},|}",
                                      "{mesh['x'=2], |x}",
                                      "{mesh[|x=2]}",
                                      "{mesh['x'|]}",
                                      "{mesh['x'=2], [{?|, 'x'}]}",
                                      "{mesh['x'=2], [{'x'}], |other={}}",
                                      "{mesh['x'=2], unreduced=|mean}",
                                      "{maximal_mesh[|id=3]}",
                                      "{single_device|}",
                                      "{single_device[|0]}",
                                      "{unreduced=|mean}",
                                      "{replicated|=max}",
                                      "{replicated, |x}",
                                      "{devices=[2,2]<=[4]|T(0)}",
                                      "{devices=[2,2]<=[4]|T()}"})
    tests::check_row(grammar::sharding, text, failed);
  for (const std::string_view text : {
           "{|maximal}",
           "{|replicated device=1}",
           "{|devices=[1]0}",
           "{|devices=[2]0,1,2}",
           "{|devices=[2,2]<=[8]}",
           "{|devices=[2,2]<=[4] last_tile_dims={manual,replicated,unreduced}}",
           "{devices=[2,2]<=|[2,2]T(1,1)}",
           "{devices=[2,2]<=|[2,2]T(0)}",
           "{mesh['x'=2], [{'|z'}]}",
           "{|mesh['x'=2], device_ids=(0,1,2), [{'x'}]}",
           "{mesh['x'=2], [{}], replicated={'|1'}}",
           "{|mesh['x'=2,'x'=2], [{'x'}]}",
           "{|mesh['x'=2], device_ids=(1,-1), [{'x'}]}",
           "{|mesh['x'=2], device_ids=(1,1), [{'x'}]}",
           "{mesh['x'=4], [{'|x':(3)2}]}",
           "{mesh['x'=4], [{'|x':(1)-1}]}",
           "{mesh['x'=4], [{'|x':(1)4}]}",
           "{mesh['x'=2], [{'x','|x'}]}",
           "{mesh['x'=2,'y'=2], [{'x'}, {'y'}], replicated={'|0'}}",
           "{mesh['x'=8], [{'x':(1)4}], replicated={'|x':(2)2}}",
       })
    tests::check_row(grammar::sharding, text, broken);
}

TEST_CASE("what a sharding holds") {
  using kind = sharding::kind;
  const sharding tiled = read("{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dims={manual}}");
  CHECK(tiled.written == kind::tiled);
  CHECK(tiled.tiles == std::vector<std::int64_t>{2, 1, 2});
  CHECK(devices_of(tiled.devices) == std::vector<std::int64_t>{0, 2, 1, 3});
  CHECK(tiled.last_tile_dims == std::vector{sharding::subgroup::manual});
  CHECK(read("{devices=[2]1,0 last_tile_dim_replicate}").replicate_last_tile_dim);
  CHECK(devices_of(read("{maximal device=5}").devices) == std::vector<std::int64_t>{5});
  CHECK(read("{manual replicated}").written == kind::replicated);
  CHECK(read("{replicated shard_like 3}").group == sharding::relation::shard_like);
  CHECK(read("{replicated shard_like 3}").group_id == 3);
  CHECK(read("{{replicated}, {manual}}").elements.size() == 2);
  CHECK(read("{{replicated}, {manual}}").elements[1].written == kind::manual);
  const sharding named = read("{mesh['x'=4,'y'=4], [{'x':(1)2}, {'y', ?}], unreduced=max{'x':(2)2}}");
  CHECK(named.written == kind::named);
  CHECK(named.mesh.axes == std::vector<device_mesh::axis>{{"x", 4}, {"y", 4}});
  CHECK(named.dimensions.size() == 2);
  CHECK(named.dimensions[0].axes == std::vector<axis_reference>{{"x", 1, 2}});
  CHECK(named.dimensions[1].open);
  CHECK(named.reduction == "max");
  CHECK(read("{maximal_mesh[device_id=3]}").written == kind::maximal);
}

TEST_CASE("an iota of devices is transposed") {
  CHECK(devices_of({{}, {2, 2, 2}, {1, 0, 2}}) == std::vector<std::int64_t>{0, 1, 4, 5, 2, 3, 6, 7});
  CHECK(devices_of({{}, {2, 3}, {1, 0}}) == std::vector<std::int64_t>{0, 3, 1, 4, 2, 5});
  CHECK(devices_of({{}, {4}, {0}}) == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK_FALSE(device_list{{}, {1 << 30, 1 << 30, 1 << 30}, {0, 1, 2}}.size());
}
