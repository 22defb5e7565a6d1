// The schedule as a picture over time: work, transfers, and waiting.
#pragma once

#include <hlolint/analysis/time/schedule_record.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/tool/report/time/cost_picture.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::report {

/// Times are in nanoseconds from the beginning of the step, with repeated iterations folded.
struct timeline_block {
  std::string_view what;  ///< `work`, `wait` or `transfer`
  std::size_t lane = 0;   ///< into `timeline_picture::lanes`
  /// Nanoseconds. @{
  std::int64_t begin = 0, length = 0;
  /// @}
  std::int64_t exposed = 0;  ///< the end of a transfer that the device waits for
  std::string instruction;   ///< the longest, if the block stands for several
  std::string opcode;        ///< of the instruction
  std::size_t count = 1;     ///< instructions in the block; small neighbors are joined
};

/// A loop whose drawn iterations (one, or the first and the second) stand for all.
struct timeline_loop {
  std::string instruction;  ///< the while
  /// Nanoseconds; `length` is that of the drawn part, and the second iteration begins at `second`. @{
  std::int64_t begin = 0, length = 0, second = 0;  ///< `second`: where the second iteration begins
  /// @}
  double trips = 1;       ///< how often it runs
  std::size_t depth = 0;  ///< loops around it
};

/// A transfer that is exposed or tight, over all its runs in a step.
struct timeline_transfer {
  std::string instruction;    ///< that starts the transfer
  std::string kind;           ///< the opcode; of a group all of them
  std::string_view overlap;   ///< its class
  byte_count wire_bytes = 0;  ///< bytes that each device sends in one run
  /// Runs in a step, time of one run, exposed time of one run, and exposed time of a step. @{
  double runs = 0, microseconds = 0, exposed_microseconds = 0, step_milliseconds = 0;
  /// @}
  std::string source;   ///< `file:line` or the op_name
  std::string blocker;  ///< the transfer that it waited for longest; empty if it did not wait for long
};

/// A step on a device. Milliseconds are of the whole step, with all iterations.
struct timeline_picture {
  std::string device;                    ///< the device's name
  std::vector<std::string> assumptions;  ///< behind the times, one sentence each
  /// Milliseconds of the step, of its work, and of waiting. @{
  double step = 0, compute = 0, exposed = 0;  ///< milliseconds
  /// @}
  std::int64_t length = 0;                   ///< nanoseconds that are drawn
  std::vector<std::string> lanes;            ///< `compute` first
  std::vector<timeline_block> blocks;        ///< by lane, then by begin
  std::vector<timeline_loop> loops;          ///< those around others first
  std::vector<timeline_transfer> transfers;  ///< worst first, no more than 500
  bool complete = true;                      ///< false if there were too many blocks
  work_picture work;                         ///< what takes the time
};

namespace detail {

/// Makes the blocks of one lane; neighbors too short for a picture become one block.
class lane_blocks {
 public:
  /// `least`: nanoseconds that a picture can show.
  explicit lane_blocks(std::int64_t least) : least_(least) {}

  void add(timeline_block next, std::vector<timeline_block>& out) {
    timeline_block* const last = out.empty() || out.back().lane != next.lane ? nullptr : &out.back();
    const bool joins = last && last->what == next.what && last->length < least_ && next.length < least_ &&
                       next.begin - (last->begin + last->length) < least_;
    if (!joins) {
      longest_ = next.length;
      out.push_back(std::move(next));
      return;
    }
    last->length = next.begin + next.length - last->begin;
    last->exposed = std::min(last->length, last->exposed + next.exposed);
    ++last->count;
    if (next.length > longest_)
      longest_ = next.length, last->instruction = next.instruction, last->opcode = next.opcode;
  }

