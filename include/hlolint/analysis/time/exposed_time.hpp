// The time of a step and the transfers that its schedule does not hide (time_model.md 6), and times of single
// instructions.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/time/schedule_record.hpp>
#include <hlolint/analysis/time/schedule_walk.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/analysis/time/transfer_time.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hlolint {

/// The time of one run of a module's entry; for a text cut off before its entry, of the parts that surely run step by
/// step. Precondition: the module is scheduled.
class exposed_time {
 public:
  /// `record`, if not null, receives the timeline.
  explicit exposed_time(const hlo_module& module, const device& on, assumed_trips trips = {},
                        schedule_record* record = nullptr)
      : device_(on), work_(module, on), transfers_(module, on), walk_(module, work_, transfers_, trips, record) {}
  exposed_time(const exposed_time&) = delete;  // the walk refers to the times
  exposed_time& operator=(const exposed_time&) = delete;

  /// The device.
  const device& on() const { return device_; }
  /// Seconds of the whole step.
  double step() const { return walk_.step(); }
  /// Seconds of work.
  double compute() const { return walk_.compute(); }
  /// Seconds of waiting for transfers.
  double exposed() const {
    double sum = 0;
    for (const exposed_transfer& t : transfers())
      if (!t.computes && t.in_step) sum += t.exposed;
    return sum;
  }
  /// Seconds of waiting for computations of other streams, as of the host.
  double other_streams() const {
    const double rest = step() - compute() - exposed();
    return rest > 1e-9 * step() ? rest : 0;  // less is rounding
  }
  /// All transfers and computations of other threads, in text order, over all their runs; for branches see
  /// `exposed_transfer::in_step`.
  const std::vector<exposed_transfer>& transfers() const { return walk_.transfers(); }
  /// The transfers of the step, worst first: by exposed time, then bytes, then place.
  std::vector<exposed_transfer> worst_first() const {
    std::vector<exposed_transfer> out;
    for (const exposed_transfer& t : transfers())
      if (!t.computes && t.in_step) out.push_back(t);
    std::ranges::stable_sort(out, [](const exposed_transfer& a, const exposed_transfer& b) {
      return in_order(-a.exposed, -b.exposed, -a.time.wire_bytes, -b.time.wire_bytes, a.start.id(), b.start.id());
    });
    return out;
  }
  /// How often a computation runs step by step in one step of the program, 0 if never.
  double runs_of(hlo_computation c) const { return walk_.runs_of(c); }
  /// Loops whose trip count the text does not give.
  std::vector<hlo_instruction> loops_of_unknown_count() const { return loops_with(trip_basis::unknown); }
  /// Loops whose trip count only their condition suggests.
  std::vector<hlo_instruction> loops_of_assumed_count() const { return loops_with(trip_basis::assumed); }
  /// False if calls are nested so deeply or so often that some count only with the sum of their work.
  bool is_complete() const { return walk_.is_complete(); }

  /// The names of the queues in which transfers wait for one another, such as `nccl`, `ici` or `copy`; by lane of a
  /// record, minus 1.
  std::vector<std::string> queue_names() const {
    std::vector<std::string> out;
    for (const detail::transfer_queue& queue : walk_.queues()) out.push_back(queue.name);
    return out;
  }
  /// Work and times of the instructions.
  const work_times& work() const { return work_; }
  /// The times computed so far: of all instructions that run.
  const detail::summed_work& seconds() const { return walk_.seconds(); }
  /// Times of the transfers.
  const transfer_times& links() const { return transfers_; }

 private:
  std::vector<hlo_instruction> loops_with(trip_basis basis) const {
    std::vector<hlo_instruction> out;
    for (const hlo_instruction loop : walk_.unproven_loops())
      if (trip_count_of(loop).basis == basis) out.push_back(loop);
    return out;
  }

  device device_;
  work_times work_;
  transfer_times transfers_;
  schedule_walk walk_;
};

/// The time of an instruction, which a finding about it could save.
struct instruction_time {
  double seconds = 0;  ///< of one run: the exposed time of a transfer, the work of others
  double runs = 1;     ///< in one step
  hlo_instruction of;  ///< the start for the done of a transfer, otherwise the instruction
  friend bool operator==(const instruction_time&, const instruction_time&) = default;
};

/// Times of the instructions of a module on a device. Without a schedule, the exposed time of transfers is unknown.
class instruction_times {
 public:
  /// With an `exposed_time` if the module is scheduled.
  instruction_times(const hlo_module& module, const device& on)
      : runs_(std::make_shared<const loops>(module)),
        scheduled_(module.is_scheduled() ? std::make_shared<const exposed_time>(module, on) : nullptr) {
    if (!scheduled_) work_.emplace(module, on);
  }
  /// From a cache.
  explicit instruction_times(const analysis_cache auto& made)
      : runs_(made.template share<loops>()),
        scheduled_(made.hlo()->is_scheduled() ? made.template share<exposed_time>() : nullptr) {
    if (!scheduled_) work_.emplace(*made.hlo(), made.device());
  }

  /// Work and times of the instructions.
  const work_times& work() const { return scheduled_ ? scheduled_->work() : *work_; }
  /// The time of an instruction; nothing for a transfer in a module without a schedule, and for loops, calls and
  /// conditionals, whose time is that of the called computations. The done of a transfer has the time of its start, and
  /// computations of other streams have what the step waits for them.
  std::optional<instruction_time> of(hlo_instruction i) const {
    if (calls_sequentially(i.opcode())) return std::nullopt;
    if (!scheduled_) {
      if (is_transfer_opcode(i.opcode()) || is_collective(i.opcode())) return std::nullopt;
      return instruction_time{work_->of(i).seconds, loop_runs(i), i};
    }
    if (const exposed_transfer* const t = transfer_of(i)) return instruction_time{t->exposed_each(), t->runs, t->start};
    if (is_transfer_opcode(i.opcode()) || is_collective(i.opcode())) return instruction_time{0, loop_runs(i), i};
    const double runs = scheduled_->runs_of(i.computation());
    return instruction_time{scheduled_->work().of(i).seconds, runs > 0 ? runs : loop_runs(i), i};
  }

 private:
  double loop_runs(hlo_instruction i) const { return static_cast<double>(runs_->runs_of(i.computation()).times); }

  const exposed_transfer* transfer_of(hlo_instruction i) const {
    const std::vector<exposed_transfer>& list = scheduled_->transfers();  // in text order
    const auto starts = [](const exposed_transfer& t, hlo_instruction of) { return t.start.id() < of.id(); };
    const auto found = std::lower_bound(list.begin(), list.end(), i, starts);
    if (found != list.end() && found->start == i) return &*found;
    if (!is_transfer_opcode(i.opcode()) || i.operand_count() == 0) return nullptr;
    for (const exposed_transfer& t : list)
      if (t.done == i) return &t;
    return nullptr;
  }

  std::shared_ptr<const loops> runs_;
  std::shared_ptr<const exposed_time> scheduled_;
  std::optional<work_times> work_;
};

}  // namespace hlolint
