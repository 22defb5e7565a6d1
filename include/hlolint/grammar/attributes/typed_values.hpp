// The rules that typed values of attributes are made by; get.hpp declares what can be asked for.
#pragma once

#include <hlolint/grammar/attributes/aliases.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/numbers.hpp>
#include <hlolint/grammar/attributes/operations.hpp>
#include <hlolint/grammar/attributes/origins.hpp>
#include <hlolint/grammar/attributes/shardings.hpp>
#include <hlolint/grammar/attributes/values.hpp>
#include <hlolint/grammar/x3/names.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// {%a, %b}
inline constexpr auto name_list = grammar::rule<std::vector<std::string_view>>("names") = [] {
  return '{' >> -(grammar::each[grammar::name] % ',') >> '}';
};
inline attribute_names listed_names(std::vector<std::string_view>&& names) { return {std::move(names), true}; }
inline attribute_names one_name(std::string_view&& name) { return {{name}, false}; }

/// A rule, and a function from its value to a T (null where they are the same).
template <const auto& Rule, auto Make = nullptr>
struct made_by {
  template <class T>
  static std::optional<T> read(std::string_view text) {
    using rule = std::remove_cvref_t<decltype(Rule)>;
    auto value = grammar::value_of<grammar::value_of_parser<rule, grammar::skipping_context>>(Rule, text);
    if constexpr (std::is_same_v<decltype(Make), std::nullptr_t>) {
      return value;
    } else {
      if (!value) return std::nullopt;
      return Make(std::move(*value));
    }
  }
};

/// The table: from the type of a value to what makes it.
template <class T>
struct maker;
template <>
struct maker<op_metadata> : made_by<grammar::metadata, &attribute_values::metadata> {};
template <>
struct maker<backend_config> : made_by<grammar::cfg, &attribute_values::config> {};
template <>
struct maker<frontend_attributes> : made_by<grammar::frontend_attributes, &attribute_values::frontend> {};
template <>
struct maker<control_predecessors> : made_by<name_list, &attribute_values::predecessors> {};
template <>
struct maker<sharding> : made_by<grammar::sharding> {};
template <>
struct maker<statistics> : made_by<grammar::statistics> {};
template <>
struct maker<original_value> : made_by<grammar::origin> {};
template <>
struct maker<parameter_replication> : made_by<grammar::bools, &attribute_values::replication> {};
template <>
struct maker<replica_groups> : made_by<grammar::replica_groups, &attribute_values::groups> {};
template <>
struct maker<source_target_pairs> : made_by<grammar::pairs, &attribute_values::target_pairs> {};
template <>
struct maker<channel_id> : made_by<grammar::integer, &attribute_values::channel> {};
template <>
struct maker<async_execution_thread> : made_by<grammar::string, &attribute_values::thread> {};
template <>
struct maker<output_to_operand_aliasing> : made_by<grammar::output_to_operand_aliasing> {};
template <>
struct maker<custom_call_target> : made_by<grammar::string, &attribute_values::target> {};
template <>
struct maker<operand_layout_constraints> : made_by<grammar::shapes, &attribute_values::constraints> {};
template <>
struct maker<window> : made_by<grammar::window, &attribute_values::window_of> {};
template <>
struct maker<padding_config> : made_by<grammar::padding> {};
template <>
struct maker<convolution_dimension_numbers> : made_by<grammar::dim_labels, &attribute_values::labels> {};
template <>
struct maker<slices> : made_by<grammar::slices> {};
template <>
struct maker<operand_precision> : made_by<grammar::precision_> {};
template <>
struct maker<dot_algorithm> : made_by<grammar::algorithm> {};
template <>
struct maker<result_accuracy> : made_by<grammar::result_accuracy> {};
template <>
struct maker<input_output_alias> : made_by<grammar::input_output_alias> {};
template <>
struct maker<buffer_donor> : made_by<grammar::buffer_donor> {};
template <>
struct maker<computation_layout> : made_by<grammar::entry_computation_layout> {};
template <>
struct maker<std::int64_t> : made_by<grammar::integer> {};
template <>
struct maker<std::vector<std::int64_t>> : made_by<grammar::ints> {};
template <>
struct maker<attribute_names> {
  template <class T>
  static std::optional<T> read(std::string_view text) {
    if (auto list = made_by<name_list, &listed_names>::read<T>(text)) return list;
    return made_by<grammar::name, &one_name>::read<T>(text);
  }
};

template <class T>
std::optional<T> read_value(std::string_view text) {
  return maker<T>::template read<T>(text);
}

}  // namespace hlolint::detail
