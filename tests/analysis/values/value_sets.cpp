#include <hlolint/analysis/values/value_sets.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using namespace hlolint;

TEST_CASE("value_sets: equal sets have equal numbers, a set of one that of its value") {
  detail::value_sets sets;
  const auto make = [&](record_list<std::uint32_t> values) { return sets.make(values); };
  const auto values_of = [&](std::uint32_t set) {
    record_list<std::uint32_t> out;
    sets.append(set, out);
    return out;
  };
  CHECK(make({}) == detail::value_sets::empty);
  CHECK(make({7}) == 7);
  CHECK(make({7, 7}) == 7);
  const std::uint32_t pair = make({9, 3});
  CHECK(pair == make({3, 9, 3}));
  CHECK(pair != make({3, 8}));
  CHECK(values_of(pair) == record_list<std::uint32_t>{3, 9});
  CHECK(values_of(7) == record_list<std::uint32_t>{7});
  CHECK(values_of(detail::value_sets::empty).empty());
  CHECK(sets.first(pair) == 3);
  CHECK(sets.first(7) == 7);
  CHECK(sets.first(detail::value_sets::empty) == detail::value_sets::empty);
}

TEST_CASE("value_sets: mapped, without values that are dropped, and with the lowest of too many") {
  detail::value_sets sets;
  record_list<std::uint32_t> some{3, 9, 12};
  const std::uint32_t set = sets.make(some);
  CHECK(sets.map(set, [](std::uint32_t v) { return v == 9 ? detail::value_sets::empty : v; }) ==
        sets.map(set, [](std::uint32_t v) { return v == 9 ? 3 : v; }));
  CHECK(sets.map(set, [](std::uint32_t) { return 5u; }) == 5);
  CHECK(sets.map(detail::value_sets::empty, [](std::uint32_t) { return 5u; }) == detail::value_sets::empty);
  record_list<std::uint32_t> many, kept;
  for (std::uint32_t v = 100; v > 0; --v) many.push_back(v);
  sets.append(sets.make(many), kept);
  CHECK(kept.size() == detail::value_sets::most);
  CHECK(kept.back() == detail::value_sets::most);
}
