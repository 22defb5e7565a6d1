#include <hlolint/checks/aliasing/donated_not_used.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const std::string& header, const std::string& result = "f32[8]{0}", target backend = target::gpu) {
  const std::string big = "f32[8192,1024]{1,0}";
  return outcome(
      donated_not_used{},
      context({.hlo = module_of("HloModule m, " + header + "entry_computation_layout={(" + big + ")->" + result +
                                "}\n\nENTRY %main {\n  %p = " + big + " parameter(0)\n  ROOT %c = " + result +
                                " custom-call(%p), custom_call_target=\"f\"\n}\n"),
               .target = backend}));
}

}  // namespace

TEST_CASE("ALI005 catches") {
  CHECK(outcome_of("is_scheduled=true, buffer_donor={ (0, {}) }, ") ==
        texts{"warning: parameter 0 at index {} (f32[8192,1024]{1,0}, 32.00MiB) is donated, but no output took its "
              "buffer; no output has the "
              "same size"});
  CHECK(outcome_of("is_scheduled=true, buffer_donor={ (0, {}) }, ", "s32[1024,8192]{1,0}") ==
        texts{"warning: parameter 0 at index {} (f32[8192,1024]{1,0}, 32.00MiB) is donated, but no output took its "
              "buffer; output {} has the "
              "same size"});
  CHECK(outcome_of("is_scheduled=true, buffer_donor={ (0, {}) }, ", "f32[8]{0}", target::tpu).front().substr(0, 5) ==
        "note:");
}

TEST_CASE("ALI005 does not catch") {
  CHECK(outcome_of("is_scheduled=true, ").empty());
  CHECK(outcome_of("buffer_donor={ (0, {}) }, ").empty());  // not the final module
  CHECK(
      outcome_of("is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }, ", "f32[8192,1024]{1,0}").empty());
  CHECK(lint(donated_not_used{.min_bytes = 64_MiB},
             module_of("HloModule m, is_scheduled=true, buffer_donor={ (0, {}) }, "
                       "entry_computation_layout={(f32[8192,1024]{1,0})->f32[]}\n\n"
                       "ENTRY %main {\n  %p = f32[8192,1024]{1,0} parameter(0)\n  ROOT %c = f32[] constant(0)\n}\n"))
            .empty());
}
