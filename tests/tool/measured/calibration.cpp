// What is fitted to measured steps, and what is not.
#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/tool/measured/calibration.hpp>

#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// So many negations of 16 MiB, each after the other.
hlo_module chain(std::size_t count) {
  std::string text = "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %n.0 = f32[4194304]{0} parameter(0)\n";
  for (std::size_t i = 1; i <= count; ++i)
    text += std::string(i == count ? "  ROOT" : " ") + " %n." + std::to_string(i) + " = f32[4194304]{0} negate(%n." +
            std::to_string(i - 1) + ")\n";
  return module_of(text + "}\n");
}

measured_module measured(std::size_t count, picoseconds each) {
  measured_module out;
  out.name = "m";
  measured_device& d = out.devices.emplace_back();
  d.module.runs.push_back({0, each * static_cast<picoseconds>(count), 0, 0, 0, 0});
  for (std::size_t i = 1; i <= count; ++i) {
    profile_operation& o = d.module.operations.emplace_back();
    o.instruction = "n." + std::to_string(i), o.count = 1, o.total = each + static_cast<picoseconds>(i % 3);
  }
  return out;
}

}  // namespace

TEST_CASE("the memory's efficiency is what the measured times need") {
  device base = *find_device("h100-sxm");
  const double bytes = 2 * 16.0 * 1024 * 1024, seconds = 20e-6;
  calibration fit(base);
  fit.add(measured(6, 20'000'000), chain(6));
  REQUIRE(fit.fitted(device_parameter::memory_efficiency));
  CHECK(*fit.fitted(device_parameter::memory_efficiency) ==
        nearly(bytes / base.memory_rate / (seconds - base.kernel_overhead)).epsilon(0.001));
  const measured_module m = measured(6, 20'000'000);
  std::map<std::string, category_ratios> after;
  add_ratios(m, chain(6), fit.result(), after);
  REQUIRE(after.size() == 1);
  CHECK(median_of(after.begin()->second.ratios) == nearly(1).epsilon(0.001));
  CHECK(!fit.fitted(device_parameter::network_rate));
}

TEST_CASE("four instructions determine nothing") {
  calibration fit(*find_device("h100-sxm"));
  fit.add(measured(4, 20'000'000), chain(4));
  CHECK(fit.samples(device_parameter::memory_efficiency) == 4);
  CHECK(!fit.fitted(device_parameter::memory_efficiency));
  CHECK(fit.result() == *find_device("h100-sxm"));
}

TEST_CASE("one number from the time of a step") {
  const device base = *find_device("h100-sxm");
  const auto value = fit_to_step(chain(6), base, device_parameter::memory_efficiency, 120e-6);
  REQUIRE(value);
  const device after = with_parameter(base, device_parameter::memory_efficiency, *value);
  CHECK(exposed_time(chain(6), after).step() == nearly(120e-6).epsilon(0.001));
  CHECK(!fit_to_step(chain(6), base, device_parameter::network_rate, 120e-6));     // decides nothing here
  CHECK(!fit_to_step(chain(6), base, device_parameter::memory_efficiency, 1e-6));  // no memory is so fast
}