 private:
  std::int64_t least_;
  std::int64_t longest_ = 0;
};

inline std::int64_t nanoseconds(double seconds) {
  return std::isfinite(seconds) ? static_cast<std::int64_t>(std::clamp(seconds * 1e9, 0.0, 9e15)) : 0;
}
inline timeline_block timeline_block_of(const recorded_block& b, const hlo_module& module) {
  timeline_block out;
  const bool waits = b.waits_for != recorded_block::nothing;
  out.what = waits ? "wait" : b.lane == recorded_block::compute_lane ? "work" : "transfer";
  out.lane = b.lane;
  out.begin = nanoseconds(b.begin), out.length = nanoseconds(b.end) - out.begin;
  out.exposed = nanoseconds(b.exposed);
  const hlo_instruction i = module.instruction(b.instruction);
  out.instruction = std::string(i.name()), out.opcode = std::string(i.opcode_text());
  return out;
}

inline std::vector<timeline_transfer> timeline_transfers(const exposed_time& time) {
  constexpr std::size_t most = 500;
  std::vector<timeline_transfer> out;
  for (const exposed_transfer& t : time.worst_first()) {
    if (out.size() == most) break;
    if (t.overlap() == exposure_class::hidden || is_small(t)) continue;
    timeline_transfer& shown = out.emplace_back();
    shown.instruction = std::string(t.start.name());
    shown.kind = kinds_text(t.time), shown.overlap = name_of(t.overlap());
    shown.wire_bytes = whole_bytes(t.time.wire_bytes);
    shown.runs = t.runs;
    shown.microseconds = t.time.seconds() * 1e6, shown.exposed_microseconds = t.exposed_each() * 1e6;
    shown.step_milliseconds = t.exposed * 1e3;
    shown.source = program_place_of(t.start).text();
    if (t.blocker) shown.blocker = std::string(t.blocker.name());
  }
  return out;
}

}  // namespace detail

/// The timeline of a module; nothing if there are no times (`missing_for_time`) or the device is not known. O(n log n).
inline std::optional<timeline_picture> timeline_of(const context& module, const shown_device& on) {
  if (on.device.is_relative() || !missing_for_time(module).empty()) return std::nullopt;
  const time_options options;
  schedule_record record;
  const exposed_time time(*module.hlo(), on.device, options.trips, &record);
  timeline_picture out;
  out.device = on.device.name;
  out.assumptions = assumptions_of(time, *module.hlo(), on, options);
  out.step = time.step() * 1e3, out.compute = time.compute() * 1e3, out.exposed = time.exposed() * 1e3;
  out.transfers = detail::timeline_transfers(time);
  out.work = work_picture_of(module, time);
  out.complete = record.is_complete() && time.is_complete();
  out.lanes = {"compute"};
  for (std::string& name : time.queue_names()) out.lanes.push_back(std::move(name));

  std::vector<const recorded_block*> order;
  for (const recorded_block& b : record.blocks()) {
    if (b.lane == recorded_block::compute_lane && b.end <= b.begin) continue;  // a call of unknown time
    order.push_back(&b);
    out.length = std::max(out.length, detail::nanoseconds(b.end));
  }
  std::stable_sort(order.begin(), order.end(), [](const recorded_block* a, const recorded_block* b) {
    return std::pair(a->lane, a->begin) < std::pair(b->lane, b->begin);
  });
  constexpr std::int64_t most_visible = 6000;  // in one lane
  detail::lane_blocks join(out.length / most_visible);
  for (const recorded_block* const b : order) join.add(detail::timeline_block_of(*b, *module.hlo()), out.blocks);
  constexpr std::size_t most_loops = 2000;
  for (const recorded_loop& l : record.loops()) {
    if (out.loops.size() == most_loops) break;
    const std::int64_t begin = detail::nanoseconds(l.begin);
    out.loops.push_back({std::string(module.hlo()->instruction(l.loop).name()), begin,
                         detail::nanoseconds(l.end) - begin, detail::nanoseconds(l.second), l.trips, l.depth});
  }
  return out;
}

}  // namespace hlolint::report
