// Numbers, truth values and lists of them (hlo_text.md 7: int, bool, ints, intlists).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/number_tokens.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::grammar {

namespace number_rules {

inline void check_int32(parse_state& s, std::string_view text, std::int64_t value) {
  if (value != static_cast<std::int32_t>(value)) s.broke(text.data(), str_cat({value, " does not fit in 32 bits"}));
}
inline void check_float(parse_state& s, std::string_view text, double value) {
  if (value > 3.4028234663852886e38 || value < -3.4028234663852886e38)
    s.broke(text.data(), "the number does not fit in a float");
}
inline void check_pair(parse_state& s, std::string_view text, const std::vector<std::int64_t>& pair) {
  if (pair.size() != 2) s.broke(text.data(), str_cat({"expected a list of 2 integers, found ", pair.size()}));
}

// A list without a rule of its own, for values that are only checked.
inline constexpr auto int_list = in_braces("an integer", "the next integer of the list or its end")[each[integer]];

}  // namespace number_rules

// 3, in 32 bits
inline constexpr auto int32 = checked<&number_rules::check_int32>[integer];
// 1e-05, in the range of a float
inline constexpr auto float32 = checked<&number_rules::check_float>[real_number];

// {1,2}
inline constexpr auto ints = rule<std::vector<std::int64_t>>("ints") = number_rules::int_list;
// {{0,1},{2,3}}
inline constexpr auto intlists = rule<std::vector<std::vector<std::int64_t>>>("lists of integers") =
    in_braces("a list of integers in braces", "a list of integers, ',' or '}'")[each[ints]];
// {{0,1},{1,0}}
inline constexpr auto pairs = rule<std::vector<std::vector<std::int64_t>>>("pairs") =
    in_braces("a pair of integers in braces", "a pair, ',' or '}'")[each[checked<&number_rules::check_pair>[ints]]];

// [1,2] and (1,2)
inline constexpr auto bracketed_ints = rule<std::vector<std::int64_t>>("bracketed ints") =
    in_brackets("an integer", "the next integer of the list or its end")[each[integer]];
inline constexpr auto parenthesized_ints = rule<std::vector<std::int64_t>>("parenthesized ints") =
    in_parentheses("an integer", "the next integer of the list or its end")[each[integer]];

// {true,false}
inline constexpr auto bools = rule<parameter_replication>("bools") =
    in_braces("true, false, ',' or '}'")[append<&parameter_replication::leaves>[boolean]];

template <>
inline constexpr auto attribute_rule<channel_id> = reads<integer>("an integer",
                                                                  [](std::int64_t id) { return channel_id{id}; });
template <>
inline constexpr auto attribute_rule<source_target_pairs> =
    reads<pairs>("a list of pairs such as {{0,1},{1,0}}", [](const std::vector<std::vector<std::int64_t>>& lists) {
      source_target_pairs out;
      for (const auto& pair : lists) out.pairs.emplace_back(pair[0], pair[1]);
      return out;
    });
template <>
inline constexpr auto attribute_rule<parameter_replication> = reads<bools>("a list such as {true,false}");

}  // namespace hlolint::grammar
