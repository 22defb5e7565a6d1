// How typed values of attributes are made: what get.hpp declares.
#pragma once

#include <hlolint/grammar/attributes/aliases.hpp>
#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/group_decoding.hpp>
#include <hlolint/grammar/attributes/metadata.hpp>
#include <hlolint/grammar/attributes/numbers.hpp>
#include <hlolint/grammar/attributes/operations.hpp>
#include <hlolint/grammar/attributes/origins.hpp>
#include <hlolint/grammar/attributes/shardings.hpp>
#include <hlolint/grammar/attributes/texts.hpp>
#include <hlolint/grammar/attributes/windows.hpp>
#include <hlolint/grammar/x3/names.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint::grammar {

// {%a, %b}
inline constexpr auto predecessor_names = rule<control_predecessors>("predecessor names") =
    '{' >> -(append<&control_predecessors::names>[name] % ',') >> '}';
// {%a, %b}   %a
inline constexpr auto one_name = append<&attribute_names::names>[name];
inline constexpr auto any_names = rule<attribute_names>("names") =
    '{' >> set<&attribute_names::listed>(true) >> -(one_name % ',') >> '}' | one_name;

// Values that belong to no single row of the table of attributes.
template <>
inline constexpr auto attribute_rule<control_predecessors> = reads<predecessor_names>("");
template <>
inline constexpr auto attribute_rule<std::int64_t> = reads<integer>("");
template <>
inline constexpr auto attribute_rule<std::vector<std::int64_t>> = reads<ints>("");
template <>
inline constexpr auto attribute_rule<attribute_names> = reads<any_names>("");

}  // namespace hlolint::grammar

namespace hlolint::detail {

template <class T>
std::optional<T> read_value(std::string_view text) {
  constexpr const auto& typed = grammar::attribute_rule<T>;
  auto value = grammar::value_of<grammar::value_of_parser<std::remove_cvref_t<decltype(typed.rule)>>>(typed.rule, text);
  return value ? std::optional<T>(typed.convert(std::move(*value))) : std::nullopt;
}

}  // namespace hlolint::detail
