// Runs the checks of a catalogue on one module.
#pragma once

#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/rule.hpp>
#include <hlolint/lint/settings.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// A type-erased check, valid as long as its catalogue.
struct listed_check {
  const rule* about;  ///< its rule
  need needs;         ///< conditions of its rule and of its form
  /// Runs the check once; empty for an instruction check.
  std::function<void(const context& dump, sink_ref emit)> once{};
  /// Runs an instruction check on an instruction; empty for other checks.
  std::function<void(hlo_instruction i, const context& dump, sink_ref emit)> each{};
  /// Names what is missing beside the dump; empty if the check needs nothing else.
  std::function<std::string_view(const context& dump)> lacks{};
  /// Whether the check is worth an estimate of memory; empty if it takes none.
  std::function<bool(const context& dump)> is_asked{};

  /// The conditions for running it. One that takes an estimate needs buffers, dumped or estimated.
  need required() const { return is_asked ? needs | need::buffers : needs; }
  /// Whether the check needs live ranges, so it gets computed ones (memory_estimate.hpp) if the dump has none.
  bool takes_ranges() const {
    return (needs & (need::memory | need::live_ranges | need::used_values)) != need::nothing;
  }
  /// Whether a finding about memory costs only if its buffer is in use at the peak.
  bool costs_at_peak() const {
    return costs_memory(about->costs) && (takes_ranges() || contains(needs, need::buffers));
  }
};

namespace detail {
/// Whether the memory of a finding is in use at the peak; true if its lifetime is unknown.
inline bool is_taken_at_peak(const finding& found, const context& dump) {
  if (!found.buffer || !found.buffer->start || !found.buffer->end || !dump.has(need::buffers | need::live_ranges))
    return true;
  return dump.get<peak_positions>().holds(found.buffer->allocation, *found.buffer->start, *found.buffer->end);
}

template <class C>
listed_check listed(const C& check) {
  listed_check out{.about = &rule_of<C>(), .needs = needs_of<C>()};
  if constexpr (rule_of<C>().compares) out.lacks = [&check](const context& dump) { return check.lacks(dump); };
  if constexpr (contains(needs_of<C>(), need::memory))
    out.is_asked = [&check](const context& dump) { return hlolint::is_asked(check, dump); };
  if constexpr (instruction_check<C>)
    out.each = [&check](hlo_instruction i, const context& dump, sink_ref emit) { check(i, dump, emit); };
  else if constexpr (module_check<C>)
    out.once = [&check](const context& dump, sink_ref emit) { check(*dump.hlo(), emit); };
  else if constexpr (buffer_check<C>)
    out.once = [&check](const context& dump, sink_ref emit) { check(*dump.buffers(), emit); };
  else
    out.once = [&check](const context& dump, sink_ref emit) { check(dump, emit); };
  return out;
}
}  // namespace detail

/// The checks of a catalogue, in its order.
template <class... Checks>
std::array<listed_check, sizeof...(Checks)> listed_checks(const catalogue<Checks...>& list) {
  using array = std::array<listed_check, sizeof...(Checks)>;
  return std::apply([](const auto&... check) { return array{detail::listed(check)...}; }, list.checks);
}

/// The settings without any choice by the user.
rule_settings default_settings(std::span<const listed_check> list);

/// Runs every enabled check of `list` on `dump`, and those whose notes are counted, and passes findings to `report` at
/// once. Other checks, and analyses that only they need, cost nothing. Returns enabled checks that lack something.
/// Precondition: `settings` has one entry per check.
std::vector<skipped_check> run(std::span<const listed_check> list, const context& dump, diagnostic_sink_ref emit,
                               const rule_settings& settings);
/// Runs the checks of a catalogue.
template <class... Checks, diagnostic_sink Sink>
std::vector<skipped_check> run(const catalogue<Checks...>& list, const context& dump, Sink&& emit,
                               const rule_settings& settings) {
  return run(listed_checks(list), dump, diagnostic_sink_ref(emit), settings);
}

/// With the default settings.
template <class... Checks, diagnostic_sink Sink>
std::vector<skipped_check> run(const catalogue<Checks...>& list, const context& dump, Sink&& emit) {
  return run(list, dump, std::forward<Sink>(emit), default_settings(list));
}

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/lint/finding_costs.hpp>
#include <hlolint/lint/memory_estimate.hpp>

