// BUD009: a module that takes more memory than its owners agreed on.
#pragma once

#include <hlolint/checks/module_contract.hpp>
#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Compares memory with the limits in the contracts of the configuration.
struct memory_contract {
  static constexpr rule about{
      .id = "BUD009",
      .name = "memory-contract",
      .level = severity::error,
      .needs = need::memory,
      .compares = true,
      .what =
          "A module takes more memory than a [[contract]] of the configuration allows: at its peak, in temporary "
          "allocations or in total.",
      .why = "A change of the program, of flags or of XLA made the module grow beyond the agreed limit.",
      .advice =
          "`hlolint memory` shows what takes the memory, `hlolint diff` what grew. If the growth is wanted, "
          "change the contract.",
      .example =
          "[[contract]]\n"
          "name = \"step fits\"\n"
          "module = \"jit_step*\"\n"
          "max-temporaries = \"8GiB\"",
      .source = "modeled on memory checks that users keep in scripts"};

  std::vector<module_contract> contracts;  ///< from the configuration; none = nothing is reported

  /// The check runs only if a contract limits memory.
  std::string_view lacks(const context&) const {
    return any_contract(contracts, [](const module_contract& agreed) { return agreed.limits_memory(); })
               ? std::string_view{}
               : "no [[contract]] of the configuration limits memory";
  }
  /// Memory is estimated only for modules that such a contract is about.
  bool is_asked(const context& dump) const {
    return any_contract(contracts, [&](const module_contract& agreed) {
      return agreed.limits_memory() && agreed.applies_to(dump.name());
    });
  }

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/str_cat.hpp>

#include <optional>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void memory_contract::operator()(const context& dump, sink_ref emit) const {
  for (const module_contract& agreed : contracts) {
    if (!agreed.limits_memory() || !agreed.applies_to(dump.name())) continue;
    const memory_summary taken = memory_summary_of(dump);
    const auto check = [&](const std::string& what, byte_count bytes, const std::optional<byte_count>& most) {
      if (!most || bytes <= *most) return;
      emit(finding_at(location{},
                      str_cat({"contract '", agreed.name, "': ", human(bytes), " ", what, ", at most ", human(*most),
                               " are agreed"}),
                      {.bytes = bytes - *most}));
    };
    check("are in use at the peak", taken.peak, agreed.max_peak);
    check("are temporary", taken.temp, agreed.max_temporaries);
    check("are allocated", taken.total, agreed.max_total);
  }
}

}  // namespace hlolint
#endif
