// Byte quantities: literals, and text as XLA writes it. checked.hpp has the arithmetic.
#pragma once

#include <hlolint/text/checked.hpp>

#include <cstdint>
#include <string>

namespace hlolint {

/// A number of bytes. Signed as in XLA: offsets and sizes are int64.
using byte_count = std::int64_t;

/// Literals for numbers of bytes.
inline namespace literals {
/// `640_B`: bytes.
constexpr byte_count operator""_B(unsigned long long n) { return static_cast<byte_count>(n); }
/// `4_KiB`: bytes, from units of 1024. Precondition of this and the larger units: the product is an int64.
constexpr byte_count operator""_KiB(unsigned long long n) { return static_cast<byte_count>(n) << 10; }
/// `16_MiB`: bytes, from units of 1024 * 1024.
constexpr byte_count operator""_MiB(unsigned long long n) { return static_cast<byte_count>(n) << 20; }
/// `2_GiB`: bytes, from units of 1024 * 1024 * 1024.
constexpr byte_count operator""_GiB(unsigned long long n) { return static_cast<byte_count>(n) << 30; }
}  // namespace literals

/// A size as XLA prints it (buffer_dumps.md 2, `human`): bytes below 1 KiB, KiB with one decimal, larger units with
/// two. The value is divided by 1024 with truncation until it is below 1 MiB, then once more exactly.
inline std::string human(byte_count bytes) {
  const bool negative = bytes < 0;
  auto n = negative ? 0 - static_cast<std::uint64_t>(bytes) : static_cast<std::uint64_t>(bytes);
  const auto signed_text = [&](std::string text) { return negative ? "-" + text : text; };
  if (n < 1024) return signed_text(std::to_string(n) + "B");
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (n >= 1024 * 1024) n /= 1024, ++unit;
  const unsigned digits = unit == 0 ? 10 : 100;
  std::uint64_t scaled = n * digits / 1024;
  const std::uint64_t rest = n * digits % 1024;
  if (rest > 512 || (rest == 512 && scaled % 2 == 1)) ++scaled;  // as printf rounds: ties to even
  std::string fraction = std::to_string(scaled % digits);
  if (digits == 100 && fraction.size() < 2) fraction.insert(0, 1, '0');
  return signed_text(std::to_string(scaled / digits) + "." + fraction + units[unit]);
}

}  // namespace hlolint
