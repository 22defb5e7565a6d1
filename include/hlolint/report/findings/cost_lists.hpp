// Two lists, of the findings that cost most time and of those that cost most memory, each with a sum in which nothing
// counts twice.
#pragma once

#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/number_text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

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
inline std::vector<const finding_group*> ranked_by(cost_unit unit, const std::vector<finding_group>& groups) {
  std::vector<const finding_group*> out;
  for (const finding_group& g : groups)
    if (cost_of(g.sums, unit) > 0) out.push_back(&g);
  std::stable_sort(out.begin(), out.end(),
                   [&](const auto* a, const auto* b) { return cost_of(a->sums, unit) > cost_of(b->sums, unit); });
  return out;
}

/// The time of all findings together. An instruction that several findings name counts once, with the largest of their
/// times. Seconds if the device is known, else relative time. `with_dismissed`: those of a baseline count, too: they
/// still cost their time; and so do the findings of `others`. `to_overlap`: the work that transfers can be hidden
/// behind.
inline double sum_of_time(const std::vector<diagnostic>& list, impact_unit unit, bool with_dismissed = false,
                          const std::vector<diagnostic>& others = {},
                          double to_overlap = std::numeric_limits<double>::infinity()) {
  struct largest {
    double otherwise = 0, by_overlap = 0;
  };
  std::map<std::tuple<std::string_view, std::string_view, std::uint32_t>, largest> of_instruction;
  double sum = 0, hidden = 0;
  for (const std::vector<diagnostic>* const part : {&list, &others})
    for (const diagnostic& d : *part) {
      if (d.dismissed && !with_dismissed) continue;
      const double all = detail::sums_of(d)[static_cast<std::size_t>(unit)];
      if (all <= 0) continue;
      if (d.time_shares.empty()) sum += all;
      for (const time_share& share : d.time_shares) {
        largest& known = of_instruction[{module_prefix(d.where.in.path()), d.module, share.instruction}];
        double& amount = share.by_overlap ? known.by_overlap : known.otherwise;
        amount = std::max(amount, share.amount);
      }
    }
  for (const auto& [instruction, amount] : of_instruction)
    sum += amount.otherwise, hidden += std::max(0.0, amount.by_overlap - amount.otherwise);
  return sum + std::min(hidden, to_overlap);
}

/// The memory of all findings together. Bytes that several findings name count once, by their place in an allocation,
/// else by instruction; those of a whole module count as far as they are more than all that is named in it.
inline double sum_of_memory(const std::vector<diagnostic>& list) {
  using module_key = std::pair<std::string_view, std::string_view>;
  struct part {
    byte_count begin = 0, end = 0;
  };
  struct amounts {
    double placed = 0, otherwise = 0;
  };
  struct module_parts {
    std::map<std::int64_t, std::vector<part>> of_allocation;
    std::map<std::string_view, amounts> of_instruction;
    double of_module = 0;
  };
  std::map<module_key, module_parts> modules;
  for (const diagnostic& d : list) {
    const double all = d.dismissed ? 0 : detail::sums_of(d)[0];
    if (all <= 0) continue;
    module_parts& to = modules[{module_prefix(d.where.in.path()), d.module}];
    if (d.buffer) {
      const auto size = static_cast<byte_count>(std::min(all, static_cast<double>(d.buffer->size)));
      to.of_allocation[d.buffer->allocation].push_back(
          {d.buffer->offset, (checked_int64(d.buffer->offset) + size).clamped()});
      double& known = to.of_instruction[d.instruction].placed;
      known = std::max(known, static_cast<double>(size));
    } else if (!d.instruction.empty()) {
      double& known = to.of_instruction[d.instruction].otherwise;
      known = std::max(known, all);
    } else {
      to.of_module = std::max(to.of_module, all);
    }
  }
  double sum = 0;
  for (auto& [key, of] : modules) {
    double named = 0;
    for (const auto& [instruction, amount] : of.of_instruction)
      named += std::max(0.0, amount.otherwise - amount.placed);
    for (auto& [allocation, parts] : of.of_allocation) {
      std::stable_sort(parts.begin(), parts.end(), [](part x, part y) { return x.begin < y.begin; });
      byte_count covered = parts.front().begin;
      for (const part p : parts)
        if (p.end > covered) named += static_cast<double>(p.end - std::max(p.begin, covered)), covered = p.end;
    }
    sum += std::max(named, of.of_module);
  }
  return sum;
}

