// PRF015: a loop whose trip count XLA does not know.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/callers_first.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/transfers/async_work.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/checked.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hlolint {

/// PRF015: a while that holds collectives or copies needs a `known_trip_count`.
struct unknown_trip_count {
  /// Id, name, level and explanation.
  static constexpr rule about{.id = "PRF015",
                              .name = "unknown-trip-count",
                              .level = severity::note,
                              .since = "0.1",
                              .what = "A while loop that holds collectives or copies has no known_trip_count.",
                              .why =
                                  "XLA can then neither unroll nor pipeline it, nor weigh its collectives; other "
                                  "rules of this linter count it once.",
                              .advice =
                                  "Let the bound be a constant of the program (a scan instead of a while with a "
                                  "computed condition). For a decoding loop that ends by its data this is as it must "
                                  "be.",
                              .example = "%w = (s32[], f32[8]{0}) while(%init), condition=%until_done, body=%step",
                              .source = "XLA: while_loop_trip_count_annotator.cc"};
  static constexpr need needs = need::scheduled;  ///< without it the check is not run

  /// Reports a loop of which XLA does not know how often it runs.
  void operator()(const context& dump, sink auto& report) const {
    const hlo_module& module = *dump.hlo();
    const auto& graph = dump.template get<call_graph>();
    std::vector<hlo_instruction> unknown;
    for (const hlo_instruction loop : dump.template get<instructions_by_opcode>().of(hlo_opcode::while_))
      if (!known_trip_count(loop) && graph.is_sequential(loop.computation())) unknown.push_back(loop);
    if (unknown.empty()) return;
    // Collectives and copies of each computation and what it calls; calls of calls may multiply them without end.
    std::vector<checked_int64> collectives(module.computation_count()), copies(module.computation_count());
    const auto order = callers_first(module);
    for (auto c = order.rbegin(); c != order.rend(); ++c)
      for (const hlo_instruction i : c->instructions()) {
        collectives[c->id()] += std::int64_t{is_collective(i.opcode())};
        copies[c->id()] += std::int64_t{i.opcode() == hlo_opcode::copy || i.opcode() == hlo_opcode::copy_start};
        for (const hlo_computation called : i.called_computations())
          if (called) collectives[c->id()] += collectives[called.id()], copies[c->id()] += copies[called.id()];
      }
    for (const hlo_instruction loop : unknown) {
      checked_int64 of_collectives = 0, of_copies = 0;
      for (const hlo_computation called : loop.called_computations())
        if (called) of_collectives += collectives[called.id()], of_copies += copies[called.id()];
      if (of_collectives + of_copies == 0) continue;
      report(finding_at(loop, "how often this loop runs is not known; it holds " + text_of(of_collectives) +
                                  " collectives and " + text_of(of_copies) + " copies"));
    }
  }

 private:
  static std::string text_of(checked_int64 count) {
    return (count.is_exact() ? "" : "more than ") + std::to_string(count.clamped());
  }
};

}  // namespace hlolint
