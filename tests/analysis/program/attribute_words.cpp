#include <hlolint/analysis/program/attribute_words.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("words that may stand in an attribute") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %plain = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config={"is_sync":true}
  %other = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config={"name":"value"}
  %quoted = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config="{\"is_sync\":true}"
  %octal = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config="{\"\151s_sync\":true}"
  ROOT %none = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}
}
)");
  const auto may = [&](const char* name) {
    return may_hold(instruction_of(module, name), attribute_key::backend_config, "is_sync");
  };
  CHECK(may("plain"));
  CHECK_FALSE(may("other"));
  CHECK(may("quoted"));
  CHECK(may("octal"));  // an escape may stand for any letter
  CHECK_FALSE(may("none"));
}