#include <algorithm>
#include <iterator>
#include <string>

namespace hlolint {

namespace detail {
/// Fills `impact`, `impacts` and `time_shares`.
inline void add_costs(const listed_check& check, const finding& found, const context& dump, diagnostic& d) {
  if (found.impact) {
    d.impact = found.impact, d.impacts.assign(1, *found.impact);
    return;
  }
  if (costs_memory(check.about->costs) && found.bytes) {
    const bool resident = !check.costs_at_peak() || is_taken_at_peak(found, dump);
    d.impacts.push_back({resident ? static_cast<double>(*found.bytes) : 0, impact_unit::resident_bytes});
  }
  if (costs_time(check.about->costs) || !found.saves.empty()) add_time_costs(*check.about, found, dump, d);
  // Memory comes first if a finding costs both; then time, if known, before moved bytes.
  for (const impact_unit unit : {impact_unit::resident_bytes, impact_unit::seconds, impact_unit::moved_bytes})
    for (const finding_impact& one : d.impacts)
      if (!d.impact && one.unit == unit) d.impact = one;
}

// Turns a check's findings into diagnostics for the sink, and drops unwanted notes.
struct finishing_sink {
  const listed_check& check;
  const rule_setting& setting;
  const context& dump;
  diagnostic_sink_ref to;

  void operator()(finding found) const {
    const severity level = std::min(found.level.value_or(setting.level), setting.level);
    if (level == severity::note && !setting.notes && !setting.counts) return;
    const rule& about = *check.about;
    diagnostic d;
    add_costs(check, found, dump, d);
    d.rule = std::string(about.id);
    d.name = std::string(about.name);
    d.level = level;
    d.message = std::move(found.message) + d.message;  // with the measured time
    if (found.promise) d.message += "; " + promise_text(*found.promise);
    if (dump.memory_from() != memory_origin::dumped)
      d.message += dump.memory_is_estimated() ? " (estimated from the HLO)" : " (as XLA assigns it)";
    // Every finding and related place gets a file and a line.
    d.where = is_nowhere(found.where) ? place_of_module() : found.where;
    d.module = dump.name();
    d.computation = std::move(found.subject.computation);
    d.instruction = std::move(found.subject.instruction);
    d.source_file = std::move(found.subject.from.at.file);
    d.source_line = found.subject.from.at.line;
    d.op_name = std::move(found.subject.from.op_name);
    // Ranks and earlier stages are modules of their own.
    const bool is_of_dump = found.about && dump.hlo() && &found.about.data() == &dump.hlo()->data();
    if (is_of_dump && d.source_file.empty() && d.op_name.empty())
      d.near = neighboring_place_of(found.about, dump.get<users>());
    d.shape = std::move(found.subject.shape);
    d.bytes = found.bytes;
    d.promise = found.promise;
    d.buffer = found.buffer;
    d.related = std::move(found.related);
    for (related_place& other : d.related)
      if (is_nowhere(other.where)) other.where = {d.where.in, {}};
    d.advice = found.advice.empty() ? std::string(about.advice) : std::move(found.advice);
    to(std::move(d));
  }

