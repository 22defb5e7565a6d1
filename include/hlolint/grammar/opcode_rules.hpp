// What each opcode takes: operands, attributes, and whether the result shape may be left out (hlo_text.md 2, 3, 8).
#pragma once

#include <hlolint/grammar/attribute_syntax.hpp>
#include <hlolint/grammar/opcode_rows.hpp>
#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/opcode.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hlolint::grammar {

namespace detail {

inline constexpr std::size_t key_count = attribute_key_names.size();
inline constexpr std::size_t opcode_count = hlo_opcode_names.size();
inline constexpr auto not_allowed = static_cast<std::uint8_t>(attribute_syntax::count);

/// Syntax per key; `not_allowed` for keys that may not stand there.
using syntax_row = std::array<std::uint8_t, key_count>;

constexpr syntax_row no_attributes() {
  syntax_row out{};
  for (auto& entry : out) entry = not_allowed;
  return out;
}

/// Calls f(word) for the words of a text.
template <class F>
constexpr void for_each_word(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    f(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
}

/// Calls f(key, syntax, required) for the attributes of a list; a spelling mistake in it does not compile.
template <class F>
constexpr void for_each_attribute(std::string_view list, F&& f) {
  for_each_word(list, [&](std::string_view word) {
    const bool required = word.back() == '!';
    if (required) word.remove_suffix(1);
    const std::size_t slash = word.find('/');
    const attribute_key key = find_attribute_key(word.substr(0, slash));
    const attribute_syntax syntax = find_attribute_syntax(word.substr(slash + 1));
    if (key == attribute_key::unknown || syntax == attribute_syntax::count) throw "misspelt";
    f(key, syntax, required);
  });
}

constexpr syntax_row read_attributes(std::string_view list, syntax_row out = no_attributes()) {
  for_each_attribute(list, [&](attribute_key key, attribute_syntax syntax, bool) {
    out[static_cast<std::size_t>(key)] = static_cast<std::uint8_t>(syntax);
  });
  return out;
}

/// These tables are templates, so that they are made where something is parsed and not where this is included.
template <class Row = syntax_row>
inline constexpr Row header_row = read_attributes(header_attributes);

struct opcode_rule {
  std::int8_t arity = -1;
  bool shape_optional = true;
  std::uint8_t required_count = 0;
  std::array<attribute_key, 5> required{};
};

/// What is common to two kinds of one key, for opcodes that nobody knows.
constexpr attribute_syntax either(std::uint8_t a, std::uint8_t b) {
  using enum attribute_syntax;
  const auto x = static_cast<attribute_syntax>(a), y = static_cast<attribute_syntax>(b);
  if (a == b || a == not_allowed) return y;
  return (x == integers || x == one_integer) && (y == integers || y == one_integer) ? integers : raw;
}

struct opcode_tables {
  std::array<opcode_rule, opcode_count> rules{};
  std::array<syntax_row, opcode_count> syntax{};
};

constexpr opcode_tables make_opcodes() {
  opcode_tables out;
  const syntax_row common_row = read_attributes(common_attributes);
  // Of an opcode that nobody knows: every attribute any opcode has, unless its kind depends on the opcode.
  syntax_row& any = out.syntax[static_cast<std::size_t>(hlo_opcode::unknown)];
  any = common_row;
  for (const rules_row& row : rules_rows) {
    opcode_rule rule;
    rule.shape_optional = row.arity.front() == '~';
    rule.arity = static_cast<std::int8_t>(row.arity.back() == 'n' ? -1 : row.arity.back() - '0');
    syntax_row syntax = common_row;
    for_each_attribute(row.attributes, [&](attribute_key key, attribute_syntax value, bool required) {
      const auto at = static_cast<std::size_t>(key);
      syntax[at] = static_cast<std::uint8_t>(value);
      any[at] = static_cast<std::uint8_t>(either(any[at], syntax[at]));
      if (required) rule.required[rule.required_count++] = key;
    });
    for_each_word(row.opcodes, [&](std::string_view name) {
      const hlo_opcode opcode = find_hlo_opcode(name);
      if (opcode == hlo_opcode::unknown) throw "misspelt";
      out.rules[static_cast<std::size_t>(opcode)] = rule;
      out.syntax[static_cast<std::size_t>(opcode)] = syntax;
    });
  }
  return out;
}
template <class Tables = opcode_tables>
inline constexpr Tables opcodes = make_opcodes();

constexpr std::optional<attribute_syntax> entry(const syntax_row& row, attribute_key key) {
  const std::uint8_t found = row[static_cast<std::size_t>(key)];
  if (found == not_allowed) return std::nullopt;
  return static_cast<attribute_syntax>(found);
}

inline constexpr std::array<std::string_view, 17> old_attribute_names{"sparsity",
                                                                      "async_group_id",
                                                                      "async_thread_name",
                                                                      "is_cross_program_prefetch",
                                                                      "outer_dimension_partitions",
                                                                      "original_value",
                                                                      "conv_kind",
                                                                      "barrier",
                                                                      "all_reduce_id",
                                                                      "opaque",
                                                                      "channel_name",
                                                                      "cost_estimate_ns",
                                                                      "replica_group_ids",
                                                                      "elided_window_dims",
                                                                      "output_window_dims",
                                                                      "gather_dims_to_operand_dims",
                                                                      "window_bounds"};

}  // namespace detail

/// Number of operands, or nothing where it varies.
template <class Tables = detail::opcode_tables>
constexpr std::optional<std::size_t> arity(hlo_opcode opcode) {
  const int n = detail::opcodes<Tables>.rules[static_cast<std::size_t>(opcode)].arity;
  if (n < 0) return std::nullopt;
  return static_cast<std::size_t>(n);
}

/// Whether the result shape may be left out.
template <class Tables = detail::opcode_tables>
constexpr bool shape_is_optional(hlo_opcode opcode) {
  return detail::opcodes<Tables>.rules[static_cast<std::size_t>(opcode)].shape_optional;
}

/// How an attribute of an instruction is written; nothing if the opcode may not have it.
template <class Tables = detail::opcode_tables>
constexpr std::optional<attribute_syntax> syntax_of(hlo_opcode opcode, attribute_key key) {
  return detail::entry(detail::opcodes<Tables>.syntax[static_cast<std::size_t>(opcode)], key);
}

/// The same for the sugar `wrapped-start`, `-update`, `-done`: `opcode` is the async one. The start takes what the
/// wrapped opcode takes as well; none of the three takes a `calls` of its own.
template <class Tables = detail::opcode_tables>
constexpr std::optional<attribute_syntax> syntax_of(hlo_opcode opcode, hlo_opcode wrapped, attribute_key key) {
  if (wrapped == hlo_opcode::unknown) return syntax_of<Tables>(opcode, key);
  if (opcode == hlo_opcode::async_start)
    if (const auto own = syntax_of<Tables>(wrapped, key)) return own;
  return key == attribute_key::calls ? std::nullopt : syntax_of<Tables>(opcode, key);
}

/// Attributes that must be there. Besides, `broadcast` needs `dimensions` unless its operand is a scalar, and
/// `conditional` needs its computations: true_ and false_computation for a pred selector, else branch_computations.
template <class Tables = detail::opcode_tables>
constexpr std::span<const attribute_key> required_attributes(hlo_opcode opcode) {
  const auto& rule = detail::opcodes<Tables>.rules[static_cast<std::size_t>(opcode)];
  return {rule.required.data(), rule.required_count};
}
/// Of the sugar: those of the wrapped opcode on the start line, none on the others.
template <class Tables = detail::opcode_tables>
constexpr std::span<const attribute_key> required_attributes(hlo_opcode opcode, hlo_opcode wrapped) {
  if (wrapped == hlo_opcode::unknown) return required_attributes<Tables>(opcode);
  if (opcode == hlo_opcode::async_start) return required_attributes<Tables>(wrapped);
  return {};
}

/// How an attribute of a module header is written.
template <class Row = detail::syntax_row>
constexpr std::optional<attribute_syntax> header_syntax_of(attribute_key key) {
  return detail::entry(detail::header_row<Row>, key);
}

/// How an attribute after the closing brace of a computation is written.
constexpr std::optional<attribute_syntax> computation_syntax_of(attribute_key key) {
  if (key == attribute_key::execution_thread) return attribute_syntax::string;
  return std::nullopt;
}

/// How an attribute of older dumps that XLA no longer knows is written; nothing for names that never were any.
constexpr std::optional<attribute_syntax> old_syntax_of(std::string_view name) {
  const int found = name_table<detail::old_attribute_names>::find(name);
  if (found < 0) return std::nullopt;
  return name == "original_value" ? attribute_syntax::origin : attribute_syntax::raw;
}

/// Opcodes with start and done opcodes of their own, which the sugar `X-start` cannot wrap.
constexpr bool has_own_async_form(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    case all_gather:
    case all_reduce:
    case collective_permute:
    case copy:
    case send:
    case recv:
      return true;
    default:
      return false;
  }
}

}  // namespace hlolint::grammar
