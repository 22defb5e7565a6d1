// The cost of findings in time: all multiplications of a cost by its runs are here.
#pragma once

#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/measured_times.hpp>
#include <hlolint/analysis/time/memory_traffic.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/rule.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/number_text.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// The runs of a finding in a step.
inline double runs_of(const finding& found, const context& dump) {
  if (found.runs) return *found.runs;
  return dump.hlo() ? static_cast<double>(dump.get<runs_by_name>().of(found.subject.computation).times) : 1;
}

/// Whether access to an array takes time of the device's main memory.
inline bool moves_through_main_memory(hlo_instruction i, const device& on) {
  return !i.shape() || memory_traffic(on).bytes(i.shape()) > 0;
}

/// How often an array that an instruction makes is moved: written once and read once by each user, or the part of it
/// that they write and read, as an update in place does.
inline double times_moved(hlo_instruction made, const context& dump) {
  const double whole = memory_traffic(dump.device()).bytes(made.shape());
  if (whole <= 0) return 0;
  const work_times& times = dump.get<instruction_times>().work();
  const auto part = [&](double moved) { return std::min(moved / whole, 1.0); };
  double out = part(times.work_of(made).written);
  hlo_instruction before;
  for (const instruction_use use : dump.get<users>().of(made)) {
    const hlo_instruction user = use.user;
    if (std::exchange(before, user) == user) continue;  // it reads the array twice
    if (!is_free(user) && !calls_sequentially(user.opcode()))
      out += part(times.work_of(user).read);
    else if (!user.is_root())  // what a computation returns is read by its caller
      out += 1;
  }
  return out;
}

/// The measured seconds of an instruction in a step; nothing without a profile.
inline std::optional<double> measured_time(hlo_instruction i, const context& dump) {
  return dump.times() && i ? dump.times()->of(i) : std::nullopt;
}

/// Whether a profile has times of a finding's instructions.
inline bool is_measured(const finding& found, const context& dump) {
  return measured_time(found.about, dump) ||
         std::any_of(found.saves.begin(), found.saves.end(),
                     [&](const saved_time& s) { return measured_time(s.of, dump).has_value(); });
}

/// The time of each instruction that a finding names, for all runs in a step. A transfer counts once, by its start,
/// even if its done is named too. Nothing if no time is known, as opposed to no time.
inline std::optional<std::vector<time_share>> time_shares_of(const rule& about, const finding& found,
                                                             const context& dump) {
  if (!dump.hlo() || !dump.hlo()->entry()) return std::nullopt;
  std::vector<time_share> out;
  bool known = false;
  const auto add = [&](hlo_instruction i, double seconds, double runs, bool by_overlap = false) {
    known = true;
    if (seconds * runs > 0) out.push_back({i.id(), seconds * runs, by_overlap});
  };
  std::vector<saved_time> saved = found.saves;
  if (saved.empty() && found.about && about.costs == cost_kind::both && found.bytes) {
    const device on = dump.device();
    const double rate = on.memory_rate * on.memory_efficiency;
    const double times = found.about.shape() ? times_moved(found.about, dump) : 0;
    if (rate > 0) add(found.about, times * static_cast<double>(*found.bytes) / rate, runs_of(found, dump));
  } else {
    if (saved.empty() && found.about) saved.push_back({found.about, 1});
    for (const saved_time& s : saved) {
      if (!s.of) continue;
      const auto time = dump.get<instruction_times>().of(s.of);
      const double share = std::clamp(s.share, 0.0, 1.0);
      if (const auto seconds = measured_time(time ? time->of : s.of, dump))
        add(time ? time->of : s.of, *seconds * share, 1, s.by_overlap);
      else if (time)
        add(time->of, time->seconds * share, time->runs, s.by_overlap);
    }
  }
  if (!known) return std::nullopt;
  std::stable_sort(out.begin(), out.end(), [](const time_share& a, const time_share& b) {
    return a.instruction != b.instruction ? a.instruction < b.instruction : a.amount > b.amount;
  });
  const auto same = [](const time_share& a, const time_share& b) { return a.instruction == b.instruction; };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

/// Adds the time and the moved bytes of a finding, `time_shares`, and the measured time to the message.
inline void add_time_costs(const rule& about, const finding& found, const context& dump, diagnostic& d) {
  const auto add = [&](double amount, impact_unit unit) { d.impacts.push_back({amount, unit}); };
  const bool on_chip =
      about.costs == cost_kind::both && found.about && !moves_through_main_memory(found.about, dump.device());
  if (found.bytes && !on_chip && costs_time(about.costs))
    add(static_cast<double>(*found.bytes) * runs_of(found, dump), impact_unit::moved_bytes);
  if (auto shares = time_shares_of(about, found, dump)) {
    d.time_shares = std::move(*shares);
    double sum = 0;
    for (const time_share& share : d.time_shares) sum += share.amount;
    const bool measured = is_measured(found, dump) && !(found.saves.empty() && about.costs == cost_kind::both);
    if (measured && sum > 0) d.message += "; measured: " + duration_text(sum) + " in a step";
    add(sum, dump.device().is_relative() && !measured ? impact_unit::relative_time : impact_unit::seconds);
  }
}

}  // namespace hlolint::detail
