// Fingerprints of findings that survive recompilation: they do not depend on lines and numbers in names.
#pragma once

#include <hlolint/text/characters.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/hash.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hlolint {

/// The text after `module_NNNN` and a dot in the name of a module or file; nothing without such a number. A prefix that
/// ends in a dot may precede it.
constexpr std::optional<std::string_view> after_module_number(std::string_view name) {
  constexpr std::string_view word = "module_";
  constexpr std::size_t least_digits = 4;
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    if (at > 0 && name[at - 1] != '.') continue;
    const std::size_t digits = at + word.size();
    std::size_t end = digits;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end - digits >= least_digits && end < name.size() && name[end] == '.') return name.substr(end + 1);
  }
  return std::nullopt;
}

/// A name without the numbers that XLA appends: `fusion.12.1` is `fusion`.
constexpr std::string_view without_number(std::string_view name) {
  for (;;) {
    std::size_t n = name.size();
    while (n > 0 && is_digit(name[n - 1])) --n;
    if (n == name.size() || n < 2 || name[n - 1] != '.') return name;
    name = name.substr(0, n - 1);
  }
}

/// A name without any of the numbers with which XLA makes names unique: `fusion.12.remat.3` is `fusion.remat`, and
/// `main.54_spmd` is `main_spmd`.
inline std::string without_numbers(std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    if (at > 0 && name[at] == '.') {
      const std::size_t end = std::min(name.find_first_not_of("0123456789", at + 1), name.size());
      if (end > at + 1 && (end == name.size() || name[end] == '.' || name[end] == '_' || name[end] == '-')) {
        at = end;
        continue;
      }
    }
    out += name[at++];
  }
  return out;
}

/// A module's name without its number: `module_0012.jit_f.3` and `jit_f.4` are `jit_f`.
constexpr std::string_view module_without_number(std::string_view name) {
  return without_number(after_module_number(name).value_or(name));
}

/// The function of a module, as far as its name shows: `module_0012.jit_f.3_spmd` without any number.
inline std::string compiled_function(std::string_view module) { return without_numbers(module_without_number(module)); }

/// Sixteen hexadecimal digits.
inline std::string hex16(std::uint64_t value) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) out[i] = "0123456789abcdef"[value & 15];
  return out;
}

/// The numbers that a fingerprint removes from names: those at the end (baselines of schema 1), or all that XLA adds.
enum class fingerprint_version : std::uint8_t { end_numbers = 1, all_numbers = 2 };

namespace detail {
inline fnv1a finding_hash(const diagnostic& d, fingerprint_version version = fingerprint_version::all_numbers) {
  const auto bare = [&](std::string_view name) {
    return version == fingerprint_version::all_numbers ? without_numbers(name) : std::string(without_number(name));
  };
  fnv1a hash;
  hash.add(d.rule), hash.end_field();
  for (const std::string& name : {bare(module_without_number(d.module)), bare(d.computation), bare(d.instruction)})
    hash.add(name), hash.end_field();
  hash.add(d.shape), hash.end_field();
  hash.add(d.op_name), hash.end_field();
  return hash;
}
}  // namespace detail

/// The common key of equal findings: the fingerprint without ordinal. Baselines count these.
inline std::string fingerprint_key(const diagnostic& finding,
                                   fingerprint_version version = fingerprint_version::all_numbers) {
  return hex16(detail::finding_hash(finding, version).value());
}

/// Sets `fingerprint` in all of a run's findings (in schedule order): the n-th of equal keys differs by n.
inline void add_fingerprints(std::span<diagnostic> findings) {
  std::unordered_map<std::uint64_t, std::uint64_t> seen;
  for (diagnostic& d : findings) {
    fnv1a hash = detail::finding_hash(d);
    hash.add(std::to_string(seen[hash.value()]++));
    d.fingerprint = hex16(hash.value());
  }
}

}  // namespace hlolint
