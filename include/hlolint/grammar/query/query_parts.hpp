// What the grammar of queries does with the values that it makes.
#pragma once

#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/ir/query/query.hpp>

#include <string_view>
#include <utility>

namespace hlolint::grammar::queries {

namespace query_rules {

using form = query_pattern::form;
using condition_form = query_condition::form;
using comparison = query_condition::comparison;

inline void keep_pattern_text(parse_state&, std::string_view text, query_pattern& p) { p.text = text; }
inline void keep_condition_text(parse_state&, std::string_view text, query_condition& c) { c.text = text; }

/// `a | b` is a pattern of two; `a` alone is itself. So are conditions.
inline void only_part(parse_state&, std::string_view, query_pattern& p) {
  if (p.parts.size() == 1) p = query_pattern(std::move(p.parts.front()));
}
inline void only_condition(parse_state&, std::string_view, query_condition& c) {
  if (c.parts.size() == 1) c = query_condition(std::move(c.parts.front()));
}
inline void unquote(query_literal& literal, std::string_view quoted) {
  literal.text = quoted.substr(1, quoted.size() - 2);
}

/// In a line as XLA prints it, names of operands only hold places.
inline void mark_printed(query_pattern& p) {
  p.is_printed = true;
  p.name = {};
  for (query_pattern& operand : p.parts) {
    if (!operand.has_operands) operand.opcode = {};
    mark_printed(operand);
  }
}
inline void printed(parse_state&, std::string_view, query_pattern& p) { mark_printed(p); }

}  // namespace query_rules

}  // namespace hlolint::grammar::queries
