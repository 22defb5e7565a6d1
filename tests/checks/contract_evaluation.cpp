#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/checks/contract_evaluation.hpp>
#include <hlolint/parse.hpp>

#include <analysis/module_of.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* buffers_without_ranges =
    "BufferAssignment:\nallocation 0: size 4096, preallocated-temp:\n"
    " value: <0 p @0> (size=4096,offset=0): f32[1024]{0}\n";

/// `header`: `, is_scheduled=true` or nothing.
context::parts parts_of(const std::string& header) {
  context::parts parts;
  parts.hlo = module_of("HloModule jit_step" + header + "\n\nENTRY %main {\n  ROOT %p = f32[8]{0} parameter(0)\n}\n");
  return parts;
}
std::string texts(const module_contract& agreed, context::parts parts) {
  std::string out;
  for (const unevaluated_contract& part : unevaluated_parts(agreed, context(std::move(parts))))
    out += std::string(part.rule) + ": " + part.reason + "\n";
  return out;
}

}  // namespace

TEST_CASE("contracts: what cannot be evaluated, and why") {
  module_contract agreed;
  agreed.max_temporaries = 1;
  CHECK(texts(agreed, parts_of("")) == "BUD009: no buffer assignment\n");
  CHECK(texts(agreed, parts_of(", is_scheduled=true")) == "");  // estimated
  agreed.max_peak = 1;
  CHECK(texts(agreed, parts_of(", is_scheduled=true")) == "");
  context::parts dumped = parts_of("");
  dumped.buffers = buffers_of(buffers_without_ranges);
  CHECK(texts(agreed, dumped).starts_with("BUD009: max-peak: no live ranges"));
  context::parts scheduled = parts_of(", is_scheduled=true");
  scheduled.buffers = buffers_of(buffers_without_ranges);
  CHECK(texts(agreed, scheduled) == "");  // they follow from the schedule

  agreed = {};
  agreed.must_overlap = true;
  agreed.max_exposed_ms = 1;
  CHECK(texts(agreed, parts_of("")) ==
        "COL017: must-overlap: the module is not scheduled\n"
        "COL017: max-exposed-ms: the module is not scheduled\n");
  CHECK(texts(agreed, parts_of(", is_scheduled=true")) ==
        "COL017: max-exposed-ms: no device is known; name one with --device\n");
  context::parts on_device = parts_of(", is_scheduled=true");
  on_device.device = find_device("h100-sxm");
  CHECK(texts(agreed, on_device) == "");
  agreed = {};
  agreed.max_count = 1;
  agreed.sharding = "replicated";
  context::parts buffers_alone;
  buffers_alone.buffers = buffers_of(buffers_without_ranges);
  CHECK(texts(agreed, buffers_alone) == "COL017: no HLO text\nPRF016: no HLO text\n");
  CHECK(texts(agreed, parts_of("")) == "");
  CHECK(texts(agreed, parts_of(", num_partitions=4")) == "");  // before partitioning
  CHECK(texts(agreed, parts_of(", is_scheduled=true, num_partitions=4")) ==
        "PRF016: no text has the shardings of its parameters (the module before optimizations has them)\n");

  agreed.module = "other";
  CHECK(texts(agreed, buffers_alone) == "");
  CHECK(texts(agreed, {}) == "");  // nothing was read
}
