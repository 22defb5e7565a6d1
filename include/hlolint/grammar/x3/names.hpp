// The names of instructions and computations (hlo_text.md 1): `%add.1` or `add.1`.
#pragma once

#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/element_type.hpp>

#include <array>
#include <string_view>

namespace hlolint::grammar {

/// Words that are names only after a percent sign, besides the names of element types.
inline constexpr std::array<std::string_view, 19> reserved_words{
    "true",        "false",      "inf",        "nan",           "HloModule",
    "ENTRY",       "ROOT",       "FileNames",  "FunctionNames", "FileLocations",
    "StackFrames", "maximal",    "replicated", "manual",        "last_tile_dim_replicate",
    "shard_as",    "shard_like", "unknown",    "unreduced"};

constexpr bool is_reserved(std::string_view w) {
  return name_table<reserved_words>::find(w) >= 0 || find_element_type(w) != element_type::unknown;
}

/// Whether the name that begins at `begin` is `name`. Precondition: a name begins there.
[[gnu::always_inline]] constexpr bool is_name_at(std::string_view whole, std::size_t begin, std::string_view name) {
  const std::size_t end = begin + name.size();
  return end <= whole.size() && hlolint::detail::same({whole.data() + begin, name.size()}, name) &&
         (end == whole.size() || !scan::is(scan::name_bytes, whole[end]));
}

}  // namespace hlolint::grammar

namespace hlolint::scan {

/// `%ident`, whatever the word is; the value is the text without the percent sign.
constexpr const char* percent_name(const char* p, const char* last, std::string_view& value) {
  if (p == last || *p != '%') return nullptr;
  const char* const end = identifier(p + 1, last);
  if (end) value = {p + 1, static_cast<std::size_t>(end - p - 1)};
  return end;
}
/// `ident:`, whatever the word is: XLA's lexer looks at the colon first, and JAX calls parameters `pred` or `true`. Or
/// a word that is not reserved and not directly followed by `=`. The value is the word.
constexpr const char* bare_name(const char* p, const char* last, std::string_view& value) {
  const char* const end = identifier(p, last);
  if (!end) return nullptr;
  value = {p, static_cast<std::size_t>(end - p)};
  if (end != last && *end == ':') return end + 1;
  return (end != last && *end == '=') || grammar::is_reserved(value) ? nullptr : end;
}
/// A line `// -----` between two modules, without its end.
constexpr const char* separator(const char* p, const char* last) {
  constexpr std::string_view dashes = "// -----";
  if (static_cast<std::size_t>(last - p) < dashes.size() || std::string_view(p, dashes.size()) != dashes)
    return nullptr;
  for (p += dashes.size(); p != last && (*p == ' ' || *p == '\t' || *p == '\r'); ++p) {
  }
  return p == last || *p == '\n' ? p : nullptr;
}

}  // namespace hlolint::scan

namespace hlolint::grammar {

inline namespace tokens {
inline constexpr token<&scan::percent_name> percent_name{};
inline constexpr token<&scan::bare_name> bare_name{};
inline constexpr token<&scan::separator, false> separator{};
}  // namespace tokens
/// name = percent | ident | ident ":"; the value is the text without `%` and `:`.
inline constexpr auto name = rule<std::string_view>("name") = percent_name | bare_name;
/// A name as an operand: a bare word before a parenthesis is not one, but the opcode of a nested instruction.
inline constexpr auto operand_name = rule<std::string_view>("operand name") = percent_name | bare_name >> !x3::lit('(');

}  // namespace hlolint::grammar
