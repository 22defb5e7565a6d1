// Which values are the same in every iteration of a while loop.
#pragma once

#include <hlolint/analysis/program/collective_kind.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint {

/// The elements of the tuples that while bodies carry: which instruction is which, looking through bitcasts and copies.
class carried_elements {
 public:
  /// Linear in the module.
  explicit carried_elements(const hlo_module& module) {
    elements_.reserve(module.instruction_count());
    for (const hlo_instruction i : module.instructions()) elements_.push_back(element_of(i));
  }

  /// Which element of its computation's parameter an instruction is; nothing if it is not one.
  optional<std::int64_t> of(hlo_instruction i) const { return i ? elements_[i.id()] : std::nullopt; }

 private:
  // Operands stand before their users, so theirs are known.
  optional<std::int64_t> element_of(hlo_instruction i) const {
    const hlo_instruction from = i.operand_count() == 1 ? i.operand(0) : hlo_instruction{};
    if (!from) return std::nullopt;
    if (i.opcode() == hlo_opcode::bitcast || i.opcode() == hlo_opcode::copy)
      return from.id() < i.id() ? elements_[from.id()] : std::nullopt;
    if (i.opcode() != hlo_opcode::get_tuple_element || from.opcode() != hlo_opcode::parameter) return std::nullopt;
    return get_integer(i, attribute_key::index);
  }

  record_list<optional<std::int64_t>> elements_;  // by instruction
};

/// Of one while body: carried elements that the root passes on as they came, and everything computed from them and from
/// constants alone. Instructions with effects or state are never invariant.
class loop_invariants {
 public:
  /// Precondition: `body` is the body of a while of the module that `carried` is of. Linear in the body.
  loop_invariants(hlo_computation body, const carried_elements& carried)
      : first_(body.instruction_count() > 0 ? body.instruction(0).id() : 0) {
    const hlo_instruction root = body.root();
    record_list<bool> element;
    if (root && root.opcode() == hlo_opcode::tuple)
      for (std::size_t k = 0; k < root.operand_count(); ++k)
        element.push_back(carried.of(root.operand(k)) == static_cast<std::int64_t>(k));
    for (const hlo_instruction i : body.instructions()) {
      bool same = repeatable(i);
      if (i.opcode() == hlo_opcode::get_tuple_element && i.operand_count() == 1 && i.operand(0) &&
          i.operand(0).opcode() == hlo_opcode::parameter) {
        const auto index = get_integer(i, attribute_key::index);
        same = index && *index >= 0 && static_cast<std::size_t>(*index) < element.size() &&
               element[static_cast<std::size_t>(*index)];
      } else {
        for (std::size_t k = 0; same && k < i.operand_count(); ++k)
          same = i.operand(k) && i.operand(k).id() < i.id() && contains(i.operand(k));
      }
      values_.push_back(same);
    }
  }

  /// Precondition: of this body.
  bool contains(hlo_instruction i) const {
    return i.id() >= first_ && i.id() - first_ < values_.size() && values_[i.id() - first_];
  }

  /// Whether equal operands give equal results: no effects, no state, nothing from outside. False for parameters.
  static bool repeatable(hlo_instruction i) {
    switch (i.opcode()) {
      using enum hlo_opcode;
      case parameter:
      case rng:
      case rng_bit_generator:
      case rng_get_and_update_state:
      case infeed:
      case outfeed:
      case send:
      case send_done:
      case recv:
      case recv_done:
      case custom_call:
      case while_:
      case conditional:
      case call:
      case after_all:
      case unknown:
        return false;
      case async_start:
        return bool(collective_of(i));
      default:
        return true;
    }
  }

 private:
  id first_;
  record_list<bool> values_;
};

}  // namespace hlolint
