#include <hlolint/analysis/values/phi_values.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("phi_values: a phi at which one other value arrives stands for it") {
  detail::phi_values phis;
  phis.arrive(10, {1, 10});
  phis.arrive(11, {1, 2});
  phis.arrive(12, {10, 1});
  CHECK(phis.inputs(11) == record_list<std::uint32_t>{1, 2});
  CHECK(phis.simplify());
  CHECK(phis.resolve(10) == 1);
  CHECK(phis.resolve(11) == 11);
  CHECK(phis.resolve(12) == 1);  // since 10 is 1
  CHECK(phis.resolve(1) == 1);
  CHECK(phis.resolve(99) == 99);  // never mentioned
}

TEST_CASE("phi_values: a group that one value enters is that value, one that two enter is not") {
  detail::phi_values one, two;
  one.arrive(10, {1, 11});
  one.arrive(11, {10, 12});
  one.arrive(12, {11, 10});
  CHECK(one.simplify());
  for (const std::uint32_t phi : {10u, 11u, 12u}) CHECK(one.resolve(phi) == 1);
  two.arrive(10, {1, 11});
  two.arrive(11, {10, 2});
  CHECK(two.simplify());
  CHECK(two.resolve(10) == 10);
  CHECK(two.resolve(11) == 11);
}

TEST_CASE("phi_values: what arrives replaces what was set before") {
  detail::phi_values phis;
  phis.arrive(10, {1, 2});
  phis.arrive(10, {2});
  CHECK(phis.inputs(10) == record_list<std::uint32_t>{2});
  CHECK(phis.simplify());
  CHECK(phis.resolve(10) == 2);
}
