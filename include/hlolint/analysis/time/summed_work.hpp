// Seconds of work of instructions, looked up, and of whole computations, summed.
#pragma once

#include <hlolint/analysis/program/call_roles.hpp>
#include <hlolint/analysis/program/callers_first.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hlolint::detail {

/// Every time is computed once, when it is first asked for.
class summed_work {
 public:
  /// An instruction that multiplies matrices, or one of which no model knows the time.
  struct noted_work {
    id instruction;
    double flops;
    bool unknown;
  };

  /// `times` stays alive as long as this is asked. `trips`: of loops whose count is not known.
  summed_work(const work_times& times, hlo_module module, std::int64_t trips)
      : times_(times),
        module_(std::move(module)),
        trips_(std::max<std::int64_t>(trips, 1)),
        seconds_(module_.instruction_count(), -1) {}
  /// With the times of instructions that `known` has computed already.
  summed_work(const summed_work& known, std::int64_t trips)
      : times_(known.times_),
        module_(known.module_),
        trips_(std::max<std::int64_t>(trips, 1)),
        seconds_(known.seconds_),
        noted_(known.noted_) {}

  /// Of one instruction without what it calls step by step.
  double of(hlo_instruction i) {
    double& known = seconds_[i.id()];
    if (known >= 0) return known;
    work done;
    known = times_.of(i, done).seconds;
    if (done.flops > 0 || done.unknown) noted_.push_back({i.id(), done.flops, done.unknown});
    return known;
  }

  /// Of all instructions of a computation, one after the other: loops by their counts, of branches the slowest.
  double of(hlo_computation c) {
    if (sums_.empty()) sum_up();
    return sums_[c.id()];
  }

  /// Of the instructions whose times were asked for, in the order of asking.
  const record_list<noted_work>& noted() const { return noted_; }

  /// Of one instruction with what it calls step by step; 0 for transfers.
  double with_calls(hlo_instruction i) {
    double sum = 0, most = 0;
    for (const hlo_computation called : i.called_computations())
      if (called) sum += of(called), most = std::max(most, of(called));
    switch (i.opcode()) {
      using enum hlo_opcode;
      case while_: {
        const trip_count count = trip_count_of(i);
        return sum * static_cast<double>(count.basis == trip_basis::unknown ? trips_ : count.times);
      }
      case conditional:
        return most;
      case call:
        return sum;
      default:
        return is_transfer_opcode(i.opcode()) || is_collective(i.opcode()) ? 0 : of(i);
    }
  }

 private:
  void sum_up() {
    sums_.resize(module_.computation_count());
    const record_list<hlo_computation> order = callers_first(module_);
    for (auto c = order.rbegin(); c != order.rend(); ++c)
      for (const hlo_instruction i : c->instructions()) {
        sums_[c->id()] += with_calls(i);
        if (i.opcode() == hlo_opcode::async_start)  // a computation of another thread is waited for
          for (const hlo_computation called : i.called_computations())
            if (called) sums_[c->id()] += sums_[called.id()];
      }
  }

  const work_times& times_;
  hlo_module module_;
  std::int64_t trips_;
  record_list<double> seconds_;  // by instruction; negative: not asked for
  record_list<double> sums_;     // by computation; empty: not asked for
  record_list<noted_work> noted_;
};

}  // namespace hlolint::detail
