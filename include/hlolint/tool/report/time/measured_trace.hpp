// Measured events as Trace Event JSON: one process for each device, beside those of the estimates.
#pragma once

#include <hlolint/tool/measured/measured_module.hpp>
#include <hlolint/tool/report/time/measured_picture.hpp>
#include <hlolint/tool/report/time/trace_writer.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <vector>

namespace hlolint::report::detail {

/// The run of median length on one device. Times are rounded down to nanoseconds, which keeps the nesting of slices.
class measured_trace {
 public:
  explicit measured_trace(trace_writer& out) : out_(out) {}

  /// Precondition: the device has events.
  void operator()(const measured_module& of, const measured_device& device) {
    const profile_module& module = device.module;
    const profile_run& run = module.runs[module.events_of_run];
    out_.process(of.name + ", measured on " + device_text(of, device));
    out_.track("run");
    out_.slice(0, 0, run.length() / 1000, "run", of.name, trace_writer::object([&](json_writer& json) {
                 json.member("run", module.events_of_run);
                 json.members("runs", module.runs.size(), "run_ms", seconds_of(run.length()) * 1e3);
                 json.members("median_ms", module.median() * 1e-9, "idle_ms", seconds_of(run.idle) * 1e3);
               }));
    std::vector<std::string> args;
    for (const profile_operation& o : module.operations) args.push_back(args_of(o));
    std::size_t lane = none;
    for (const profile_event& e : events_in_order(module)) {
      if (lane != e.lane) lane = e.lane, tracks_.clear();
      const profile_operation& o = module.operations[e.operation];
      const std::int64_t begin = e.start / 1000, end = (e.start + e.length) / 1000;
      const bool nests = device.kind == profiled_device::tpu && e.lane == 0;
      const std::string_view category = is_wait(device, e, o) ? "wait"
                                        : o.category.empty()  ? "operation"
                                                              : std::string_view(o.category);
      out_.slice(track_for(begin, end, nests, lane_text(device, e.lane)), begin, end, category, o.instruction,
                 args[e.operation]);
    }
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct track {
    std::size_t number = 0;
    std::vector<std::int64_t> open;  // ends of the open slices
  };

  static std::string args_of(const profile_operation& o) {
    return trace_writer::object([&](json_writer& json) {
      json.members_if("category", o.category, "collective", o.collective, "op_name", o.scope, "source", o.source);
      json.members("executions", o.count, "mean_us", o.seconds_each() * 1e6);
    });
  }

  // Slices of one track nest or follow each other; a slice that overlaps otherwise gets another track.
  std::size_t track_for(std::int64_t begin, std::int64_t end, bool nests, const std::string& name) {
    for (track& t : tracks_) {
      while (!t.open.empty() && t.open.back() <= begin) t.open.pop_back();
      if (!t.open.empty() && !(nests && end <= t.open.back())) continue;
      t.open.push_back(end);
      return t.number;
    }
    tracks_.push_back({out_.track(name), {end}});
    return tracks_.back().number;
  }

  trace_writer& out_;
  std::vector<track> tracks_;  // of the current lane
};

}  // namespace hlolint::report::detail
