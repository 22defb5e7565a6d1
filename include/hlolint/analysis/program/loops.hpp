// The while loops around computations, and their repetitions.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/checked.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hlolint {

/// How often something runs in one run of the program. A loop with an unknown count counts once.
struct repetition {
  std::int64_t times = 1;  ///< the product of the counts of the loops around it
  bool exact = true;       ///< false: the count of at least one loop is not proven
  bool assumed = false;    ///< all unproven counts are suggested by the loops' conditions

  /// The repetition inside of a loop.
  repetition in_loop(const trip_count& count) const {
    const checked_int64 product = checked_int64(times) * count.times;
    return {product.clamped(), exact && count.is_proven() && product.is_exact(),
            count.basis == trip_basis::assumed ? exact || assumed : assumed && count.is_proven()};
  }
  friend bool operator==(const repetition&, const repetition&) = default;
};

/// The loops around every computation of a module.
class loops {
 public:
  /// Linear in the module.
  explicit loops(const hlo_module& module) : module_(module), of_(module.computation_count()) {
    const calling_instructions calling(module);
    for (const hlo_computation caller : callers_first(calling)) {
      const place own = of_[caller.id()];
      for (const id at : calling.in(caller)) {
        const hlo_instruction i = module.instruction(at);
        place inside = own;
        if (i.opcode() == hlo_opcode::while_) {
          inside.loop = i.id();
          inside.runs = own.runs.in_loop(trip_count_of(i));
        }
        for (const hlo_computation called : i.called_computations()) {
          if (!called) continue;
          place& known = of_[called.id()];
          if (known.loop == none || known.runs.times < inside.runs.times) known = inside;
        }
      }
    }
  }

  /// The innermost while around a computation, directly or through its callers; an empty view outside of loops. Of
  /// several callers, the one that runs it most often counts.
  hlo_instruction around(hlo_computation c) const {
    return of_[c.id()].loop == none ? hlo_instruction{} : module_.instruction(of_[c.id()].loop);
  }
  /// The product of the counts of all loops around a computation.
  repetition runs_of(hlo_computation c) const { return of_[c.id()].runs; }

 private:
  struct place {
    id loop = none;
    repetition runs;
  };

  hlo_module module_;
  std::vector<place> of_;  // by computation
};

/// ` x 24 iterations`; ` x 24 iterations (assumed)` if only a loop's condition suggests its count; ` x at least 5
/// iterations` or ` in each iteration` if nothing does; empty outside of loops and for one iteration.
inline std::string repetition_text(const loops& all_loops, hlo_computation c) {
  if (!all_loops.around(c)) return {};
  const repetition runs = all_loops.runs_of(c);
  if (runs.exact && runs.times == 1) return {};
  if (!runs.exact && !runs.assumed && runs.times == 1) return " in each iteration";
  return (runs.exact || runs.assumed ? " x " : " x at least ") + std::to_string(runs.times) +
         (runs.times == 1 ? " iteration" : " iterations") + (runs.assumed ? " (assumed)" : "");
}

/// How often computations run, by the names that findings hold.
class runs_by_name {
 public:
  /// Linear in the module.
  explicit runs_by_name(const hlo_module& module) : runs_by_name(module_facts(module)) {}
  /// From a cache.
  explicit runs_by_name(const analysis_cache auto& made) : module_(*made.hlo()) {
    runs_.reserve(module_.computation_count());
    for (const hlo_computation c : module_.computations())
      runs_.emplace(c.name(), made.template get<loops>().runs_of(c));
  }
  /// The product of the counts of all loops around a computation; one for an unknown name.
  repetition of(std::string_view computation) const {
    const auto found = runs_.find(computation);
    return found == runs_.end() ? repetition{} : found->second;
  }

 private:
  hlo_module module_;  // the names are parts of its text
  std::unordered_map<std::string_view, repetition> runs_;
};

}  // namespace hlolint
