// PRF015: a loop whose trip count the text does not prove.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/text/checked.hpp>

namespace hlolint {

/// Only for loops that hold collectives or copies, whose cost depends on the count.
struct unknown_trip_count {
  static constexpr rule about{
      .id = "PRF015",
      .name = "unknown-trip-count",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .needs = need::scheduled,
      .what =
          "The text does not give, or only suggests in a condition, how often a while loop runs that holds "
          "collectives or copies.",
      .why =
          "XLA can then neither unroll nor pipeline the loop, nor weigh its collectives; other rules of hlolint "
          "count the loop once, or as often as its condition suggests.",
      .advice =
          "Make the bound a constant of the program (a scan instead of a while with a computed condition). A "
          "decoding loop that ends by its data has to be like this.",
      .example = "%w = (s32[], f32[8]{0}) while(%init), condition=%until_done, body=%step",
      .source = "XLA: while_loop_trip_count_annotator.cc"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <vector>

namespace hlolint {

HLOLINT_INLINE void unknown_trip_count::operator()(const context& dump, sink_ref emit) const {
  const hlo_module& module = *dump.hlo();
  const auto& graph = dump.get<call_graph>();
  std::vector<std::pair<hlo_instruction, trip_count>> unknown;
  for (const hlo_instruction loop : dump.get<instructions_by_opcode>().of(hlo_opcode::while_))
    if (const trip_count count = trip_count_of(loop); !count.is_proven() && graph.is_sequential(loop.computation()))
      unknown.emplace_back(loop, count);
  if (unknown.empty()) return;
  // Collectives and copies of each computation and of those that it calls. Nested calls may multiply them beyond any
  // int64.
  std::vector<checked_int64> collectives(module.computation_count()), copies(module.computation_count());
  for (const hlo_computation c : callees_first(module))
    for (const hlo_instruction i : c.instructions()) {
      collectives[c.id()] += std::int64_t{is_collective(i.opcode())};
      copies[c.id()] += std::int64_t{i.opcode() == hlo_opcode::copy || i.opcode() == hlo_opcode::copy_start};
      for (const hlo_computation called : i.called_computations())
        if (called) collectives[c.id()] += collectives[called.id()], copies[c.id()] += copies[called.id()];
    }
  for (const auto& [loop, count] : unknown) {
    checked_int64 of_collectives = 0, of_copies = 0;
    for (const hlo_computation called : loop.called_computations())
      if (called) of_collectives += collectives[called.id()], of_copies += copies[called.id()];
    if (of_collectives + of_copies == 0) continue;
    const std::string times = count.basis == trip_basis::assumed
                                  ? str_cat({"this loop is assumed to run ", count.times,
                                             " times: its condition has the limit, and start or step are not proven"})
                                  : "how often this loop runs is not known";
    const auto text_of = [](checked_int64 n) { return str_cat({n.is_exact() ? "" : "more than ", n.clamped()}); };
    emit(finding_at(loop, str_cat({times, "; it holds ", text_of(of_collectives), " collectives and ",
                                   text_of(of_copies), " copies"})));
  }
}

}  // namespace hlolint
#endif
