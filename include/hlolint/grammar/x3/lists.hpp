// Lists in brackets, the form of most values: `{1,2}`, `[{'x'}, {'y'}]`, `()`.
#pragma once

#include <hlolint/grammar/x3/directives.hpp>

namespace hlolint::grammar {

/// in_braces("an integer", "',' or '}'")[p]: '{' >> -(must("an integer")[p] % ',') >> must("',' or '}'")['}'], where p
/// stores its value itself (`each`, `append`). Without a second text the first one stands for both. It is one parser,
/// because lists made of X3's parsers would be half of a grammar's compile time.
struct list_directive {
  char open, close;
  const char *element, *end;
  bool last_comma = false;  ///< whether a comma may come before the closing bracket

  template <class P>
  struct parser : directed<P, list_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      const list_directive& options = this->does;
      const char* at = first;
      if (!take(at, last, context, options.open)) return false;
      if (take(at, last, context, options.close)) return first = at, true;
      do {
        if (options.last_comma && take(at, last, context, options.close)) return first = at, true;
        if (!this->subject.parse(at, last, context, rule, x3::unused))
          return note_failure(at, last, context, options.element);
      } while (take(at, last, context, ','));
      if (!take(at, last, context, options.close)) {
        from<parse_state>(context).fail(at, options.end ? options.end : options.element);
        return false;
      }
      first = at;
      return true;
    }
  };

 private:
  template <class Context>
  [[gnu::noinline]] static bool take(const char*& at, const char* last, const Context& context, char c) {
    x3::skip_over(at, last, context);
    if (at == last || *at != c) return false;
    ++at;
    return true;
  }
};
constexpr directive<list_directive> in_braces(const char* element, const char* end = nullptr) {
  return {{'{', '}', element, end}};
}
constexpr directive<list_directive> in_brackets(const char* element, const char* end = nullptr) {
  return {{'[', ']', element, end}};
}
constexpr directive<list_directive> in_parentheses(const char* element, const char* end = nullptr) {
  return {{'(', ')', element, end}};
}
/// A list in which a comma may come before the closing bracket, as XLA allows it in some.
constexpr directive<list_directive> with_last_comma(directive<list_directive> list) {
  list.does.last_comma = true;
  return list;
}

}  // namespace hlolint::grammar
