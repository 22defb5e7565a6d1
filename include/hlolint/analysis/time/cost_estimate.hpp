// Numbers that the authors of kernels put into the configurations of custom calls (time_model.md 4.2).
#pragma once

#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace hlolint {

/// `cost_estimate` of a Pallas, Mosaic or Triton kernel; what is not written has no value.
struct cost_estimate {
  /// Operations, and bytes read and written. @{
  optional<double> flops, bytes;
  /// @}
};

namespace detail {

/// The number after the first `key`, separated by quotation marks, blanks, '=' or ':', however often the text was
/// escaped: a `backend_config` may hold MLIR that holds a string that holds JSON.
inline optional<double> number_after(std::string_view text, std::string_view key) {
  constexpr std::string_view between[] = {"\\u0022", "\\x22", "\\22", "\\", "\"", " ", "=", ":"};
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    std::string_view rest = text.substr(at + key.size());
    bool assigned = false;
    for (bool skipped = true; skipped;) {
      skipped = false;
      for (const std::string_view part : between)
        if (rest.starts_with(part)) {
          assigned = assigned || part == "=" || part == ":";
          rest.remove_prefix(part.size());
          skipped = true;
          break;
        }
    }
    double value = 0;
    if (assigned && double_from_chars(rest.data(), rest.data() + rest.size(), value).ec == std::errc{} && value >= 0)
      return value;
  }
  return std::nullopt;
}

/// Whether a kernel's configuration names a causal mask: cuDNN's words, or TransformerEngine's numbers from 2 on.
inline bool has_causal_mask(std::string_view config) {
  const std::size_t at = config.find("mask_type");
  if (at == config.npos) return false;
  if (const auto number = number_after(config.substr(at), "mask_type")) return *number >= 2;
  const std::string_view value = config.substr(at, 40);
  return value.find("CAUSAL") != value.npos || value.find("causal") != value.npos;
}

}  // namespace detail

/// Reads it from the text of a `backend_config`.
inline cost_estimate find_cost_estimate(std::string_view config) {
  const std::size_t at = config.find("cost_estimate");
  if (at == config.npos) return {};
  const std::string_view rest = config.substr(at);
  return {detail::number_after(rest, "flops"), detail::number_after(rest, "bytes_accessed")};
}

}  // namespace hlolint
