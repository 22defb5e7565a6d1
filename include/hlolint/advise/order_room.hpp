// How much of what a module needs follows from the order of its instructions, at most: whether a search pays.
#pragma once

#include <hlolint/advise/order_bound.hpp>
#include <hlolint/advise/schedule_constraints.hpp>
#include <hlolint/advise/schedule_edit.hpp>
#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <string>

namespace hlolint::advise {

/// What a module needs, and what no order of its instructions goes below (advise.md 7), in bytes.
struct order_room {
  byte_count need = 0;   ///< of the schedule as it is
  byte_count bound = 0;  ///< of any order; the need itself where no search would gain

  /// What a better order could save at most.
  byte_count bytes() const { return need - bound; }
  /// Whether that is 256 MiB and 5 % of the need or more.
  bool is_worth_a_search() const { return bytes() >= least && bytes() >= need / 20; }

  static constexpr byte_count least = 256_MiB;  ///< see there
};

/// Of a module that a search could look at; nothing to save for any other: unscheduled, for TPUs, small.
inline order_room order_room_of(const context& module) {
  order_room out;
  if (!module.has(need::scheduled | need::target) || !module.hlo()->entry() || module.target() == target::tpu)
    return out;
  const buffer_assignment made(*module.hlo(), assignment_rules::of(module.target(), xla_period_of(module).likely()));
  out.need = out.bound = need_of(made.plan());
  if (out.need < order_room::least) return out;
  const schedule_constraints rules(made.sets());
  out.bound = std::min(out.need, order_bound(made, rules).bytes());
  return out;
}

/// One sentence that points to `hlolint advise`; empty if there is too little to save.
inline std::string advice_pointer(const context& module) {
  const order_room room = order_room_of(module);
  if (!room.is_worth_a_search()) return {};
  return "up to " + human(room.bytes()) +
         " of the need follow from the order of the instructions: `hlolint advise` "
         "looks for a better one";
}

}  // namespace hlolint::advise
