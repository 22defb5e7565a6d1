// Which values are the same in every iteration of a while loop.
#pragma once

#include <hlolint/analysis/collective_kind.hpp>
#include <hlolint/grammar/attribute_access.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hlolint {

/// The element of a while body's carried tuple that an instruction is, looking through bitcasts and copies.
inline std::optional<std::int64_t> carried_element(hlo_instruction i) {
  while (i && (i.opcode() == hlo_opcode::bitcast || i.opcode() == hlo_opcode::copy) && i.operand_count() == 1 &&
         i.operand(0) && i.operand(0).id() < i.id())
    i = i.operand(0);
  if (!i || i.opcode() != hlo_opcode::get_tuple_element || i.operand_count() != 1 || !i.operand(0)) return std::nullopt;
  return i.operand(0).opcode() == hlo_opcode::parameter ? get_integer(i, attribute_key::index) : std::nullopt;
}

/// Of one while body: carried elements that the root passes on as they came, and everything computed from them and from
/// constants alone. Instructions with effects or state are never invariant.
class loop_invariants {
 public:
  explicit loop_invariants(hlo_computation body) : first_(body.instruction_count() > 0 ? body.instruction(0).id() : 0) {
    const hlo_instruction root = body.root();
    std::vector<bool> element;
    if (root && root.opcode() == hlo_opcode::tuple)
      for (std::size_t k = 0; k < root.operand_count(); ++k)
        element.push_back(root.operand(k) && carried_element(root.operand(k)) == static_cast<std::int64_t>(k));
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

 private:
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

  id first_;
  std::vector<bool> values_;
};

}  // namespace hlolint
