// How often a while loop runs (time_model.md 4.2).
#pragma once

#include <hlolint/analysis/program/call_roles.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace hlolint {

/// XLA's own count, else that of a condition that compares a counter with a constant (`LT`, `LE`), which is taken to
/// begin at 0. Nothing if the text has neither. Precondition: `loop` is a while.
inline std::optional<std::int64_t> trip_count(hlo_instruction loop) {
  if (const auto known = known_trip_count(loop)) return known;
  const hlo_computation condition = parts_of_while(loop).condition;
  const hlo_instruction root = condition ? condition.root() : hlo_instruction{};
  if (!root || root.opcode() != hlo_opcode::compare) return std::nullopt;
  const auto direction = root.attribute(attribute_key::direction);
  if (direction != "LT" && direction != "LE") return std::nullopt;
  for (const hlo_instruction operand : root.operands()) {
    if (!operand || operand.opcode() != hlo_opcode::constant) continue;
    const std::string_view digits = operand.argument();
    std::int64_t limit = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), limit);
    if (end.ec != std::errc{} || end.ptr != digits.data() + digits.size()) return std::nullopt;
    if (direction == "LE" && limit < std::numeric_limits<std::int64_t>::max()) ++limit;
    return limit < 0 ? 0 : limit;
  }
  return std::nullopt;
}

}  // namespace hlolint
