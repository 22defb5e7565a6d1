#include <hlolint/analysis/assignment/xla_period.hpp>

#include "analysis/dated_modules.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("tables of stack frames date a text") {
  CHECK(period_of(two_values(frame_tables)).first == 20251201);
  CHECK_FALSE(period_of(two_values()).is_known());
}

TEST_CASE("shapes of operands and lines of source files show an older text") {
  CHECK(period_of(two_values_with_shapes()).last == 20250311);
  const xla_period lines = period_of(two_values_with_lines());
  CHECK(lines.last == 20251201);
  CHECK(lines.likely() == 20250616);
  CHECK(xla_period{20250701, 20251201}.likely() == 20251201);
  CHECK(xla_period{}.likely() == xla_rules::newest);
}

TEST_CASE("how libtpu writes windows dates it") {
  const auto period = [](std::string_view config) {
    return period_of(module_of("HloModule m\n" + std::string(frame_tables) +
                               std::string("ENTRY e {\n  p = f32[4]{0} parameter(0)\n"
                                           "  ROOT r = f32[4]{0} negate(p), backend_config={") +
                               std::string(config) + "}\n}\n"));
  };
  CHECK(period(R"("window_config":{"buffering_level":"2"})").first == assignment_rules::tpu_keeps_apart);
  CHECK(period(R"("window_config":{"kernel_window_bounds":[]})").likely() == assignment_rules::tpu_keeps_apart - 1);
  CHECK(period(R"("other":{})").last == xla_rules::newest);
}

TEST_CASE("a dump beside the module dates it, even without an assignment") {
  const hlo_module module = two_values();
  const buffer_dump ranges = buffers_of(
      "HloLiveRange (max 1):\n  InstructionSequence:\n    0:p\n  BufferLiveRange:\n"
      "    p{}:0-1\n  Live ranges at 0 (peak):\n    p: 4 bytes\n");
  REQUIRE(ranges.live_ranges());
  CHECK(period_of(module, &ranges).last == 20250115);
  CHECK(period_of(module, &ranges).is_known());
  CHECK_FALSE(period_of(module, nullptr).is_known());
}
