// Messages of configured rules: text with properties in braces, `sums {bytes($x)} in {computation}`.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/query/compiled_query.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::match {

/// A number with its unit: `16.00MiB`, `0.52 ms`, `1.5x`, `3`.
inline std::string number_text(double value, unit in) {
  if (in == unit::bytes && std::abs(value) < 9e18) return human(static_cast<byte_count>(value));
  if (in == unit::time) return duration_text(value / 1e3);
  if (in == unit::count && value == std::floor(value) && std::abs(value) < 1e15)
    return std::to_string(static_cast<std::int64_t>(value));
  return hlolint::number_text(value) + (in == unit::ratio ? "x" : "");
}

/// A message template with its properties resolved.
template <class Facts>
class message_text {
 public:
  /// `captures`: of the rule's query. Keeps views of the template.
  message_text(std::string_view format, const property_table<Facts>& properties,
               const std::vector<std::string_view>& captures) {
    read(format, properties, captures);
  }
  /// The first error in the template.
  const std::optional<query_error>& error() const { return error_; }

  /// The message for a match. An unknown property is `?`.
  std::string of(hlo_instruction i, const std::vector<binding>& captures, const Facts& facts) const {
    std::string out;
    for (const part& p : parts_) {
      out += p.before;
      if (!p.property) continue;
      hlo_instruction subject = p.capture.empty() ? i : hlo_instruction{};
      for (const binding& b : captures)
        if (b.name == p.capture) subject = b.is;
      if (subject) out += value_of(*p.property, subject, facts);
    }
    return out;
  }

 private:
  using row = typename property_table<Facts>::row;
  struct part {
    std::string_view before;
    const row* property;  // after it; null: none
    std::string_view capture;
  };
  void read(std::string_view format, const property_table<Facts>& properties,
            const std::vector<std::string_view>& captures) {
    for (std::size_t at = 0; at < format.size();) {
      const std::size_t open = format.find('{', at);
      parts_.push_back({format.substr(at, open - at), nullptr, {}});
      if (open == std::string_view::npos) return;
      const std::size_t close = format.find('}', open);
      if (close == std::string_view::npos) return wrong(open, "there is no '}' for this '{'");
      const auto property = grammar::queries::read_property(format.substr(open + 1, close - open - 1));
      if (!property) return wrong(open + 1, "expected a property such as {bytes($x)} or {computation}");
      const row* const known = properties.find(property->name);
      if (!known) return wrong(open + 1, "there is no property '" + std::string(property->name) + "'");
      bool bound = property->capture.empty();
      for (const std::string_view capture : captures) bound = bound || capture == property->capture;
      if (!bound) return wrong(open + 1, "nothing is captured as $" + std::string(property->capture));
      parts_.back().property = known;
      parts_.back().capture = property->capture;
      at = close + 1;
    }
  }
  void wrong(std::size_t at, std::string message) { error_ = query_error{at, std::move(message)}; }
  static std::string value_of(const row& property, hlo_instruction i, const Facts& facts) {
    if (property.text) return property.text(i, facts);
    if (property.flag) return property.flag(i, facts) ? "true" : "false";
    const auto value = property.number(i, facts);
    return value ? number_text(*value, property.in) : "?";
  }

  std::vector<part> parts_;
  std::optional<query_error> error_;
};

}  // namespace hlolint::match
