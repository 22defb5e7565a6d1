// What a finding costs in a step: the one place where the cost of a run is multiplied by how often it runs.
#pragma once

#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/time/instruction_times.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/rule.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace hlolint::detail {

/// How often in a step what a finding is about happens.
inline double runs_of(const finding& found, const context& dump) {
  if (found.runs) return *found.runs;
  return dump.hlo() ? static_cast<double>(dump.get<runs_by_name>().of(found.subject.computation).times) : 1;
}

/// Time of each instruction that a finding names, for all runs in a step.
inline std::vector<time_share> time_shares_of(const rule& about, const finding& found, const context& dump) {
  std::vector<time_share> out;
  if (!dump.hlo() || !dump.hlo()->entry()) return out;
  const auto add = [&](hlo_instruction i, double seconds, double runs) {
    if (seconds * runs > 0) out.push_back({i.id(), seconds * runs});
  };
  std::vector<saved_time> saved = found.saves;
  if (saved.empty() && found.about && about.costs == cost_kind::both && found.bytes) {
    // Bytes that need not be: they are written once, and read by each user.
    const device on = dump.device();
    const double rate = on.memory_rate * on.memory_efficiency;
    const auto times = static_cast<double>(1 + dump.get<users>().count(found.about));
    if (rate > 0) add(found.about, times * static_cast<double>(*found.bytes) / rate, runs_of(found, dump));
    return out;
  }
  if (saved.empty() && found.about) saved.push_back({found.about, 1});
  for (const saved_time& s : saved)
    if (s.of)
      if (const auto time = dump.get<instruction_times>().of(s.of))
        add(s.of, time->seconds * std::clamp(s.share, 0.0, 1.0), time->runs);
  return out;
}

/// Whether the memory of a finding is taken when most is; true if its time is not known.
inline bool is_taken_at_peak(const finding& found, const context& dump) {
  if (!found.buffer || !found.buffer->start || !found.buffer->end || !dump.has(need::buffers | need::live_ranges))
    return true;
  return dump.get<peak_positions>().holds(found.buffer->allocation, *found.buffer->start, *found.buffer->end);
}

/// Fills `impact`, `impacts` and `time_shares`.
inline void add_costs(const rule& about, const finding& found, const context& dump, diagnostic& d) {
  const auto add = [&](double amount, impact_unit unit) { d.impacts.push_back({amount, unit}); };
  if (found.impact) {
    d.impact = found.impact, d.impacts.assign(1, *found.impact);
    return;
  }
  if (costs_memory(about.costs) && found.bytes)
    add(is_taken_at_peak(found, dump) ? static_cast<double>(*found.bytes) : 0, impact_unit::resident_bytes);
  if (costs_time(about.costs)) {
    if (found.bytes && about.costs == cost_kind::time)
      add(static_cast<double>(*found.bytes) * runs_of(found, dump), impact_unit::moved_bytes);
    d.time_shares = time_shares_of(about, found, dump);
    double sum = 0;
    for (const time_share& share : d.time_shares) sum += share.amount;
    const bool relative = dump.device().is_relative();
    if (!d.time_shares.empty() || found.about) add(sum, relative ? impact_unit::relative_time : impact_unit::seconds);
  }
  // Memory first where a finding costs both; then time, if it is known, before the bytes that take it.
  for (const impact_unit unit : {impact_unit::resident_bytes, impact_unit::seconds, impact_unit::moved_bytes})
    for (const finding_impact& one : d.impacts)
      if (!d.impact && one.unit == unit) d.impact = one;
}

}  // namespace hlolint::detail
