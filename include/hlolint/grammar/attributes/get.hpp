// Typed values of attributes: `get<replica_groups>(instruction)`. The rules that check an attribute also make its value
// (typed_values.hpp).
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/ir/sharding.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hlolint {

/// The names in an attribute that refers to computations or instructions: `calls=%f`, `branch_computations={%a, %b}`.
struct attribute_names {
  std::vector<std::string_view> names;  ///< without `%`
  bool listed = false;                  ///< in braces
};

namespace detail {

/// Reads a text as a T; nothing if it is not well formed or breaks a rule of numbers. Defined in typed_values.hpp.
template <class T>
std::optional<T> read_value(std::string_view text);

/// A type of attribute values; adding_an_attribute.md has what a new one takes.
template <class T>
concept attribute_value = std::is_same_v<decltype(T::key), const attribute_key>;

/// The key of a T.
template <class T>
constexpr attribute_key checked_key() {
  static_assert(attribute_value<T>,
                "get<T>: T is the value of an attribute, such as replica_groups; ir/attribute_values.hpp, "
                "ir/operation_values.hpp and ir/sharding.hpp have them");
  return T::key;
}

}  // namespace detail

/// Reads a text as an attribute of this type; for texts that are not part of a module.
template <class T>
std::optional<T> value_from_text(std::string_view text) {
  static_assert(detail::checked_key<T>() != attribute_key::unknown);
  return detail::read_value<T>(text);
}

/// A typed attribute of an instruction; nothing if it is not written, or breaks its syntax or a rule of numbers (which
/// the parser has reported).
template <class T>
std::optional<T> get(const hlo_instruction& instruction) {
  const auto text = instruction.attribute(detail::checked_key<T>());
  return text ? value_from_text<T>(*text) : std::nullopt;
}
/// A typed attribute of the header of a module; nothing in the same cases as for an instruction.
template <class T>
std::optional<T> get(const hlo_module& m) {
  const auto text = m.attribute(detail::checked_key<T>());
  return text ? value_from_text<T>(*text) : std::nullopt;
}

/// An attribute that is one number, such as `index`, `iota_dimension` or `feature_group_count`.
template <class Instruction>
std::optional<std::int64_t> get_integer(const Instruction& instruction, attribute_key key) {
  const auto text = instruction.attribute(key);
  if (!text) return std::nullopt;
  return detail::read_value<std::int64_t>(*text);
}
/// An attribute that is a list of numbers, such as `dimensions` or `slice_sizes`.
template <class Instruction>
std::optional<std::vector<std::int64_t>> get_integers(const Instruction& instruction, attribute_key key) {
  const auto text = instruction.attribute(key);
  if (!text) return std::nullopt;
  return detail::read_value<std::vector<std::int64_t>>(*text);
}
/// An attribute that is `true` or `false`; `false` if it is not written.
inline bool get_boolean(const hlo_instruction& instruction, attribute_key key) {
  return instruction.attribute(key) == "true";
}

/// The names in an attribute that `holds_names`; nothing if a computation stands in place of its name.
template <class Attribute>
std::optional<attribute_names> get_names(const Attribute& attribute) {
  return detail::read_value<attribute_names>(attribute.value);
}

/// False for an attribute whose value breaks its syntax: it is kept as text, and SYN001 was reported.
inline bool is_readable(const hlo_instruction& instruction, attribute_key key) {
  const module_data& data = instruction.data();
  const attribute_record* const written = data.find(data.instructions[instruction.id()].attributes, key);
  return !written || written->readable;
}

/// The computation that an attribute of one name names; an empty view if there is none, or the text lacks it.
/// Precondition: the other attributes of the instruction that name computations name one each, too.
inline hlo_computation called_by(const hlo_instruction& instruction, attribute_key key) {
  std::size_t at = 0;
  for (const hlo_attribute a : instruction.attributes()) {
    if (!holds_names(a.key) || a.key == attribute_key::control_predecessors) continue;
    if (a.key == key)
      return at < instruction.called_computation_count() ? instruction.called_computation(at) : hlo_computation{};
    ++at;
  }
  return {};
}

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/grammar/attributes/typed_values.hpp>
#endif
