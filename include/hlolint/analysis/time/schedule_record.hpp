// The record of a walk over the schedule: exposed transfers (time_model.md 6.3), and a timeline with one lane for work
// and one for each queue.
#pragma once

#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// How well work hides a transfer.
enum class exposure_class : std::uint8_t {
  hidden,      ///< the work beside it takes at least 1.5 times as long
  tight,       ///< the work takes about as long: a slower network exposes the transfer
  exposed,     ///< the work takes less than two thirds of its time
  synchronous  ///< nothing can run beside it
};

/// `hidden`, `tight`, `exposed` or `synchronous`.
constexpr std::string_view name_of(exposure_class c) {
  constexpr std::string_view names[] = {"hidden", "tight", "exposed", "synchronous"};
  return names[static_cast<std::size_t>(c)];
}

/// The assumed trip count of loops without one in the text.
struct assumed_trips {
  std::int64_t times = 1;  ///< for each run of the loop
  friend bool operator==(const assumed_trips&, const assumed_trips&) = default;
};

/// One transfer, or one computation of another thread, over all its runs in a step. Sums are in seconds.
struct exposed_transfer {
  hlo_instruction start;     ///< the start, or the transfer itself
  hlo_instruction begins;    ///< where it begins: the start, or the update that binds its operands
  hlo_instruction done;      ///< the done; empty if it is synchronous or never awaited
  transfer_time time;        ///< of one run
  bool computes = false;     ///< a computation of another thread, whose time is `time.latency`
  bool synchronous = false;  ///< one instruction, or marked as synchronous by XLA
  bool in_step = false;      ///< false: in a branch that is not the slowest; the sums are as if it ran
  double runs = 0;           ///< in one step
  double exposed = 0;        ///< waited at the done, or the whole time if synchronous
  double work = 0;           ///< from start to done, without waiting for this transfer or others
  double queued = 0;         ///< waited for other transfers before it could begin
  hlo_instruction blocker;   ///< the transfer that delayed it most; empty if none did for long

  /// Seconds of waiting for one run.
  double exposed_each() const { return runs > 0 ? exposed / runs : 0; }
  /// Seconds of work beside one run.
  double work_each() const { return runs > 0 ? work / runs : 0; }

  /// How well its window hides the transfer.
  exposure_class overlap() const {
    if (synchronous) return exposure_class::synchronous;
    const double whole = time.seconds(), beside = work_each();
    return beside >= 1.5 * whole    ? exposure_class::hidden
           : beside >= 0.67 * whole ? exposure_class::tight
                                    : exposure_class::exposed;
  }
};

/// A block on a lane. Times are in seconds from the begin of the step, without iterations that are only counted
/// (`recorded_loop`).
struct recorded_block {
  static constexpr std::uint32_t compute_lane = 0;  ///< other lanes are 1 + the number of a queue
  /// No block, for `waits_for`.
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

  id instruction = none;              ///< that works, transfers or waits
  std::uint32_t lane = compute_lane;  ///< 0: work; else a queue
  /// Seconds. @{
  double begin = 0, end = 0;
  /// @}
  double exposed = 0;               ///< for a transfer: seconds at its end during which the device waited
  std::size_t waits_for = nothing;  ///< for waiting: the block of the transfer
};

/// A loop: its first iteration and, if it differs, its second one, which represents all others.
struct recorded_loop {
  id loop = none;  ///< the while
  /// Begin and end of the recorded iterations. @{
  double begin = 0, end = 0;
  /// @}
  double second = 0;        ///< begin of the second iteration; `end` if only one is recorded
  double trips = 1;         ///< trip count; a guess if the text does not give it
  std::uint32_t depth = 0;  ///< loops around it
  /// The first block of the first iteration, the first block of the second one, and one past the last block. @{
  std::size_t first_block = 0, second_block = 0, end_block = 0;
  /// @}
};

/// Filled by a `schedule_walk`. Stops at `most` blocks.
class schedule_record {
 public:
  /// The most blocks of a record, 20 MB.
  static constexpr std::size_t most = 500'000;

  /// Records nothing unless `on`.
  explicit schedule_record(bool on = true) : on_(on) {}

  /// The blocks in the order of recording.
  const std::vector<recorded_block>& blocks() const { return blocks_; }
  /// The loops by their begin.
  const std::vector<recorded_loop>& loops() const { return loops_; }
  /// False if there were more than `most` blocks.
  bool is_complete() const { return complete_; }

