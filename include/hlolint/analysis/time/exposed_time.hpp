// How much of a module's transfers its schedule does not hide on a device (time_model.md 6).
#pragma once

#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/time/exposed_transfer.hpp>
#include <hlolint/analysis/time/schedule_walk.hpp>
#include <hlolint/analysis/time/transfer_time.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

namespace hlolint {

/// The time of one run of a scheduled module's entry; of a text that ends before its entry, of the parts that certainly
/// run step by step. Precondition: the module is scheduled.
class exposed_time {
 public:
  /// A `record` is filled with what happens when, if there is one.
  explicit exposed_time(const hlo_module& module, const device& on, assumed_trips trips = {},
                        schedule_record* record = nullptr)
      : device_(on), work_(module, on), transfers_(module, on), walk_(module, work_, transfers_, trips, record) {}
  exposed_time(const exposed_time&) = delete;  // the walk refers to the times
  exposed_time& operator=(const exposed_time&) = delete;

  /// The device that the times are for.
  const device& on() const { return device_; }
  /// Seconds of the whole step, of the work in it, and of waiting for transfers.
  double step() const { return walk_.step(); }
  /// Seconds in which the device works.
  double compute() const { return walk_.compute(); }
  /// Seconds in which the device waits for transfers.
  double exposed() const {
    double sum = 0;
    for (const exposed_transfer& t : transfers())
      if (!t.computes && t.in_step) sum += t.exposed;
    return sum;
  }
  /// All that runs or could run, in text order. A transfer in several loops counts the runs of all; of branches see
  /// `exposed_transfer::in_step`.
  const record_list<exposed_transfer>& transfers() const { return walk_.transfers(); }
  /// The same without computations of other threads, worst first: by exposed time, then by bytes, then by place.
  record_list<exposed_transfer> worst_first() const {
    record_list<exposed_transfer> out;
    for (const exposed_transfer& t : transfers())
      if (!t.computes && t.in_step) out.push_back(t);
    std::sort(out.begin(), out.end(), [](const exposed_transfer& a, const exposed_transfer& b) {
      return std::tuple(-a.exposed, -a.time.wire_bytes, a.start.id()) <
             std::tuple(-b.exposed, -b.time.wire_bytes, b.start.id());
    });
    return out;
  }
  /// How often a computation runs step by step in one step of the program; 0 if it does not.
  double runs_of(hlo_computation c) const { return walk_.runs_of(c); }
  /// Loops whose trip count the text does not give.
  record_list<hlo_instruction> loops_of_unknown_count() const { return loops_with(trip_basis::unknown); }
  /// Loops whose trip count only their condition suggests.
  record_list<hlo_instruction> loops_of_assumed_count() const { return loops_with(trip_basis::assumed); }
  /// False if calls are nested so deep or so often that some of them only count with the sum of their work.
  bool is_complete() const { return walk_.is_complete(); }

  /// `nccl` (or `ici`), `copy` and so on, for transfers that wait for one another: lane - 1 of a record.
  record_list<std::string> queue_names() const {
    record_list<std::string> out;
    for (const detail::transfer_queue& queue : walk_.queues()) out.push_back(queue.name);
    return out;
  }
  /// Work and times of the instructions.
  const work_times& work() const { return work_; }
  /// The times that were needed so far: those of all that runs.
  const detail::summed_work& seconds() const { return walk_.seconds(); }
  /// Times of the transfers.
  const transfer_times& links() const { return transfers_; }

 private:
  record_list<hlo_instruction> loops_with(trip_basis basis) const {
    record_list<hlo_instruction> out;
    for (const hlo_instruction loop : walk_.unproven_loops())
      if (trip_count_of(loop).basis == basis) out.push_back(loop);
    return out;
  }

  device device_;
  work_times work_;
  transfer_times transfers_;
  schedule_walk walk_;
};

}  // namespace hlolint
