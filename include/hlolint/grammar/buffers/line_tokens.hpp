// Tokens and directives for grammars of line-oriented texts. Such a grammar has no skipper: it spells out every blank
// and every line end.
#pragma once

#include <hlolint/grammar/buffers/line_scan.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/printed_size.hpp>
#include <hlolint/ir/shape_index.hpp>
#include <hlolint/text/double_chars.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace hlolint::grammar {

// ------------------------------------------------------------------ directives
/// broken("a number beyond ..."): never matches; notes, once per place, that the text here breaks a rule of names and
/// numbers.
struct broken_parser : parser_part, valued<x3::unused_type> {
  constexpr explicit broken_parser(const char* m) : message(m) {}
  template <class Context, class Rule, class To>
  [[gnu::noinline, gnu::cold]] bool parse(const char*& first, const char* const&, const Context& context, Rule&,
                                          To&) const {
    parse_state& state = from<parse_state>(context);
    for (std::size_t i = state.broken.size(); i-- > 0 && state.broken[i].where >= first;)
      if (state.broken[i].where == first) return false;
    state.broke(first, message);
    return false;
  }
  const char* message;
};
constexpr broken_parser broken(const char* message) { return broken_parser(message); }

/// unbroken[p]: p, but fails if the text that p takes breaks a rule of names and numbers.
struct unbroken_directive {
  template <class P>
  struct parser : directed<P, unbroken_directive, same> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
      const parse_state& state = from<parse_state>(context);
      const std::size_t before = state.broken.size();
      return this->subject.parse(first, last, context, rule, to) && state.broken.size() == before;
    }
  };
};
inline constexpr directive<unbroken_directive> unbroken{};

/// on_line<&T::text>[p]: p; stores the text that p takes, without the blanks and the line end at its end, in T::text,
/// or with on_line<&T::part, &part::text> in a member of a member.
template <auto... Members>
struct on_line_directive {
  template <class P>
  struct parser : directed<P, on_line_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      const char* const begin = first;
      if (!this->subject.parse(first, last, context, rule, x3::unused)) return false;
      if constexpr (!is_unused<Rule>) (rule.*....*Members) = view(begin, scan::lines::trimmed(begin, first));
      return true;
    }
  };
};
template <auto... Members>
inline constexpr directive<on_line_directive<Members...>> on_line{};

/// extend<&T::member>[text[p]]: extends the text in the member to the end of the text that p takes.
template <auto Member>
struct extending {
  constexpr void operator()(auto& owner, std::string_view taken) const {
    std::string_view& member = owner.*Member;
    member = member.empty() ? taken : view(member.data(), taken.data() + taken.size());
  }
};
template <auto Member>
inline constexpr auto extend = update<extending<Member>{}>;

/// within<&T::member>[p]: p fills members of a member of the rule's T. An optional member is engaged if it is empty.
template <auto Member>
struct within_directive {
  template <class P>
  struct parser : directed<P, within_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      auto& member = rule.*Member;
      if constexpr (requires { member.reset(); }) {
        const bool was_there = member.has_value();
        if (!was_there) member.emplace();
        if (this->subject.parse(first, last, context, *member, x3::unused)) return true;
        if (!was_there) member.reset();
        return false;
      } else {
        return this->subject.parse(first, last, context, member, x3::unused);
      }
    }
  };
};
template <auto Member>
inline constexpr directive<within_directive<Member>> within{};

/// last_of<&T::list>[p]: p fills members of the last element of a list of the rule's T; no match if the list is empty.
template <auto List>
struct last_of_directive {
  template <class P>
  struct parser : directed<P, last_of_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      auto& list = rule.*List;
      return !list.empty() && this->subject.parse(first, last, context, list.back(), x3::unused);
    }
  };
};
template <auto List>
inline constexpr directive<last_of_directive<List>> last_of{};

/// owns<&T::owners, &T::pool, &owner::first, &owner::count>[p]: the records that p adds to the pool belong to the last
/// owner, behind those that it owns already.
template <auto Owners, auto Pool, auto First, auto Count>
struct owns_directive {
  template <class P>
  struct parser : directed<P, owns_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      using number = std::remove_cvref_t<decltype((rule.*Owners).back().*First)>;
      if ((rule.*Owners).empty()) return false;
      if ((rule.*Owners).back().*Count == 0) (rule.*Owners).back().*First = static_cast<number>((rule.*Pool).size());
      const bool matched = this->subject.parse(first, last, context, rule, x3::unused);
      (rule.*Owners).back().*Count = static_cast<number>((rule.*Pool).size()) - (rule.*Owners).back().*First;
      return matched;
    }
  };
};
template <auto Owners, auto Pool, auto First, auto Count>
inline constexpr directive<owns_directive<Owners, Pool, First, Count>> owns{};

