// How many iterations of a while loop read what an earlier one has read.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/values/distinct_in_loop.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstdint>

namespace hlolint {

/// Of a computation that one loop calls.
class body_repeats {
 public:
  /// `carried` must stay alive as long as this. Linear in the body.
  body_repeats(hlo_instruction loop, hlo_computation body, const carried_elements& carried)
      : body_(body), trips_(iterations_of(loop)), invariants_(body, carried) {}
  body_repeats(const body_repeats&) = delete;  // one part refers to another
  body_repeats& operator=(const body_repeats&) = delete;

  /// Iterations; two where they are not known, as a loop is not there for less.
  std::int64_t trips() const { return trips_; }
  /// Whether all iterations compute the same. Precondition: of this body.
  bool is_same(hlo_instruction i) const { return invariants_.contains(i); }
  /// How many different values an instruction reads in all iterations, at most. Precondition: of this body.
  std::int64_t values_read(hlo_instruction i) {
    if (is_same(i)) return 1;
    if (trips_ <= 2) return trips_;  // a bound gives no count
    if (!distinct_) distinct_.emplace(body_, invariants_);
    std::int64_t most = i.operand_count() == 0 ? distinct_in_loop::many : 1;
    for (const hlo_instruction operand : i.operands())
      most =
          std::max(most, operand && operand.computation() == body_ && operand.id() < i.id() ? distinct_->of(operand)
                                                                                            : distinct_in_loop::many);
    return most;
  }

 private:
  static std::int64_t iterations_of(hlo_instruction loop) {
    const trip_count count = trip_count_of(loop);
    return count.basis == trip_basis::unknown ? 2 : count.times;
  }

  hlo_computation body_;
  std::int64_t trips_;
  loop_invariants invariants_;
  optional<distinct_in_loop> distinct_;
};

/// The same as a share, for all loops of a module.
class loop_repeats {
 public:
  /// Linear in the module, but for what `distinct_in_loop` looks at inside fusions.
  explicit loop_repeats(const hlo_module& module) : loop_repeats(module, carried_elements(module)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit loop_repeats(const Cache& made) : loop_repeats(*made.hlo(), made.template get<carried_elements>()) {}

  /// At least this share of the iterations of the loop that calls its computation reads what an earlier one has read;
  /// nothing outside of loops. Of a computation that several loops call, for the first of them.
  optional<double> of(hlo_instruction i) const {
    return shares_[i.id()] < 0 ? std::nullopt : optional(shares_[i.id()]);
  }

 private:
  loop_repeats(const hlo_module& module, const carried_elements& carried) : shares_(module.instruction_count(), -1) {
    record_list<bool> seen(module.computation_count());
    for (const hlo_instruction loop : module.instructions()) {
      if (loop.opcode() != hlo_opcode::while_) continue;
      for (const hlo_computation body : loop.called_computations()) {
        if (!body || seen[body.id()]) continue;
        seen[body.id()] = true;
        body_repeats repeats(loop, body, carried);
        const auto trips = static_cast<double>(repeats.trips());
        if (trips < 1) continue;
        for (const hlo_instruction i : body.instructions())
          shares_[i.id()] = std::max(0.0, 1 - static_cast<double>(repeats.values_read(i)) / trips);
      }
    }
  }

  record_list<double> shares_;  // by instruction; negative: not in a loop
};

}  // namespace hlolint
