// Directives for values with named fields, and for values that a function changes by what is read.
#pragma once

#include <hlolint/grammar/x3/by.hpp>
#include <hlolint/grammar/x3/directives.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>

namespace hlolint::grammar {

/// once<&T::seen>("metadata")[by(name)(...)]: one field. Its name may come once in a T: the bits of `T::seen` note
/// which names came, and a second one breaks a rule. A name that only the row `otherwise` takes is noted as an unknown
/// word.
template <auto Seen>
struct once_directive {
  const char* owner;
  template <class P>
  struct parser : directed<P, once_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      typename P::attribute_type field{};
      if (!this->subject.parse(first, last, context, rule, field)) return false;
      if constexpr (!is_unused<Rule>)
        this->does.note(from<parse_state>(context), rule.*Seen, field, this->subject.index.slot_of(field),
                        this->subject.index.find(field) == this->subject.index.other);
      return true;
    }
  };

  void note(parse_state& state, std::uint64_t& seen, std::string_view field, std::size_t slot, bool unknown) const {
    if (unknown)
      state.unknown_words.push_back(field);
    else if (seen >> slot & 1)
      state.broke(field.data(), str_cat({owner, " has ", field, " twice"}));
    else
      seen |= std::uint64_t{1} << slot;
  }
};
template <auto Seen>
constexpr directive<once_directive<Seen>> once(const char* owner) {
  return {{owner}};
}

/// update<&f>[p]: calls `f(value of the rule, value of p)`, where storing the value of p in a member is not enough.
template <auto F>
struct update_directive {
  template <class P>
  struct parser : directed<P, update_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      value_of_parser<P> value{};
      if (!this->subject.parse(first, last, context, x3::unused, value)) return false;
      if constexpr (!is_unused<Rule>) F(rule, value);
      return true;
    }
  };
};
template <auto F>
inline constexpr directive<update_directive<F>> update{};

}  // namespace hlolint::grammar
