#include <hlolint/analysis/time/cost_estimate.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("cost_estimate: numbers in JSON, in a string of it, in MLIR that holds a string") {
  for (const char* const config :
       {R"({"custom_call_config":{"cost_estimate":{"flops":"5000","bytes_accessed":"15000"}}})",
        R"({"cost_estimate_json":"{\"flops\": 5000, \"bytes_accessed\": 15000}"})",
        R"({opaque = {cost_estimate_json = "{\22flops\22: 5000, \22bytes_accessed\22: 15000}"}})",
        "cost_estimate flops=5e3 bytes_accessed = 1.5e4"}) {
    CAPTURE(config);
    const cost_estimate found = find_cost_estimate(config);
    CHECK(found.flops == 5000);
    CHECK(found.bytes == 15000);
  }
  const cost_estimate half = find_cost_estimate(R"({"cost_estimate":{"flops":7,"bytes_accessed":"many"}})");
  CHECK(half.flops == 7);
  CHECK_FALSE(half.bytes);
  CHECK_FALSE(find_cost_estimate(R"({"flops":7})").flops);
  CHECK_FALSE(find_cost_estimate(R"({"cost_estimate":{"flops":-7}})").flops);
  CHECK_FALSE(find_cost_estimate("").flops);
}

TEST_CASE("causal masks: cuDNN's words, and TransformerEngine's numbers from 2 on") {
  CHECK(detail::has_causal_mask(R"({"mask_type":"CAUSAL"})"));
  CHECK(detail::has_causal_mask(R"({"mask_type":"PADDING_CAUSAL"})"));
  CHECK(detail::has_causal_mask("{mask_type = 3 : i64}"));
  CHECK_FALSE(detail::has_causal_mask("{mask_type = 1 : i64}"));
  CHECK_FALSE(detail::has_causal_mask(R"({"mask_type":"NO_MASK"})"));
  CHECK_FALSE(detail::has_causal_mask(R"({"name":"causal"})"));
}
