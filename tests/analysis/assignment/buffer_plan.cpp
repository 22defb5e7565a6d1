#include <hlolint/analysis/assignment/buffer_plan.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using namespace hlolint;

TEST_CASE("planned_allocation: temporary is what is no parameter, constant, result or memory of a thread") {
  planned_allocation a;
  CHECK(a.is_temporary());
  a.lives_out = true;
  CHECK_FALSE(a.is_temporary());
  a.lives_out = false;
  for (const storage_kind own : {storage_kind::parameter, storage_kind::constant, storage_kind::thread_local_}) {
    a.kind = own;
    CHECK_FALSE(a.is_temporary());
  }
  a.kind = storage_kind::table;
  CHECK(a.is_temporary());
  CHECK(planned_value{}.allocation == none);
}

TEST_CASE("temporary allocations of a memory space become one, each aligned, after all others") {
  std::vector<planned_allocation> all{{100, 0, storage_kind::constant, none, false},
                                      {10, 0, storage_kind::shared, none, false},
                                      {300, 0, storage_kind::constant, none, false},
                                      {20, 1, storage_kind::shared, none, false},
                                      {5, 0, storage_kind::shared, none, false}};
  const std::vector<combined_place> places = combine_allocations(all, 64);
  REQUIRE(all.size() == 4);
  CHECK(places[0].allocation == 0);
  CHECK(places[2].allocation == 1);
  // The first temporary one trades places with the last other one, and so stands behind.
  CHECK(places[1].allocation == 2);
  CHECK(places[1].offset == 0);
  CHECK(places[4].allocation == 2);
  CHECK(places[4].offset == 64);
  CHECK(all[2].size == 69);  // not rounded at the end
  CHECK(places[3].allocation == 3);
  CHECK(all[3].color == 1);
}

TEST_CASE("the partition swaps, so that the first temporary allocations end up last") {
  std::vector<planned_allocation> all{{1, 0, storage_kind::shared, none, false},
                                      {2, 0, storage_kind::shared, none, false},
                                      {3, 0, storage_kind::constant, none, false},
                                      {4, 0, storage_kind::constant, none, false}};
  const std::vector<combined_place> places = combine_allocations(all, 8);
  CHECK(places[3].allocation == 0);
  CHECK(places[2].allocation == 1);
  CHECK(places[1].offset == 0);
  CHECK(places[0].offset == 8);
  CHECK(all.back().size == 9);
}

TEST_CASE("nothing, and nothing temporary, stay as they are") {
  std::vector<planned_allocation> none_at_all;
  CHECK(combine_allocations(none_at_all, 64).empty());
  std::vector<planned_allocation> all{{1, 0, storage_kind::constant, none, false},
                                      {2, 1, storage_kind::constant, none, false}};
  const std::vector<combined_place> places = combine_allocations(all, 64);
  CHECK(all.size() == 2);
  CHECK(places[1].allocation == 1);
}

TEST_CASE("what does not fit into 63 bits is the largest number, not a smaller one") {
  constexpr byte_count most = std::numeric_limits<byte_count>::max();
  std::vector<planned_allocation> all{{most - 3, 0, storage_kind::shared, none, false},
                                      {16, 0, storage_kind::shared, none, false}};
  const std::vector<combined_place> places = combine_allocations(all, 256);
  REQUIRE(all.size() == 1);
  CHECK(all[0].size == most);
  CHECK(places[1].offset == most);
}
