// Two lists, of the findings that cost most time and of those that cost most memory, each with a sum in which nothing
// counts twice.
#pragma once

#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint::report {

/// The unit that a list ranks by.
enum class cost_unit : std::uint8_t {
  time,   ///< seconds of a step; of modules without a known device relative ones
  memory  ///< bytes at the peak
};

/// The cost of a finding or a group in this unit.
inline double cost_of(const impact_sums& sums, cost_unit unit) {
  return unit == cost_unit::memory ? sums[0] : sums[2] + sums[3];
}

/// The groups with a cost in this unit, the costliest first.
inline record_list<const finding_group*> ranked_by(cost_unit unit, const record_list<finding_group>& groups) {
  record_list<const finding_group*> out;
  for (const finding_group& g : groups)
    if (cost_of(g.sums, unit) > 0) out.push_back(&g);
  sort_records(out, [&](const auto* a, const auto* b) { return cost_of(a->sums, unit) > cost_of(b->sums, unit); });
  return out;
}

/// The time of all findings together. An instruction that several findings name counts once, with the largest of their
/// times. Seconds if the device is known, else relative time.
inline double sum_of_time(const record_list<diagnostic>& list, impact_unit unit) {
  ordered_map<std::tuple<std::string_view, std::string_view, std::uint32_t>, double> of_instruction;
  double sum = 0;
  for (const diagnostic& d : list) {
    if (d.dismissed) continue;
    const double all = detail::sums_of(d)[static_cast<std::size_t>(unit)];
    if (all <= 0) continue;
    if (d.time_shares.empty()) sum += all;
    for (const time_share& share : d.time_shares) {
      double& known = of_instruction[{d.where.in.path(), d.module, share.instruction}];
      known = std::max(known, share.amount);
    }
  }
  for (const auto& [instruction, amount] : of_instruction) sum += amount;
  return sum;
}

/// The memory of all findings together. Bytes that several findings name count once, by their place in an allocation,
/// else by instruction.
inline double sum_of_memory(const record_list<diagnostic>& list) {
  using module_key = std::pair<std::string_view, std::string_view>;
  struct part {
    byte_count begin = 0, end = 0;
  };
  ordered_map<std::pair<module_key, std::int64_t>, record_list<part>> of_allocation;
  ordered_map<std::tuple<std::string_view, std::string_view, std::string_view>, double> of_instruction;
  double sum = 0;
  for (const diagnostic& d : list) {
    const double all = d.dismissed ? 0 : detail::sums_of(d)[0];
    if (all <= 0) continue;
    if (d.buffer) {
      const auto size = static_cast<byte_count>(std::min(all, static_cast<double>(d.buffer->size)));
      of_allocation[{{d.where.in.path(), d.module}, d.buffer->allocation}].push_back(
          {d.buffer->offset, (checked_int64(d.buffer->offset) + size).clamped()});
    } else if (!d.instruction.empty()) {
      double& known = of_instruction[{d.where.in.path(), d.module, d.instruction}];
      known = std::max(known, all);
    } else {
      sum += all;
    }
  }
  for (const auto& [instruction, amount] : of_instruction) sum += amount;
  for (auto& [allocation, parts] : of_allocation) {
    sort_records(parts, [](part a, part b) { return a.begin < b.begin; });
    byte_count covered = parts.front().begin;
    for (const part p : parts)
      if (p.end > covered) sum += static_cast<double>(p.end - std::max(p.begin, covered)), covered = p.end;
  }
  return sum;
}

/// The time that findings could win, of the steps of all modules together.
struct headroom {
  double won = 0;      ///< seconds, or relative ones
  double step = 0;     ///< of all modules
  double compute = 0;  ///< of the step
  double flops = 0;    ///< utilisation, weighted by the time of the steps
  std::size_t unknown_calls = 0;  ///< of all of them
  std::size_t loops_counted_once = 0;  ///< of all of them
  std::size_t modules = 0;        ///< how many there are
};

/// The headroom of the modules whose device is known, or of the others.
inline headroom headroom_of(const run_result& run, bool known) {
  headroom out;
  for (const module_step& step : run.steps) {
    if (step.device.empty() == known) continue;
    out.step += step.seconds, out.compute += step.compute, out.flops += step.utilisation * step.seconds;
    out.unknown_calls += step.unknown_calls, out.loops_counted_once += step.loops_counted_once, ++out.modules;
  }
  out.won = std::min(out.step, sum_of_time(run.diagnostics, known ? impact_unit::seconds : impact_unit::relative_time));
  return out;
}

/// The last lines of a report: the time that findings could win, and how busy the device is.
inline record_list<std::string> headroom_lines(const run_result& run) {
  record_list<std::string> out;
  const auto percent = [](double part, double whole) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g %%", whole > 0 ? 100 * part / whole : 0);
    return std::string(text);
  };
  for (const bool known : {true, false}) {
    const headroom all = headroom_of(run, known);
    if (all.modules == 0 || all.step <= 0) continue;
    const std::string steps =
        all.modules == 1 ? "a step" : "the steps of " + std::to_string(all.modules) + " modules";
    std::string text = "headroom: the findings about time could win ";
    if (!known) {
      text += percent(all.won, all.step) + " of " + steps + ", if the device is like common ones (--device names one)";
      const std::string why = at_least_text(all.unknown_calls, all.loops_counted_once);
      if (!why.empty()) text += "; " + why;
      out.push_back(text);
      continue;
    }
    text += "~" + milliseconds_text(all.won) + " ms of " + steps + " of " +
            step_text(all.step, all.unknown_calls, all.loops_counted_once) + " (" + percent(all.won, all.step) + "); " +
            percent(all.compute, all.step) + " is compute; model FLOP utilisation " + percent(all.flops, all.step);
    std::string device, evidence;
    for (const module_step& step : run.steps)
      if (!step.device.empty() && device.empty()) device = step.device, evidence = step.evidence;
    text += " on " + device;
    if (!evidence.empty()) text += " (a guess from " + evidence + "; --device names it)";
    out.push_back(text);
  }
  return out;
}

}  // namespace hlolint::report
