// The bytes that a better order of the instructions could save at most, to decide whether a search is worthwhile.
#pragma once

#include <hlolint/advise/order_bound.hpp>
#include <hlolint/advise/schedule_constraints.hpp>
#include <hlolint/advise/schedule_edit.hpp>
#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <string>

namespace hlolint::advise {

/// The need of a module and the lower bound for all orders (advise.md 7), in bytes.
struct order_room {
  byte_count need = 0;   ///< the need of the present schedule
  byte_count bound = 0;  ///< the least need of any order; equal to `need` if a search cannot gain

  /// The most bytes that a better order could save.
  byte_count bytes() const { return need - bound; }
  /// Whether a better order could save at least 256 MiB and 5 % of the need.
  bool is_worth_a_search() const { return bytes() >= least && bytes() >= need / 20; }

  static constexpr byte_count least = 256_MiB;  ///< the least savings that are worth a search
};

/// The room in a module. There is none if a search cannot help: unscheduled modules, modules for TPUs, small ones.
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

/// A sentence that points to `hlolint advise`; empty if a search is not worthwhile.
inline std::string advice_pointer(const context& module) {
  const order_room room = order_room_of(module);
  if (!room.is_worth_a_search()) return {};
  return str_cat({"up to ", human(room.bytes()),
                  " of the need follow from the order of the instructions: `hlolint advise` looks for a better one"});
}

}  // namespace hlolint::advise
