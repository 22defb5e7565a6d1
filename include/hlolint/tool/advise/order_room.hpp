// The bytes that a better order of the instructions could save at most, to decide whether a search is worthwhile.
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/advise/order_bound.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

/// How much a count of what a better order could save takes.
enum class order_count : std::uint8_t {
  none,     ///< nothing: no order can save as much as is worth a search
  bound,    ///< the need and its bound, `order_room`
  too_long  ///< the same, which takes longer for a large module than the cheap rules together
};

/// How much it takes for a module. Linear: an order moves no more than what instructions make.
inline order_count order_count_of(const context& module) {
  constexpr std::size_t most_instructions = 4'000;
  if (!module.has(need::scheduled | need::target) || !module.hlo()->entry() || module.target() == target::tpu)
    return order_count::none;
  const call_graph& calls = module.get<call_graph>();
  checked_int64 made = 0, given = 0;
  for (const hlo_computation c : module.hlo()->computations()) {
    if (!calls.is_sequential(c)) continue;
    for (const hlo_instruction i : c.instructions()) {
      const bool parameter = i.opcode() == hlo_opcode::parameter && c == module.hlo()->entry();
      if (!i.shape() || (!parameter && (takes_no_time(i.opcode()) || calls_sequentially(i.opcode())))) continue;
      (parameter ? given : made) += dense_size_of_leaves(*i.shape()).value_or(0);
    }
  }
  if (made.clamped() < order_room::least || made.clamped() < given.clamped() / 20) return order_count::none;
  return module.hlo()->instruction_count() > most_instructions ? order_count::too_long : order_count::bound;
}

/// The room in a module, of whose memory an estimate after it is cheap. There is none if a search cannot help:
/// unscheduled modules, modules for TPUs, small ones.
inline order_room order_room_of(const context& module) {
  order_room out;
  if (!module.has(need::scheduled | need::target) || !module.hlo()->entry() || module.target() == target::tpu)
    return out;
  const auto& [made, plan] = module.get<likely_buffers>();
  out.need = out.bound = plan.need;
  if (out.need < order_room::least) return out;
  const schedule_constraints rules(made->sets());
  // The bound is of the main memory; what lies elsewhere gives no room.
  checked_int64 bound = order_bound(*made, rules).bytes();
  for (const planned_allocation& a : plan.allocations)
    if (a.color != 0) bound += a.size;
  out.bound = std::min(out.need, bound.clamped());
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