  // Called by the walk. `now` is its clock, which also counts iterations that are not walked.

  /// Adds a block on a lane and returns its number.
  std::size_t add(id instruction, std::uint32_t lane, double begin, double end) {
    if (!on_) return recorded_block::nothing;
    if (blocks_.size() >= most) return complete_ = false, recorded_block::nothing;
    blocks_.push_back({instruction, lane, begin - skipped_, end - skipped_, 0, recorded_block::nothing});
    return blocks_.size() - 1;
  }
  /// Adds the work of an instruction, in seconds of the walk; also custom calls without time, whose work is unknown.
  void add_work(hlo_instruction i, double begin, double end) {
    if (end > begin || i.opcode() == hlo_opcode::custom_call) add(i.id(), recorded_block::compute_lane, begin, end);
  }
  /// Adds a wait for the transfer whose block is `transfer`.
  void wait(id instruction, std::size_t transfer, double begin, double end) {
    if (end <= begin || transfer >= blocks_.size()) return;
    const std::size_t waiting = add(instruction, recorded_block::compute_lane, begin, end);
    if (waiting != recorded_block::nothing) blocks_[waiting].waits_for = transfer;
  }

  /// Begins a loop and returns its number, for the two calls below.
  std::size_t begin_loop(id loop, double now, double trips) {
    if (!on_) return 0;
    const std::size_t block = blocks_.size();
    loops_.push_back({loop, now - skipped_, now - skipped_, now - skipped_, trips, depth_++, block, block, block});
    return loops_.size() - 1;
  }
  /// Begins the second iteration.
  void begin_second(std::size_t loop, double now) {
    if (on_) loops_[loop].second = now - skipped_, loops_[loop].second_block = blocks_.size();
  }
  /// Ends a loop. Afterwards the clock advances by `later`, for iterations that are not walked.
  void end_loop(std::size_t loop, double now, double later) {
    if (!on_) return;
    recorded_loop& ended = loops_[loop];
    ended.end = now - skipped_, ended.end_block = blocks_.size();
    if (ended.second <= ended.begin) ended.second = ended.end, ended.second_block = ended.end_block;
    skipped_ += later;
    --depth_;
  }

  /// An end of the record. Of several branches only one counts: what was added since a mark is taken out and may be put
  /// back.
  struct mark {
    /// The number of blocks and loops. @{
    std::size_t blocks = 0, loops = 0;
    /// @}
    double skipped = 0;  ///< seconds of iterations that are only counted, until then
  };
  /// A part taken out of the record.
  struct part {
    std::vector<recorded_block> blocks;  ///< in the order in which they were recorded
    std::vector<recorded_loop> loops;    ///< in the order in which they begin
    double skipped = 0;                  ///< seconds of iterations that are only counted, until then
  };
  /// The present end of the record.
  mark here() const { return {blocks_.size(), loops_.size(), skipped_}; }
  /// Takes out all that was added since a mark.
  part take_since(const mark& begin) {
    part out;
    out.blocks.assign(blocks_.begin() + static_cast<std::ptrdiff_t>(begin.blocks), blocks_.end());
    out.loops.assign(loops_.begin() + static_cast<std::ptrdiff_t>(begin.loops), loops_.end());
    out.skipped = std::exchange(skipped_, begin.skipped);
    blocks_.resize(begin.blocks), loops_.resize(begin.loops);
    return out;
  }
  /// Appends a part that was taken out.
  void put_back(const part& taken) {
    blocks_.insert(blocks_.end(), taken.blocks.begin(), taken.blocks.end());
    loops_.insert(loops_.end(), taken.loops.begin(), taken.loops.end());
    skipped_ = taken.skipped;
  }

  /// Sets the exposed time of each transfer.
  void finish() {
    for (const recorded_block& b : blocks_)
      if (b.waits_for < blocks_.size()) {
        recorded_block& transfer = blocks_[b.waits_for];
        transfer.exposed = std::min(std::max(transfer.exposed, b.end - b.begin), transfer.end - transfer.begin);
      }
  }

 private:
  bool on_;
  std::vector<recorded_block> blocks_;
  std::vector<recorded_loop> loops_;
  double skipped_ = 0;
  std::uint32_t depth_ = 0;
  bool complete_ = true;
};

}  // namespace hlolint
