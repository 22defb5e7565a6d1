// The tokens of buffer dumps as X3 parsers. Blanks and line ends are part of these texts, so nothing is passed over;
// the grammars say each of them. None has an attribute: what is read goes into a member of a record under construction,
// or to a function. So what takes the text need be no template, and is compiled once.
#pragma once

#include <hlolint/grammar/buffer_state.hpp>
#include <hlolint/grammar/terminals.hpp>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hlolint::grammar::dump {

/// What every parser of buffer dumps is to X3: one without an attribute. Among themselves they call
/// `take(first, last, state)`.
template <class Derived>
struct part : x3::parser<Derived> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const parse_context& context, RuleContext&, Attribute&) const {
    return this->derived().take(first, last, dump_of(context));
  }
};

/// A text that stands for itself.
struct fixed : part<fixed> {
  std::string_view text;
  constexpr explicit fixed(std::string_view t) : text(t) {}
  [[gnu::noinline]] bool take(const char*& first, const char* last, dump_state&) const {
    if (static_cast<std::size_t>(last - first) < text.size() || *first != text[0] ||
        !hlolint::detail::same({first, text.size()}, text))
      return false;
    first += text.size();
    return true;
  }
};
inline namespace literals {
constexpr fixed operator""_t(const char* text, std::size_t size) { return fixed({text, size}); }
}  // namespace literals

/// `size(&allocation::size)`: puts what `size` reads into the draft of an allocation.
template <class Reader, class Record, class Member>
struct field : part<field<Reader, Record, Member>> {
  Reader reader;
  Member Record::*member;
  constexpr field(const Reader& r, Member Record::*m) : reader(r), member(m) {}
  bool take(const char*& first, const char* last, dump_state& s) const {
    Member& to = s.draft<Record>().*member;
    if constexpr (std::is_same_v<Member, typename Reader::value_type>) {
      return reader.read(first, last, s, to);
    } else {
      typename Reader::value_type value{};
      if (!reader.read(first, last, s, value)) return false;
      to.emplace(std::move(value));
      return true;
    }
  }
};

/// `number(&keep_total)`: hands what `number` reads to a function, which may say that it does not belong here.
template <class Reader, class Result>
struct handed : part<handed<Reader, Result>> {
  using function = Result (*)(dump_state&, typename Reader::value_type);
  Reader reader;
  function keep;
  constexpr handed(const Reader& r, function f) : reader(r), keep(f) {}
  bool take(const char*& first, const char* last, dump_state& s) const {
    const char* p = first;
    typename Reader::value_type value{};
    if (!reader.read(p, last, s, value)) return false;
    if constexpr (std::is_same_v<Result, bool>) {
      if (!keep(s, value)) return false;
    } else {
      keep(s, value);
    }
    first = p;
    return true;
  }
};

/// A token with a value: alone it only passes over its text.
template <class Derived, class Value>
struct value_part : part<Derived> {
  using value_type = Value;
  bool take(const char*& first, const char* last, dump_state& s) const {
    Value value{};
    return this->derived().read(first, last, s, value);
  }
  template <class Record, class Member>
  requires(!std::is_function_v<Member>)
  constexpr field<Derived, Record, Member> operator()(Member Record::*member) const {
    return {this->derived(), member};
  }
  template <class Result>
  constexpr handed<Derived, Result> operator()(Result (*keep)(dump_state&, Value)) const {
    return {this->derived(), keep};
  }
};

/// A token found by a scan, at once; its value is the text.
struct token : value_part<token, std::string_view> {
  const char* (*scan)(const char*, const char*);
  constexpr explicit token(const char* (*find)(const char*, const char*)) : scan(find) {}
  bool read(const char*& first, const char* last, dump_state&, std::string_view& value) const {
    const char* const end = scan(first, last);
    if (!end) return false;
    value = view(first, end);
    first = end;
    return true;
  }
};
inline constexpr token name{&scan::dump::name};
inline constexpr token line{&scan::dump::line};  ///< may be empty
inline constexpr token some_line{&scan::dump::some_line};
inline constexpr token instruction_text{&scan::dump::instruction_text};
inline constexpr token blanks{&scan::dump::blanks};  ///< may be empty
template <char Stop>
inline constexpr token up_to{&scan::dump::up_to<Stop>};
/// Blanks that nobody meant, and the end of the line or of the text.
inline constexpr token eol{&scan::dump::end_of_line};
inline constexpr token blank_line{&scan::dump::blank_line};

