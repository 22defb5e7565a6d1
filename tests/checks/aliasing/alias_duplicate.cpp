#include <hlolint/checks/aliasing/alias_duplicate.hpp>

#include "checks/aliasing/alias_fixtures.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::aliases;

TEST_CASE("ALI002 catches") {
  CHECK(messages<alias_duplicate>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias), {1}: (0, {}, may-alias) }, ")) ==
        texts{"parameter 0 at index {} is aliased to two outputs"});
  CHECK(messages<alias_duplicate>(with_header("input_output_alias={ {0}: (2, {}, may-alias) }, ")) ==
        texts{"input_output_alias names parameter 2, but the entry has 2"});
  CHECK(messages<alias_duplicate>(with_header("input_output_alias={ {0}: (0, {0}, may-alias) }, ")) ==
        texts{"input_output_alias names parameter 0 at index {0}, which does not exist"});
  CHECK(messages<alias_duplicate>(with_header("input_output_alias={ {0}: (1, {1}, may-alias) }, ")) ==
        texts{"input_output_alias names parameter 1 at index {1}, which is no array"});
  CHECK(messages<alias_duplicate>(with_header("input_output_alias={ {}: (0, {}, may-alias) }, ")) ==
        texts{"input_output_alias names output {}, which is no array"});
  CHECK(messages<alias_duplicate>(with_header("buffer_donor={ (1, {}) }, ")) ==
        texts{"buffer_donor names parameter 1 at index {}, which is no array"});
  CHECK(messages<alias_duplicate>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (0, {}) }, ")) ==
        texts{"parameter 0 at index {} is a buffer donor and is also aliased"});
  const findings found =
      lint(alias_duplicate{},
           module_of(with_header("input_output_alias={ {0}: (0, {}, may-alias), {1}: (0, {}, may-alias) }, ")));
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].where.text() == "{0}: (0, {}, may-alias)");
}

TEST_CASE("ALI002 does not catch") {
  CHECK(messages<alias_duplicate>(with_header("")).empty());
  CHECK(messages<alias_duplicate>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {0}, must-alias) }, "))
            .empty());
  CHECK(messages<alias_duplicate>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {0}) }, "))
            .empty());
}
