// Which element of a while body's result an instruction is.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint {

/// Whether an instruction is part of its computation's result, looking through bitcasts, and as which element.
struct root_element {
  bool reached = false;                 ///< it is
  optional<std::int64_t> element;       ///< the first, where the root is a tuple
};

/// Of the computations that loops call.
class root_elements {
 public:
  /// Linear in the module.
  explicit root_elements(const hlo_module& module) : root_elements(module, users(module)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit root_elements(const Cache& made) : root_elements(*made.hlo(), made.template get<users>()) {}
  /// Not reached for an instruction of another computation.
  const root_element& of(hlo_instruction i) const { return of_[i.id()]; }

 private:
  root_elements(const hlo_module& module, const users& all_users) : of_(module.instruction_count()) {
    record_list<bool> done(module.computation_count());
    for (const hlo_instruction loop : module.instructions()) {
      if (loop.opcode() != hlo_opcode::while_) continue;
      for (const hlo_computation body : loop.called_computations())
        if (body && !done[body.id()]) {
          done[body.id()] = true;
          find_in(body, all_users);
        }
    }
  }

  void find_in(hlo_computation body, const users& all_users) {
    for (std::size_t k = body.instruction_count(); k-- > 0;) {
      const hlo_instruction i = body.instruction(k);
      const id at = i.id();
      hlo_instruction next;  // the last bitcast of it; users come after what they use
      for (const instruction_use use : all_users.of(i)) {
        if (!of_[at].reached && use.user.is_root() && use.user.opcode() == hlo_opcode::tuple)
          of_[at] = {true, static_cast<std::int64_t>(use.operand)};
        if (use.user.opcode() == hlo_opcode::bitcast && use.user.id() > i.id()) next = use.user;
      }
      if (!of_[at].reached) of_[at] = next ? of_[next.id()] : root_element{i.is_root(), std::nullopt};
    }
  }

  record_list<root_element> of_;  // by instruction
};

}  // namespace hlolint
