// A small JSON reader over text, for `backend_config` and frontend attributes.
#pragma once

#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/state.hpp>
#include <hlolint/grammar/terminals.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace hlolint {

namespace grammar::json {

constexpr const char* blanks(const char* p, const char* last) {
  while (p != last && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) ++p;
  return p;
}
/// A string with its quotes.
constexpr const char* string(const char* p, const char* last) {
  if (p == last || *p != '"') return nullptr;
  for (++p; p != last && *p != '"'; ++p)
    if (static_cast<unsigned char>(*p) < ' ' || (*p == '\\' && ++p == last)) return nullptr;
  return p == last ? nullptr : p + 1;
}
/// A number, `true`, `false` or `null`.
constexpr const char* scalar(const char* p, const char* last) {
  const char* q = p;
  while (q != last && *q >= 'a' && *q <= 'z') ++q;
  if (const std::string_view text = view(p, q); text == "true" || text == "false" || text == "null") return q;
  if (q != p) return nullptr;
  const auto digits = [&] {
    const char* const begin = q;
    while (q != last && scan::is(scan::digit_bytes, *q)) ++q;
    return q != begin;
  };
  if (q != last && *q == '-') ++q;
  if (q != last && *q == '0')
    ++q;
  else if (!digits())
    return nullptr;
  if (q != last && *q == '.' && (++q, !digits())) return nullptr;
  if (q != last && (*q == 'e' || *q == 'E')) {
    if (++q != last && (*q == '-' || *q == '+')) ++q;
    if (!digits()) return nullptr;
  }
  return q;
}
static_assert(scan::taken(scalar, "-1.5e3,") == "-1.5e3" && scan::taken(scalar, "nullx").empty() &&
              scan::taken(scalar, "01") == "0");
static_assert(scan::taken(string, R"("a\"b",)") == R"("a\"b")" && scan::taken(string, R"("a\")").empty());

/// A token found by a scan, after JSON's blanks. No attribute.
template <auto Scan>
struct token : x3::parser<token<Scan>> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
    const char* const end = Scan(blanks(first, last), last);
    if (end) first = end;
    return end;
  }
};
template <char C>
constexpr const char* one(const char* p, const char* last) {
  return p != last && *p == C ? p + 1 : nullptr;
}
template <char C>
inline constexpr token<&one<C>> sign{};

struct value_id {};
inline constexpr x3::rule<value_id> value{"JSON value"};
inline constexpr auto member = token<&string>{} >> must("':'")[sign<':'>] >> must("a value")[value];
inline constexpr auto value_def =
    token<&string>{} | token<&scalar>{} |
    nested[sign<'{'> >> maybe[member >> many[sign<','> >> member]] >> must("a member, ',' or '}'")[sign<'}'>]] |
    nested[sign<'['> >> maybe[value >> many[sign<','> >> value]] >> must("a value, ',' or ']'")[sign<']'>]];
BOOST_SPIRIT_DEFINE(value)

/// Where the value at `first` ends, or null.
inline const char* end_of_value(const char* first, const char* last) {
  parse_state with;
  return parse_with(value, first, last, with) ? first : nullptr;
}

/// Calls `f(key, value)` for the members of an object (key empty: for the elements of an array) until it returns true;
/// texts are as written, the key without quotes. Stops where the text is no JSON.
template <class F>
void for_each(std::string_view text, F&& f) {
  const char* const last = text.data() + text.size();
  const char* p = blanks(text.data(), last);
  if (p == last || (*p != '{' && *p != '[')) return;
  const bool object = *p == '{';
  do {
    p = blanks(p + 1, last);
    std::string_view key;
    if (object) {
      const char* const end = string(p, last);
      if (!end) return;
      key = view(p + 1, end - 1);
      p = blanks(end, last);
      if (p == last || *p != ':') return;
      p = blanks(p + 1, last);
    }
    const char* const end = end_of_value(p, last);
    if (!end || f(key, view(p, end))) return;
    p = blanks(end, last);
  } while (p != last && *p == ',');
}

}  // namespace grammar::json

/// Whether a text is one JSON value.
inline bool is_json(std::string_view text) {
  const char* const last = text.data() + text.size();
  const char* const end = grammar::json::end_of_value(text.data(), last);
  return end && grammar::json::blanks(end, last) == last;
}

/// Calls `f(key, value)` for the members of a JSON object, or `f("", value)` for the elements of an array, in text
/// order.
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

}  // namespace hlolint
