#include <hlolint/analysis/values/value_store.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

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
  record_list<std::uint32_t> values;
  store.sets().append(store.set_at(g, 0), values);
  CHECK(values == record_list<std::uint32_t>{store.set_at(p, 0), store.set_at(q, 0)});
}
