// Runs the checks of a catalogue on one module.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/runs_by_name.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/settings.hpp>
#include <hlolint/lint/skipped_check.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {
// What stands between a check and the sink: makes a diagnostic of a finding, and drops notes that are not wanted.
template <class Sink>
struct finishing_sink {
  const rule& about;
  const rule_setting& setting;
  const context& dump;
  Sink& to;

  void operator()(finding found) const {
    const severity level = std::min(found.level.value_or(setting.level), setting.level);
    if (level == severity::note && !setting.notes) return;
    diagnostic d;
    d.rule = std::string(about.id);
    d.name = std::string(about.name);
    d.level = level;
    d.message = std::move(found.message);
    // Every finding has a file and a line, and so has everything that it names.
    d.where = is_nowhere(found.where) ? place_of_module() : found.where;
    d.module = dump.name();
    d.computation = std::move(found.subject.computation);
    d.instruction = std::move(found.subject.instruction);
    d.source_file = std::move(found.subject.from.at.file);
    d.source_line = found.subject.from.at.line;
    d.op_name = std::move(found.subject.from.op_name);
    d.shape = std::move(found.subject.shape);
    d.bytes = found.bytes;
    d.impact = found.impact || !found.bytes ? found.impact : impact_of(d);
    d.buffer = found.buffer;
    d.related = std::move(found.related);
    for (related_place& other : d.related)
      if (is_nowhere(other.where)) other.where = {d.where.in, {}};
    d.advice = found.advice.empty() ? std::string(about.advice) : std::move(found.advice);
    to(std::move(d));
  }

 private:
  // Traffic counts for all iterations of the loops around; memory is taken once.
  finding_impact impact_of(const diagnostic& d) const {
    const auto bytes = static_cast<double>(*d.bytes);
    const bool traffic = d.rule.starts_with("COL") || d.rule.starts_with("PRF");
    if (!traffic) return {bytes, impact_unit::resident_bytes};
    const auto runs = dump.hlo() ? dump.template get<runs_by_name>().of(d.computation) : 1;
    return {bytes * static_cast<double>(runs), impact_unit::moved_bytes};
  }

  static bool is_nowhere(const location& where) { return where.in.path().empty() && where.in.text().empty(); }
  location place_of_module() const {
    if (dump.hlo()) return dump.hlo()->where();
    if (dump.buffers() && !dump.buffers()->texts().empty()) return {dump.buffers()->texts().front(), {}};
    if (!dump.files().empty()) return {source(std::string(), dump.files().front().path), {}};
    return {source(std::string(), dump.name().empty() ? "<module>" : dump.name()), {}};
  }
};

/// A module without its entry: what the rules on HLO saw of it. Those that were not run at all are among `skipped`
/// already.
template <class... Checks>
void note_partial(const catalogue<Checks...>&, const context& dump, const rule_settings& settings,
                  std::vector<skipped_check>& skipped) {
  const call_graph& graph = dump.get<call_graph>();
  std::size_t seen = 0, all = 0;
  for (const hlo_computation c : dump.hlo()->computations()) {
    seen += graph.is_sequential(c);
    all += !c.is_synthesized();
  }
  const std::string reason = "checked in part: ENTRY is missing, " + std::to_string(seen) + " of " +
                             std::to_string(all) + " computations are known to run step by step";
  std::size_t at = 0;
  const auto note = [&](const rule& about, need needs) {
    if (!settings[at++].enabled || !contains(needs, need::hlo) || dump.missing(needs) != need::nothing) return;
    skipped.push_back({std::string(about.id), dump.name(), reason});
  };
  (note(rule_of<Checks>(), needs_of<Checks>()), ...);
}
}  // namespace detail

/// Runs every enabled check of `list` on `dump` and passes findings to `report` as they come. Disabled checks, and
/// analyses that only they ask for, cost nothing. Returns the checks that were enabled but lack something.
/// Precondition: `settings` has one entry per check.
template <class... Checks, diagnostic_sink Sink>
std::vector<skipped_check> run(const catalogue<Checks...>& list, const context& dump, Sink&& report,
                               const rule_settings& settings) {
  std::vector<skipped_check> skipped;
  std::array<bool, sizeof...(Checks) + 1> walks{};

  std::size_t position = 0;
  const auto start = [&](const auto& check) {
    using check_type = std::remove_cvref_t<decltype(check)>;
    const std::size_t at = position++;
    if (!settings[at].enabled) return;
    const rule& about = rule_of<check_type>();
    if (const need lacking = dump.missing(needs_of<check_type>()); lacking != need::nothing) {
      skipped.push_back({std::string(about.id), dump.name(), std::string(reason_without(lacking))});
      return;
    }
    const detail::finishing_sink<std::remove_reference_t<Sink>> finish{about, settings[at], dump, report};
    sink_ref out(finish);
    if constexpr (instruction_check<check_type>) {
      walks[at] = true;
    } else if constexpr (module_check<check_type>) {
      check(*dump.hlo(), out);
    } else if constexpr (buffer_check<check_type>) {
      check(*dump.buffers(), out);
    } else if constexpr (paired_check<check_type>) {
      check(paired{*dump.hlo(), *dump.buffers()}, out);
    } else {
      check(dump, out);
    }
  };
  std::apply([&](const auto&... check) { (start(check), ...); }, list.checks);

  if (dump.hlo() && !dump.hlo()->entry()) detail::note_partial(list, dump, settings, skipped);

  if (std::find(walks.begin(), walks.end(), true) == walks.end()) return skipped;
  // Most instructions have an opcode that no check looks at: one question for all checks together.
  std::array<bool, hlo_opcode_names.size()> is_looked_at{};
  position = 0;
  const auto note_opcodes = [&](const auto& check) {
    using check_type = std::remove_cvref_t<decltype(check)>;
    const bool walking = walks[position++];
    if constexpr (instruction_check<check_type>)
      for (std::size_t op = 0; walking && op < is_looked_at.size(); ++op)
        is_looked_at[op] = is_looked_at[op] || looks_at<check_type>(static_cast<hlo_opcode>(op));
  };
  std::apply([&](const auto&... check) { (note_opcodes(check), ...); }, list.checks);
  for (const hlo_instruction instruction : dump.hlo()->instructions()) {
    const hlo_opcode opcode = instruction.opcode();
    if (!is_looked_at[static_cast<std::size_t>(opcode)]) continue;
    std::size_t next = 0;
    const auto visit = [&](const auto& check) {
      using check_type = std::remove_cvref_t<decltype(check)>;
      const std::size_t at = next++;
      if constexpr (instruction_check<check_type>) {
        if (!walks[at] || !looks_at<check_type>(opcode)) return;
        const detail::finishing_sink<std::remove_reference_t<Sink>> finish{rule_of<check_type>(), settings[at], dump,
                                                                           report};
        sink_ref out(finish);
        check(instruction, dump, out);
      }
    };
    std::apply([&](const auto&... check) { (visit(check), ...); }, list.checks);
  }
  return skipped;
}

/// With the default settings.
template <class... Checks, diagnostic_sink Sink>
std::vector<skipped_check> run(const catalogue<Checks...>& list, const context& dump, Sink&& report) {
  return run(list, dump, std::forward<Sink>(report), default_settings(list));
}

}  // namespace hlolint
