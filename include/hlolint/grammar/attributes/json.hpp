// A small reader of JSON text (RFC 8259), for `backend_config` and frontend attributes. Strings stay escaped. Its rules
// are in json_rules.hpp.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace hlolint {

namespace grammar::json {

/// A member of an object, or an element of an array (its key is empty); the value as written.
struct member_text {
  std::string_view key, value;
};
/// Takes the members of one value until it has enough.
struct visitor {
  void* who;
  bool (*wants_more)(void* who, const member_text&);
  bool visit(member_text member) { return wants_more(who, member); }
};

/// Whether a text is one JSON value.
bool is_value(std::string_view whole);
/// Hands the members of the value at the beginning of a text to the visitor, until it has enough.
void visit(std::string_view from, visitor& who);

/// Calls `f(key, value)` for the members until it returns true; stops where the text is not JSON.
template <class F>
void for_each(std::string_view from, F&& f) {
  const auto call = [](void* who, const member_text& m) {
    return !(*static_cast<std::remove_reference_t<F>*>(who))(m.key, m.value);
  };
  visitor who{&f, call};
  visit(from, who);
}

}  // namespace grammar::json

/// Whether a text is one JSON value.
template <class Text>
bool is_json(const Text& text) {
  const std::string_view whole = text;
  return grammar::json::is_value(whole);
}

/// Calls `f(key, value)` for the members of a JSON object, or `f("", value)` for the elements of an array, in text
/// order. Keys and values are as written, keys without their quotes. Stops where the text is not JSON.
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
/// The value is a part of the text, so a temporary text is refused.
template <std::same_as<std::string> Text, class... Keys>
std::optional<std::string_view> json_find(Text&&, Keys...) = delete;

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/grammar/attributes/json_rules.hpp>
#endif
