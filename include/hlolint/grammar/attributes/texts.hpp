// Texts of plug-ins and of the compiler's stages: configurations, frontend attributes, statistics (hlo_text.md 7: str,
// cfg, frontend_attributes, statistics).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/number_tokens.hpp>
#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/text/escape.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::grammar {

/// One `key="text"` or `key={json}`, the value as written.
struct frontend_attribute_text {
  std::string_view key, value;
};

namespace text_rules {

using statistic_entry = std::pair<std::string_view, double>;
inline void set_whole(statistic_entry& entry, std::int64_t value) { entry.second = static_cast<double>(value); }

}  // namespace text_rules

// "text" or {json}
inline constexpr auto cfg = rule<std::string_view>("backend config") = string | dictionary;

// {key="text",key={json}}
inline constexpr auto frontend_attribute = rule<frontend_attribute_text>("frontend attribute") =
    into<&frontend_attribute_text::key>[attribute_name] >>
    must("a string or a JSON dictionary")[into<&frontend_attribute_text::value>[cfg]];
inline constexpr auto frontend_attributes = rule<std::vector<frontend_attribute_text>>("frontend attributes") =
    in_braces("a frontend attribute", "',' or '}' after a frontend attribute")[each[frontend_attribute]];

// visualizing_index=0    the first statistic is an integer
inline constexpr auto first_statistic = rule<text_rules::statistic_entry>("first statistic") =
    into<&text_rules::statistic_entry::first>[attribute_name] >>
    must("an integer")[update<&text_rules::set_whole>[integer]];
inline constexpr auto statistic = rule<text_rules::statistic_entry>("statistic") =
    into<&text_rules::statistic_entry::first>[attribute_name] >>
    must("a number")[into<&text_rules::statistic_entry::second>[statistic_number]];
// {visualizing_index=0,name=1.5}
inline constexpr auto statistics = rule<hlolint::statistics>("statistics") =
    '{' >> -(!x3::lit('}') >> must("the name of a statistic")[append<&hlolint::statistics::entries>[first_statistic]] >>
             *(',' >> must("the name of a statistic")[append<&hlolint::statistics::entries>[statistic]])) >>
    must("',' or '}' after a statistic")['}'];

template <class T>
inline constexpr auto unescaped = [](std::string_view written) { return T{unescape(written)}; };
template <>
inline constexpr auto attribute_rule<backend_config> = reads<cfg>("a string or a JSON dictionary",
                                                                  unescaped<backend_config>);
template <>
inline constexpr auto attribute_rule<custom_call_target> = reads<string>("a string", unescaped<custom_call_target>);
template <>
inline constexpr auto attribute_rule<async_execution_thread> = reads<string>("a string",
                                                                             unescaped<async_execution_thread>);
template <>
inline constexpr auto attribute_rule<hlolint::frontend_attributes> =
    reads<frontend_attributes>("frontend attributes in braces", [](const std::vector<frontend_attribute_text>& list) {
      hlolint::frontend_attributes out;
      for (const auto& [key, written] : list) out.entries.emplace_back(std::string(key), unescape(written));
      return out;
    });
template <>
inline constexpr auto attribute_rule<hlolint::statistics> = reads<statistics>("statistics in braces");

}  // namespace hlolint::grammar
