// The tokens of buffer dumps as X3 parsers. Blanks and line ends are part of these texts, so nothing is passed over;
// the grammars say each of them.
#pragma once

#include <hlolint/grammar/buffer_state.hpp>
#include <hlolint/grammar/terminals.hpp>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hlolint::grammar::dump {

/// The characters of a string literal, as a template argument.
template <std::size_t Size>
struct characters {
  char text[Size]{};
  constexpr characters(const char (&from)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) text[i] = from[i];
  }
  constexpr std::string_view view() const { return {text, Size - 1}; }
};

/// A text that stands for itself. No attribute.
template <characters Text>
struct fixed : x3::parser<fixed<Text>> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
    constexpr std::size_t size = sizeof(Text.text) - 1;
    if (static_cast<std::size_t>(last - first) < size || std::memcmp(first, Text.text, size) != 0) return false;
    first += size;
    return true;
  }
};
inline namespace literals {
template <characters Text>
constexpr fixed<Text> operator""_t() {
  return {};
}
}  // namespace literals

/// A token found by a scan, at once; its attribute is the text.
template <auto Scan>
struct token : x3::parser<token<Scan>> {
  using attribute_type = std::string_view;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute& attribute) const {
    const char* const end = Scan(first, last);
    if (!end) return false;
    assign(view(first, end), attribute);
    first = end;
    return true;
  }
};
inline constexpr token<scan::dump::name> name{};
inline constexpr token<scan::dump::line> line{};                       ///< may be empty
inline constexpr token<scan::dump::some_line> some_line{};
inline constexpr token<scan::dump::instruction_text> instruction_text{};
inline constexpr token<scan::dump::blanks> blanks{};                   ///< may be empty
template <char Stop>
inline constexpr token<scan::dump::up_to<Stop>> up_to{};
/// Blanks that nobody meant, and the end of the line or of the text.
inline constexpr token<scan::dump::end_of_line> eol{};
inline constexpr token<scan::dump::blank_line> blank_line{};

/// A whole number of 63 bits without a sign. A longer one is a broken rule (SYN002) and does not match.
template <auto Scan, bool Signed = false>
struct number_token : x3::parser<number_token<Scan, Signed>> {
  using attribute_type = std::int64_t;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&,
             Attribute& attribute) const {
    const char* const begin = Signed && first != last && *first == '-' ? first + 1 : first;
    const char* const end = Scan(begin, last);
    if (!end) return false;
    std::int64_t value = 0;
    for (const char* p = begin; p != end; ++p) {
      if (*p == ' ') continue;
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *p - '0', &value)) {
        dump_of(context).broke_once(begin, "a number beyond the 64 bits of an int64");
        return false;
      }
    }
    assign(begin == first ? value : -value, attribute);
    first = end;
    return true;
  }
};
inline constexpr number_token<scan::dump::digits> number{};
inline constexpr number_token<scan::dump::digits, true> signed_number{};
inline constexpr number_token<scan::dump::spaced_digits> spaced_number{};

/// `{1,0}`
struct index_token : x3::parser<index_token> {
  using attribute_type = shape_index;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&,
             Attribute& attribute) const {
    if (first == last || *first != '{') return false;
    shape_index index;
    const char* p = first + 1;
    if (p == last || *p != '}') {
      for (;; ++p) {
        std::uint32_t step = 0;
        const auto [end, error] = std::from_chars(p, last, step);
        if (error == std::errc::result_out_of_range) dump_of(context).broke_once(p, "a tuple index beyond 32 bits");
        if (error != std::errc{} || end == last) return false;
        index.push_back(step);
        p = end;
        if (*p == '}') break;
        if (*p != ',') return false;
      }
    }
    assign(std::move(index), attribute);
    first = p + 1;
    return true;
  }
};
inline constexpr index_token index{};

/// `95.62MiB`, `530.00M`, `16B`
struct size_token : x3::parser<size_token> {
  using attribute_type = printed_size;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&,
             Attribute& attribute) const {
    const char* const end = scan::dump::printed_size(first, last);
    if (!end) return false;
    double value = 0;
    const auto [unit, error] = std::from_chars(first, end, value);
    constexpr std::string_view units = "KMGTPE";
    const std::size_t power = units.find(*unit);  // npos for B
    for (std::size_t i = 0; power != units.npos && i <= power; ++i) value *= 1024;
    if (error != std::errc{} || !(value < 9223372036854775808.0)) {
      dump_of(context).broke_once(first, "a size beyond the 64 bits of an int64");
      return false;
    }
    assign(printed_size{static_cast<byte_count>(value + 0.5), view(first, end)}, attribute);
    first = end;
    return true;
  }
};
inline constexpr size_token size{};

/// `12.5`
struct decimal_token : x3::parser<decimal_token> {
  using attribute_type = double;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute& attribute) const {
    const char* const end = scan::dump::decimal(first, last);
    if (!end) return false;
    double value = 0;
    std::from_chars(first, end, value);
    assign(value, attribute);
    first = end;
    return true;
  }
};
inline constexpr decimal_token decimal{};

}  // namespace hlolint::grammar::dump
