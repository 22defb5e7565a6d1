#include <hlolint/analysis/time/printed_time.hpp>

#include "analysis/work_of_text.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("the user's own latency and a GPU's recorded cost come before the estimate") {
  const std::string add = "%a = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} add(%a, %a)";
  CHECK(time_in(add + ", frontend_attributes={latency_metadata=\"5000\"}\n", "h100-sxm").seconds ==
        nearly(5e-6));
  CHECK(time_in(add + ", backend_config={\"reification_cost\":[{\"exec_time_us\":0},{\"exec_time_us\":156.5}]}\n",
                "h100-sxm")
            .seconds == nearly(158.5e-6));
  CHECK(time_in(add + ", backend_config={\"reification_cost\":[]}\n", "h100-sxm").bound == work_bound::overhead);
}

TEST_CASE("printed times: cycles of a TPU, entries of a GPU's cost, and neither on the other device") {
  const auto printed = [](const std::string& config, const char* on) {
    const hlo_module module = module_of(
        "HloModule m\n\nENTRY %e {\n  %a = f32[8]{0} parameter(0)\n"
        "  ROOT %r = f32[8]{0} negate(%a)" +
        config + "\n}\n");
    return printed_time(find_device(on).value(), module.entry().root());
  };
  const std::string cycles = ", backend_config={\"window_config\":{\"estimated_cycles\":\"3000\"}}";
  const std::string cost = ", backend_config={\"gemm_backend_config\":{\"reification_cost\":[{\"exec_time_us\":7}]}}";
  CHECK(printed(cycles, "tpu-v5e").value() == nearly(2e-6));
  CHECK_FALSE(printed(cycles, "h100-sxm"));
  CHECK(printed(cost, "h100-sxm").value() == nearly(7e-6));
  CHECK_FALSE(printed(cost, "tpu-v5e"));
  CHECK_FALSE(printed("", "h100-sxm"));
  for (const char* const unknown : {"0", "-5", "4611686018427387904", "word"})
    CHECK_FALSE(printed(", backend_config={\"window_config\":{\"estimated_cycles\":\"" + std::string(unknown) + "\"}}",
                        "tpu-v5e"));
}
