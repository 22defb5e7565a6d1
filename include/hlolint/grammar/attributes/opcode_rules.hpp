// What each opcode takes: how many operands, and which attributes (hlo_text.md 2, 3, 8).
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/text/stop.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hlolint::grammar {

/// `key=value` as it is written.
struct written_attribute {
  attribute_key key = attribute_key::unknown;
  std::string_view name, value;
};

/// What an opcode demands of the value of an attribute beyond the syntax of its key.
enum class attribute_form : std::uint8_t {
  any,            ///< nothing; of `slice_sizes` one list, of `algorithm` that of a dot, of `mode` that of a collective
  one_integer,    ///< a list of exactly one integer
  random,         ///< of `algorithm`: a generator of random numbers
  integer_lists,  ///< of `slice_sizes`: a list of lists
  shuffle         ///< of `mode`: how a shuffle moves elements
};

namespace detail {

inline constexpr std::size_t key_count = attribute_key_names.size();
inline constexpr std::size_t opcode_count = hlo_opcode_names.size();
inline constexpr std::uint8_t not_allowed = 0xFF;

/// The form by key; `not_allowed` for a key that may not be there.
using form_row = std::array<std::uint8_t, key_count>;

/// Calls f(word) for the words of a text.
template <class F>
constexpr void for_each_word(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    f(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
}

/// Calls f(key, form, required) for the attributes of a list. A spelling mistake in the list does not compile.
template <class F>
constexpr void for_each_attribute(std::string_view list, F&& f) {
  for_each_word(list, [&](std::string_view word) {
    const bool required = word.back() == '!';
    if (required) word.remove_suffix(1);
    const std::size_t slash = word.find('/');
    const attribute_key key = find_attribute_key(word.substr(0, slash));
    auto form = attribute_form::any;
    if (slash != std::string_view::npos) {
      const std::string_view name = word.substr(slash + 1);
      form = name == "one"       ? attribute_form::one_integer
             : name == "random"  ? attribute_form::random
             : name == "shuffle" ? attribute_form::shuffle
                                 : attribute_form::integer_lists;
      if (form == attribute_form::integer_lists && name != "lists") hlolint::detail::stop_at_wrong_table("misspelt");
    }
    if (key == attribute_key::unknown) hlolint::detail::stop_at_wrong_table("misspelt");
    f(key, form, required);
  });
}

constexpr form_row read_attributes(std::string_view list) {
  form_row out{};
  out.fill(not_allowed);
  for_each_attribute(list, [&](attribute_key key, attribute_form form, bool) {
    out[static_cast<std::size_t>(key)] = static_cast<std::uint8_t>(form);
  });
  return out;
}

struct opcode_rule {
  std::int8_t arity = -1;
  std::uint8_t required_count = 0;
  std::array<attribute_key, 5> required{};
};

struct opcode_tables {
  std::array<opcode_rule, opcode_count> rules{};
  std::array<form_row, opcode_count> forms{};
  form_row header = read_attributes(hlolint::detail::header_attributes);
};

constexpr opcode_tables make_opcodes() {
  opcode_tables out;
  const form_row common_row = read_attributes(hlolint::detail::common_attributes);
  for (const hlolint::detail::rules_row& row : hlolint::detail::rules_rows) {
    opcode_rule rule;
    rule.arity = static_cast<std::int8_t>(row.arity.back() == 'n' ? -1 : row.arity.back() - '0');
    form_row forms = common_row;
    for_each_attribute(row.attributes, [&](attribute_key key, attribute_form form, bool required) {
      forms[static_cast<std::size_t>(key)] = static_cast<std::uint8_t>(form);
      if (required) rule.required[rule.required_count++] = key;
    });
    for_each_word(row.opcodes, [&](std::string_view name) {
      const hlo_opcode opcode = find_hlo_opcode(name);
      if (opcode == hlo_opcode::unknown) hlolint::detail::stop_at_wrong_table("misspelt");
      out.rules[static_cast<std::size_t>(opcode)] = rule;
      out.forms[static_cast<std::size_t>(opcode)] = forms;
    });
  }
  return out;
}

inline constexpr opcode_tables opcodes = make_opcodes();

constexpr std::optional<attribute_form> entry(const form_row& row, attribute_key key) {
  const std::uint8_t found = row[static_cast<std::size_t>(key)];
  if (found == not_allowed) return std::nullopt;
  return static_cast<attribute_form>(found);
}

}  // namespace detail

/// Number of operands, or nothing where it varies.
constexpr std::optional<std::size_t> arity(hlo_opcode opcode) {
  const int n = detail::opcodes.rules[static_cast<std::size_t>(opcode)].arity;
  if (n < 0 || opcode == hlo_opcode::unknown) return std::nullopt;
  return static_cast<std::size_t>(n);
}

/// The form of an attribute; nothing if the attribute does not belong to the opcode. An unknown opcode takes all.
constexpr std::optional<attribute_form> form_of(hlo_opcode opcode, attribute_key key) {
  if (opcode == hlo_opcode::unknown) return attribute_form::any;
  return detail::entry(detail::opcodes.forms[static_cast<std::size_t>(opcode)], key);
}

/// The form for the sugar `X-start`, `X-update`, `X-done`, where X is `wrapped` and `opcode` the async opcode. The
/// start also takes the attributes of the wrapped opcode; none of the three takes `calls`.
constexpr std::optional<attribute_form> form_of(hlo_opcode opcode, hlo_opcode wrapped, attribute_key key) {
  if (wrapped == hlo_opcode::unknown) return form_of(opcode, key);
  if (opcode == hlo_opcode::async_start)
    if (const auto own = form_of(wrapped, key)) return own;
  return key == attribute_key::calls ? std::nullopt : form_of(opcode, key);
}

/// The attributes that an opcode always needs. Others depend on the operands: `broadcast` needs `dimensions` unless its
/// operand is a scalar; `conditional` needs true_computation and false_computation for a pred selector, else
/// branch_computations.
constexpr std::span<const attribute_key> required_attributes(hlo_opcode opcode) {
  const auto& rule = detail::opcodes.rules[static_cast<std::size_t>(opcode)];
  return {rule.required.data(), rule.required_count};
}
/// The same for the sugar: the start needs the attributes of the wrapped opcode, the others need none.
constexpr std::span<const attribute_key> required_attributes(hlo_opcode opcode, hlo_opcode wrapped) {
  if (wrapped == hlo_opcode::unknown) return required_attributes(opcode);
  if (opcode == hlo_opcode::async_start) return required_attributes(wrapped);
  return {};
}

/// Whether an attribute belongs in the header of a module.
constexpr bool belongs_in_header(attribute_key key) { return detail::entry(detail::opcodes.header, key).has_value(); }

/// Opcodes that have start and done opcodes of their own, so that `X-start` is not sugar for them.
constexpr bool has_own_async_form(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode_set{all_gather, all_reduce, collective_permute, copy, send, recv}.has(opcode);
}

}  // namespace hlolint::grammar
