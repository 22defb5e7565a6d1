#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/users.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace hlolint;

namespace {

struct no_buffers {
  const hlo_module* hlo() const { return nullptr; }
};
struct both_given : no_buffers {
  const buffer_dump* buffers() const { return nullptr; }
};

}  // namespace

// An analysis cache is what has a module and buffers to give, and not a module itself.
static_assert(analysis_cache<module_facts> && analysis_cache<both_given>);
static_assert(!analysis_cache<no_buffers> && !analysis_cache<hlo_module>);

using namespace hlolint::testing;

namespace {

/// An analysis that takes another from the cache.
struct built_on_users {
  template <analysis_cache Cache>
  explicit built_on_users(const Cache& cache) : given(&cache.template get<users>()) {}
  const users* given;
};

}  // namespace

TEST_CASE("analysis_store: one of each type, made when it is first asked for") {
  analysis_store store;
  int made = 0;
  const auto number = [&] {
    ++made;
    return std::make_shared<const int>(7);
  };
  const auto& first = store.find<int>(number);
  CHECK(*static_cast<const int*>(first.get()) == 7);
  CHECK(store.find<int>(number).get() == first.get());
  CHECK(made == 1);
  CHECK(*static_cast<const long*>(store.find<long>([] { return std::make_shared<const long>(9); }).get()) == 9);
  CHECK(*static_cast<const int*>(store.find<int>(number).get()) == 7);  // the other type has taken nothing of it
}

TEST_CASE("module_facts: shares analyses of a module, those built on others as well") {
  const module_facts facts(module_of("HloModule m\n\nENTRY %e {\n  ROOT %p = f32[8]{0} parameter(0)\n}\n"));
  CHECK(facts.hlo()->entry().name() == "e");
  CHECK(facts.buffers() == nullptr);
  CHECK(facts.known<users>() == nullptr);
  CHECK(&facts.get<users>() == &facts.get<users>());
  CHECK(facts.share<users>().get() == &facts.get<users>());
  CHECK(facts.known<users>() == &facts.get<users>());
  CHECK(facts.get<built_on_users>().given == &facts.get<users>());
}
