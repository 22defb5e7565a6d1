// All values of ir/ as text, for messages, failed tests and debuggers: `to_string`, and `<<` for all types that have
// it. The text is XLA's own if XLA prints such values (hlo_text.md 5, 7; buffer_dumps.md 2 to 4).
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/attribute_text.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/str_cat.hpp>

#include <concepts>
#include <iosfwd>
#include <string>

namespace hlolint {

/// `path:line:column`, both 1-based.
inline std::string to_string(const location& place) {
  const line_column begin = place.begin();
  return str_cat({place.in.path(), ":", begin.line, ":", begin.column});
}

/// Views as the text that they stand for, or as their name if they are not written. @{
inline std::string to_string(const hlo_attribute& attribute) { return str_cat({attribute.name, "=", attribute.value}); }
inline std::string to_string(const hlo_instruction& instruction) {
  if (!instruction) return "no instruction";
  const std::string_view text = instruction.text();
  return std::string(text.empty() ? instruction.name() : text);
}
inline std::string to_string(const hlo_computation& computation) {
  return computation ? std::string(computation.name()) : "no computation";
}
inline std::string to_string(const hlo_module& module) {
  return str_cat({"HloModule ", module.name(), ": ", module.computation_count(), " computations, ",
                  module.instruction_count(), " instructions"});
}
/// @}

/// Records of buffer dumps as XLA would print them. @{
inline std::string to_string(const assigned_value& value) {
  return str_cat({to_string(value.name), " of allocation ", value.allocation, ": bytes [", value.offset, ", ",
                  value.offset + value.size, ")"});
}
inline std::string to_string(const recolored_value& value) {
  return str_cat({to_string(value.name), " @", value.color});
}
inline std::string to_string(const allocation_parameter& parameter) {
  return str_cat(
      {"parameter ", parameter.number, ", shape |", parameter.shape, "| at ShapeIndex ", to_string(parameter.index)});
}
inline std::string to_string(const allocation& a) {
  return a.text.empty() ? str_cat({"allocation ", a.number, ": size ", a.size}) : std::string(a.text);
}
inline std::string to_string(const value_position& position) {
  return str_cat({position.instruction, position.index ? " " + to_string(*position.index) : ""});
}
inline std::string to_string(const value_use& use) {
  return str_cat({use.instruction, ", operand ", use.operand, use.index ? " " + to_string(*use.index) : ""});
}
inline std::string to_string(const used_value& value) { return to_string(value.name); }
inline std::string to_string(const live_range& range) {
  return str_cat({range.instruction, to_string(range.index), ":", range.start, "-", range.end});
}
inline std::string to_string(const peak_value& value) {
  return str_cat({value.instruction, value.index ? to_string(*value.index) : "", ": ", value.bytes, " bytes"});
}
inline std::string to_string(const breakdown_line& line) {
  return str_cat({line.node, ": ", line.total, " bytes, ", line.current, " here, ", line.remaining, " below"});
}
/// @}

/// A diagnostic in one line: `path:line:column: level: message [RULE]`.
inline std::string to_string(const diagnostic& d) {
  return str_cat({to_string(d.where), ": ", name_of(d.level), ": ", d.message, " [", d.rule, "]"});
}

/// Prints any value that has a `to_string` of ours.
template <class Traits, class Value>
requires requires(const Value& value) {
  { to_string(value) } -> std::same_as<std::string>;
}
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Value& value) {
  return out << to_string(value);
}
/// A pointer to such a value would print an address, so it is refused: `*i.shape()` prints the shape.
template <class Traits, class Value>
requires requires(const Value& value) {
  { to_string(value) } -> std::same_as<std::string>;
}
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Value* value) = delete;

}  // namespace hlolint