/// when<&T::holds>: takes no text; matches if the member function of the rule's T returns true.
template <auto Holds>
struct when_parser : parser_part, valued<x3::unused_type> {
  static constexpr bool has_action = true;
  template <class Context, class Rule, class To>
  bool parse(const char*&, const char* const&, const Context&, Rule& rule, To&) const {
    return (rule.*Holds)();
  }
};
template <auto Holds>
inline constexpr when_parser<Holds> when{};

/// What a scan for a text takes, without a value.
template <auto Scan>
struct text_parser : parser_part, valued<x3::unused_type> {
  constexpr explicit text_parser(std::string_view t) : text(t) {}
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context&, Rule&, To&) const {
    const char* const end = Scan(first, last, text);
    if (end) first = end;
    return end;
  }
  std::string_view text;
};
/// somewhere("Ran out of memory"): passes over anything on this line, and the text.
constexpr text_parser<&scan::lines::after> somewhere(std::string_view what) {
  return text_parser<&scan::lines::after>(what);
}

// ------------------------------------------------------------------ tokens
/// The text that a scan takes, without a value.
template <auto Scan>
struct passed : parser_part, valued<x3::unused_type> {
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context&, Rule&, To&) const {
    const char* const end = Scan(first, last);
    if (end) first = end;
    return end;
  }
};

namespace dump {

/// Blanks and the end of the line or of the text.
inline constexpr passed<&scan::lines::end_of_line> eol{};
inline constexpr passed<&scan::lines::blank_lines> blank_lines{};
inline constexpr passed<&scan::lines::blanks> blanks{};
inline constexpr passed<&scan::lines::landmark> landmark{};
inline constexpr token<&scan::lines::name> name{};
inline constexpr token<&scan::lines::rest> rest{};  ///< may be empty
inline constexpr token<&scan::lines::some_rest> some_rest{};
template <char Stop>
inline constexpr token<&scan::lines::up_to<Stop>> up_to{};

inline constexpr passed<&scan::lines::digits> digits{};
inline constexpr token<&scan::lines::natural<std::int64_t>> natural{};
inline constexpr auto too_large = broken("a number beyond the 64 bits of an int64");

/// A number of 63 bits: bytes, positions, ids.
inline constexpr auto number = rule<std::int64_t>("number") = natural | &digits >> too_large;
/// A number with an optional sign.
inline constexpr auto signed_number = rule<std::int64_t>("signed number") =
    token<&scan::lines::signed_number>{} | -x3::lit('-') >> &digits >> too_large;
/// `1 234 567`
inline constexpr auto spaced = rule<std::int64_t>("spaced") =
    token<&scan::lines::spaced_number>{} | &digits >> too_large;

/// `{1,0}`
inline constexpr auto step = rule<std::uint32_t>("step") = token<&scan::lines::natural<std::uint32_t>>{} |
                                                           &digits >> broken("a tuple index beyond 32 bits");
inline void add_step(hlolint::shape_index& path, std::uint32_t element) { path.push_back(element); }
inline constexpr auto index = rule<hlolint::shape_index>("index") = '{' >> -(update<&add_step>[step] % ',') >> '}';

/// `12.5`
inline const char* decimal_value(const char* p, const char* last, double& value) {
  const char* const end = scan::lines::decimal(p, last);
  if (end) double_from_chars(p, end, value);
  return end;
}
inline constexpr token<&decimal_value> decimal{};

/// `95.62MiB`, `530.00M`, `16B` as bytes; null for more than an int64 holds.
[[gnu::noinline]] inline const char* human_value(const char* p, const char* last, printed_size& value) {
  const char* const end = scan::lines::human(p, last);
  if (!end) return nullptr;
  double bytes = 0;
  const auto [unit, error] = double_from_chars(p, end, bytes);
  constexpr std::string_view units = "KMGTPE";
  const std::size_t power = units.find(*unit);  // npos for B
  for (std::size_t i = 0; power != units.npos && i <= power; ++i) bytes *= 1024;
  if (error != std::errc{} || !(bytes < 9223372036854775808.0)) return nullptr;
  value = {static_cast<byte_count>(bytes + 0.5), view(p, end)};
  return end;
}
inline constexpr auto human = rule<printed_size>("human") = token<&human_value>{} |
                                                            &token<&scan::lines::human>{} >>
                                                                broken("a size beyond the 64 bits of an int64");

}  // namespace dump

}  // namespace hlolint::grammar
