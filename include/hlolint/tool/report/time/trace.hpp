// The estimated schedule as Trace Event JSON: one process for each module, one track for the work and one for each
// queue of transfers.
#pragma once

#include <hlolint/analysis/time/schedule_record.hpp>
#include <hlolint/tool/costs/instruction_costs.hpp>
#include <hlolint/tool/report/time/measured_trace.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>
#include <hlolint/tool/report/time/time_json.hpp>
#include <hlolint/tool/report/time/trace_writer.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <cmath>
#include <unordered_map>
#include <vector>

namespace hlolint::report {

namespace detail {

/// The events of one module. Times of events are whole nanoseconds, written as microseconds.
class module_trace {
 public:
  explicit module_trace(trace_writer& out) : out_(out), before_(out.count()) {}

  void operator()(const context& module, const shown_device& on, const time_options& options) {
    const hlo_module& hlo = *module.hlo();
    schedule_record record;
    const exposed_time time(hlo, on.device, options.trips, &record);
    const instruction_costs costs(hlo, time);
    hlo_ = &hlo, record_ = &record, time_ = &time;
    for (const instruction_cost& cost : costs.rows()) costs_.emplace(cost.instruction.id(), &cost);
    name_tracks(module.name(), time);
    const double step = time.step();
    const std::int64_t end = nanoseconds(step);
    lane_end_.assign(1 + time.queue_names().size(), 0);
    const std::string whole = trace_writer::object([&](json_writer& args) {
      args.members("device", on.device.name, "step_ms", finite(step * 1e3), "compute_ms", finite(time.compute() * 1e3),
                   "exposed_ms", finite(time.exposed() * 1e3), "complete", record.is_complete() && time.is_complete());
    });
    slice(0, 0, end, "step", module.name().empty() ? "step" : module.name(), whole);
    next_loop_ = 0;
    blocks(0, record.blocks().size(), 0, 0, end);
  }

 private:
  static std::int64_t nanoseconds(double seconds) {
    return std::isfinite(seconds) ? std::llround(std::clamp(seconds * 1e9, 0.0, 9e17)) : 0;
  }

  // Writes the blocks [from, to), `shift` seconds later than recorded; `next_loop_` is the next loop among them.
  // Returns the shift of the following blocks. Nothing on the first track ends after `limit`.
  double blocks(std::size_t from, std::size_t to, std::size_t depth, double shift, std::int64_t limit) {
    for (std::size_t b = from;;) {
      const std::vector<recorded_loop>& loops = record_->loops();
      if (next_loop_ < loops.size() && loops[next_loop_].depth == depth && loops[next_loop_].first_block <= b &&
          loops[next_loop_].end_block <= to && loops[next_loop_].first_block >= from) {
        b = loops[next_loop_].end_block;
        shift += loop(loops[next_loop_], shift, limit);
        continue;
      }
      if (b >= to) return shift;
      block(record_->blocks()[b++], shift, limit);
    }
  }

  // Writes all iterations of a loop: some as they are, the rest as one slice. Returns how much longer the loop is than
  // its recorded part.
  double loop(const recorded_loop& of, double shift, std::int64_t limit) {
    const std::size_t own = next_loop_++, inner = next_loop_;
    std::size_t after = inner;  // the loops in it come next
    while (after < record_->loops().size() && record_->loops()[after].depth > of.depth) ++after;
    const double begin = of.begin + shift;
    const bool second = of.second_block < of.end_block || of.second < of.end;
    const double full = length(own, after);
    const std::int64_t end = std::min(limit, nanoseconds(begin + full));
    const std::string_view name = hlo_->instruction(of.loop).name();
    std::string args = "{\"iterations\":" + number(of.trips) +
                       ",\"line\":" + std::to_string(hlo_->instruction(of.loop).where().begin().line) + "}";
    slice(0, nanoseconds(begin), end, "loop", name, args);
    double at = begin;
    const double whole_trips = std::min(std::floor(of.trips), 1e15);
    std::size_t expanded = of.depth == 0 ? 16 : of.depth == 1 ? 4 : 2;
    if (out_.count() - before_ > most_events) expanded = second ? 2 : 1;
    const double shown = std::min(whole_trips, static_cast<double>(expanded));
    for (double k = 0; k < shown; ++k) {
      const bool is_first = k == 0 || !second;
      const double from = is_first ? of.begin : of.second;
      const double recorded = is_first ? (second ? of.second : of.end) - of.begin : of.end - of.second;
      const std::size_t first_block = is_first ? of.first_block : of.second_block;
      const std::size_t end_block = is_first && second ? of.second_block : of.end_block;
      next_loop_ = inner;
      while (next_loop_ < after && record_->loops()[next_loop_].first_block < first_block) ++next_loop_;
      const double longer = length_of(first_block, end_block, inner, after);
      const std::int64_t stop = std::min(end, nanoseconds(at + recorded + longer));
      slice(0, nanoseconds(at), stop, "loop", "iteration " + number(k + 1),
            "{\"loop\":" + trace_writer::text(name) + "}");
      blocks(first_block, end_block, of.depth + 1, at - from, stop);
      at += recorded + longer;
    }
    if (shown < whole_trips)
      slice(0, nanoseconds(at), end, "loop", number(whole_trips - shown) + " more iterations",
            "{\"loop\":" + trace_writer::text(name) + ",\"count\":" + number(whole_trips - shown) + "}");
    next_loop_ = after;
    return full - (of.end - of.begin);
  }

