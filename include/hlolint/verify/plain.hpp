// A quick look at an instruction shows that most of them break no rule of operands and attributes. All others are
// checked rule by rule.
#pragma once

#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/ir/module_data.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// A set of attribute keys.
using key_set = enum_set<attribute_key, grammar::detail::key_count>;

/// How many operands an opcode takes, and which attributes it may and must have, whatever their values are.
struct plain_opcode {
  std::uint8_t least = 0, most = 0xFF;  ///< numbers of operands; 0xFF: any number
  std::uint8_t even = 0, odd = 0;       ///< 1 if the number of operands has to be even or odd
  key_set allowed, required;
};
inline constexpr auto plain_opcodes = [] {
  std::array<plain_opcode, grammar::detail::opcode_count> out{};
  for (std::size_t k = 0; k != out.size(); ++k) {
    const auto opcode = static_cast<hlo_opcode>(k);
    plain_opcode& plain = out[k];
    const auto arity = grammar::arity(opcode);
    if (arity) plain.least = plain.most = static_cast<std::uint8_t>(*arity);
    using enum hlo_opcode;
    if (opcode == unknown) continue;
    // A dot may have more operands: metadata of sparse ones, scales of blocks.
    if (opcode_set{parameter, constant, dot}.has(opcode)) plain.most = 0xFF;
    if (opcode == broadcast) plain.required.add(attribute_key::dimensions);
    if (opcode_set{reduce, reduce_window, convolution, dynamic_update_slice}.has(opcode)) plain.least = 2;
    if (opcode_set{dynamic_slice, dynamic_reshape, conditional, async_update, async_done}.has(opcode)) plain.least = 1;
    plain.even = opcode == reduce || opcode == reduce_window;
    plain.odd = opcode == scatter;
    for (const attribute_key key : grammar::required_attributes(opcode)) plain.required.add(key);
    for (std::size_t number = 0; number != grammar::detail::key_count; ++number) {
      const auto key = static_cast<attribute_key>(number);
      const bool by_value = key == attribute_key::slice_sizes || key == attribute_key::algorithm ||
                            key == attribute_key::mode || key == attribute_key::order ||
                            key == attribute_key::parameter_replication ||
                            key == attribute_key::operand_layout_constraints;
      if (!by_value &&
          grammar::detail::opcodes.forms[k][number] == static_cast<std::uint8_t>(grammar::attribute_form::any))
        plain.allowed.add(key);
    }
  }
  return out;
}();

/// True if an instruction keeps the rules about the number of its operands, the shapes declared before them, and its
/// attributes. False if it may break one.
inline bool is_plain(const module_data& data, const instruction_record& i) {
  const plain_opcode& rule = plain_opcodes[static_cast<std::size_t>(i.opcode)];
  const id count = i.operands.count;
  if (i.opcode == hlo_opcode::unknown || i.wrapped != hlo_opcode::unknown || count < rule.least ||
      (count > rule.most && rule.most != 0xFF) || (rule.even & count) || (rule.odd & ~count))
    return false;
  const operand_record* const operands = data.operands.data() + i.operands.first;
  for (id k = 0; k != count; ++k) {
    const operand_record& o = operands[k];
    if (o.declared_shape != none &&
        (o.instruction == none || data.instructions[o.instruction].shape != o.declared_shape))
      return false;
  }
  key_set seen;
  const attribute_record* const attributes = data.attribute_pool.data() + i.attributes.first;
  for (id k = 0; k != i.attributes.count; ++k) {
    const attribute_key key = attributes[k].key;
    if (key == attribute_key::unknown || seen.has(key)) return false;
    seen.add(key);
  }
  return rule.allowed.holds(seen) && seen.holds(rule.required);
}

}  // namespace hlolint::module_rules
