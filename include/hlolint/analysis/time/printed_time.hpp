// Times that XLA or the user wrote into the dump (time_model.md 5).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/optional.hpp>

#include <cmath>
#include <string_view>

namespace hlolint {

/// Seconds without the start of the kernel: cycles of a TPU, or the first usable entry of `reification_cost` of a GPU.
/// Nothing where the text has none, 0 or "unknown".
inline optional<double> printed_time(const device& on, hlo_instruction i) {
  if (!i.has(attribute_key::backend_config)) return std::nullopt;
  const auto raw = i.attribute(attribute_key::backend_config).value_or(std::string_view{});
  const bool cycles = raw.find("estimated_cycles") != raw.npos, cost = raw.find("exec_time_us") != raw.npos;
  if (!cycles && !cost) return std::nullopt;  // nearly always
  const auto number = [](std::string_view text) -> optional<double> {
    double value = 0;
    const auto end = double_from_chars(text.data(), text.data() + text.size(), value);
    return end.ec == std::errc{} && std::isfinite(value) && value > 0 ? optional(value) : std::nullopt;
  };
  const auto config = get<backend_config>(i);
  if (!config) return std::nullopt;
  if (cycles && on.is_tpu()) {
    constexpr double unknown = 4611686018427387904.0;  // 2^62
    const auto text = json_find(config->text, "window_config", "estimated_cycles");
    const auto value = text ? number(*text) : std::nullopt;
    return value && *value < unknown && on.clock > 0 ? optional(*value / on.clock) : std::nullopt;
  }
  if (!cost || on.is_tpu()) return std::nullopt;
  auto list = json_find(config->text, "reification_cost");
  for (const std::string_view old : {"gemm_backend_config", "collective_backend_config"})
    if (!list) list = json_find(config->text, old, "reification_cost");
  optional<double> seconds;
  if (list)
    json_for_each(*list, [&](std::string_view, std::string_view entry) {
      const auto text = seconds ? std::nullopt : json_find(entry, "exec_time_us");
      const auto value = text ? number(*text) : std::nullopt;
      if (value) seconds = *value * 1e-6;
    });
  return seconds;
}

/// `latency_metadata`, the user's own time of an instruction in nanoseconds; in seconds.
inline optional<double> user_time(hlo_instruction i) {
  const auto raw = i.attribute(attribute_key::frontend_attributes);
  if (!raw || raw->find("latency_metadata") == raw->npos) return std::nullopt;
  const auto attributes = get<frontend_attributes>(i);
  const std::string* const text = attributes ? attributes->find("latency_metadata") : nullptr;
  double value = 0;
  if (!text || double_from_chars(text->data(), text->data() + text->size(), value).ec != std::errc{} ||
      !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value * 1e-9;
}

}  // namespace hlolint