 private:
  static bool is_nowhere(const location& where) { return where.in.path().empty() && where.in.text().empty(); }
  location place_of_module() const {
    if (dump.hlo()) return dump.hlo()->where();
    if (dump.buffers() && !dump.buffers()->texts().empty()) return {dump.buffers()->texts().front(), {}};
    if (!dump.files().empty()) return {source(std::string(), dump.files().front().path), {}};
    return {source(std::string(), dump.name().empty() ? "<module>" : dump.name()), {}};
  }
};

/// Notes for a module without its entry how much of it the rules on HLO examined. Rules that were not run at all are in
/// `skipped` already.
inline void note_partial(std::span<const listed_check> list, const context& dump, const rule_settings& settings,
                         std::vector<skipped_check>& skipped) {
  const call_graph& graph = dump.get<call_graph>();
  std::size_t seen = 0, all = 0;
  for (const hlo_computation c : dump.hlo()->computations()) {
    seen += graph.is_sequential(c);
    all += !c.is_synthesized();
  }
  const std::string reason =
      "checked in part: ENTRY is missing, " +
      (all == 0 ? std::string("and no computation is whole")
                : std::to_string(seen) + " of " + std::to_string(all) + " computations are known to run step by step");
  for (std::size_t at = 0; at != list.size(); ++at) {
    const need needs = list[at].needs;
    if (!settings[at].enabled || !contains(needs, need::hlo) || dump.missing(needs) != need::nothing) continue;
    skipped.push_back({std::string(list[at].about->id), dump.name(), reason, true});
  }
}

// The module as a check gets it: for one that takes live ranges with those that the dump lacks. An estimate of all
// memory takes longer than all other checks together, so it is made only if the check is worth it.
inline const context& module_for(const listed_check& check, const rule_setting& setting, const context& dump) {
  if (!check.takes_ranges()) return dump;
  if (dump.has(need::buffers))
    return check.is_asked || dump.missing(check.required()) != need::nothing ? with_memory(dump) : dump;
  const bool is_chosen = setting.enabled ? setting.notes : setting.counts;
  const bool is_worth_it = check.is_asked && dump.has(need::memory) && (is_chosen || check.is_asked(dump));
  return is_worth_it ? with_memory(dump) : dump;
}

// Runs these checks of instructions in one walk. Most instructions have an opcode that no check examines, and a small
// module has few opcodes.
inline void walk_instructions(std::span<const listed_check> list, const std::vector<std::size_t>& walking,
                              const context& dump, diagnostic_sink_ref emit, const rule_settings& settings) {
  std::array<std::uint16_t, hlo_opcode_names.size()> seen{};  // 1 + position in `looking`
  std::vector<std::vector<std::size_t>> looking;
  for (const hlo_instruction instruction : dump.hlo()->instructions()) {
    const hlo_opcode opcode = instruction.opcode();
    std::uint16_t& number = seen[static_cast<std::size_t>(opcode)];
    if (number == 0) {
      std::copy_if(walking.begin(), walking.end(), std::back_inserter(looking.emplace_back()),
                   [&](std::size_t at) { return !list[at].about->looks_at || list[at].about->looks_at(opcode); });
      number = static_cast<std::uint16_t>(looking.size());
    }
    for (const std::size_t at : looking[number - 1u]) {
      const finishing_sink finish{list[at], settings[at], dump, emit};
      list[at].each(instruction, dump, sink_ref(finish));
    }
  }
}
}  // namespace detail

HLOLINT_INLINE rule_settings default_settings(std::span<const listed_check> list) {
  std::vector<rule> rules;
  for (const listed_check& each : list) rules.push_back(*each.about);
  return choose_rules(rules, {}).settings;
}

HLOLINT_INLINE std::vector<skipped_check> run(std::span<const listed_check> list, const context& dump,
                                              diagnostic_sink_ref emit, const rule_settings& settings) {
  std::vector<skipped_check> skipped;
  std::vector<std::size_t> walking;  // checks of instructions
  for (std::size_t at = 0; at != list.size(); ++at) {
    const listed_check& check = list[at];
    const rule_setting& setting = settings[at];
    if (!setting.runs()) continue;
    const auto skip = [&](std::string_view reason) {
      skipped.push_back({std::string(check.about->id), dump.name(), std::string(reason)});
    };
    if (const std::string_view lacking = check.lacks ? check.lacks(dump) : std::string_view{}; !lacking.empty()) {
      if (setting.enabled && setting.notes) skip(lacking);
      continue;
    }
    const context& module = detail::module_for(check, setting, dump);
    if (const need lacking = module.missing(check.required()); lacking != need::nothing) {
      if (setting.enabled) skip(reason_without(lacking));
      continue;
    }
    const detail::finishing_sink finish{check, setting, module, emit};
    if (check.once)
      check.once(module, sink_ref(finish));
    else
      walking.push_back(at);
  }
  if (dump.hlo() && !dump.hlo()->entry()) detail::note_partial(list, dump, settings, skipped);
  if (!walking.empty()) detail::walk_instructions(list, walking, dump, emit, settings);
  return skipped;
}

}  // namespace hlolint
#endif
