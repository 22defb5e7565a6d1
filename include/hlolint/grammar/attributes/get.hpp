// Typed values of attributes: `get<replica_groups>(instruction)`. The rules that check an attribute also make its value.
#pragma once

#include <hlolint/grammar/attributes/aliases.hpp>
#include <hlolint/grammar/attributes/numbers.hpp>
#include <hlolint/grammar/attributes/operations.hpp>
#include <hlolint/grammar/attributes/origins.hpp>
#include <hlolint/grammar/attributes/shardings.hpp>
#include <hlolint/grammar/attributes/values.hpp>
#include <hlolint/grammar/x3/names.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/ir/sharding.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// One row of the table: the attribute that a T is the value of, its rule, and a function from the rule's value to a T
/// (null where they are the same).
template <class T, class Rule, class Make>
struct typed_attribute {
  using type = T;
  attribute_key key;
  const Rule& rule;
  Make make;
};
template <class T, class Rule, class Make = std::nullptr_t>
constexpr typed_attribute<T, Rule, Make> typed(attribute_key key, const Rule& rule, Make make = nullptr) {
  return {key, rule, make};
}

/// {%a, %b}
inline constexpr auto name_list = grammar::rule<std::vector<std::string_view>>("names") = [] {
  return '{' >> -(grammar::each[grammar::name] % ',') >> '}';
};

/// All that can be asked for.
inline constexpr auto typed_attributes = std::make_tuple(
    typed<op_metadata>(attribute_key::metadata, grammar::metadata, &attribute_values::metadata),
    typed<backend_config>(attribute_key::backend_config, grammar::cfg, &attribute_values::config),
    typed<frontend_attributes>(attribute_key::frontend_attributes, grammar::frontend_attributes, &attribute_values::frontend),
    typed<control_predecessors>(attribute_key::control_predecessors, name_list, &attribute_values::predecessors),
    typed<sharding>(attribute_key::sharding, grammar::sharding),
    typed<statistics>(attribute_key::statistics, grammar::statistics),
    typed<original_value>(attribute_key::origin, grammar::origin),
    typed<parameter_replication>(attribute_key::parameter_replication, grammar::bools, &attribute_values::replication),
    typed<replica_groups>(attribute_key::replica_groups, grammar::replica_groups, &attribute_values::groups),
    typed<source_target_pairs>(attribute_key::source_target_pairs, grammar::pairs, &attribute_values::target_pairs),
    typed<channel_id>(attribute_key::channel_id, grammar::integer, &attribute_values::channel),
    typed<async_execution_thread>(attribute_key::async_execution_thread, grammar::string, &attribute_values::thread),
    typed<output_to_operand_aliasing>(attribute_key::output_to_operand_aliasing, grammar::output_to_operand_aliasing),
    typed<custom_call_target>(attribute_key::custom_call_target, grammar::string, &attribute_values::target),
    typed<operand_layout_constraints>(attribute_key::operand_layout_constraints, grammar::shapes, &attribute_values::constraints),
    typed<window>(attribute_key::window, grammar::window, &attribute_values::window_of),
    typed<padding_config>(attribute_key::padding, grammar::padding),
    typed<convolution_dimension_numbers>(attribute_key::dim_labels, grammar::dim_labels, &attribute_values::labels),
    typed<slices>(attribute_key::slice, grammar::slices),
    typed<operand_precision>(attribute_key::operand_precision, grammar::precision_),
    typed<dot_algorithm>(attribute_key::algorithm, grammar::algorithm),
    typed<result_accuracy>(attribute_key::result_accuracy, grammar::result_accuracy),
    // of the header of a module
    typed<input_output_alias>(attribute_key::input_output_alias, grammar::input_output_alias),
    typed<buffer_donor>(attribute_key::buffer_donor, grammar::buffer_donor),
    typed<computation_layout>(attribute_key::entry_computation_layout, grammar::entry_computation_layout));

