#include <hlolint/checks/aliasing/alias_size_mismatch.hpp>

#include "checks/aliasing/alias_fixtures.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::aliases;

TEST_CASE("ALI001 catches") {
  CHECK(
      messages<alias_size_mismatch>(with_header("input_output_alias={ {1}: (0, {}, may-alias) }, ")) ==
      texts{"parameter 0 at index {} (f32[8]{0}) and output {1} (f32[16]{0}) share a buffer but take 32 and 64 bytes"});
  CHECK(messages<alias_size_mismatch>(
            with_header("input_output_alias={ {0}: (1, {0}, must-alias) }, ", "f32[2,4]{1,0}", "f32[2,4]{0,1}")) ==
        texts{"parameter 1 at index {0} (f32[2,4]{0,1}) and output {0} (f32[2,4]{1,0}) must alias but differ in shape, "
              "layout or memory space"});
  const findings found =
      lint(alias_size_mismatch{}, module_of(with_header("input_output_alias={ {1}: (0, {}, may-alias) }, ")));
  REQUIRE(found.size() == 1);
  CHECK(found[0].bytes == 32);
  CHECK(found[0].where.text() == "{1}: (0, {}, may-alias)");
  CHECK(found[0].instruction == "p");
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[1].instruction == "t");
}

TEST_CASE("ALI001 does not catch") {
  CHECK(messages<alias_size_mismatch>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {0}, must-alias) }, "))
            .empty());
  CHECK(messages<alias_size_mismatch>(with_header("")).empty());
  // Another shape of the same size; other sizes that tiles make equal, or that they make different.
  CHECK(messages<alias_size_mismatch>(
            with_header("input_output_alias={ {0}: (1, {0}, may-alias) }, ", "f32[8]{0}", "s32[2,4]{1,0}"))
            .empty());
  CHECK(messages<alias_size_mismatch>(with_header("input_output_alias={ {0}: (1, {0}, may-alias) }, ",
                                                  "f32[100]{0:T(128)}", "f32[128]{0:T(128)}"))
            .empty());
  CHECK(messages<alias_size_mismatch>(with_header("input_output_alias={ {0}: (1, {0}, may-alias) }, ",
                                                  "f32[3,200]{1,0:T(8,128)}", "f32[3,200]{0,1:T(8,128)}"))
            .empty());
  CHECK(messages<alias_size_mismatch>(
            with_header("input_output_alias={ {0}: (1, {0}, may-alias) }, ", "f32[8]{0}", "f32[<=4]{0}"))
            .empty());
  // Nothing is known of a module without layout whose entry is not marked.
  CHECK(messages<alias_size_mismatch>("HloModule m, input_output_alias={ {}: (0, {}, may-alias) }\n\n%c {\n"
                                      "  %p = f32[8]{0} "
                                      "parameter(0)\n  %r = f32[4]{0} slice(%p), slice={[0:4]}\n}\n")
            .empty());
}
