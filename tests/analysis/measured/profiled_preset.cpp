#include <hlolint/analysis/measured/profiled_preset.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("devices of profiles by name, or by what they have") {
  CHECK(preset_of({"TPU v6 Lite", 918e12, 1638e9, 0, 0}) == "tpu-v6e");
  CHECK(preset_of({"AMD", 0, 2662e9, 206e9, 304}) == "mi300x");
  CHECK(preset_of({"Nvidia", 0, 3352e9, 85e9, 132}) == "h100-sxm");
  CHECK(preset_of({"Nvidia", 0, 1555e9, 42e9, 108}) == "a100-40");
  CHECK(preset_of({"Nvidia", 0, 0, 0, 3}).empty());
}
