// What single instructions cost in a step: what a finding about them could win.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <memory>

namespace hlolint {

/// The time of one run of an instruction, and how often it runs in a step.
struct instruction_time {
  double seconds = 0;  ///< of a transfer what the schedule does not hide, of all else its work
  double runs = 1;     ///< in one step
  hlo_instruction of;  ///< whose time it is: of the done of a transfer the start, of all else the instruction
  friend bool operator==(const instruction_time&, const instruction_time&) = default;
};

/// Times of instructions of one module on one device. Without a schedule it is not known what hides a transfer.
class instruction_times {
 public:
  /// As `exposed_time`.
  instruction_times(const hlo_module& module, const device& on)
      : runs_(std::make_shared<const loops>(module)),
        scheduled_(module.is_scheduled() ? std::make_shared<const exposed_time>(module, on) : nullptr) {
    if (!scheduled_) work_.emplace(module, on);
  }
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit instruction_times(const Cache& made)
      : runs_(made.template share<loops>()),
        scheduled_(made.hlo()->is_scheduled() ? made.template share<exposed_time>() : nullptr) {
    if (!scheduled_) work_.emplace(*made.hlo(), made.device());
  }

  /// Of one instruction; nothing for a transfer of a module without a schedule, and for a loop, call or conditional,
  /// whose time is that of what it calls. The done of a transfer has the time of its start.
  optional<instruction_time> of(hlo_instruction i) const {
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
    const record_list<exposed_transfer>& list = scheduled_->transfers();  // in text order
    const auto starts = [](const exposed_transfer& t, hlo_instruction of) { return t.start.id() < of.id(); };
    const auto found = std::lower_bound(list.begin(), list.end(), i, starts);
    if (found != list.end() && found->start == i) return found->computes ? nullptr : &*found;
    if (!is_transfer_opcode(i.opcode()) || i.operand_count() == 0) return nullptr;
    for (const exposed_transfer& t : list)
      if (t.done == i && !t.computes) return &t;
    return nullptr;
  }

  std::shared_ptr<const loops> runs_;
  std::shared_ptr<const exposed_time> scheduled_;
  optional<work_times> work_;
};

}  // namespace hlolint
