#include <hlolint/analysis/analysis_cache.hpp>

#include <hlolint/analysis/analysis_store.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

namespace {

struct no_buffers {
  const hlo_module* hlo() const { return nullptr; }
};
struct both_given : no_buffers {
  const buffer_dump* buffers() const { return nullptr; }
};

}  // namespace

TEST_CASE("analysis_cache: what has a module and buffers to give, and not a module itself") {
  CHECK(analysis_cache<module_facts>);
  CHECK(analysis_cache<both_given>);
  CHECK_FALSE(analysis_cache<no_buffers>);
  CHECK_FALSE(analysis_cache<hlo_module>);
}
