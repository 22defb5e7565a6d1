// The properties that queries can name, and comparisons of two of them.
#pragma once

#include <hlolint/match/context_properties.hpp>
#include <hlolint/match/cost_properties.hpp>
#include <hlolint/match/predicate.hpp>
#include <hlolint/match/properties.hpp>
#include <hlolint/tool/query/any_pattern.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace hlolint::match {

namespace detail {

template <class Facts>
using number_of = std::optional<double> (*)(hlo_instruction, const Facts&);
template <class Facts>
using text_of = std::string (*)(hlo_instruction, const Facts&);
template <class Facts>
using flag_of = bool (*)(hlo_instruction, const Facts&);

/// A property of a capture, or of the instruction itself without a name.
template <class Of>
struct captured_value {
  std::string_view capture;
  Of of;
};
/// Compares two properties; `holds(left, right)` decides.
template <class Facts, class Of, class Holds>
struct values_compare : pattern_base {
  static constexpr knowledge needs = knowledge::context;
  captured_value<Of> left, right;
  Holds holds;
  values_compare(captured_value<Of> l, captured_value<Of> r, Holds h) : left(l), right(r), holds(h) {}
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    const auto subject = [&](std::string_view of) { return of.empty() ? i : state.captured(of); };
    const hlo_instruction a = subject(left.capture), b = subject(right.capture);
    return state.step() && a && b && holds(left.of(a, state.facts()), right.of(b, state.facts())) && next();
  }
};
template <class Facts, class Of, class Holds>
values_compare<Facts, Of, Holds> compared(captured_value<Of> left, captured_value<Of> right, Holds holds) {
  return {left, right, holds};
}
/// A test of a property that a query names.
template <class Of, class Is>
property_test<knowledge::context, Of, Is> tested_by(Of of, Is is) {
  return {of, is};
}

}  // namespace detail

/// The properties that queries may name, for one kind of facts.
template <class Facts>
struct property_table {
  /// One property; exactly one of the functions is set.
  struct row {
    std::string_view name;                      ///< words, separated by blanks
    std::string_view what;                      ///< description for the manual
    unit in = unit::count;                      ///< the unit of a number
    detail::number_of<Facts> number = nullptr;  ///< of a number
    detail::text_of<Facts> text = nullptr;      ///< of a text
    detail::flag_of<Facts> flag = nullptr;      ///< of a flag
  };
  std::vector<row> rows;  ///< in the order of the manual

  /// Adds the properties of a tuple. @{
  template <class... P>
  void add_numbers(const std::tuple<P...>& list) {
    std::apply([&](const auto&... p) { (rows.push_back({p.name, p.what, p.in, p.of, nullptr, nullptr}), ...); }, list);
  }
  template <class... P>
  void add_texts(const std::tuple<P...>& list) {
    std::apply([&](const auto&... p) { (rows.push_back({.name = p.name, .what = p.what, .text = p.of}), ...); }, list);
  }
  template <class... P>
  void add_flags(const std::tuple<P...>& list) {
    std::apply([&](const auto&... p) { (rows.push_back({.name = p.name, .what = p.what, .flag = p.of}), ...); }, list);
  }
  /// @}

  /// The property with a name, in which blanks, `_` and `-` are equal; null if there is none.
  const row* find(std::string_view words) const {
    for (const row& r : rows)
      if (same_words(r.name, words)) return &r;
    return nullptr;
  }

 private:
  static bool same_words(std::string_view a, std::string_view b) {
    const auto plain = [](char c) { return c == '_' || c == '-' ? ' ' : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return plain(x) == plain(y); });
  }
};

/// The properties that need only HLO.
template <class Facts>
const property_table<Facts>& module_properties() {
  static const property_table<Facts> table = [] {
    property_table<Facts> out;
    out.add_numbers(module_numbers);
    out.add_numbers(work_numbers);
    out.add_numbers(element_counts);
    out.add_texts(module_texts);
    out.add_texts(work_texts);
    out.add_flags(module_flags);
    out.add_flags(work_flags);
    return out;
  }();
  return table;
}

/// All properties, for facts that have a device: a lint context.
template <class Facts>
const property_table<Facts>& all_properties() {
  static const property_table<Facts> table = [] {
    property_table<Facts> out = module_properties<Facts>();
    out.add_numbers(context_numbers);
    out.add_texts(context_texts);
    out.add_flags(context_flags);
    return out;
  }();
  return table;
}

}  // namespace hlolint::match
