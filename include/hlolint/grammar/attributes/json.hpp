// A small JSON reader over text, for `backend_config` and frontend attributes (RFC 8259; strings stay escaped).
#pragma once

#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/json_scan.hpp>
#include <hlolint/grammar/x3/state.hpp>
#include <hlolint/grammar/x3/tokens.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace hlolint {

namespace grammar::json {

/// JSON knows no comments.
using blanks = skipper<&scan::json_blanks>;

/// A member of an object, or an element of an array (its key is empty); the value as written.
struct member_text {
  std::string_view key, value;
};
/// Somebody who wants the members of one value.
struct visitor {
  void* who;
  bool (*wants_more)(void* who, const member_text&);
  bool visit(member_text member) { return wants_more(who, member); }
};

inline constexpr token<&scan::json_string> string{};
inline constexpr token<&scan::json_scalar> scalar{};

// value = string | scalar | object | array
inline constexpr x3::rule<struct value_id> value{"JSON value"};
inline constexpr auto value_def =
    string | scalar | nested['{' >> -((string >> ':' >> value) % ',') >> '}'] | nested['[' >> -(value % ',') >> ']'];
BOOST_SPIRIT_DEFINE(value)

inline void set_key(member_text& member, std::string_view quoted) { member.key = quoted.substr(1, quoted.size() - 2); }
inline constexpr auto member = rule<member_text>("member") = [] {
  return update<&set_key>[string] >> ':' >> into<&member_text::value>[text[value]];
};
inline constexpr auto element = rule<member_text>("element") = into<&member_text::value>[text[value]];
// The members of one object or the elements of one array, each handed to the visitor until it has enough.
inline constexpr auto members = rule<>("members") = [] {
  return '{' >> to<&visitor::visit>[member] % ',' | '[' >> to<&visitor::visit>[element] % ',';
};

/// Parses the beginning of a text; where the rule ends, or null.
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

/// Calls `f(key, value)` for the members until it returns true; stops where the text is no JSON.
template <class F>
void for_each(std::string_view from, F&& f) {
  const auto call = [](void* who, const member_text& m) { return !(*static_cast<std::remove_reference_t<F>*>(who))(m.key, m.value); };
  visitor who{&f, call};
  parse(members, from, who);
}

}  // namespace grammar::json

/// Whether a text is one JSON value.
template <class Text>
bool is_json(const Text& text) {
  const std::string_view whole = text;
  grammar::json::visitor nobody{};
  return grammar::json::parse(grammar::json::value, whole, nobody) == whole.data() + whole.size();
}

/// Calls `f(key, value)` for the members of a JSON object, or `f("", value)` for the elements of an array, in text
/// order. Keys and values are as written, keys without their quotes. Stops where the text is no JSON.
template <class F>
void json_for_each(std::string_view text, F&& f) {
  grammar::json::for_each(text, [&](std::string_view key, std::string_view value) {
    f(key, value);
    return false;
  });
}

/// The value at a path of keys, as written; a string without its quotes (its escapes stay).
template <class... Keys>
std::optional<std::string_view> json_find(std::string_view object, Keys... keys) {
  std::optional<std::string_view> found = object;
  for (const std::string_view key : {std::string_view(keys)...}) {
    const std::string_view in = *found;
    found.reset();
    grammar::json::for_each(in, [&](std::string_view name, std::string_view value) {
      if (name == key) found = value;
      return found.has_value();
    });
    if (!found) return std::nullopt;
  }
  if (found->size() >= 2 && found->front() == '"') return found->substr(1, found->size() - 2);
  return found;
}
/// The value is a part of the text, which a temporary takes with it.
template <std::same_as<std::string> Text, class... Keys>
std::optional<std::string_view> json_find(Text&&, Keys...) = delete;

}  // namespace hlolint
