// The tokens that the grammars share, as X3 terminals: one class around a scan, and words (hlo_text.md 1). What comes
// before a token is passed over by X3's skipper, if the grammar has one.
#pragma once

#include <hlolint/grammar/x3/directives.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/name_table.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlolint::grammar {

/// The value of a scan: that of its last parameter, or the text that it takes.
std::string_view value_of_scan(const char* (*)(const char*, const char*));
template <class Value>
Value value_of_scan(const char* (*)(const char*, const char*, Value&));

/// The one terminal: the text that a scan takes. `Skips`: the skipper passes over blanks before it.
template <auto Scan, bool Skips = true>
struct token : parser_part {
  using attribute_type = decltype(value_of_scan(Scan));
  static constexpr bool has_attribute = true;
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To& to) const {
    if constexpr (Skips) x3::skip_over(first, last, context);
    if constexpr (std::is_invocable_v<decltype(Scan), const char*, const char*>) {
      const char* const end = Scan(first, last);
      if (!end) return false;
      give(view(first, end), to);
      first = end;
    } else {
      attribute_type value{};
      const char* const end = Scan(first, last, value);
      if (!end) return false;
      give(value, to);
      first = end;
    }
    return true;
  }
};

// The terminals lie in a namespace of their own, so that a variable may have a name like `word` without hiding them.
inline namespace tokens {
/// A word: an opcode, an enumerator.
inline constexpr token<&scan::word> word{};
/// `key=`; the value is the key.
inline constexpr token<&scan::attribute_name> attribute_name{};
/// `"..."` or `'...'`, with its quotes and escapes.
inline constexpr token<&scan::string> string{};
/// The rest of a line and its end.
inline constexpr token<&scan::line, false> line{};
/// Digits: a number of 63 bits.
inline constexpr token<&scan::natural_value> natural{};
/// An integer of 64 bits. A larger one fails with a message of its own.
inline constexpr auto integer = rule<std::int64_t>("integer") =
    token<&scan::integer_value>{} |
    &token<&scan::integer>{} >> must("an integer of 64 bits")[token<&scan::integer_value>{}];
}  // namespace tokens

/// The first place of a text, from `at` on, that is neither a blank nor a line end; the size of the text if there is
/// none.
inline std::size_t past_blanks(std::string_view whole, std::size_t at) {
  const char* const begin = whole.data();
  return static_cast<std::size_t>(scan::past_blanks(begin + at, begin + whole.size()) - begin);
}

/// Whether only blanks and comments follow a part of a text.
inline bool ends_with(std::string_view whole, std::string_view part) {
  const char* const last = whole.data() + whole.size();
  return scan::blanks(part.data() + part.size(), last) == last;
}

constexpr bool same_but_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

/// One of a list of whole words. The value is the place of the word in the list, as a number or as an enumerator.
template <class Value, std::size_t N, bool AnyCase>
struct words_parser : parser_part, valued<Value> {
  constexpr explicit words_parser(const std::array<std::string_view, N>& w) : list(w) {}
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To& to) const {
    x3::skip_over(first, last, context);
    const std::size_t number = find(first, last);
    if (number == N) return false;
    if constexpr (!is_unused<Value>) give(static_cast<Value>(number), to);
    first += list[number].size();
    return true;
  }
  std::array<std::string_view, N> list;

 private:
  [[gnu::noinline]] std::size_t find(const char* first, const char* last) const {
    const auto left = static_cast<std::size_t>(last - first);
    for (std::size_t i = 0; i != N; ++i) {
      const std::string_view one = list[i];
      if (left < one.size() || (left > one.size() && scan::is(scan::name_bytes, first[one.size()]))) continue;
      if (AnyCase ? same_but_case({first, one.size()}, one) : std::string_view(first, one.size()) == one) return i;
    }
    return N;
  }
};
/// one_of("EQ", "NE"): the value is the number of the word. one_of<kind>("replicated", "manual"): the value is the
/// enumerator with that number.
template <class Value = std::size_t, class... W>
constexpr auto one_of(W... words) {
  return words_parser<Value, sizeof...(W), false>(std::array<std::string_view, sizeof...(W)>{words...});
}
/// Also matches words in other cases of letters.
template <class Value = std::size_t, class... W>
constexpr auto one_of_any_case(W... words) {
  return words_parser<Value, sizeof...(W), true>(std::array<std::string_view, sizeof...(W)>{words...});
}
/// keyword("ROOT"): a whole word, without a value.
constexpr auto keyword(std::string_view w) { return words_parser<x3::unused_type, 1, false>({w}); }

inline namespace tokens {
/// `true` or `false`
inline constexpr auto boolean = one_of<bool>("false", "true");
}  // namespace tokens

/// A skipper: passes over what a scan of blanks takes, all of it in one call.
template <auto Blanks>
struct skipper : parser_part, valued<x3::unused_type> {
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context&, Rule&, To&) const {
    first = Blanks(first, last);
    return false;  // X3 would call it again
  }
};

/// X3's skipper for HLO: passes over blanks and comments in one call, and returns false because X3 would call it again
/// otherwise. Before nearly every token this is at most one test. A comment that does not end runs to the end of the
/// text; its place is remembered, so that the text is not searched to its end for each of many such comments.
struct blanks_and_comments : parser_part, valued<x3::unused_type> {
  constexpr explicit blanks_and_comments(const char** o = nullptr) : open_comment(o) {}
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context&, Rule&, To&) const {
    if (first == last || !scan::is(scan::blank_bytes, *first)) return false;
    if (*first == ' ' && ++first != last && !scan::is(scan::blank_bytes, *first))
      return false;  // one blank, as printed
    pass_over(first, last, open_comment);
    return false;
  }

 private:
  [[gnu::noinline]] static void pass_over(const char*& first, const char* last, const char** open) {
    if (first != last && scan::is(scan::blank_bytes, *first)) first = scan::blanks_and_comments(first, last, open);
  }
  const char** open_comment;
};
inline constexpr blanks_and_comments hlo_blanks{};

/// What the contexts of all languages begin with: the state of the parse, and a skipper of blanks and comments.
using skipping_context = x3::context<parse_state, parse_state, x3::context<x3::skipper_tag, const blanks_and_comments>>;

/// Parses [first, last) with a rule that needs no language; blanks and comments are passed over. Advances `first`.
template <class Rule, class To = const x3::unused_type>
bool parse_alone(const Rule& rule, const char*& first, const char* last, parse_state& state, To& to = x3::unused) {
  const x3::context<x3::skipper_tag, const blanks_and_comments> skipping{hlo_blanks};
  const skipping_context context{state, skipping};
  return rule.parse(first, last, context, x3::unused, to);
}
/// The value that a rule makes of a whole text; nothing if the text is not well formed or breaks a rule of numbers.
template <class Value, class Rule>
std::optional<Value> value_of(const Rule& rule, std::string_view whole) {
  parse_state state;
  std::optional<Value> out(std::in_place);
  const char* first = whole.data();
  const char* const last = first + whole.size();
  if (!parse_alone(rule, first, last, state, *out) || scan::blanks(first, last) != last || !state.broken.empty())
    out.reset();
  return out;
}

}  // namespace hlolint::grammar
