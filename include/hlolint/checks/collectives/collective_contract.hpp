// COL017: collectives that break a contract of the module's owners.
#pragma once

#include <hlolint/checks/module_contract.hpp>
#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Compares collectives with the limits in the contracts of the configuration.
struct collective_contract {
  static constexpr rule about{
      .id = "COL017",
      .name = "collective-contract",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::hlo,
      .compares = true,
      .what =
          "The collectives of a module break a [[contract]] of the configuration on their number, groups, types, "
          "bytes, overlap or exposed time.",
      .why = "A change of shardings, of flags or of XLA added an unwanted transfer, or enlarged one.",
      .advice = "Find out what in the program makes the collective, or change the contract.",
      .example =
          "[[contract]]\n"
          "name = \"one gather per layer\"\n"
          "module = \"jit_step*\"\n"
          "opcode = \"all-gather\"\n"
          "max-count = 24",
      .source = "modeled on contract checks that users keep in scripts"};

  std::vector<module_contract> contracts;  ///< from the configuration; none = nothing is reported

  /// The check runs only if a contract limits collectives.
  std::string_view lacks(const context&) const {
    return any_contract(contracts, [](const module_contract& agreed) { return agreed.limits_collectives(); })
               ? std::string_view{}
               : "no [[contract]] of the configuration limits collectives";
  }

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <vector>

namespace hlolint {

namespace col017 {

inline bool is_limited(const module_contract& agreed, hlo_opcode kind, hlo_instruction transfer) {
  return is_synchronous_collective(kind) && contract_pattern_fits(agreed.opcode, name_of(kind)) &&
         (agreed.op_name.empty() || contract_pattern_fits(agreed.op_name, program_place_of(transfer).op_name));
}

/// The first element type in the result that differs from the agreed one; empty if there is none.
inline std::string other_type(hlo_instruction i, const std::string& agreed) {
  if (agreed.empty() || !i.shape()) return {};
  std::vector<const shape*> parts{i.shape()};
  if (i.shape()->is_tuple()) {
    parts.clear();
    for (const shape& part : i.shape()->elements) parts.push_back(&part);
  }
  for (const shape* const part : parts)
    if (part->is_array() && !contract_pattern_fits(agreed, name_of(part->type)))
      return std::string(name_of(part->type));
  return {};
}

/// On TPU the fusions that continue or end a transfer hold a copy of the collective that the first fusion starts.
inline bool is_copy_of_another(hlo_instruction i, const async_windows& windows) {
  const async_window* const w = windows.around(i);
  return w && w->form == async_form::tpu_fusion && !(w->transfer == i);
}

inline std::string_view not_overlapped(hlo_instruction i, const async_windows& windows) {
  if (!windows.is_asynchronous(i)) return " is synchronous";
  const async_window* const w = windows.around(i);
  return w->done && w->real == 0 ? " has no work between start and done" : "";
}

inline void check_exposed(const module_contract& agreed, const context& dump, const std::string& title, sink_ref emit) {
  const exposed_time& time = dump.get<exposed_time>();
  if (time.on().is_relative()) return;  // unevaluated_parts reports it
  double exposed = 0;
  hlo_instruction worst;
  for (const exposed_transfer& t : time.worst_first()) {
    const hlo_instruction transfer = time.links().sources().transfer_of(t.start);
    if (!is_limited(agreed, t.time.kind, transfer ? transfer : t.start)) continue;
    exposed += t.exposed;
    if (!worst) worst = t.start;
  }
  if (!worst || exposed * 1e3 <= *agreed.max_exposed_ms) return;
  const double most = *agreed.max_exposed_ms / 1e3;
  emit(finding_at(
      worst,
      str_cat({title, duration_text(exposed), " of a step are exposed, at most ", duration_text(most), " are agreed"}),
      {.impact = finding_impact{exposed - most, impact_unit::seconds}}));
}

inline void check(const module_contract& agreed, const context& dump, sink_ref emit) {
  const hlo_module& module = *dump.hlo();
  const std::string title = "contract '" + agreed.name + "': ";
  std::int64_t count = 0;
  byte_count bytes = 0;
  hlo_instruction last;
  const async_windows& windows = dump.get<async_windows>();
  const transfer_sources& sources = dump.get<transfer_sources>();
  for (const hlo_instruction i : module.instructions()) {
    const hlo_opcode kind = sources.kind_of(i);
    if (!is_limited(agreed, kind, i) || is_copy_of_another(i, windows)) continue;
    ++count, last = i;
    if (const auto moved = collective_bytes(i)) bytes = checked_add(bytes, *moved).value_or(bytes);
    const auto add = [&](const std::string& fault) { emit(finding_at(i, str_cat({title, name_of(kind), fault}))); };
    if (agreed.max_count && count - 1 == *agreed.max_count)
      add(str_cat({" number ", count, ", at most ", *agreed.max_count, " are agreed"}));
    if (const std::string other = other_type(i, agreed.element_type); !other.empty())
      add(str_cat({" in ", other, ", agreed is ", agreed.element_type}));
    if (agreed.must_overlap && module.is_scheduled())
      if (const std::string_view wrong = not_overlapped(i, windows); !wrong.empty())
        add(str_cat({wrong, ", agreed is that it overlaps"}));
    if (!agreed.group_size && !agreed.max_group_size) continue;
    const device_groups* const groups = dump.get<module_groups>().devices_of(i);
    if (!groups) continue;
    const auto size = static_cast<std::int64_t>(groups->largest());
    if (agreed.group_size && size != *agreed.group_size)
      add(str_cat({" over groups of ", size, ", agreed are ", *agreed.group_size}));
    else if (agreed.max_group_size && size > *agreed.max_group_size)
      add(str_cat({" over groups of ", size, ", at most ", *agreed.max_group_size, " are agreed"}));
  }
  if (agreed.min_count && count < *agreed.min_count)
    emit(finding_at(module, str_cat({title, count, " collectives, at least ", *agreed.min_count, " are agreed"})));
  if (agreed.max_bytes && bytes > *agreed.max_bytes)
    emit(finding_at(last,
                    str_cat({title, human(bytes), " are moved, at most ", human(*agreed.max_bytes), " are agreed"}),
                    {.bytes = (checked_int64(bytes) - *agreed.max_bytes).clamped()}));
  if (agreed.max_exposed_ms && module.is_scheduled() && count > 0) check_exposed(agreed, dump, title, emit);
}

}  // namespace col017

HLOLINT_INLINE void collective_contract::operator()(const context& dump, sink_ref emit) const {
  for (const module_contract& agreed : contracts) {
    if (agreed.applies_to(dump.name()) && agreed.limits_collectives()) col017::check(agreed, dump, emit);
  }
}

}  // namespace hlolint
#endif
