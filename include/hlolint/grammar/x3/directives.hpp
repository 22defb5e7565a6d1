// The directives that the grammars add to X3's operators. Each is a class with a member class: the parser that it makes
// of the parser in its brackets. They declare `has_action`, so that X3 passes no attribute down a sequence: the value
// of a rule is filled member by member.
#pragma once

#include <hlolint/grammar/x3/rule.hpp>
#include <hlolint/grammar/x3/state_directives.hpp>

#include <string_view>

namespace hlolint::grammar {

// ------------------------------------------------------------------ failures
/// Notes what was expected at the next token. Returns false, as a parser that failed does.
template <class Context>
[[gnu::noinline, gnu::cold]] bool note_failure(const char* where, const char* last, const Context& context,
                                               const char* expected) {
  x3::skip_over(where, last, context);
  from<parse_state>(context).fail(where, expected);
  return false;
}
/// must("a shape")[p]: p; if it fails, the state notes that a shape was expected here. The failure stays a failure.
struct must_directive {
  const char* expected;
  template <class P>
  struct parser : directed<P, must_directive, same> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
      return this->subject.parse(first, last, context, rule, to) ||
             note_failure(first, last, context, this->does.expected);
    }
  };
};
constexpr directive<must_directive> must(const char* expected) { return {{expected}}; }

/// nested[p]: p one level deeper. Beyond the deepest level it fails with a message instead of overflowing the stack.
struct nested_directive {
  template <class P>
  struct parser : directed<P, nested_directive, same> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
      parse_state& state = from<parse_state>(context);
      if (state.depth >= parse_state::deepest) {
        state.fail(first, "less nesting (the limit is 256 levels)");
        return false;
      }
      ++state.depth;
      const bool matched = this->subject.parse(first, last, context, rule, to);
      --state.depth;
      return matched;
    }
  };
};
inline constexpr directive<nested_directive> nested{};

// ------------------------------------------------------------------ values
/// into<&T::member>[p]: p fills a member of the rule's T; an optional one is engaged. same_value[p]: p fills the rule's
/// value itself.
template <auto... Member>
struct into_directive {
  template <class P>
  struct parser : directed<P, into_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      if constexpr (is_unused<Rule>) {
        return this->subject.parse(first, last, context, rule, x3::unused);
      } else {
        auto& member = (rule.*....*Member);
        if constexpr (requires { member.reset(); }) {
          if (this->subject.parse(first, last, context, rule, member.emplace())) return true;
          member.reset();
          return false;
        } else {
          return this->subject.parse(first, last, context, rule, member);
        }
      }
    }
  };
};
template <auto... Member>
inline constexpr directive<into_directive<Member...>> into{};
inline constexpr auto& same_value = into<>;

/// append<&T::list>[p]: p fills a new element of a list of the rule's T; a p that fails leaves none behind. each[p]:
/// the rule's value itself is the list. X3's own lists would do this by way of a second list and a copy, which is slow
/// to compile.
template <auto... Member>
struct append_directive {
  template <class P>
  struct parser : directed<P, append_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      if constexpr (is_unused<Rule>) {
        return this->subject.parse(first, last, context, rule, x3::unused);
      } else {
        auto& list = (rule.*....*Member);
        typename std::remove_cvref_t<decltype(list)>::value_type element{};
        if (!this->subject.parse(first, last, context, rule, element)) return false;
        list.push_back(std::move(element));
        return true;
      }
    }
  };
};
template <auto... Member>
inline constexpr directive<append_directive<Member...>> append{};
inline constexpr auto& each = append<>;

/// made[p]: makes the value of p even where it is not wanted, because p looks at its value while it reads.
struct made_directive {
  template <class P>
  struct parser : directed<P, made_directive, same> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
      if constexpr (is_unused<To>) {
        value_of_parser<P> value{};
        return this->subject.parse(first, last, context, rule, value);
      } else {
        return this->subject.parse(first, last, context, rule, to);
      }
    }
  };
};
inline constexpr directive<made_directive> made{};

/// text[p]: the value is the text that p takes, without the blanks before that text.
struct text_directive {
  template <class P>
  struct parser : directed<P, text_directive, std::string_view> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
      x3::skip_over(first, last, context);
      const char* const begin = first;
      if (!this->subject.parse(first, last, context, rule, x3::unused)) return false;
      give(view(begin, first), to);
      return true;
    }
  };
};
inline constexpr directive<text_directive> text{};

/// set<&T::member>(value): takes no text and stores a value in a member of the rule's T.
template <auto Member, class Value>
struct set_parser : parser_part, valued<x3::unused_type> {
  static constexpr bool has_action = true;
  constexpr explicit set_parser(const Value& v) : value(v) {}
  template <class Context, class Rule, class To>
  bool parse(const char*&, const char* const&, const Context&, Rule& rule, To&) const {
    if constexpr (!is_unused<Rule>) rule.*Member = value;
    return true;
  }
  Value value;
};
template <auto Member, class Value>
constexpr set_parser<Member, Value> set(const Value& value) {
  return set_parser<Member, Value>(value);
}

}  // namespace hlolint::grammar