/// The place itself; takes nothing.
struct here_token : value_part<here_token, const char*> {
  bool read(const char*& first, const char*, dump_state&, const char*& value) const {
    value = first;
    return true;
  }
};
inline constexpr here_token here{};

/// A whole number of 63 bits. A longer one is a broken rule (SYN002) and does not match.
struct number_token : value_part<number_token, std::int64_t> {
  bool with_sign, spaced;
  constexpr number_token(bool minus, bool groups) : with_sign(minus), spaced(groups) {}
  bool read(const char*& first, const char* last, dump_state& s, std::int64_t& value) const {
    return take_number(first, last, s, value, with_sign, spaced);
  }

 private:
  [[gnu::noinline]] static bool take_number(const char*& first, const char* last, dump_state& s, std::int64_t& value,
                                            bool with_sign, bool spaced) {
    const char* const begin = with_sign && first != last && *first == '-' ? first + 1 : first;
    const char* p = begin;
    std::int64_t sum = 0;
    // Eighteen digits fit for sure.
    for (const char* const safe = last - begin > 18 ? begin + 18 : last; p != safe && scan::is(scan::digit_bytes, *p); ++p)
      sum = sum * 10 + (*p - '0');
    if (p == begin) return false;
    const char* end = p;
    if (spaced)
      end = scan::dump::spaced_digits(begin, last);
    else
      while (end != last && scan::is(scan::digit_bytes, *end)) ++end;
    for (; p != end; ++p) {
      if (*p == ' ') continue;
      if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, *p - '0', &sum)) {
        s.broke_once(begin, "a number beyond the 64 bits of an int64");
        return false;
      }
    }
    value = begin == first ? sum : -sum;
    first = end;
    return true;
  }
};
inline constexpr number_token number{false, false};
inline constexpr number_token signed_number{true, false};
inline constexpr number_token spaced_number{false, true};

/// `{1,0}`
struct index_token : value_part<index_token, shape_index> {
  bool read(const char*& first, const char* last, dump_state& s, shape_index& value) const {
    return first != last && *first == '{' && take_index(first, last, s, value);
  }

 private:
  [[gnu::noinline]] static bool take_index(const char*& first, const char* last, dump_state& s, shape_index& value) {
    shape_index steps;
    const char* p = first + 1;
    if (p == last || *p != '}') {
      for (;; ++p) {
        std::uint32_t step = 0;
        const auto [end, error] = std::from_chars(p, last, step);
        if (error == std::errc::result_out_of_range) s.broke_once(p, "a tuple index beyond 32 bits");
        if (error != std::errc{} || end == last) return false;
        steps.push_back(step);
        p = end;
        if (*p == '}') break;
        if (*p != ',') return false;
      }
    }
    value = std::move(steps);
    first = p + 1;
    return true;
  }
};
inline constexpr index_token index{};

/// `95.62MiB`, `530.00M`, `16B`
struct size_token : value_part<size_token, printed_size> {
  [[gnu::noinline]] bool read(const char*& first, const char* last, dump_state& s, printed_size& value) const {
    const char* const end = scan::dump::printed_size(first, last);
    if (!end) return false;
    double bytes = 0;
    const auto [unit, error] = std::from_chars(first, end, bytes);
    constexpr std::string_view units = "KMGTPE";
    const std::size_t power = units.find(*unit);  // npos for B
    for (std::size_t i = 0; power != units.npos && i <= power; ++i) bytes *= 1024;
    if (error != std::errc{} || !(bytes < 9223372036854775808.0)) {
      s.broke_once(first, "a size beyond the 64 bits of an int64");
      return false;
    }
    value = {static_cast<byte_count>(bytes + 0.5), view(first, end)};
    first = end;
    return true;
  }
};
inline constexpr size_token size{};

/// `12.5`
struct decimal_token : value_part<decimal_token, double> {
  [[gnu::noinline]] bool read(const char*& first, const char* last, dump_state&, double& value) const {
    const char* const end = scan::dump::decimal(first, last);
    if (!end) return false;
    value = 0;
    std::from_chars(first, end, value);
    first = end;
    return true;
  }
};
inline constexpr decimal_token decimal{};

}  // namespace hlolint::grammar::dump
