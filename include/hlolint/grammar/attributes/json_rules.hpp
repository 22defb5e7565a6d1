// The grammar of JSON (RFC 8259).
#pragma once

#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/grammar/attributes/json_scan.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/text/compiled.hpp>

#include <string_view>

namespace hlolint::grammar::json {

/// JSON has no comments.
using blanks = skipper<&scan::json_blanks>;

inline constexpr token<&scan::json_string> string{};
inline constexpr token<&scan::json_scalar> scalar{};

// value = string | scalar | object | array
inline constexpr x3::rule<struct value_id> value{"JSON value"};
inline constexpr auto value_def =
    string | scalar | nested['{' >> -((string >> ':' >> value) % ',') >> '}'] | nested['[' >> -(value % ',') >> ']'];
BOOST_SPIRIT_DEFINE(value)

inline void set_key(member_text& member, std::string_view quoted) { member.key = quoted.substr(1, quoted.size() - 2); }
inline constexpr auto member = rule<member_text>("member") =
    update<&set_key>[string] >> ':' >> into<&member_text::value>[text[value]];
inline constexpr auto element = rule<member_text>("element") = into<&member_text::value>[text[value]];
// Hands the members of an object or the elements of an array to the visitor until it has enough.
inline constexpr auto members =
    '{' >> call<&visitor::visit>[member] % ',' | '[' >> call<&visitor::visit>[element] % ',';

/// Parses the beginning of a text. Returns the end of what the rule takes and the blanks after it, or null.
template <class Rule>
const char* parse(const Rule& rule, std::string_view from, visitor& who) {
  parse_state state;
  const blanks skipper{};
  const x3::context<x3::skipper_tag, const blanks> skipping{skipper};
  const x3::context<parse_state, parse_state, x3::context<x3::skipper_tag, const blanks>> shared{state, skipping};
  const auto context = with(who, shared);
  const char* first = from.data();
  const char* const last = first + from.size();
  if (!rule.parse(first, last, context, x3::unused, x3::unused)) return nullptr;
  x3::skip_over(first, last, context);
  return first;
}

HLOLINT_INLINE bool is_value(std::string_view whole) {
  visitor none{};
  return parse(value, whole, none) == whole.data() + whole.size();
}
HLOLINT_INLINE void visit(std::string_view from, visitor& who) { parse(members, from, who); }

}  // namespace hlolint::grammar::json
