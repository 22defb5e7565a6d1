// BUD009: a module takes more memory than its owners agreed on.
#pragma once

#include <hlolint/checks/module_contract.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/memory_summary_of.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

/// BUD009: the limits of memory in the contracts of the configuration.
struct memory_contract {
  /// Id, name, level and explanation.
  static constexpr rule about{
      .id = "BUD009",
      .name = "memory-contract",
      .level = severity::error,
      .since = "0.1",
      .what = "A module takes more memory than a [[contract]] of the configuration allows: at its peak, in temporary "
              "allocations or in all.",
      .why = "A change of the program, of flags or of XLA made it grow beyond what was agreed on.",
      .advice = "`hlolint memory` shows what takes it, `hlolint diff` what became larger; or change the contract.",
      .example = "[[contract]]\nname = \"step fits\"\nmodule = \"jit_step*\"\nmax-temporaries = \"8GiB\"",
      .source = "written after memory checks that users keep in scripts"};
  static constexpr need needs = need::buffers;  ///< without it the check is not run

  std::vector<module_contract> contracts;  ///< from the configuration; none = nothing is reported

  /// Reports each contract that the module takes more memory than.
  void operator()(const context& dump, sink auto& report) const {
    for (const module_contract& agreed : contracts) {
      if (!agreed.limits_memory() || !agreed.applies_to(dump.name())) continue;
      const memory_summary taken = memory_summary_of(dump);
      const auto check = [&](const std::string& what, byte_count bytes, const std::optional<byte_count>& most) {
        if (!most || bytes <= *most) return;
        finding d("contract '" + agreed.name + "': " + human(bytes) + " " + what + ", at most " + human(*most) +
                  " are agreed");
        d.bytes = bytes - *most;
        report(std::move(d));
      };
      check("are in use at the peak", taken.peak, agreed.max_peak);
      check("are temporary", taken.temp, agreed.max_temporaries);
      check("are allocated", taken.total, agreed.max_total);
    }
  }
};

}  // namespace hlolint
