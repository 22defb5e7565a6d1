// Loop-carried elements and invariants of while bodies.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint {

/// Calls `f(loop, computation)` for each computation that a while calls, once.
void for_each_loop_body(const hlo_module& module, auto&& f) {
  std::vector<char> seen(module.computation_count());
  for (const hlo_instruction loop : module.instructions()) {
    if (loop.opcode() != hlo_opcode::while_) continue;
    for (const hlo_computation body : loop.called_computations())
      if (body && !std::exchange(seen[body.id()], true)) f(loop, body);
  }
}

/// Finds the element of a while body's parameter that an instruction is, through bitcasts and copies.
class carried_elements {
 public:
  /// Linear in the module.
  explicit carried_elements(const hlo_module& module) {
    elements_.reserve(module.instruction_count());
    for (const hlo_instruction i : module.instructions()) elements_.push_back(element_of(i));
  }

  /// The element of its computation's parameter that an instruction is; nothing if it is none.
  std::optional<std::int64_t> of(hlo_instruction i) const { return i ? elements_[i.id()] : std::nullopt; }

 private:
  // Operands stand before their users, so their elements are known.
  std::optional<std::int64_t> element_of(hlo_instruction i) const {
    const hlo_instruction from = i.operand_count() == 1 ? i.operand(0) : hlo_instruction{};
    if (!from) return std::nullopt;
    if (i.opcode() == hlo_opcode::bitcast || i.opcode() == hlo_opcode::copy)
      return from.id() < i.id() ? elements_[from.id()] : std::nullopt;
    if (i.opcode() != hlo_opcode::get_tuple_element || from.opcode() != hlo_opcode::parameter) return std::nullopt;
    return get_integer(i, attribute_key::index);
  }

  std::vector<std::optional<std::int64_t>> elements_;  // by instruction
};

/// The invariants of one while body: carried elements that the root returns unchanged, and everything computed only
/// from them and constants. Instructions with effects or state are never invariant.
class loop_invariants {
 public:
  /// Linear in the body. Precondition: `body` is a while body in the module of `carried`.
  loop_invariants(hlo_computation body, const carried_elements& carried)
      : first_(body.instruction_count() > 0 ? body.instruction(0).id() : 0) {
    const hlo_instruction root = body.root();
    std::vector<bool> element;
    if (root && root.opcode() == hlo_opcode::tuple)
      for (std::size_t k = 0; k < root.operand_count(); ++k)
        element.push_back(carried.of(root.operand(k)) == static_cast<std::int64_t>(k));
    for (const hlo_instruction i : body.instructions()) {
      bool same = repeatable(i);
      if (i.opcode() == hlo_opcode::get_tuple_element && i.operand_count() == 1 && i.operand(0) &&
          i.operand(0).opcode() == hlo_opcode::parameter) {
        const auto index = element_position(i);
        same = index && *index < element.size() && element[*index];
      } else {
        for (std::size_t k = 0; same && k < i.operand_count(); ++k)
          same = i.operand(k) && i.operand(k).id() < i.id() && contains(i.operand(k));
      }
      values_.push_back(same);
    }
  }

  /// Whether an instruction is invariant. Precondition: it is of this body.
  bool contains(hlo_instruction i) const {
    return i.id() >= first_ && i.id() - first_ < values_.size() && values_[i.id() - first_];
  }

  /// Whether equal operands give equal results: no effects, state or external input. False for parameters.
  static bool repeatable(hlo_instruction i) {
    switch (i.opcode()) {
      using enum hlo_opcode;
      // clang-format off
      case parameter: case rng: case rng_bit_generator: case rng_get_and_update_state: case infeed: case outfeed:
      case send: case send_done: case recv: case recv_done: case custom_call: case while_: case conditional: case call:
      case after_all: case unknown:
        // clang-format on
        return false;
      case async_start: return bool(collective_of(i));
      default: return true;
    }
  }

 private:
  id first_;
  std::vector<bool> values_;
};

/// The element of its computation's result that an instruction becomes, through bitcasts.
struct root_element {
  bool reached = false;                 ///< it is part of the result
  std::optional<std::int64_t> element;  ///< the first one, if the root is a tuple
};

/// Root elements in computations that loops call.
class root_elements {
 public:
  /// Linear in the module.
  explicit root_elements(const hlo_module& module) : root_elements(module_facts(module)) {}
  /// From a cache.
  explicit root_elements(const analysis_cache auto& made) : of_(made.hlo()->instruction_count()) {
    const users& all_users = made.template get<users>();
    for_each_loop_body(*made.hlo(), [&](hlo_instruction, hlo_computation body) { find_in(body, all_users); });
  }
  /// The element of an instruction; not reached in other computations.
  const root_element& of(hlo_instruction i) const { return of_[i.id()]; }

 private:
  void find_in(hlo_computation body, const users& all_users) {
    for (std::size_t k = body.instruction_count(); k-- > 0;) {
      const hlo_instruction i = body.instruction(k);
      const id at = i.id();
      hlo_instruction next;  // its last bitcast; users come after their operands
      for (const instruction_use use : all_users.of(i)) {
        if (!of_[at].reached && use.user.is_root() && use.user.opcode() == hlo_opcode::tuple)
          of_[at] = {true, static_cast<std::int64_t>(use.operand)};
        if (use.user.opcode() == hlo_opcode::bitcast && use.user.id() > i.id()) next = use.user;
      }
      if (!of_[at].reached) of_[at] = next ? of_[next.id()] : root_element{i.is_root(), std::nullopt};
    }
  }

  std::vector<root_element> of_;  // by instruction
};

}  // namespace hlolint
