// What profilers record of events, by name: stats of XSpace and arguments of trace events (profiles.md 2, 4, 5).
#pragma once

#include <hlolint/profile/collective_names.hpp>
#include <hlolint/profile/events.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/optional.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::profiles {

/// The value of an XStat.
struct stat_value {
  enum class kind : std::uint8_t { none, real, number, text, bytes };
  kind is = kind::none;      ///< which of the others counts
  double real = 0;           ///< a double
  std::uint64_t number = 0;  ///< an integer; negative ones as uint64
  std::string_view text;     ///< a text, also where it is a reference, or bytes

  /// The value as a number; 0 for a text.
  double as_real() const {
    if (is == kind::real) return real;
    return is == kind::number ? static_cast<double>(static_cast<std::int64_t>(number)) : 0;
  }
  /// The value as a whole number, also one that is written in a text.
  optional<std::uint64_t> as_number() const {
    if (is == kind::number) return number;
    return is == kind::text ? integer_in<std::uint64_t>(text) : std::nullopt;
  }
  /// The value as a text.
  std::string as_text() const {
    return is == kind::number ? std::to_string(static_cast<std::int64_t>(number)) : std::string(text);
  }
};

/// A name of HLO text, `%fusion.3 = ...`; the whole text if it is none.
inline std::string instruction_of_line(std::string_view line) {
  std::string_view name = line;
  if (name.starts_with('%')) name.remove_prefix(1);
  std::size_t size = 0;
  while (size < name.size() && (detail::is_word(name[size]) || name[size] == '.' || name[size] == '-')) ++size;
  return std::string(size > 0 && name.substr(size).starts_with(" = ") ? name.substr(0, size) : line);
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
  } else if (name == "hlo_category") {
    key.category = value.as_text();
  } else if (name == "tf_op") {
    key.scope = value.as_text();
  } else if (name == "source") {
    key.source = value.as_text();
  } else if (name == "flops") {
    key.flops = value.as_real();
  } else if (name == "bytes_accessed") {
    key.bytes = value.as_real();
  }
}

}  // namespace hlolint::profiles
