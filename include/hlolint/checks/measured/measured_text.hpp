// Numbers as the rules about profiles write them.
#pragma once

#include <hlolint/analysis/measured/measured_module.hpp>

#include <cstdio>
#include <string>

namespace hlolint::detail {

/// Milliseconds or microseconds with three digits.
inline std::string time_text_of(double seconds) {
  char text[32];
  if (seconds < 1e-3)
    std::snprintf(text, sizeof text, "%.3g us", seconds * 1e6);
  else
    std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
  return text;
}
/// A number with three digits.
inline std::string three_digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
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
