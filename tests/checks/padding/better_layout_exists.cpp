#include <hlolint/checks/padding/better_layout_exists.hpp>
#include <hlolint/checks/padding/tile_padding.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_shape(const std::string& shape, target backend = target::unknown) {
  const context dump(
      {.hlo = module_of("HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = " + shape +
                        " parameter(0)\n  %n = " + shape + " add(%p, %p)\n  ROOT %r = f32[] constant(0)\n}\n"),
       .target = backend});
  return lint(better_layout_exists{}, dump, all_settings(as_catalogue(better_layout_exists{})));
}

}  // namespace

TEST_CASE("PAD003 catches") {
  const findings found = lint_shape("f32[96,262144]{0,1:T(8,128)}");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].message ==
        "f32[96,262144]{0,1:T(8,128)} takes 128.00MiB; f32[96,262144]{1,0:T(8,128)} would take 96.00MiB; 2 values have "
        "this shape, all at a time");
  CHECK(found[0].bytes == 64_MiB);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "n");
  CHECK(lint_shape("f32[96,262144]{0,1:T(8,128)}", target::tpu).size() == 1);
}

TEST_CASE("PAD003 does not catch") {
  CHECK(lint_shape("f32[1024,245,64]{1,2,0:T(8,128)}").empty());        // 4 % better
  CHECK(lint_shape("f32[96,65536]{0,1:T(8,128)}").empty());             // 8 MiB better
  CHECK(lint_shape("pred[64,512,2048]{2,1,0:T(8,128)E(32)}").empty());  // wide elements, in any order
  CHECK(lint_shape("s32[8388608,8,4]{2,1,0}").empty());
  CHECK(lint_shape("f32[96,262144]{0,1:T(8,128)}", target::cpu).empty());
  // PAD001's, which names the better order
  const std::string much = "bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}";
  CHECK(lint_shape(much).empty());
  const findings found =
      lint(tile_padding{},
           module_of("HloModule m, is_scheduled=true\n\nENTRY %main {\n  ROOT %p = " + much + " parameter(0)\n}\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("bf16[2048,1,2048,128]{0,3,1,2:T(8,128)(2,1)} would take 1.00GiB") != std::string::npos);
}
