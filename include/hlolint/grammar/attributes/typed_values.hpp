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
inline constexpr auto name_list =
    grammar::rule<std::vector<std::string_view>> = [] { return '{' >> -(grammar::each[grammar::name] % ',') >> '}'; };
inline attribute_names listed_names(std::vector<std::string_view>&& names) { return {std::move(names), true}; }
inline attribute_names one_name(std::string_view&& name) { return {{name}, false}; }

/// The value that a rule makes of a text, or what a function makes of that.
template <const auto& Rule>
auto made_by(std::string_view text) {
  using rule = std::remove_cvref_t<decltype(Rule)>;
  return grammar::value_of<grammar::value_of_parser<rule, grammar::skipping_context>>(Rule, text);
}
template <class T, const auto& Rule, auto Make>
std::optional<T> made_by(std::string_view text) {
  auto value = made_by<Rule>(text);
  return value ? std::optional<T>(Make(std::move(*value))) : std::nullopt;
}

template <class G>
std::optional<op_metadata> attribute_reader<G>::read(as<op_metadata>, std::string_view text) {
  return made_by<op_metadata, grammar::metadata, &attribute_values::metadata>(text);
}
template <class G>
std::optional<backend_config> attribute_reader<G>::read(as<backend_config>, std::string_view text) {
  return made_by<backend_config, grammar::cfg, &attribute_values::config>(text);
}
template <class G>
std::optional<frontend_attributes> attribute_reader<G>::read(as<frontend_attributes>, std::string_view text) {
  return made_by<frontend_attributes, grammar::frontend_attributes, &attribute_values::frontend>(text);
}
template <class G>
std::optional<control_predecessors> attribute_reader<G>::read(as<control_predecessors>, std::string_view text) {
  return made_by<control_predecessors, name_list, &attribute_values::predecessors>(text);
}
template <class G>
std::optional<sharding> attribute_reader<G>::read(as<sharding>, std::string_view text) {
  return made_by<grammar::sharding>(text);
}
template <class G>
std::optional<statistics> attribute_reader<G>::read(as<statistics>, std::string_view text) {
  return made_by<grammar::statistics>(text);
}
template <class G>
std::optional<original_value> attribute_reader<G>::read(as<original_value>, std::string_view text) {
  return made_by<grammar::origin>(text);
}
template <class G>
std::optional<parameter_replication> attribute_reader<G>::read(as<parameter_replication>, std::string_view text) {
  return made_by<parameter_replication, grammar::bools, &attribute_values::replication>(text);
}
template <class G>
std::optional<replica_groups> attribute_reader<G>::read(as<replica_groups>, std::string_view text) {
  return made_by<replica_groups, grammar::replica_groups, &attribute_values::groups>(text);
}
template <class G>
std::optional<source_target_pairs> attribute_reader<G>::read(as<source_target_pairs>, std::string_view text) {
  return made_by<source_target_pairs, grammar::pairs, &attribute_values::target_pairs>(text);
}
template <class G>
std::optional<channel_id> attribute_reader<G>::read(as<channel_id>, std::string_view text) {
  return made_by<channel_id, grammar::integer, &attribute_values::channel>(text);
}
template <class G>
std::optional<async_execution_thread> attribute_reader<G>::read(as<async_execution_thread>, std::string_view text) {
  return made_by<async_execution_thread, grammar::string, &attribute_values::thread>(text);
}
template <class G>
std::optional<output_to_operand_aliasing> attribute_reader<G>::read(as<output_to_operand_aliasing>,
                                                                    std::string_view text) {
  return made_by<grammar::output_to_operand_aliasing>(text);
}
template <class G>
std::optional<custom_call_target> attribute_reader<G>::read(as<custom_call_target>, std::string_view text) {
  return made_by<custom_call_target, grammar::string, &attribute_values::target>(text);
}
template <class G>
std::optional<operand_layout_constraints> attribute_reader<G>::read(as<operand_layout_constraints>,
                                                                    std::string_view text) {
  return made_by<operand_layout_constraints, grammar::shapes, &attribute_values::constraints>(text);
}
template <class G>
std::optional<window> attribute_reader<G>::read(as<window>, std::string_view text) {
  return made_by<window, grammar::window, &attribute_values::window_of>(text);
}
template <class G>
std::optional<padding_config> attribute_reader<G>::read(as<padding_config>, std::string_view text) {
  return made_by<grammar::padding>(text);
}
template <class G>
std::optional<convolution_dimension_numbers> attribute_reader<G>::read(as<convolution_dimension_numbers>,
                                                                       std::string_view text) {
  return made_by<convolution_dimension_numbers, grammar::dim_labels, &attribute_values::labels>(text);
}
template <class G>
std::optional<slices> attribute_reader<G>::read(as<slices>, std::string_view text) {
  return made_by<grammar::slices>(text);
}
template <class G>
std::optional<operand_precision> attribute_reader<G>::read(as<operand_precision>, std::string_view text) {
  return made_by<grammar::precision_>(text);
}
template <class G>
std::optional<dot_algorithm> attribute_reader<G>::read(as<dot_algorithm>, std::string_view text) {
  return made_by<grammar::algorithm>(text);
}
template <class G>
std::optional<result_accuracy> attribute_reader<G>::read(as<result_accuracy>, std::string_view text) {
  return made_by<grammar::result_accuracy>(text);
}
template <class G>
std::optional<input_output_alias> attribute_reader<G>::read(as<input_output_alias>, std::string_view text) {
  return made_by<grammar::input_output_alias>(text);
}
template <class G>
std::optional<buffer_donor> attribute_reader<G>::read(as<buffer_donor>, std::string_view text) {
  return made_by<grammar::buffer_donor>(text);
}
template <class G>
std::optional<computation_layout> attribute_reader<G>::read(as<computation_layout>, std::string_view text) {
  return made_by<grammar::entry_computation_layout>(text);
}
template <class G>
std::optional<std::int64_t> attribute_reader<G>::read(as<std::int64_t>, std::string_view text) {
  return made_by<grammar::integer>(text);
}
template <class G>
std::optional<std::vector<std::int64_t>> attribute_reader<G>::read(as<std::vector<std::int64_t>>,
                                                                   std::string_view text) {
  return made_by<grammar::ints>(text);
}
template <class G>
std::optional<attribute_names> attribute_reader<G>::read(as<attribute_names>, std::string_view text) {
  if (auto list = made_by<attribute_names, name_list, &listed_names>(text)) return list;
  return made_by<attribute_names, grammar::name, &one_name>(text);
}

}  // namespace hlolint::detail
