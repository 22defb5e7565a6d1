#include <hlolint/analysis/values/value_store.hpp>

#include "analysis/module_of.hpp"

#include <hlolint/analysis/program/module_tables.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* store_text = R"(HloModule m

ENTRY %e {
  %p = f32[4]{0} parameter(0)
  %q = f32[4]{0} parameter(1)
  %t = (f32[4]{0}, f32[4]{0}) tuple(%p, %q)
  %g = f32[4]{0} get-tuple-element(%t), index=0
  ROOT %r = f32[4]{0} negate(%g)
}
)";

}  // namespace

TEST_CASE("value_store: values go where they are forwarded, part by part") {
  const hlo_module module = module_of(store_text);
  const module_tables tables(module);
  detail::value_store store(tables.places);
  const hlo_instruction p = instruction_of(module, "p"), t = instruction_of(module, "t"),
                        g = instruction_of(module, "g");
  store.define(p.id(), 0);
  const std::uint32_t value = store.set_at(p, 0);
  CHECK(value == 0);
  CHECK(store.values()[value].instruction == p.id());
  CHECK(store.forward(p, 0, t, 2));
  CHECK_FALSE(store.forward(p, 0, t, 2));  // it is there
  CHECK(store.set_at(t, 2) == value);
  CHECK(store.set_at(t, 1) == detail::value_sets::empty);
  CHECK_FALSE(store.forward(t, 0, g, 0, [](std::uint32_t, std::uint32_t) { return false; }));
  CHECK_FALSE(store.assign(t, none, value));
  CHECK(store.assign(t, 1, value));
}

TEST_CASE("value_store: where two values arrive a phi begins, and is dropped where it merges nothing") {
  const hlo_module module = module_of(store_text);
  const module_tables tables(module);
  detail::value_store store(tables.places);
  const hlo_instruction p = instruction_of(module, "p"), q = instruction_of(module, "q"),
                        g = instruction_of(module, "g"), r = instruction_of(module, "r");
  store.define(p.id(), 0), store.define(q.id(), 0);
  CHECK(store.merge(g, {p}));
  CHECK(store.set_at(g, 0) == store.set_at(p, 0));  // of one alone there is no phi
  CHECK(store.merge(g, {p, q}));
  const std::uint32_t phi = store.set_at(g, 0);
  CHECK(store.values()[phi].phi);
  CHECK(store.values()[phi].instruction == g.id());
  CHECK_FALSE(store.merge(g, {q, p}));
  CHECK(store.merge(r, {g, p}));
  CHECK(store.merge(g, {p, r}));  // from now on g and r merge p with themselves
  CHECK(store.simplify());
  CHECK(store.set_at(g, 0) == store.set_at(p, 0));
  CHECK(store.set_at(r, 0) == store.set_at(p, 0));
  CHECK(store.values()[phi].dropped);
  CHECK_FALSE(store.values()[store.set_at(p, 0)].dropped);
}

TEST_CASE("value_store: united values are all there") {
  const hlo_module module = module_of(store_text);
  const module_tables tables(module);
  detail::value_store store(tables.places);
  const hlo_instruction p = instruction_of(module, "p"), q = instruction_of(module, "q"),
                        g = instruction_of(module, "g");
  store.define(p.id(), 0), store.define(q.id(), 0);
  CHECK(store.unite(g, {q, p}));
  CHECK_FALSE(store.unite(g, {p, q}));
  std::vector<std::uint32_t> values;
  store.sets().append(store.set_at(g, 0), values);
  CHECK(values == std::vector<std::uint32_t>{store.set_at(p, 0), store.set_at(q, 0)});
}

TEST_CASE("phi_values: a phi at which one other value arrives stands for it") {
  detail::phi_values phis;
  phis.arrive(10, {1, 10});
  phis.arrive(11, {1, 2});
  phis.arrive(12, {10, 1});
  CHECK(phis.inputs(11) == std::vector<std::uint32_t>{1, 2});
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
  CHECK(phis.inputs(10) == std::vector<std::uint32_t>{2});
  CHECK(phis.simplify());
  CHECK(phis.resolve(10) == 2);
}

TEST_CASE("value_sets: equal sets have equal numbers, a set of one that of its value") {
  detail::value_sets sets;
  const auto make = [&](std::vector<std::uint32_t> values) { return sets.make(values); };
  const auto values_of = [&](std::uint32_t set) {
    std::vector<std::uint32_t> out;
    sets.append(set, out);
    return out;
  };
  CHECK(make({}) == detail::value_sets::empty);
  CHECK(make({7}) == 7);
  CHECK(make({7, 7}) == 7);
  const std::uint32_t pair = make({9, 3});
  CHECK(pair == make({3, 9, 3}));
  CHECK(pair != make({3, 8}));
  CHECK(values_of(pair) == std::vector<std::uint32_t>{3, 9});
  CHECK(values_of(7) == std::vector<std::uint32_t>{7});
  CHECK(values_of(detail::value_sets::empty).empty());
  CHECK(sets.first(pair) == 3);
  CHECK(sets.first(7) == 7);
  CHECK(sets.first(detail::value_sets::empty) == detail::value_sets::empty);
}

TEST_CASE("value_sets: mapped, without values that are dropped, and with the lowest of too many") {
  detail::value_sets sets;
  std::vector<std::uint32_t> some{3, 9, 12};
  const std::uint32_t set = sets.make(some);
  CHECK(sets.map(set, [](std::uint32_t v) { return v == 9 ? detail::value_sets::empty : v; }) ==
        sets.map(set, [](std::uint32_t v) { return v == 9 ? 3 : v; }));
  CHECK(sets.map(set, [](std::uint32_t) { return 5u; }) == 5);
  CHECK(sets.map(detail::value_sets::empty, [](std::uint32_t) { return 5u; }) == detail::value_sets::empty);
  std::vector<std::uint32_t> many, kept;
  for (std::uint32_t v = 100; v > 0; --v) many.push_back(v);
  sets.append(sets.make(many), kept);
  CHECK(kept.size() == detail::value_sets::most);
  CHECK(kept.back() == detail::value_sets::most);
}
