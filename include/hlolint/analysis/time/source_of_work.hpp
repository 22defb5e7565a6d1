// Which lines of the user's program the work of a step comes from.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint {

/// Work of one kind that one place of the program asks for.
struct source_work {
  std::string source;  ///< `file:line`, else the name of the operation; empty if the text has neither
  std::string kind;    ///< the opcode, the target of a custom call, or the operation that a fusion was named for
  work_bound bound = work_bound::nothing;  ///< what keeps the work from being faster
  double seconds = 0;  ///< of all its runs in one step
  double runs = 0;  ///< of all of them in one step
  std::size_t instructions = 0;  ///< how many there are
  hlo_instruction longest;  ///< the one of them that takes most time
  friend bool operator==(const source_work&, const source_work&) = default;
};

/// The work of a step by place, kind and bound, most time first, and the calls whose work is unknown.
class work_by_source {
 public:
  /// O(n log n) in the instructions.
  explicit work_by_source(const hlo_module& module, const exposed_time& time) {
    std::map<std::tuple<std::string, std::string, work_bound>, std::size_t> known;
    record_list<double> longest;
    for (const hlo_computation c : module.computations()) {
      const double runs = time.runs_of(c);
      if (runs <= 0) continue;
      for (const hlo_instruction i : c.instructions()) {
        if (is_free(i) || time.links().of(i) || is_transfer_opcode(i.opcode())) continue;
        if (i.opcode() == hlo_opcode::while_ || i.opcode() == hlo_opcode::call || i.opcode() == hlo_opcode::conditional)
          continue;
        const work_time own = time.work().of(i);
        const bool may_be_unknown = i.opcode() == hlo_opcode::custom_call || i.opcode() == hlo_opcode::cholesky ||
                                    i.opcode() == hlo_opcode::triangular_solve;
        if (may_be_unknown && own.bound != work_bound::printed && time.work().work_of(i).unknown) ++unknown_calls_;
        if (own.seconds <= 0) continue;
        const auto [found, added] = known.try_emplace({source_of(i), kind_of(i), own.bound}, list_.size());
        if (added) {
          source_work& entry = list_.emplace_back();
          std::tie(entry.source, entry.kind, entry.bound) = found->first;
          longest.push_back(-1);
        }
        source_work& entry = list_[found->second];
        entry.seconds += own.seconds * runs, entry.runs += runs, ++entry.instructions;
        if (own.seconds * runs > longest[found->second]) longest[found->second] = own.seconds * runs, entry.longest = i;
      }
    }
    std::stable_sort(list_.begin(), list_.end(),
                     [](const source_work& a, const source_work& b) { return a.seconds > b.seconds; });
  }

  /// Most time first.
  const record_list<source_work>& list() const { return list_; }
  /// Calls of which no model knows the time, such as solvers: they count with what they move or compute at least.
  std::size_t unknown_calls() const { return unknown_calls_; }

 private:
  static std::string source_of(hlo_instruction i) {
    const program_place from = program_place_of(i);
    if (!from.at) return from.op_name;
    return from.at.file + (from.at.line > 0 ? ':' + std::to_string(from.at.line) : std::string{});
  }
  static std::string kind_of(hlo_instruction i) {
    if (i.opcode() != hlo_opcode::custom_call) return std::string(i.opcode_text());
    const auto target = get<custom_call_target>(i);
    return target && !target->name.empty() ? target->name : std::string("custom-call");
  }

  record_list<source_work> list_;
  std::size_t unknown_calls_ = 0;
};

}  // namespace hlolint
