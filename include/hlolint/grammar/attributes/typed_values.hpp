// How values of attributes are made; get.hpp declares what can be asked for.
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
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hlolint::grammar {

// {%a, %b}
inline constexpr auto name_list =
    rule<record_list<std::string_view>> = [](auto) { return '{' >> -(each[name] % ',') >> '}'; };

// Values that belong to no single row of the table of attributes.
template <>
struct attribute_rule<control_predecessors> : reads<name_list> {
  static control_predecessors value(record_list<std::string_view>&& names) { return {std::move(names)}; }
};
template <>
struct attribute_rule<std::int64_t> : reads<integer> {};
template <>
struct attribute_rule<record_list<std::int64_t>> : reads<ints> {};
template <>
struct attribute_rule<attribute_names> {
  static optional<attribute_names> read(std::string_view written) {
    if (auto list = value_of<record_list<std::string_view>>(name_list, written)) return {{std::move(*list), true}};
    if (const auto one = value_of<std::string_view>(name, written)) return {{{*one}, false}};
    return std::nullopt;
  }
};

}  // namespace hlolint::grammar

namespace hlolint::detail {

template <class T>
optional<T> read_value(std::string_view text) {
  using reader = grammar::attribute_rule<T>;
  if constexpr (requires { reader::read(text); }) {
    return reader::read(text);
  } else {
    using made = grammar::value_of_parser<std::remove_cvref_t<decltype(reader::rule)>>;
    auto value = grammar::value_of<made>(reader::rule, text);
    if constexpr (requires { reader::value(std::move(*value)); })
      return value ? optional<T>(reader::value(std::move(*value))) : std::nullopt;
    else
      return value;
  }
}

}  // namespace hlolint::detail
