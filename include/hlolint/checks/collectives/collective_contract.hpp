// COL017: the collectives of a module are not those that its owners agreed on.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/analysis/transfers/collective_kind.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/checks/module_contract.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// COL017: the limits of collectives in the contracts of the configuration.
struct collective_contract {
  /// Id, name, level and explanation.
  static constexpr rule about{
      .id = "COL017",
      .name = "collective-contract",
      .level = severity::error,
      .since = "0.1",
      .what =
          "The collectives of a module break a [[contract]] of the configuration on their number, groups, "
          "types, bytes, overlap or exposed time.",
      .why = "A change of shardings, flags or of XLA added a transfer, or made one larger, where none was wanted.",
      .advice = "See what in the program makes the collective, or change the contract.",
      .example =
          "[[contract]]\nname = \"one gather per layer\"\nmodule = \"jit_step*\"\nopcode = \"all-gather\"\n"
          "max-count = 24",
      .source = "written after contract checks that users keep in scripts"};
  static constexpr need needs = need::hlo;  ///< without it the check is not run

  std::vector<module_contract> contracts;  ///< from the configuration; none = nothing is reported

  /// Reports what of a contract the collectives break.
  void operator()(const context& dump, sink auto& report) const {
    for (const module_contract& agreed : contracts) {
      if (agreed.applies_to(dump.name()) && agreed.limits_collectives()) check(agreed, dump, report);
    }
  }

 private:
  static bool is_limited(const module_contract& agreed, hlo_opcode kind, hlo_instruction transfer) {
    return is_synchronous_collective(kind) && contract_pattern_fits(agreed.opcode, name_of(kind)) &&
           (agreed.op_name.empty() || contract_pattern_fits(agreed.op_name, program_place_of(transfer).op_name));
  }

  void check(const module_contract& agreed, const context& dump, sink auto& report) const {
    const hlo_module& module = *dump.hlo();
    const std::string title = "contract '" + agreed.name + "': ";
    std::int64_t count = 0;
    byte_count bytes = 0;
    hlo_instruction last;
    std::map<id, const async_window*> overlapped;
    if (agreed.must_overlap) overlapped = windows_of(dump);
    for (const hlo_instruction i : module.instructions()) {
      const hlo_opcode kind = collective_kind(i.opcode());
      if (!is_limited(agreed, kind, i)) continue;
      ++count, last = i;
      if (const auto moved = transfer_bytes(i)) bytes = checked_add(bytes, *moved).value_or(bytes);
      if (agreed.max_count && count - 1 == *agreed.max_count)
        report(finding_at(i, title + std::string(name_of(kind)) + " number " + std::to_string(count) + ", at most " +
                                 std::to_string(*agreed.max_count) + " are agreed"));
      if (const std::string other = other_type(i, agreed.element_type); !other.empty())
        report(
            finding_at(i, title + std::string(name_of(kind)) + " in " + other + ", agreed is " + agreed.element_type));
      if (agreed.must_overlap && module.is_scheduled())
        if (const std::string_view wrong = not_overlapped(i, overlapped); !wrong.empty())
          report(
              finding_at(i, title + std::string(name_of(kind)) + std::string(wrong) + ", agreed is that it overlaps"));
      if (!agreed.group_size && !agreed.max_group_size) continue;
      const device_groups* const groups = dump.template get<module_groups>().devices_of(i);
      if (!groups) continue;
      const auto size = static_cast<std::int64_t>(groups->largest());
      if (agreed.group_size && size != *agreed.group_size)
        report(finding_at(i, title + std::string(name_of(kind)) + " over groups of " + std::to_string(size) +
                                 ", agreed are " + std::to_string(*agreed.group_size)));
      else if (agreed.max_group_size && size > *agreed.max_group_size)
        report(finding_at(i, title + std::string(name_of(kind)) + " over groups of " + std::to_string(size) +
                                 ", at most " + std::to_string(*agreed.max_group_size) + " are agreed"));
    }
    if (agreed.min_count && count < *agreed.min_count)
      report(finding_at(module, title + std::to_string(count) + " collectives, at least " +
                                    std::to_string(*agreed.min_count) + " are agreed"));
    if (agreed.max_bytes && bytes > *agreed.max_bytes) {
      finding d =
          finding_at(last, title + human(bytes) + " are moved, at most " + human(*agreed.max_bytes) + " are agreed");
      d.bytes = (checked_int64(bytes) - *agreed.max_bytes).clamped();
      report(std::move(d));
    }
    if (agreed.max_exposed_ms && module.is_scheduled() && count > 0) check_exposed(agreed, dump, title, report);
  }

  /// The element type of a part of the result that is another than agreed; empty if there is none.
  static std::string other_type(hlo_instruction i, const std::string& agreed) {
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

  // Starts and what they transfer, of those that run beside something else.
  static std::map<id, const async_window*> windows_of(const context& dump) {
    std::map<id, const async_window*> out;
    for (const async_window& w : dump.template get<async_windows>()) {
      out[w.start.id()] = &w;
      if (w.transfer) out[w.transfer.id()] = &w;
    }
    return out;
  }
  static std::string_view not_overlapped(hlo_instruction i, const std::map<id, const async_window*>& windows) {
    const auto found = windows.find(i.id());
    if (found == windows.end() || found->second->is_sync.value_or(false)) return " is synchronous";
    return found->second->done && found->second->real == 0 ? " has no work between start and done" : "";
  }

  void check_exposed(const module_contract& agreed, const context& dump, const std::string& title,
                     sink auto& report) const {
    const exposed_time& time = dump.template get<exposed_time>();
    if (time.on().is_relative()) {
      finding d = finding_at(*dump.hlo(), title + "max-exposed-ms needs a device: name one with --device");
      d.level = severity::warning;
      return report(std::move(d));
    }
    double exposed = 0;
    hlo_instruction worst;
    for (const exposed_transfer& t : time.worst_first()) {
      const hlo_instruction transfer = time.links().sources().transfer_of(t.start);
      if (!is_limited(agreed, t.time.kind, transfer ? transfer : t.start)) continue;
      exposed += t.exposed;
      if (!worst) worst = t.start;
    }
    if (!worst || exposed * 1e3 <= *agreed.max_exposed_ms) return;
    char text[96];
    std::snprintf(text, sizeof text, "%.3g ms of a step are exposed, at most %.3g ms are agreed", exposed * 1e3,
                  *agreed.max_exposed_ms);
    finding d = finding_at(worst, title + text);
    d.impact = finding_impact{exposed - *agreed.max_exposed_ms / 1e3, impact_unit::seconds};
    report(std::move(d));
  }
};

}  // namespace hlolint
