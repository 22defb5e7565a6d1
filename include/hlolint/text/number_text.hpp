// Numbers for people: with significant digits, as durations, shares and counts, and the end of a list that is cut off.
// `human` (bytes.hpp) writes numbers of bytes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace hlolint {

/// A number with the given count of significant digits and no exponent: `8.90`, `0.0570`, `240`; `?` for no number.
[[gnu::noinline]] inline std::string number_text(double number, int digits = 3) {
  if (!std::isfinite(number)) return "?";
  if (number == 0) return "0";
  int before = static_cast<int>(std::floor(std::log10(std::abs(number)))) + 1;
  const double unit = std::pow(10, before - digits);
  double rounded = std::round(number / unit) * unit;
  if (!std::isfinite(rounded)) rounded = number;
  if (std::abs(rounded) >= std::pow(10, before)) ++before;  // 9.996 is 10.0
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", std::clamp(digits - before, 0, 20), rounded);
  return text;
}

/// Seconds as `12.0 us`, below a millisecond, or as `8.90 ms`. Less than half a nanosecond is nothing.
inline std::string duration_text(double seconds, int digits = 3) {
  if (std::abs(seconds) < 5e-10) return "0 us";
  return std::abs(seconds) < 1e-3 ? number_text(seconds * 1e6, digits) + " us"
                                  : number_text(seconds * 1e3, digits) + " ms";
}
/// An estimate of a duration, with two digits: `290 us`, `8.9 ms`.
inline std::string estimate_text(double seconds) { return duration_text(seconds, 2); }
/// A change of a duration: `+12.0 us`, `-8.90 ms`.
inline std::string signed_duration_text(double seconds, int digits = 3) {
  const std::string text = duration_text(seconds, digits);
  return (text.front() == '-' ? "" : "+") + text;
}

/// A part in percent: `12 %`, `0.57 %`, `< 0.01 %`; `-` if the whole is nothing.
inline std::string share_text(double part, double whole, int digits = 2) {
  if (!(whole > 0)) return "-";
  return part > 0 && part < 1e-4 * whole ? std::string("< 0.01 %") : number_text(100 * part / whole, digits) + " %";
}

/// `3 modules`, `1 module`.
inline std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

/// ` and 3 more` after the first `shown` of `count`; empty if these are all.
inline std::string and_more(std::size_t count, std::size_t shown, std::string_view before = " ",
                            std::string_view after = {}) {
  if (count <= shown) return {};
  return std::string(before).append("and ").append(std::to_string(count - shown)).append(" more").append(after);
}

}  // namespace hlolint
