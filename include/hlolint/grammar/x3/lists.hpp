// Lists in brackets, the form of most values: `{1,2}`, `[{'x'}, {'y'}]`, `()`.
#pragma once

#include <hlolint/grammar/x3/directives.hpp>

namespace hlolint::grammar {

/// in_braces("an integer", "',' or '}'")[p]: p any number of times, with commas between, in braces. p stores its value
/// itself (`each`, `append`). Without a second text the first one stands for both.
struct bracketed_list {
  char open, close;
  const char *element, *end;

  template <class P>
  constexpr auto operator[](const P& p) const {
    return x3::omit[open >> -(must(element)[p] % ',') >> must(end ? end : element)[close]];
  }
};
/// A list in which a comma may come before the closing bracket, as XLA allows it in some.
struct list_with_last_comma {
  bracketed_list list;

  template <class P>
  constexpr auto operator[](const P& p) const {
    const auto& [open, close, element, end] = list;
    return x3::omit[open >> -(must(element)[p] % ',' >> -x3::lit(',')) >> must(end ? end : element)[close]];
  }
};
constexpr list_with_last_comma with_last_comma(bracketed_list list) { return {list}; }
constexpr bracketed_list in_braces(const char* element, const char* end = nullptr) { return {'{', '}', element, end}; }
constexpr bracketed_list in_brackets(const char* element, const char* end = nullptr) {
  return {'[', ']', element, end};
}
constexpr bracketed_list in_parentheses(const char* element, const char* end = nullptr) {
  return {'(', ')', element, end};
}

}  // namespace hlolint::grammar
