#include <hlolint/checks/padding/pad_inflating_copy.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const std::string& from, const std::string& to, const std::string& operation = "copy(%p)") {
  return outcome(
      pad_inflating_copy{},
      context(module_of(
          "HloModule m, is_scheduled=true\n\n%fused {\n  %fp = " + from + " parameter(0)\n  ROOT %fc = " + to +
          (operation.starts_with("reshape") ? " reshape" : " copy") + "(%fp)\n}\n\nENTRY %main {\n  %p = " + from +
          " parameter(0)\n  ROOT %c = " + to + " " + operation + "\n}\n")));
}

const std::string dense = "s32[8388608,8,4]{0,2,1:T(4,128)}", wide = "s32[8388608,8,4]{2,1,0:T(8,128)}";

}  // namespace

TEST_CASE("PAD004 catches") {
  CHECK(outcome_of(dense, wide) ==
        texts{"warning: a copy of s32[8388608,8,4]{0,2,1:T(4,128)} (1.00GiB) to "
              "s32[8388608,8,4]{2,1,0:T(8,128)} (32.00GiB) adds nothing but padding: minor dimension 4 -> 128"});
  CHECK(outcome_of("f32[4194304]{0:T(1024)}", "f32[4194304,1]{1,0:T(8,128)}", "reshape(%p)").size() == 1);
  CHECK(outcome_of(dense, wide, "fusion(%p), kind=kLoop, calls=%fused").size() == 1);
}

TEST_CASE("PAD004 does not catch") {
  CHECK(outcome_of(wide, dense).empty());
  CHECK(outcome_of(wide, wide).empty());
  CHECK(outcome_of(dense, wide, "bitcast(%p)").empty());  // moves nothing
  CHECK(outcome_of(dense, wide, "custom-call(%p), custom_call_target=\"f\"").empty());
  CHECK(outcome_of("s32[8192,8,4]{0,2,1:T(4,128)}", "s32[8192,8,4]{2,1,0:T(8,128)}").empty());  // 31 MiB more
  CHECK(outcome_of("s32[8388608,8,4]{0,2,1}", "s32[8388608,8,4]{2,1,0}").empty());
}
