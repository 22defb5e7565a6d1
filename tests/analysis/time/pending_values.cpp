#include <hlolint/analysis/time/pending_values.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using namespace hlolint;

TEST_CASE("pending_values: transfers in tuples, by element") {
  using detail::pending_values;
  pending_values values;
  const pending_values::handle a = values.add({7, 0, 1, 2}), b = values.add({8, 0, 3, 4});
  const pending_values::handle inner = values.add_tuple({{1, b}}), outer = values.add_tuple({{2, inner}, {5, a}});
  CHECK(values.transfer(a)->transfer == 7);
  CHECK(values.transfer(inner) == nullptr);
  CHECK(values.transfer(pending_values::nothing) == nullptr);
  CHECK(values.element(outer, 5) == a);
  CHECK(values.element(values.element(outer, 2), 1) == b);
  CHECK(values.element(outer, 0) == pending_values::nothing);
  CHECK(values.element(a, 3) == a);
  CHECK(values.first_transfer(outer)->transfer == 8);
  CHECK(values.first_transfer(pending_values::nothing) == nullptr);
  CHECK(values.add_tuple({}) == pending_values::nothing);
}

TEST_CASE("pending_values: later is another value, and the first one stays") {
  using detail::pending_values;
  pending_values values;
  const pending_values::handle a = values.add({7, 1, 2, 3, 4, 5});
  const pending_values::handle twice = values.add_tuple({{0, a}, {1, a}});
  const pending_values::handle moved = values.later(twice, 10);
  const detail::pending_transfer one = *values.transfer(values.element(moved, 1));
  CHECK(one.issued == 11);
  CHECK(one.begin == 12);
  CHECK(one.end == 13);
  CHECK(one.transfer == 7);
  CHECK(one.blocker == 4);
  CHECK(one.block == 5);
  CHECK(values.element(moved, 0) == values.element(moved, 1));
  CHECK(values.transfer(values.element(twice, 0))->end == 3);
  CHECK(values.later(pending_values::nothing, 10) == pending_values::nothing);
}
