// The tokens of logs about missing memory.
#pragma once

#include <hlolint/grammar/x3/lines.hpp>
#include <hlolint/grammar/x3/log_line_scan.hpp>

#include <string_view>

namespace hlolint::grammar {

/// stated("Ran out of memory"): passes over what may stand before a message on its line, and the text.
struct stated_parser : x3::parser<stated_parser>, valued<x3::unused_type> {
  static constexpr bool handles_container = false;
  constexpr explicit stated_parser(std::string_view t) : text(t) {}
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context&, Rule&, To&) const {
    const char* const end = scan::log::stated(first, last, text);
    if (end) first = end;
    return end;
  }
  std::string_view text;
};
constexpr stated_parser stated(std::string_view what) { return stated_parser(what); }

namespace dump {

/// The same as of `human`, with a sign.
[[gnu::noinline]] inline const char* signed_value(const char* p, const char* last, printed_size& value) {
  const bool negative = p != last && *p == '-';
  const char* const end = human_value(p + negative, last, value);
  if (end && negative) value = {-value.bytes, view(p, end)};
  return end;
}
/// `1.50G`, `-0.5KiB`
inline constexpr auto size = rule<printed_size>("size") = [] {
  return token<&signed_value>{} | &token<&scan::log::signed_size>{} >> broken("a size beyond the 64 bits of an int64");
};
/// `1073741824`: bytes without a unit.
[[gnu::noinline]] inline const char* plain_value(const char* p, const char* last, printed_size& value) {
  std::int64_t bytes = 0;
  const char* const end = scan::lines::signed_number(p, last, bytes);
  if (end) value = {bytes, view(p, end)};
  return end;
}
inline constexpr auto plain_size =
    rule<printed_size>("plain size") = [] { return token<&plain_value>{} | -x3::lit('-') >> &digits >> too_large; };
inline constexpr token<&scan::log::row_label> row_label{};
inline constexpr token<&scan::log::instruction_on_stack> instruction_on_stack{};
inline constexpr passed<&scan::log::about_memory> about_memory{};
template <char Stop>
inline constexpr token<&scan::log::before<Stop>> before{};

}  // namespace dump

}  // namespace hlolint::grammar