  // Seconds of a loop with all its iterations and those of the loops in it, which end before `after`.
  double length(std::size_t at, std::size_t after) const {
    const recorded_loop& of = record_->loops()[at];
    const bool second = of.second_block < of.end_block || of.second < of.end;
    const double first = (second ? of.second : of.end) - of.begin +
                         length_of(of.first_block, second ? of.second_block : of.end_block, at + 1, after);
    if (!second) return first * of.trips;
    return first + (of.end - of.second + length_of(of.second_block, of.end_block, at + 1, after)) * (of.trips - 1);
  }
  // How much longer the loops of these blocks, among those in [at, after), are than their recorded parts.
  double length_of(std::size_t first_block, std::size_t end_block, std::size_t at, std::size_t after) const {
    double sum = 0;
    const std::vector<recorded_loop>& loops = record_->loops();
    for (std::size_t inner = at; inner < after;) {
      std::size_t end = inner + 1;
      while (end < after && loops[end].depth > loops[inner].depth) ++end;
      if (loops[inner].first_block >= first_block && loops[inner].end_block <= end_block)
        sum += length(inner, end) - (loops[inner].end - loops[inner].begin);
      inner = end;
    }
    return sum;
  }

  void block(const recorded_block& b, double shift, std::int64_t limit) {
    const hlo_instruction i = hlo_->instruction(b.instruction);
    const std::int64_t begin = nanoseconds(b.begin + shift), end = nanoseconds(b.end + shift);
    if (b.waits_for != recorded_block::nothing) {
      const hlo_instruction other = hlo_->instruction(record_->blocks()[b.waits_for].instruction);
      slice(b.lane, begin, std::min(end, limit), "wait", "wait for " + std::string(other.name()), args_of(i));
    } else if (b.lane == recorded_block::compute_lane && end <= begin) {
      instant(b.lane, begin, i.name(), args_of(i));
    } else {
      const auto cost = costs_.find(b.instruction);
      if (b.lane == recorded_block::compute_lane && is_unknown(i)) instant(b.lane, begin, i.name(), args_of(i));
      slice(b.lane, begin, b.lane == recorded_block::compute_lane ? std::min(end, limit) : end,
            cost == costs_.end() ? std::string_view(i.opcode_text()) : std::string_view(cost->second->category),
            i.name(), args_of(i));
    }
  }

  // In spite of rounding, a transfer must not begin before the previous one of its queue ends.
  void slice(std::size_t lane, std::int64_t begin, std::int64_t end, std::string_view category, std::string_view name,
             std::string_view args) {
    if (lane > 0)
      begin = std::max(begin, lane_end_[lane]), lane_end_[lane] = std::max(begin, end);
    else
      begin = work_begin_ = std::max(begin, work_begin_);
    if (end <= begin && lane > 0) return;
    out_.slice(lane, begin, end, category, name, args);
  }
  void instant(std::size_t lane, std::int64_t at, std::string_view name, std::string_view args) {
    out_.instant(lane, std::max(at, work_begin_), "unknown", name, args);
  }
  void name_tracks(const std::string& module, const exposed_time& time) {
    out_.process(module);
    out_.track("compute");
    for (const std::string& queue : time.queue_names()) out_.track(queue);
  }

  // Whether an instruction takes an unknown time, at least that of its slice.
  bool is_unknown(hlo_instruction i) const {
    return i.opcode() == hlo_opcode::custom_call && time_->work().work_of(i).unknown && !is_free(i) && !user_time(i) &&
           !printed_time(time_->on(), i);
  }

  const std::string& args_of(hlo_instruction i) {
    std::string& out = args_[i.id()];
    if (!out.empty()) return out;
    return out = trace_writer::object([&](json_writer& json) {
             json.members("opcode", i.opcode_text(), "computation", i.computation().name());
             json.member("line", i.where().begin().line);
             const program_place from = program_place_of(i);
             if (from.at) json.member("source", file_and_line(from.at.file, from.at.line));
             json.member_if("op_name", from.op_name);
             const auto found = costs_.find(i.id());
             if (found == costs_.end()) return;
             const instruction_cost& cost = *found->second;
             json.members("flops", finite(cost.flops), "bytes", whole_bytes(cost.bytes));
             json.members("transferred_bytes", whole_bytes(cost.transferred_bytes), "bound", cost.bound);
             json.members("of_peak", finite(cost.of_peak()), "runs", finite(cost.runs));
           });
  }

  static std::string number(double of) { return std::to_string(std::llround(std::clamp(of, 0.0, 9e17))); }

  static constexpr std::size_t most_events = 200'000;  // beyond it only the recorded iterations are written

  trace_writer& out_;
  std::size_t before_;  // events of other modules
  const hlo_module* hlo_ = nullptr;
  const schedule_record* record_ = nullptr;
  const exposed_time* time_ = nullptr;
  std::unordered_map<id, const instruction_cost*> costs_;
  std::unordered_map<id, std::string> args_;
  std::vector<std::int64_t> lane_end_;
  std::int64_t work_begin_ = 0;  // of the last slice of work
  std::size_t next_loop_ = 0;
};

}  // namespace detail

/// Writes the events of modules and the object around them.
class time_trace {
 public:
  /// Precondition: `out` outlives it.
  explicit time_trace(std::ostream& out) : out_(out) {}

  /// Writes the events of a module. Precondition: `missing_for_time` is empty, and the device is known.
  void operator()(const context& module, const shown_device& on, const time_options& options) {
    detail::module_trace{out_}(module, on, options);
  }
  /// Writes one run on each device that has events in the profile.
  void operator()(const measured_module& module) {
    for (const measured_device& d : module.devices)
      if (!d.module.events.empty()) detail::measured_trace{out_}(module, d);
  }
  /// Ends the object.
  void finish() { out_.finish(); }

 private:
  detail::trace_writer out_;
};

}  // namespace hlolint::report
