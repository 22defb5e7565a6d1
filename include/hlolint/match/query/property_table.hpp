// The properties that a query may name, and tests of them.
#pragma once

#include <hlolint/match/cost_properties.hpp>
#include <hlolint/match/loop_properties.hpp>
#include <hlolint/match/predicate.hpp>
#include <hlolint/match/properties.hpp>
#include <hlolint/match/query/any_pattern.hpp>
#include <hlolint/match/transfer_properties.hpp>
#include <hlolint/text/glob.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

namespace hlolint::match {

namespace detail {

template <class Facts>
using number_of = optional<double> (*)(hlo_instruction, const Facts&);
template <class Facts>
using text_of = std::string (*)(hlo_instruction, const Facts&);
template <class Facts>
using flag_of = bool (*)(hlo_instruction, const Facts&);

template <class Facts>
struct numbers_compare : pattern_base {
  static constexpr knowledge needs = knowledge::context;
  std::string_view left_name, right_name;
  number_of<Facts> left, right;
  relation_sign sign;
  numbers_compare(std::string_view ln, number_of<Facts> l, std::string_view rn, number_of<Facts> r, relation_sign s)
      : left_name(ln), right_name(rn), left(l), right(r), sign(s) {}
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    const auto subject = [&](std::string_view of) { return of.empty() ? i : state.captured(of); };
    const hlo_instruction a = subject(left_name), b = subject(right_name);
    if (!state.step() || !a || !b) return false;
    const auto x = left(a, state.facts()), y = right(b, state.facts());
    return x && y && bound_number{sign, *y}.holds(*x) && next();
  }
};
template <class Facts>
struct texts_compare : pattern_base {
  static constexpr knowledge needs = knowledge::context;
  std::string_view left_name, right_name;
  text_of<Facts> left, right;
  bool equal;
  texts_compare(std::string_view ln, text_of<Facts> l, std::string_view rn, text_of<Facts> r, bool e)
      : left_name(ln), right_name(rn), left(l), right(r), equal(e) {}
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    const auto subject = [&](std::string_view of) { return of.empty() ? i : state.captured(of); };
    const hlo_instruction a = subject(left_name), b = subject(right_name);
    return state.step() && a && b && (left(a, state.facts()) == right(b, state.facts())) == equal && next();
  }
};
template <class Facts>
struct number_is : tested<number_is<Facts>> {
  static constexpr knowledge needs = knowledge::context;
  number_of<Facts> of;
  bound_number is;
  number_is(number_of<Facts> f, bound_number b) : of(f), is(b) {}
  bool test(hlo_instruction i, const Facts& facts) const {
    const auto value = of(i, facts);
    return value && is.holds(*value);
  }
};
template <class Facts>
struct text_is_like : tested<text_is_like<Facts>> {
  static constexpr knowledge needs = knowledge::context;
  text_of<Facts> of;
  std::string_view glob;
  bool equal;
  text_is_like(text_of<Facts> f, std::string_view g, bool e) : of(f), glob(g), equal(e) {}
  bool test(hlo_instruction i, const Facts& facts) const { return matches_glob(glob, of(i, facts)) == equal; }
};
template <class Facts>
struct flag_holds : tested<flag_holds<Facts>> {
  static constexpr knowledge needs = knowledge::context;
  flag_of<Facts> of;
  explicit flag_holds(flag_of<Facts> f) : of(f) {}
  bool test(hlo_instruction i, const Facts& facts) const { return of(i, facts); }
};

}  // namespace detail

/// The properties that queries may name, for one kind of facts.
template <class Facts>
struct property_table {
  /// One property; exactly one of the functions is there.
  struct row {
    std::string_view name;                      ///< words, with blanks between them
    std::string_view what;                      ///< for the manual
    unit in = unit::count;                      ///< of a number
    detail::number_of<Facts> number = nullptr;  ///< if it is a number
    detail::text_of<Facts> text = nullptr;      ///< if it is a text
    detail::flag_of<Facts> flag = nullptr;      ///< if it holds or not
  };
  record_list<row> rows;  ///< in the order of the manual

  /// Adds the properties of a tuple. @{
  template <class... P>
  void add_numbers(const std::tuple<P...>& list) {
    std::apply([&](const auto&... p) { (rows.push_back({p.name, p.what, p.in, p.of, nullptr, nullptr}), ...); }, list);
  }
  template <class... P>
  void add_texts(const std::tuple<P...>& list) {
    std::apply(
        [&](const auto&... p) {
          (rows.push_back({p.name, p.what, unit::count, nullptr, p.of, nullptr}), ...);
        },
        list);
  }
  template <class... P>
  void add_flags(const std::tuple<P...>& list) {
    std::apply(
        [&](const auto&... p) {
          (rows.push_back({p.name, p.what, unit::count, nullptr, nullptr, p.of}), ...);
        },
        list);
  }
  /// @}

  /// Blanks, `_` and `-` are the same; null if there is none of that name.
  const row* find(std::string_view words) const {
    for (const row& r : rows)
      if (same_words(r.name, words)) return &r;
    return nullptr;
  }

 private:
  static bool same_words(std::string_view a, std::string_view b) {
    const auto plain = [](char c) { return c == '_' || c == '-' ? ' ' : c; };
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (plain(a[k]) != plain(b[k])) return false;
    return true;
  }
};

/// The properties that HLO alone answers.
template <class Facts>
const property_table<Facts>& module_properties() {
  static const property_table<Facts> table = [] {
    property_table<Facts> out;
    out.add_numbers(module_numbers);
    out.add_numbers(work_numbers);
    out.add_numbers(loop_numbers);
    out.add_numbers(transfer_numbers);
    out.add_numbers(element_counts);
    out.add_texts(module_texts);
    out.add_texts(work_texts);
    out.add_flags(module_flags);
    out.add_flags(work_flags);
    out.add_flags(transfer_flags);
    return out;
  }();
  return table;
}

}  // namespace hlolint::match
