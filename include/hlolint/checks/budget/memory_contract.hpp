// BUD009: a module takes more memory than its owners agreed on.
#pragma once

#include <hlolint/checks/module_contract.hpp>
#include <hlolint/lint/check.hpp>

#include <string_view>

namespace hlolint {

/// BUD009: the limits of memory in the contracts of the configuration.
struct memory_contract {
  static constexpr rule about{
      .id = "BUD009",
      .name = "memory-contract",
      .level = severity::error,
      .what = "A module takes more memory than a [[contract]] of the configuration allows: at its peak, in temporary "
              "allocations or in all.",
      .why = "A change of the program, of flags or of XLA made it grow beyond what was agreed on.",
      .advice = "`hlolint memory` shows what takes it, `hlolint diff` what became larger; or change the contract.",
      .example = "[[contract]]\nname = \"step fits\"\nmodule = \"jit_step*\"\nmax-temporaries = \"8GiB\"",
      .source = "written after memory checks that users keep in scripts"};
  static constexpr need needs = need::memory;

  record_list<module_contract> contracts;  ///< from the configuration; none = nothing is reported

  /// Without such a contract there is nothing to compare with.
  std::string_view lacks(const context&) const {
    return any_contract(contracts, [](const module_contract& agreed) { return agreed.limits_memory(); })
               ? std::string_view{}
               : "no [[contract]] of the configuration limits memory";
  }
  /// A contract about this module is worth an estimate.
  bool is_asked(const context& dump) const {
    return any_contract(contracts, [&](const module_contract& agreed) {
      return agreed.limits_memory() && agreed.applies_to(dump.name());
    });
  }

  /// Reports each contract that the module takes more memory than.
  void operator()(const context& dump, sink_ref report) const;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/lint/memory_summary_of.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <string>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void memory_contract::operator()(const context& dump, sink_ref report) const {
  for (const module_contract& agreed : contracts) {
    if (!agreed.limits_memory() || !agreed.applies_to(dump.name())) continue;
    const memory_summary taken = memory_summary_of(dump);
    const auto check = [&](const std::string& what, byte_count bytes, const optional<byte_count>& most) {
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

}  // namespace hlolint
#endif
