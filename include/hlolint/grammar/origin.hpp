// Where values come from in the program before optimization: origin, the recovery table, debug attributes
// (hlo_text.md 2, 7).
#pragma once

#include <hlolint/grammar/alias.hpp>
#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/value_terminals.hpp>
#include <hlolint/ir/operation_values.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace hlolint::grammar {

/// `{"instruction" {0}}`, `{"instruction"}`, `{}`
inline bool read_original_array(const char*& first, const char* last, parse_state& s, original_array* out) {
  const char* p = first;
  if (!take(p, last, '{')) return false;
  std::string_view name;
  if (take_text(p, last, scan::string, name)) {
    if (out) out->instruction = name.substr(1, name.size() - 2);
    const char* const next = scan::blanks(p, last);
    if (next != last && *next == '{' && !read_shape_index(p, last, s, out ? &out->index : nullptr)) return false;
  }
  if (!take(p, last, s, '}', "an instruction's name, a shape index or '}'")) return false;
  first = p;
  return true;
}
inline constexpr value_parser<&read_original_array> original_array_{};

/// A tree in parentheses whose leaves are original arrays; its depth is that of the result's shape.
inline bool read_origin_tree(const char*& first, const char* last, parse_state& s, original_value* out) {
  const char* p = first;
  shape_index position;
  for (bool value_expected = true; value_expected || !position.empty();) {
    if (value_expected && take(p, last, '(')) {
      if (position.size() >= parse_state::deepest) {
        s.fail(p, last, "less nesting (the limit is 256 levels)");
        return false;
      }
      position.push_back(0);
      if (!take(p, last, ')')) continue;
      position.pop_back();
    } else if (value_expected) {
      original_array array;
      if (!read_original_array(p, last, s, out ? &array : nullptr)) {
        s.fail(p, last, "'(' or an original array in braces");
        return false;
      }
      if (out) out->leaves.push_back({position, std::move(array)});
    } else if (take(p, last, ')')) {
      position.pop_back();
      continue;
    } else if (take(p, last, ',')) {
      const std::uint32_t step = position[position.size() - 1];
      position.pop_back();
      position.push_back(step + 1);
      value_expected = true;
      continue;
    } else {
      s.fail(p, last, "',' or ')'");
      return false;
    }
    value_expected = false;
  }
  first = p;
  return true;
}

/// `{({"a" {0}}, {"b"})}`, `{[synthetic_call]}`, `{}`
inline bool read_origin(const char*& first, const char* last, parse_state& s, original_value* out) {
  const char* p = first;
  if (!take(p, last, '{')) return false;
  if (take(p, last, '[')) {
    std::string_view name;
    if (!take_text(p, last, scan_name::bare, name) || name != "synthetic_call") {
      s.fail(name.empty() ? p : name.data(), last, "synthetic_call");
      return false;
    }
    if (out) out->synthetic_call = true;
    if (!take(p, last, s, ']', "']'")) return false;
  } else if (const char* const next = scan::blanks(p, last);
             next != last && *next != '}' && !read_origin_tree(p, last, s, out)) {
    return false;
  }
  if (!take(p, last, s, '}', "'}' after the origin")) return false;
  first = p;
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_origin> origin{};
}

namespace origin_rules {
inline constexpr std::array<std::string_view, 2> log_modes{"default", "fusion_debugger"};
// {callback_id=1,op_id=2}
inline constexpr auto debug_entry = in_braces(
    "a debug attribute, ',' or '}'")[key("log_mode") >> must("default or fusion_debugger")[enumerator(log_modes)] |
                                     key("callback_id") >> must("an integer")[integer] |
                                     key("partitioned") >> must("true or false")[boolean] |
                                     key("op_id") >> must("an integer")[integer]];

[[gnu::cold]] inline bool read_module_text(const char*& first, const char* last, parse_state& s, std::string_view*) {
  std::string_view text;
  if (!take_text(first, last, scan::string, text)) return false;
  s.embedded_modules.push_back(text);
  return true;
}
inline constexpr value_parser<&read_module_text> module_text{};
}  // namespace origin_rules

// { {"old" {0}} : {"new"}, "module" }: entries follow each other without commas.
inline constexpr auto recovery =
    '{'_p >> many[original_array_ >> must("':'")[':'_p] >> must("an original array")[original_array_] >>
                  maybe[','_p >> must("a module's text, quoted")[origin_rules::module_text]]] >>
    must("an original array or '}'")['}'_p];

// { {"name" {0}}:({op_id=1},{op_id=2}) }
inline constexpr auto debug = in_braces("an entry, ',' or '}'")
    [original_array_ >> must("':'")[':'_p] >>
     must("debug attributes")[in_parentheses("debug attributes in braces, ',' or ')'")[origin_rules::debug_entry] |
                              origin_rules::debug_entry]];

}  // namespace hlolint::grammar
