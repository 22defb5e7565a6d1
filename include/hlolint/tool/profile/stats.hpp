// The properties of events, which profilers record by name: stats of XSpace and arguments of trace events (profiles.md
// 2, 4, 5).
#pragma once

#include <hlolint/text/integer.hpp>
#include <hlolint/tool/profile/collective_names.hpp>
#include <hlolint/tool/profile/events.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::profiles {

/// The value of an XStat.
struct stat_value {
  enum class kind : std::uint8_t { none, real, number, text, bytes };
  kind is = kind::none;      ///< which member holds the value
  double real = 0;           ///< a double
  std::uint64_t number = 0;  ///< an integer; a negative one is converted
  std::string_view text;     ///< a text, which may be given by reference, or bytes

  /// The value as a number; 0 for a text.
  double as_real() const {
    if (is == kind::real) return real;
    return is == kind::number ? static_cast<double>(static_cast<std::int64_t>(number)) : 0;
  }
  /// The value as an integer, which may be written as text.
  std::optional<std::uint64_t> as_number() const {
    if (is == kind::number) return number;
    return is == kind::text ? integer_in<std::uint64_t>(text) : std::nullopt;
  }
  /// The value as a text.
  std::string as_text() const {
    return is == kind::number ? std::to_string(static_cast<std::int64_t>(number)) : std::string(text);
  }
};

/// The name that a text begins with, without `%`; may be empty.
inline std::string_view leading_name(std::string_view text) {
  if (text.starts_with('%')) text.remove_prefix(1);
  std::size_t size = 0;
  while (size < text.size() && (detail::is_word(text[size]) || text[size] == '.' || text[size] == '-')) ++size;
  return text.substr(0, size);
}
/// The name of an instruction in a line of HLO text, `%fusion.3 = ...`; the whole line if it is not HLO.
inline std::string instruction_of_line(std::string_view line) {
  const std::string_view name = leading_name(line);
  const std::string_view rest = line.substr(line.starts_with('%') + name.size());
  return std::string(!name.empty() && rest.starts_with(" = ") ? name : line);
}

/// Adds a stat of an event to the key of the event.
inline void add_stat(event_key& key, std::string_view name, const stat_value& value) {
  if (name == "hlo_op" || name == "hlo op") {
    std::string text = value.as_text();
    if (const std::size_t inner = text.rfind("::"); inner != text.npos) text.erase(0, inner + 2);
    if (!text.empty()) key.operation = std::move(text), key.has_operation = true;
  } else if (name == "hlo_module" || name == "hlo module") {
    key.module = value.as_text(), key.has_module = true;
  } else if (name == "program_id") {
    if (const auto id = value.as_number()) key.program = id;
  }
  constexpr std::pair<std::string_view, std::string event_key::*> texts[] = {
      {"hlo_category", &event_key::category}, {"tf_op", &event_key::scope}, {"source", &event_key::source}};
  constexpr std::pair<std::string_view, double event_key::*> numbers[] = {{"flops", &event_key::flops},
                                                                          {"bytes_accessed", &event_key::bytes}};
  for (const auto& [known, member] : texts)
    if (name == known) key.*member = value.as_text();
  for (const auto& [known, member] : numbers)
    if (name == known) key.*member = value.as_real();
}

}  // namespace hlolint::profiles
