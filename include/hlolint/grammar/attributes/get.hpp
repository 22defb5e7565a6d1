// Typed values of attributes: `get<replica_groups>(instruction)`. The rules that check an attribute also make its value:
// typed_values.hpp.
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/ir/sharding.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// The names in an attribute that refers to computations or instructions: `calls=%f`, `branch_computations={%a, %b}`.
struct attribute_names {
  std::vector<std::string_view> names;  ///< without `%`
  bool listed = false;                  ///< in braces
};

namespace detail {

/// The attribute that a T is the value of.
template <class T>
inline constexpr attribute_key key_of = attribute_key::unknown;
template <>
inline constexpr attribute_key key_of<op_metadata> = attribute_key::metadata;
template <>
inline constexpr attribute_key key_of<backend_config> = attribute_key::backend_config;
template <>
inline constexpr attribute_key key_of<frontend_attributes> = attribute_key::frontend_attributes;
template <>
inline constexpr attribute_key key_of<control_predecessors> = attribute_key::control_predecessors;
template <>
inline constexpr attribute_key key_of<sharding> = attribute_key::sharding;
template <>
inline constexpr attribute_key key_of<statistics> = attribute_key::statistics;
template <>
inline constexpr attribute_key key_of<original_value> = attribute_key::origin;
template <>
inline constexpr attribute_key key_of<parameter_replication> = attribute_key::parameter_replication;
template <>
inline constexpr attribute_key key_of<replica_groups> = attribute_key::replica_groups;
template <>
inline constexpr attribute_key key_of<source_target_pairs> = attribute_key::source_target_pairs;
template <>
inline constexpr attribute_key key_of<channel_id> = attribute_key::channel_id;
template <>
inline constexpr attribute_key key_of<async_execution_thread> = attribute_key::async_execution_thread;
template <>
inline constexpr attribute_key key_of<output_to_operand_aliasing> = attribute_key::output_to_operand_aliasing;
template <>
inline constexpr attribute_key key_of<custom_call_target> = attribute_key::custom_call_target;
template <>
inline constexpr attribute_key key_of<operand_layout_constraints> = attribute_key::operand_layout_constraints;
template <>
inline constexpr attribute_key key_of<window> = attribute_key::window;
template <>
inline constexpr attribute_key key_of<padding_config> = attribute_key::padding;
template <>
inline constexpr attribute_key key_of<convolution_dimension_numbers> = attribute_key::dim_labels;
template <>
inline constexpr attribute_key key_of<slices> = attribute_key::slice;
template <>
inline constexpr attribute_key key_of<operand_precision> = attribute_key::operand_precision;
template <>
inline constexpr attribute_key key_of<dot_algorithm> = attribute_key::algorithm;
template <>
inline constexpr attribute_key key_of<result_accuracy> = attribute_key::result_accuracy;
template <>
inline constexpr attribute_key key_of<input_output_alias> = attribute_key::input_output_alias;
template <>
inline constexpr attribute_key key_of<buffer_donor> = attribute_key::buffer_donor;
template <>
inline constexpr attribute_key key_of<computation_layout> = attribute_key::entry_computation_layout;

/// The key of a T; without one, a message that lists what there is.
template <class T>
constexpr attribute_key checked_key() {
  static_assert(key_of<T> != attribute_key::unknown,
                "get<T>: T is op_metadata, backend_config, frontend_attributes, control_predecessors, sharding, statistics, original_value, "
                "parameter_replication, replica_groups, source_target_pairs, channel_id, async_execution_thread, output_to_operand_aliasing, "
                "custom_call_target, operand_layout_constraints, window, padding_config, convolution_dimension_numbers, slices, "
                "operand_precision, dot_algorithm, result_accuracy, or of a module input_output_alias, buffer_donor, computation_layout, "
                "frontend_attributes");
  return key_of<T>;
}

/// What a text is as a T: a value of an attribute, a number, a list of numbers, names. Nothing if it is not well formed or
/// breaks a rule of numbers.
template <class T>
std::optional<T> read_value(std::string_view text);

}  // namespace detail

/// The value that a text is as an attribute of that type; for texts that come from elsewhere.
template <class T>
std::optional<T> value_from_text(std::string_view text) {
  return detail::checked_key<T>() != attribute_key::unknown ? detail::read_value<T>(text) : std::nullopt;
}

/// A typed attribute of an instruction; nothing if it is not written, or breaks its syntax or a rule of numbers (which
/// the parser has reported).
template <class T>
std::optional<T> get(const hlo_instruction& instruction) {
  const auto text = instruction.attribute(detail::checked_key<T>());
  return text ? value_from_text<T>(*text) : std::nullopt;
}
/// The same for the header of a module.
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
inline bool get_boolean(const hlo_instruction& instruction, attribute_key key) { return instruction.attribute(key) == "true"; }

/// Whether an attribute refers to computations or instructions by their names.
constexpr bool holds_names(attribute_key key) {
  switch (key) {
    using enum attribute_key;
    case body: case branch_computations: case called_computations: case calls: case condition: case control_predecessors:
    case false_computation: case scatter: case select: case to_apply: case true_computation: return true;
    default: return false;
  }
}
/// Nothing if there is a computation in place of its name.
template <class Attribute>
std::optional<attribute_names> get_names(const Attribute& attribute) {
  return detail::read_value<attribute_names>(attribute.value);
}

/// False for an attribute whose value breaks its syntax: it is kept as text (SYN001 was reported).
inline bool is_readable(const hlo_instruction& instruction, attribute_key key) {
  const module_data& data = instruction.data();
  const id_range range = data.instructions[instruction.id()].attributes;
  for (id i = range.first; i != range.first + range.count; ++i)
    if (data.attribute_pool[i].key == key) return data.attribute_pool[i].readable;
  return true;
}

}  // namespace hlolint

#ifndef HLOLINT_PARSE_ELSEWHERE
#include <hlolint/grammar/attributes/typed_values.hpp>
#endif
