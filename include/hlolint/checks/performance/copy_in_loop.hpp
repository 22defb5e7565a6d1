// PRF004: an array that a loop carries and copies in every iteration.
#pragma once

#include <hlolint/analysis/byte_size.hpp>
#include <hlolint/analysis/call_graph.hpp>
#include <hlolint/analysis/loop_invariants.hpp>
#include <hlolint/analysis/loops.hpp>
#include <hlolint/analysis/sole_operation.hpp>
#include <hlolint/analysis/users.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/option.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

namespace hlolint {

/// A copy that changes neither layout (PRF002) nor memory space, of an element of the body's parameter or into one of
/// its root.
struct copy_in_loop {
  static constexpr rule about{
      .id = "PRF004",
      .name = "copy-in-loop",
      .level = severity::warning,
      .since = "0.1",
      .what = "A while loop copies a big array that it carries from iteration to iteration.",
      .why = "Carried arrays can be updated in place. The copy costs its size in every iteration, and a second buffer.",
      .advice =
          "XLA inserts the copy when the old value is still read after the new one is written: move that read before "
          "the update, or carry the two values in different elements.",
      .example =
          "%old = f32[4096,4096]{1,0} get-tuple-element(%loop_parameter), index=1\n"
          "%copy.1 = f32[4096,4096]{1,0} copy(%old)",
      .source = "XLA: copy_insertion.cc; openxla/xla #45912"};
  static constexpr need needs = need::scheduled;

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &copy_in_loop::min_bytes, "smaller arrays are not reported (one iteration)"}};

  void operator()(const context& dump, sink auto& report) const {
    const auto& graph = dump.template get<call_graph>();
    for (const hlo_instruction loop : dump.hlo()->instructions()) {
      if (loop.opcode() != hlo_opcode::while_) continue;
      for (const hlo_computation body : loop.called_computations()) {
        if (!body || !graph.is_sequential(body) || !body.root()) continue;
        for (const hlo_instruction i : body.instructions()) check(loop, i, dump, report);
      }
    }
  }

 private:
  void check(hlo_instruction loop, hlo_instruction i, const context& dump, sink auto& report) const {
    const hlo_instruction copy = sole_operation(i);
    if (!copy || copy.opcode() != hlo_opcode::copy || i.operand_count() != 1 || !i.shape() || !i.shape()->is_array())
      return;
    const shape* const from = shape_of_operand(i, 0);
    if (!from || differs_in_order(*i.shape(), *from) || from->memory_space() != i.shape()->memory_space()) return;
    const auto bytes = dense_size(*i.shape());
    if (!bytes || *bytes < min_bytes) return;
    const auto slot = carried_element(i.operand(0));
    const bool to_root = slot ? false : reaches_root(i, dump.template get<users>());
    if (!slot && !to_root) return;
    const auto& all_loops = dump.template get<loops>();
    diagnostic d =
        finding_at(i, "the loop copies " + human(*bytes) + " that it carries" +
                          (slot ? " in element " + std::to_string(*slot) : std::string{}) +
                          repetition_text(all_loops, i.computation()) + " (" + detail::position_text(i) + ")");
    d.bytes = repeated_bytes(all_loops, i.computation(), *bytes);
    d.related.push_back(related_at(loop, "the loop"));
    std::size_t named = 0;
    if (const hlo_instruction source = i.operand(0))
      for (const instruction_use use : dump.template get<users>().of(source))
        if (!(use.user == i) && named++ < max_named)
          d.related.push_back(related_at(use.user, "uses the value that is copied"));
    report(std::move(d));
  }

  static bool reaches_root(hlo_instruction copy, const users& all_users) {
    for (hlo_instruction at = copy;;) {
      hlo_instruction next;
      for (const instruction_use use : all_users.of(at)) {
        if (use.user.is_root() && use.user.opcode() == hlo_opcode::tuple) return true;
        if (use.user.opcode() == hlo_opcode::bitcast && use.user.id() > at.id()) next = use.user;
      }
      if (!next) return at.is_root();
      at = next;
    }
  }
  static constexpr std::size_t max_named = 3;
};

}  // namespace hlolint
