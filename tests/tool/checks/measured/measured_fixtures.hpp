// A small program, and what a profile of it measured.
#pragma once

#include <hlolint/lint/lint.hpp>
#include <hlolint/tool/measured/measured_module.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::testing::profiled {

inline constexpr picoseconds us = 1'000'000;

inline hlo_module program() {
  return module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[4194304]) -> f32[4194304] {\n"
      "  %p = f32[4194304]{0} parameter(0)\n"
      "  %copy-start.1 = (f32[4194304]{0:S(5)}, f32[4194304]{0}, u32[]) copy-start(%p)\n"
      "  %negate.1 = f32[4194304]{0} negate(%p)\n"
      "  %copy-done.1 = f32[4194304]{0:S(5)} copy-done(%copy-start.1)\n"
      "  ROOT %exponential.1 = f32[4194304]{0} exponential(%negate.1)\n}\n");
}

inline profile_operation operation(const char* name, picoseconds each, std::uint64_t count) {
  profile_operation out;
  out.instruction = name, out.count = count, out.total = each * static_cast<picoseconds>(count);
  return out;
}

/// `runs` runs of 1000 us each on `devices` devices; 900 us of each are computation.
inline measured_module measured(std::size_t devices = 2, std::size_t runs = 10) {
  measured_module out;
  out.name = "m";
  for (std::size_t d = 0; d < devices; ++d) {
    measured_device device;
    device.name = "/device:TPU:" + std::to_string(d);
    for (std::size_t r = 0; r < runs; ++r) {
      const auto at = static_cast<picoseconds>(r) * 1000 * us;
      device.module.runs.push_back({at, at + 1000 * us, 900 * us, 0, 0, 0});
    }
    device.module.operations = {operation("negate.1", 60 * us, runs), operation("exponential.1", 60 * us, runs),
                                operation("copy-done.1", 1 * us, runs)};
    out.devices.push_back(std::move(device));
  }
  return out;
}

template <class Check>
findings lint_measured(const Check& check, measured_module m, std::string_view on = "tpu-v5e",
                       hlo_module of = program()) {
  context::parts parts;
  parts.hlo = std::move(of);
  parts.target = target::tpu;
  parts.device = find_device(on);
  parts.times = std::make_shared<const measured_times>(times_of(m, *parts.hlo));
  parts.measured = std::make_shared<const measured_module>(std::move(m));
  const auto list = as_catalogue(check);
  return lint(list, context(std::move(parts)), all_settings(list));
}

/// A rule says nothing without a profile, and nothing where nothing is wrong.
template <class Check>
void check_silent() {
  CHECK(lint(Check{}, program()).empty());
  CHECK(lint_measured(Check{}, measured()).empty());
}

}  // namespace hlolint::testing::profiled
