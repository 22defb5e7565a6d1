#include <hlolint/analysis/assignment/buffer_plan.hpp>

#include <doctest/doctest.h>

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
