// The lines of a TPU: runs of modules, nested operations, transfers in flight (profiles.md 4, 6).
#pragma once

#include <hlolint/tool/profile/collective_names.hpp>
#include <hlolint/tool/profile/events.hpp>
#include <hlolint/tool/profile/module_reading.hpp>
#include <hlolint/tool/profile/profile.hpp>
#include <hlolint/tool/profile/program_names.hpp>
#include <hlolint/tool/profile/stats.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::profiles {

/// Reads a plane into a device. The plane gives the events of a line by start, of equal starts the longer event first.
template <class Plane>
class tpu_reader {
 public:
  /// Precondition: the arguments outlive the reader.
  tpu_reader(Plane& plane, program_table& programs, profile_device& to) : plane_(plane), programs_(programs), to_(to) {}

  /// Does nothing if the plane has no lines of modules or operations.
  void read() {
    const std::size_t of_modules = line("XLA Modules"), of_operations = line("XLA Ops");
    if (of_modules == none || of_operations == none) return;
    plane_.each(of_modules, [&](const timed_event& e) { add_run(e); });
    std::stable_sort(runs_.begin(), runs_.end(), [](const run& a, const run& b) { return a.start < b.start; });
    for (module_counter& m : modules_) m.choose_run();
    const std::size_t of_transfers = line("Async XLA Ops");
    has_transfers_ = of_transfers != none && plane_.events_of(of_transfers) > 0;
    plane_.each(of_operations, [&](const timed_event& e) { add_operation(e); });
    while (!open_.empty()) close();
    if (has_transfers_) plane_.each(of_transfers, [&](const timed_event& e) { add_transfer(e); });
    if (const std::size_t at = line("XLA TraceMe"); at != none)
      plane_.each(at, [&](const timed_event& e) {
        if (plane_.keys()[e.key].operation == "barrier-cores") add_barrier(e);
      });
    for (const run& r : runs_) {
      profile_run& counted = modules_[r.module].module.runs[r.number];
      counted.idle = counted.length() - r.covered;
    }
    put_modules(modules_, to_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  // The clock of operations and that of modules differ by a few ns.
  static constexpr picoseconds slack = 1000;

  struct run {
    picoseconds start = 0, end = 0;
    std::uint32_t module = 0, number = 0;
    picoseconds covered_to = 0, covered = 0;
  };
  struct open_operation {
    timed_event event;
    picoseconds self = 0;
    std::size_t run = none;
    bool inside = false;
  };

  std::size_t line(std::string_view wanted) const {  // the last line if several have this name
    std::size_t out = none;
    for (std::size_t i = 0; i < plane_.line_names().size(); ++i)
      if (plane_.line_names()[i] == wanted) out = i;
    return out;
  }

  void add_run(const timed_event& e) {
    module_name name = module_name_of(plane_.keys()[e.key].name);
    const auto [found, added] =
        module_of_.try_emplace(std::pair(name.name, name.program), static_cast<std::uint32_t>(modules_.size()));
    if (added) modules_.emplace_back(std::move(name), programs_);
    std::vector<profile_run>& list = modules_[found->second].module.runs;
    runs_.push_back({e.start, e.end(), found->second, static_cast<std::uint32_t>(list.size()), e.start, 0});
    list.push_back({e.start, e.end(), 0, 0, 0, 0});
  }

  // The run that a start time is in.
  std::size_t run_at(picoseconds start) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), start, [](picoseconds at, const run& r) { return at < r.start; });
    const auto next = static_cast<std::size_t>(after - runs_.begin());
    if (next > 0 && start <= runs_[next - 1].end + slack) return next - 1;
    return next < runs_.size() && runs_[next].start - start <= slack ? next : none;
  }

  void add_operation(const timed_event& e) {
    while (!open_.empty() && open_.back().event.end() <= e.start) close();
    const bool inside = !open_.empty() && e.end() <= open_.back().event.end();
    if (inside) open_.back().self -= e.length;
    const std::size_t in = run_at(e.start);
    open_.push_back({e, e.length, in, inside});
    if (in == none) return void(++to_.outside_runs);
    run& r = runs_[in];
    module_counter& m = modules_[r.module];
    const auto& slot = m.slot_of(e.key, plane_.keys()[e.key], false);
    m.draw(r.number, slot.operation, 0, e);
    if (inside) return;
    const picoseconds begin = std::max(e.start, r.start), end = std::min(e.end(), r.end);
    if (end <= begin) return;
    if (begin > r.covered_to && r.covered > 0) {
      profile_operation& op = m.module.operations[slot.operation];
      op.idle_before += begin - r.covered_to, ++op.gaps;
    }
    if (end > r.covered_to) r.covered += end - std::max(begin, r.covered_to), r.covered_to = end;
  }

  void close() {
    const open_operation done = open_.back();
    open_.pop_back();
    if (done.run == none) return;
    const run& r = runs_[done.run];
    module_counter& m = modules_[r.module];
    const auto& slot = m.slot_of(done.event.key, plane_.keys()[done.event.key], false);
    m.count(slot, done.self);
    if (slot.collective >= 0) {
      profile_collective& c = m.module.collectives[static_cast<std::size_t>(slot.collective)];
      c.exposed += done.self;  // the core does nothing else meanwhile
      c.count += !slot.is_asynchronous || slot.starts;
      if (!slot.is_asynchronous || !has_transfers_) c.total += done.self;
    } else if (slot.waits) {
      m.module.copies += done.self;
    } else {
      m.module.runs[r.number].compute += done.self;
    }
  }

  void add_transfer(const timed_event& e) {
    const event_key& key = plane_.keys()[e.key];
    std::string_view name = leading_name(key.name);
    if (name.empty()) name = key.name;
    const std::size_t in = run_at(e.start);
    for (std::size_t i = 0; i < modules_.size(); ++i) {
      module_counter& m = modules_[i];
      const bool ours = key.program && m.module.program_id ? *key.program == *m.module.program_id
                                                           : in != none && runs_[in].module == i;
      if (!ours) continue;
      if (const std::string kind = m.kind_of(name, key.category, {}); !kind.empty())
        m.module.collectives[static_cast<std::size_t>(m.collective(kind))].total += e.length;
      if (in != none && runs_[in].module == i) draw_transfer(m, runs_[in], std::string(name), e);
    }
  }
  // Draws a transfer for the operation that starts it.
  static void draw_transfer(module_counter& m, const run& in, const std::string& name, const timed_event& e) {
    for (std::size_t i = 0; in.number == m.module.events_of_run && i < m.module.operations.size(); ++i)
      if (m.module.operations[i].instruction == name) return m.draw(in.number, static_cast<std::uint32_t>(i), 1, e);
  }

  void add_barrier(const timed_event& e) {
    const std::size_t in = run_at(e.start);
    if (in == none) return;
    const picoseconds begin = std::max(e.start, runs_[in].start), end = std::min(e.end(), runs_[in].end);
    if (end > begin) modules_[runs_[in].module].module.runs[runs_[in].number].barrier += end - begin;
  }

  Plane& plane_;
  program_table& programs_;
  profile_device& to_;
  std::vector<module_counter> modules_;
  std::map<std::pair<std::string, std::optional<std::uint64_t>>, std::uint32_t> module_of_;
  std::vector<run> runs_;
  std::vector<open_operation> open_;
  bool has_transfers_ = false;
};

}  // namespace hlolint::profiles
