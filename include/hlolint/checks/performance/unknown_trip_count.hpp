// PRF015: a loop of which XLA does not know how often it runs.
#pragma once

#include <hlolint/analysis/call_graph.hpp>
#include <hlolint/analysis/callers_first.hpp>
#include <hlolint/analysis/loops.hpp>
#include <hlolint/analysis/async_work.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hlolint {

struct unknown_trip_count {
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
  static constexpr need needs = need::scheduled;

  void operator()(const context& dump, sink auto& report) const {
    const hlo_module& module = *dump.hlo();
    // Collectives and copies of each computation and what it calls.
    std::vector<std::size_t> collectives(module.computation_count()), copies(module.computation_count());
    const auto order = callers_first(module);
    for (auto c = order.rbegin(); c != order.rend(); ++c)
      for (const hlo_instruction i : c->instructions()) {
        collectives[c->id()] += is_collective(i.opcode());
        copies[c->id()] += i.opcode() == hlo_opcode::copy || i.opcode() == hlo_opcode::copy_start;
        for (const hlo_computation called : i.called_computations())
          if (called) collectives[c->id()] += collectives[called.id()], copies[c->id()] += copies[called.id()];
      }
    const auto& graph = dump.template get<call_graph>();
    for (const hlo_instruction loop : module.instructions()) {
      if (loop.opcode() != hlo_opcode::while_ || known_trip_count(loop) || !graph.is_sequential(loop.computation()))
        continue;
      std::size_t of_collectives = 0, of_copies = 0;
      for (const hlo_computation called : loop.called_computations())
        if (called) of_collectives += collectives[called.id()], of_copies += copies[called.id()];
      if (of_collectives + of_copies == 0) continue;
      report(finding_at(loop, "how often this loop runs is not known; it holds " + std::to_string(of_collectives) +
                                  " collectives and " + std::to_string(of_copies) + " copies"));
    }
  }
};

}  // namespace hlolint
