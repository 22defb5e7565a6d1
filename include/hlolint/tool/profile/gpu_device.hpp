// The streams of a GPU: kernels with the names of their instructions, and the runs found from them (profiles.md 5, 6).
#pragma once

#include <hlolint/tool/profile/events.hpp>
#include <hlolint/tool/profile/module_reading.hpp>
#include <hlolint/tool/profile/profile.hpp>
#include <hlolint/tool/profile/program_names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::profiles {

/// Reads a plane into a device.
template <class Plane>
class gpu_reader {
 public:
  /// Precondition: the arguments outlive the reader. Adds to `notes`.
  gpu_reader(Plane& plane, program_table& programs, profile_device& to, std::vector<std::string>& notes)
      : plane_(plane), programs_(programs), to_(to), notes_(notes) {}

  /// Reads all streams.
  void read() {
    std::size_t events = 0;
    const auto is_stream = [&](std::size_t line) { return plane_.line_names()[line].starts_with("Stream"); };
    for (std::size_t line = 0; line < plane_.line_names().size(); ++line)
      if (is_stream(line)) events += plane_.events_of(line);
    all_.reserve(events);
    for (std::size_t line = 0; line < plane_.line_names().size(); ++line)
      if (is_stream(line)) plane_.each_in_any_order(line, [&](const timed_event& e) { add(line, e); });
    // Events that belong to no instruction come last.
    all_.sort([&](std::uint32_t tag) { return tags_[tag].group; }, [&](std::uint32_t tag) { return tags_[tag].line; });
    std::vector<std::size_t> begins;  // of the events of each module
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::uint32_t group = tags_[all_[i].key].group;
      if (begins.size() <= std::min<std::size_t>(group, modules_.size())) begins.push_back(i);
      if (group != none) continue;
      const timed_event e = all_[i];
      others_.push_back({e.start, e.end()});
      ++to_.other_count, to_.other_total += e.length;
    }
    begins.resize(modules_.size() + 1, all_.size());
    for (std::uint32_t group = 0; group < modules_.size(); ++group) count(group, begins[group], begins[group + 1]);
    put_modules(modules_, to_);
  }

 private:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
  struct tagged {
    std::uint32_t key = 0, line = 0, group = none;
    std::size_t kernels = 0;    // events of this instruction and kernel
    std::uint32_t same = none;  // the first tag with this instruction and kernel in the group
  };

  void add(std::size_t line, const timed_event& e) {
    const auto [found, added] = tag_of_.try_emplace({line, e.key}, static_cast<std::uint32_t>(tags_.size()));
    if (added) {
      tagged next{e.key, static_cast<std::uint32_t>(line), none, 0, found->second};
      const event_key& key = plane_.keys()[e.key];
      if (key.has_operation && key.has_module) {
        module_name name{key.module, key.program};
        const auto [group, is_new] =
            group_of_.try_emplace(std::pair(name.name, name.program), static_cast<std::uint32_t>(modules_.size()));
        if (is_new) modules_.emplace_back(std::move(name), programs_);
        next.group = group->second;
        next.same = same_.try_emplace(std::tuple(next.group, key.operation, key.name), found->second).first->second;
      }
      tags_.push_back(next);
    }
    ++tags_[tags_[found->second].same].kernels;
    all_.add(e, found->second);
  }

  // A GPU does not record runs. The number of runs is the greatest common divisor of the numbers of executions; a
  // kernel that ran as often marks the runs. If an event was lost, the most frequent number of executions is used.
  void count(std::uint32_t group, std::size_t first, std::size_t last) {
    module_counter& m = modules_[group];
    std::size_t runs = 0, most = 0;
    std::vector<std::size_t> counts;
    for (std::uint32_t t = 0; t < tags_.size(); ++t)
      if (tags_[t].group == group && tags_[t].same == t) {
        counts.push_back(tags_[t].kernels);
        runs = std::gcd(runs, tags_[t].kernels), most = std::max(most, tags_[t].kernels);
      }
    const std::string who = to_.name + " " + m.module.name + ": ";
    if (runs == 1 && most > 1) {
      runs = commonest(counts);
      notes_.push_back(who +
                       "runs are estimated from the commonest number of occurrences: a kernel was lost, or the "
                       "profile begins inside a run");
    }
    std::vector<std::size_t> begins;  // of the runs
    std::uint32_t anchor = none;
    for (std::size_t i = first; i < last; ++i) {
      const tagged& t = tags_[all_[i].key];
      if (anchor == none && tags_[t.same].kernels == runs) anchor = t.same;
      if (anchor != none && t.same == anchor) begins.push_back(i);
    }
    if (begins.empty()) {
      begins.push_back(first);
      notes_.push_back(who + "runs cannot be distinguished");
    }
    begins.front() = first;
    // Events that start together with the kernel that marks a run belong to that run.
    for (std::size_t b = 1; b < begins.size(); ++b)
      while (begins[b] > begins[b - 1] && all_[begins[b] - 1].start == all_[begins[b]].start) --begins[b];
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    begins.push_back(last);
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
      profile_run& next = m.module.runs.emplace_back();
      next.start = next.end = all_[begins[r]].start;
      for (std::size_t i = begins[r]; i < begins[r + 1]; ++i) next.end = std::max(next.end, all_[i].end());
    }
    m.choose_run();
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) count_run(m, r, begins[r], begins[r + 1]);
  }

  void count_run(module_counter& m, std::size_t number, std::size_t first, std::size_t last) {
    std::vector<interval> communication, computation;
    std::map<std::int32_t, std::vector<interval>> of_kind;
    picoseconds busy_to = m.module.runs[number].start;
    for (std::size_t i = first; i < last; ++i) {
      const timed_event e = all_[i];
      const tagged& t = tags_[e.key];
      const auto& slot = m.slot_of(t.key, plane_.keys()[t.key], true);
      m.count(slot, e.length);
      if (e.start > busy_to) {
        profile_operation& op = m.module.operations[slot.operation];
        op.idle_before += e.start - busy_to, ++op.gaps;
      }
      busy_to = std::max(busy_to, e.end());
      m.draw(number, slot.operation, lane_of(t.line), {e.start, e.length, 0});
      if (slot.collective < 0) {
        computation.push_back({e.start, e.end()});
        continue;
      }
      communication.push_back({e.start, e.end()});
      of_kind[slot.collective].push_back({e.start, e.end()});
      profile_collective& c = m.module.collectives[static_cast<std::size_t>(slot.collective)];
      ++c.count, c.total += e.length;
    }
    profile_run& run = m.module.runs[number];
    run.compute = length_of(union_of(computation));
    // Events of no instruction also hide communication, but are no work of the run.
    std::vector<interval> hiding = computation;
    const auto begin = std::lower_bound(others_.begin(), others_.end(), run.start,
                                        [](const interval& other, picoseconds at) { return other.begin < at; });
    for (auto other = begin; other != others_.end() && other->begin < run.end; ++other) hiding.push_back(*other);
    const std::vector<interval> work = union_of(std::move(hiding));
    for (const auto& [kind, spans] : of_kind)
      m.module.collectives[static_cast<std::size_t>(kind)].exposed += length_outside(union_of(spans), work);
    communication.insert(communication.end(), computation.begin(), computation.end());
    run.idle = run.length() - length_of(union_of(std::move(communication)));
  }

  static std::size_t commonest(std::vector<std::size_t> counts) {  // the smallest of equally frequent ones
    std::sort(counts.begin(), counts.end());
    std::size_t best = 0, most = 0;
    for (std::size_t first = 0; first < counts.size();) {
      std::size_t next = first;
      while (next < counts.size() && counts[next] == counts[first]) ++next;
      if (next - first > most) most = next - first, best = counts[first];
      first = next;
    }
    return best;
  }
  std::uint32_t lane_of(std::uint32_t line) {
    return lanes_.try_emplace(line, static_cast<std::uint32_t>(lanes_.size())).first->second;
  }

  Plane& plane_;
  program_table& programs_;
  profile_device& to_;
  std::vector<std::string>& notes_;
  event_store all_;
  std::vector<tagged> tags_;
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> tag_of_;
  std::map<std::tuple<std::uint32_t, std::string, std::string>, std::uint32_t> same_;
  std::map<std::pair<std::string, std::optional<std::uint64_t>>, std::uint32_t> group_of_;
  std::vector<module_counter> modules_;
  std::vector<interval> others_;
  std::map<std::uint32_t, std::uint32_t> lanes_;
};

}  // namespace hlolint::profiles
