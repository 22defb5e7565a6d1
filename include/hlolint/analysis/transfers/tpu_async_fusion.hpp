// TPU's async collective fusions: ordinary fusions whose called computations show what they are (scheduling.md 1).
#pragma once

#include <hlolint/analysis/program/attribute_words.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <string>
#include <string_view>

namespace hlolint {

/// What a fused computation does for the transfers it names.
struct async_fusion_role {
  bool starts = false;         ///< holds a custom call `AsyncCollectiveStart`
  bool finishes = false;       ///< holds a custom call `AsyncCollectiveDone`
  hlo_instruction collective;  ///< the copy of the collective in it; empty if there is none
  std::string chain;           ///< `chain_id/channel_id`, equal in all fusions of one transfer; empty if unknown

  /// A compute fusion that carries a transfer on.
  bool carries() const { return collective && !starts && !finishes && !chain.empty(); }
};

/// The roles of all computations of a module.
class async_fusion_roles {
 public:
  /// Linear in the module.
  explicit async_fusion_roles(const hlo_module& module) : role_of_(module.computation_count(), none) {
    for (const hlo_instruction i : module.instructions()) {
      if (i.opcode() != hlo_opcode::custom_call ||
          !may_hold(i, attribute_key::custom_call_target, "AsyncCollective"))
        continue;
      const auto target = get<custom_call_target>(i);
      if (target && target->name == "AsyncCollectiveStart") role(i).starts = any_ = true;
      if (target && target->name == "AsyncCollectiveDone") role(i).finishes = true;
    }
    if (!any_) return;  // without a start there are no chains
    for (const hlo_instruction i : module.instructions()) {
      if (!is_synchronous_collective(i.opcode())) continue;
      const auto attributes = get<frontend_attributes>(i);
      const std::string* const chain_id = attributes ? attributes->find("chain_id") : nullptr;
      if (!chain_id) continue;
      async_fusion_role& own = role(i);
      own.collective = i;
      own.chain = *chain_id + '/' + std::string(i.attribute(attribute_key::channel_id).value_or("-"));
    }
  }

  /// Null if the instruction is not a fusion with such a role.
  const async_fusion_role* of(hlo_instruction i) const {
    if (!any_ || i.opcode() != hlo_opcode::fusion || i.called_computation_count() == 0) return nullptr;
    const hlo_computation called = i.called_computation(0);
    return called && role_of_[called.id()] != none ? &roles_[role_of_[called.id()]] : nullptr;
  }

 private:
  async_fusion_role& role(hlo_instruction inside) {
    id& at = role_of_[inside.computation().id()];
    if (at == none) {
      at = static_cast<id>(roles_.size());
      roles_.emplace_back();
    }
    return roles_[at];
  }

  record_list<id> role_of_;  // by computation, into roles_
  record_list<async_fusion_role> roles_;
  bool any_ = false;
};

}  // namespace hlolint
