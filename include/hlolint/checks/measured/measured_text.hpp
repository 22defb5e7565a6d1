// What the code of rules about profiles uses: measured times, and numbers as texts.
#pragma once

#include <hlolint/analysis/measured/measured_module.hpp>
#include <hlolint/analysis/measured/measured_step.hpp>
#include <hlolint/checks/check_code.hpp>
#include <hlolint/lint/finding_costs.hpp>

#include <cstdio>

namespace hlolint::detail {

/// A number with three digits.
inline std::string three_digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}

/// Milliseconds or microseconds with three digits.
inline std::string time_text_of(double seconds) {
  return seconds < 1e-3 ? three_digits(seconds * 1e6) + " us" : three_digits(seconds * 1e3) + " ms";
}

/// Percent with two digits.
inline std::string percent_text(double part, double whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %%", whole > 0 ? 100 * part / whole : 0.0);
  return text;
}
/// Average seconds of a run of a module.
inline double mean_run(const measured_module& m) {
  return m.each([](const profile_module& one) { return one.total(); });
}

}  // namespace hlolint::detail
