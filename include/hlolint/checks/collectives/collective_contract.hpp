// COL017: the collectives of a module are not those that its owners agreed on.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/analysis/transfers/collective_kind.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/accept/suppression.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// What the collectives of some modules must keep to. Texts are patterns (`*`, `?`), empty ones match all.
/// Limits that are not given are not checked.
struct collective_agreement {
  std::string name;                              ///< for messages
  std::string module;
  std::string opcode;                            ///< `all-gather`, without `-start`
  std::string op_name;                           ///< the part of the program it speaks of
  std::optional<std::int64_t> min_count;
  std::optional<std::int64_t> max_count;
  std::optional<std::int64_t> group_size;        ///< devices of the largest group, exactly
  std::optional<std::int64_t> max_group_size;
  std::optional<byte_count> max_bytes;           ///< of all of them together
  friend bool operator==(const collective_agreement&, const collective_agreement&) = default;
};

struct collective_contract {
  static constexpr rule about{
      .id = "COL017",
      .name = "collective-contract",
      .level = severity::error,
      .since = "0.1",
      .what = "The collectives of a module break what a [[contract]] of the configuration says of their number, groups "
              "or bytes.",
      .why = "A change of shardings, flags or of XLA added a transfer, or made one larger, where none was wanted.",
      .advice = "See what in the program makes the collective, or change the contract.",
      .example = "[[contract]]\nname = \"one gather per layer\"\nmodule = \"jit_step*\"\nopcode = \"all-gather\"\n"
                 "max-count = 24",
      .source = "written after contract checks that users keep in scripts"};
  static constexpr need needs = need::hlo;

  std::vector<collective_agreement> agreements;  ///< from the configuration; none = nothing is reported

  void operator()(const context& dump, sink auto& report) const {
    for (const collective_agreement& agreed : agreements) {
      const std::string_view name = dump.name();
      if (!fits(agreed.module, name) && !fits(agreed.module, module_without_number(name))) continue;
      check(agreed, dump, report);
    }
  }

 private:
  static bool fits(const std::string& pattern, std::string_view text) {
    return pattern.empty() || matches_pattern(pattern, text);
  }

  void check(const collective_agreement& agreed, const context& dump, sink auto& report) const {
    const hlo_module& module = *dump.hlo();
    const std::string title = "contract '" + agreed.name + "': ";
    std::int64_t count = 0;
    byte_count bytes = 0;
    hlo_instruction last;
    for (const hlo_instruction i : module.instructions()) {
      const hlo_opcode kind = collective_kind(i.opcode());
      if (!is_synchronous_collective(kind) || !fits(agreed.opcode, name_of(kind))) continue;
      if (!agreed.op_name.empty() && !fits(agreed.op_name, program_place_of(i).op_name)) continue;
      ++count, last = i;
      if (const auto moved = transfer_bytes(i)) bytes = checked_add(bytes, *moved).value_or(bytes);
      if (agreed.max_count && count - 1 == *agreed.max_count)
        report(finding_at(i, title + std::string(name_of(kind)) + " number " + std::to_string(count) + ", at most " +
                                 std::to_string(*agreed.max_count) + " are agreed"));
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
      diagnostic d =
          finding_at(last, title + human(bytes) + " are moved, at most " + human(*agreed.max_bytes) + " are agreed");
      d.bytes = (checked_int64(bytes) - *agreed.max_bytes).clamped();
      report(std::move(d));
    }
  }
};

}  // namespace hlolint