template <class T, class... Row>
constexpr std::size_t row_of_type(const std::tuple<Row...>&) {
  std::size_t row = 0;
  static_cast<void>(((std::is_same_v<T, typename Row::type> || (++row, false)) || ...));
  return row;
}

/// The row of a T; without one, a message that lists what there is.
template <class T>
constexpr std::size_t checked_row() {
  constexpr std::size_t row = row_of_type<T>(typed_attributes);
  static_assert(row != std::tuple_size_v<decltype(typed_attributes)>,
                "get<T>: T is op_metadata, backend_config, frontend_attributes, control_predecessors, sharding, statistics, original_value, "
                "parameter_replication, replica_groups, source_target_pairs, channel_id, async_execution_thread, output_to_operand_aliasing, "
                "custom_call_target, operand_layout_constraints, window, padding_config, convolution_dimension_numbers, slices, "
                "operand_precision, dot_algorithm, result_accuracy, or of a module input_output_alias, buffer_donor, computation_layout, "
                "frontend_attributes");
  return row == std::tuple_size_v<decltype(typed_attributes)> ? 0 : row;
}

}  // namespace detail

/// The value that a text is as an attribute of that type; for texts that come from elsewhere.
template <class T>
std::optional<T> value_from_text(std::string_view text) {
  constexpr auto& found = std::get<detail::checked_row<T>()>(detail::typed_attributes);
  if constexpr (std::is_same_v<T, typename std::remove_cvref_t<decltype(found)>::type>) {
    using rule = std::remove_cvref_t<decltype(found.rule)>;
    auto value = grammar::value_of<grammar::value_of_parser<rule, grammar::skipping_context>>(found.rule, text);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(found.make)>, std::nullptr_t>) {
      return value;
    } else {
      if (!value) return std::nullopt;
      return found.make(std::move(*value));
    }
  } else {
    return std::nullopt;
  }
}

/// A typed attribute of an instruction; nothing if it is not written, or breaks its syntax or a rule of numbers (which
/// the parser has reported).
template <class T>
std::optional<T> get(const hlo_instruction& instruction) {
  const auto text = instruction.attribute(std::get<detail::checked_row<T>()>(detail::typed_attributes).key);
  return text ? value_from_text<T>(*text) : std::nullopt;
}
/// The same for the header of a module.
template <class T>
std::optional<T> get(const hlo_module& m) {
  const auto text = m.attribute(std::get<detail::checked_row<T>()>(detail::typed_attributes).key);
  return text ? value_from_text<T>(*text) : std::nullopt;
}

/// An attribute that is one number, such as `index`, `iota_dimension` or `feature_group_count`.
template <class Instruction>
std::optional<std::int64_t> get_integer(const Instruction& instruction, attribute_key key) {
  const auto text = instruction.attribute(key);
  if (!text) return std::nullopt;
  return grammar::value_of<std::int64_t>(grammar::integer, *text);
}
/// An attribute that is a list of numbers, such as `dimensions` or `slice_sizes`.
template <class Instruction>
std::optional<std::vector<std::int64_t>> get_integers(const Instruction& instruction, attribute_key key) {
  const auto text = instruction.attribute(key);
  if (!text) return std::nullopt;
  return grammar::value_of<std::vector<std::int64_t>>(grammar::ints, *text);
}
/// An attribute that is `true` or `false`; `false` if it is not written.
inline bool get_boolean(const hlo_instruction& instruction, attribute_key key) { return instruction.attribute(key) == "true"; }

/// The names in an attribute that refers to computations or instructions: `calls=%f`, `branch_computations={%a, %b}`.
struct attribute_names {
  std::vector<std::string_view> names;  ///< without `%`
  bool listed = false;                  ///< in braces
};
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
  if (auto list = grammar::value_of<std::vector<std::string_view>>(detail::name_list, attribute.value)) return attribute_names{std::move(*list), true};
  if (const auto name = grammar::value_of<std::string_view>(grammar::name, attribute.value)) return attribute_names{{*name}, false};
  return std::nullopt;
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
