// When each step of a walk over the schedule began and ended, on one lane for the work and one for each queue.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hlolint {

/// Times are in seconds from the begin of the step, without the iterations that are only counted (`recorded_loop`).
struct recorded_block {
  static constexpr std::uint32_t compute_lane = 0;  ///< the others are 1 + the number of a queue
  /// No block, for `waits_for`.
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

  id instruction = none;  ///< that works, transfers, or waits
  std::uint32_t lane = compute_lane;  ///< 0: work; else a queue
  /// Seconds. @{
  double begin = 0, end = 0;
  /// @}
  double exposed = 0;               ///< of a transfer: the seconds at its end for which the device waited
  std::size_t waits_for = nothing;  ///< of waiting: the block of the transfer
};

/// A loop: its first iteration and, if the second differs, that one too; it stands for all others.
struct recorded_loop {
  id loop = none;  ///< the while
  /// Of the iterations that are recorded. @{
  double begin = 0, end = 0;
  /// @}
  double second = 0;          ///< where the second one begins; `end` if there is only one
  double trips = 1;  ///< how often it runs; a guess where the text does not give it
  std::uint32_t depth = 0;  ///< loops around it
  /// Of the blocks of its first iteration the first, of those of the second one the first, and one past the last. @{
  std::size_t first_block = 0, second_block = 0, end_block = 0;
  /// @}
};

/// Filled by `schedule_walk`, if it is given one. Stops at `most` blocks.
class schedule_record {
 public:
  /// Blocks of a record: 20 MB.
  static constexpr std::size_t most = 500'000;

  /// Nothing is recorded if it is not `on`.
  explicit schedule_record(bool on = true) : on_(on) {}

  /// In the order in which they were recorded.
  const record_list<recorded_block>& blocks() const { return blocks_; }
  /// In the order in which they begin.
  const record_list<recorded_loop>& loops() const { return loops_; }
  /// False if there were more than `most` blocks.
  bool is_complete() const { return complete_; }

  // What the walk calls; `now` is its clock, which also counts iterations that were not walked.

  /// Something on a lane, from one time to another. Returns its number.
  std::size_t add(id instruction, std::uint32_t lane, double begin, double end) {
    if (!on_) return recorded_block::nothing;
    if (blocks_.size() >= most) return complete_ = false, recorded_block::nothing;
    blocks_.push_back({instruction, lane, begin - skipped_, end - skipped_, 0, recorded_block::nothing});
    return blocks_.size() - 1;
  }
  /// Work of an instruction, in seconds of the walk. A call that takes no time is one of which nothing is known.
  void add_work(hlo_instruction i, double begin, double end) {
    if (end > begin || i.opcode() == hlo_opcode::custom_call) add(i.id(), recorded_block::compute_lane, begin, end);
  }
  /// The device waits for a transfer, whose block is `transfer`.
  void wait(id instruction, std::size_t transfer, double begin, double end) {
    if (end <= begin || transfer >= blocks_.size()) return;
    const std::size_t waiting = add(instruction, recorded_block::compute_lane, begin, end);
    if (waiting != recorded_block::nothing) blocks_[waiting].waits_for = transfer;
  }

  /// Returns the number of the loop, for the two calls below.
  std::size_t begin_loop(id loop, double now, double trips) {
    if (!on_) return 0;
    const std::size_t block = blocks_.size();
    loops_.push_back({loop, now - skipped_, now - skipped_, now - skipped_, trips, depth_++, block, block, block});
    return loops_.size() - 1;
  }
  /// The second iteration begins.
  void begin_second(std::size_t loop, double now) {
    if (on_) loops_[loop].second = now - skipped_, loops_[loop].second_block = blocks_.size();
  }
  /// The clock goes on by `later`, for the iterations that are not walked.
  void end_loop(std::size_t loop, double now, double later) {
    if (!on_) return;
    recorded_loop& ended = loops_[loop];
    ended.end = now - skipped_, ended.end_block = blocks_.size();
    if (ended.second <= ended.begin) ended.second = ended.end, ended.second_block = ended.end_block;
    skipped_ += later;
    --depth_;
  }

  /// Of several branches one counts: what was added since a mark is taken out, and may be put back.
  struct mark {
    /// How many there were. @{
    std::size_t blocks = 0, loops = 0;
    /// @}
    double skipped = 0;  ///< seconds of iterations that are only counted, until then
  };
  /// What was taken out.
  struct part {
    record_list<recorded_block> blocks;  ///< in the order in which they were recorded
    record_list<recorded_loop> loops;    ///< in the order in which they begin
    double skipped = 0;  ///< seconds of iterations that are only counted, until then
  };
  /// The present end of the record.
  mark here() const { return {blocks_.size(), loops_.size(), skipped_}; }
  /// Takes out what was added since a mark.
  part take_since(const mark& begin) {
    part out;
    out.blocks.assign(blocks_.begin() + static_cast<std::ptrdiff_t>(begin.blocks), blocks_.end());
    out.loops.assign(loops_.begin() + static_cast<std::ptrdiff_t>(begin.loops), loops_.end());
    out.skipped = std::exchange(skipped_, begin.skipped);
    blocks_.resize(begin.blocks), loops_.resize(begin.loops);
    return out;
  }
  /// Puts back what was taken out, at the present end.
  void put_back(const part& taken) {
    blocks_.insert(blocks_.end(), taken.blocks.begin(), taken.blocks.end());
    loops_.insert(loops_.end(), taken.loops.begin(), taken.loops.end());
    skipped_ = taken.skipped;
  }

  /// Marks in each transfer what of it was waited for.
  void finish() {
    for (const recorded_block& b : blocks_)
      if (b.waits_for < blocks_.size()) {
        recorded_block& transfer = blocks_[b.waits_for];
        transfer.exposed = std::min(std::max(transfer.exposed, b.end - b.begin), transfer.end - transfer.begin);
      }
  }

 private:
  bool on_;
  record_list<recorded_block> blocks_;
  record_list<recorded_loop> loops_;
  double skipped_ = 0;
  std::uint32_t depth_ = 0;
  bool complete_ = true;
};

}  // namespace hlolint