/// The time that findings could win, of the steps of all modules together.
struct headroom {
  double won = 0;                      ///< seconds, or relative ones; by overlap no more than there is compute
  double step = 0;                     ///< of all modules
  double compute = 0;                  ///< of the step
  double recomputed = 0;               ///< of the step: values that are computed again
  double launches = 0;                 ///< of `compute`: kernels that take longer to start than to run
  double kernels = 0;                  ///< how many of them run
  double flops = 0;                    ///< utilization, weighted by the time of the steps
  std::size_t unknown_calls = 0;       ///< of all of them
  std::size_t loops_counted_once = 0;  ///< of all of them
  std::size_t modules = 0;             ///< how many there are
  std::size_t measured = 0;            ///< how many of them were measured
  double idle = 0;                     ///< of the measured ones
};

/// The headroom of the modules that were measured or whose device is known, or of the others.
inline headroom headroom_of(const run_result& run, bool known) {
  headroom out;
  for (const module_step& step : run.steps) {
    if ((!step.device.empty() || step.measured) != known) continue;
    out.measured += step.measured, out.idle += step.idle;
    out.step += step.seconds, out.compute += step.compute;
    out.recomputed += step.recomputed, out.launches += step.launches, out.kernels += step.kernels,
        out.flops += step.utilization * step.seconds;
    out.unknown_calls += step.unknown_calls, out.loops_counted_once += step.loops_counted_once, ++out.modules;
  }
  out.won = std::min(out.step, sum_of_time(run.diagnostics, known ? impact_unit::seconds : impact_unit::relative_time,
                                           true, run.not_shown, out.compute));
  return out;
}

namespace detail {

/// `25 % is the launch of 300 kernels that are shorter than it; `, or nothing below 1 % of the step.
inline std::string launch_words(const headroom& all) {
  if (all.launches < 0.01 * all.step) return {};
  return share_text(all.launches, all.step) + " is the launch of " +
         std::to_string(static_cast<std::size_t>(all.kernels)) +
         (all.kernels < 1.5 ? " kernel that runs" : " kernels that run") +
         " shorter than it takes (a larger batch, fewer and larger operations, or loops unrolled and fused "
         "help); ";
}

/// `20 % computes values again; `, or nothing below 1 % of the step.
inline std::string recomputed_words(const headroom& all) {
  return all.recomputed < 0.01 * all.step ? std::string()
                                          : share_text(all.recomputed, all.step) + " computes values again; ";
}

}  // namespace detail

/// The last lines of a report: the time that findings could win, and how busy the device is.
inline std::vector<std::string> headroom_lines(const run_result& run) {
  std::vector<std::string> out;
  for (const bool known : {true, false}) {
    const headroom all = headroom_of(run, known);
    if (all.modules == 0 || all.step <= 0) continue;
    const std::string steps = all.modules == 1 ? "a step" : "the steps of " + std::to_string(all.modules) + " modules";
    std::string text = run.diagnostics.empty() && !run.not_shown.empty()
                           ? "time: the notes that are not shown could win "
                           : "time: the findings could win ";
    if (!known) {
      text +=
          share_text(all.won, all.step) + " of " + steps + ", if the device is like common ones (--device names one)";
      const std::string why = at_least_text(all.unknown_calls, all.loops_counted_once);
      if (!why.empty()) text += "; " + why;
      out.push_back(text);
      continue;
    }
    const bool measured = all.measured == all.modules;  // else estimates are among them
    text += "~" + duration_text(all.won) + " of " + steps + " of " +
            (measured ? duration_text(all.step) + ", measured"
                      : step_text(all.step, all.unknown_calls, all.loops_counted_once)) +
            " (" + share_text(all.won, all.step) + "); " + share_text(all.compute - all.launches, all.step) +
            " is compute";
    if (all.idle > 0) text += ", " + share_text(all.idle, all.step) + " idle";
    text += "; " + detail::recomputed_words(all) + detail::launch_words(all);
    std::string device, evidence;
    for (const module_step& step : run.steps)
      if (!step.device.empty() && device.empty()) device = step.device, evidence = step.evidence;
    if (device.empty()) {
      text.resize(text.size() - 2);  // no device, no utilization
      out.push_back(text);
      continue;
    }
    text += (all.flops > 0 ? "model FLOP utilization " + share_text(all.flops, all.step)
                           : std::string("no matrix products")) +
            " on " + device;
    if (!evidence.empty()) text += " (a guess from " + evidence + "; --device names it)";
    out.push_back(text);
  }
  return out;
}

}  // namespace hlolint::report
