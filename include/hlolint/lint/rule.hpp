// The metadata of a rule, the only source for the command, the documents and the tests; and the inputs of checks.
#pragma once

#include <hlolint/ir/opcode.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

/// The cost of a rule's findings when the program runs.
enum class cost_kind : std::uint8_t {
  nothing,  ///< none: the program or the dump is wrong, or the finding is informative
  memory,   ///< bytes are occupied
  time,     ///< bytes are moved, once in each run of the finding's subject
  both      ///< bytes are occupied and moved
};

/// Whether a cost is memory, and whether it is time. @{
constexpr bool costs_memory(cost_kind k) { return k == cost_kind::memory || k == cost_kind::both; }
constexpr bool costs_time(cost_kind k) { return k == cost_kind::time || k == cost_kind::both; }
/// @}

/// A set of conditions on the dump: `.needs = need::scheduled | need::target`. Those that the form of the call operator
/// implies may be omitted.
enum class need : std::uint16_t {
  nothing = 0,           ///< no condition
  hlo = 1,               ///< the module's text
  buffers = 2,           ///< the section `BufferAssignment:`
  scheduled = 4,         ///< `is_scheduled=true`; order means nothing otherwise
  live_ranges = 8,       ///< the block `HloLiveRange`, or a schedule
  used_values = 16,      ///< the section `Used values:`, or a schedule
  target = 32,           ///< cpu, gpu or tpu is known
  earlier = 64,          ///< the module before XLA's optimizations
  ranks = 128,           ///< the module on the ranks of a job
  memory = 256,          ///< `BufferAssignment:`, or a schedule for an estimate if the rule is requested
  printed_ranges = 512,  ///< the block `HloLiveRange` as XLA printed it
};

/// The union of two sets.
constexpr need operator|(need a, need b) {
  return static_cast<need>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// The intersection of two sets.
constexpr need operator&(need a, need b) {
  return static_cast<need>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
/// Whether all conditions of `one` are in `set`.
constexpr bool contains(need set, need one) { return (set & one) == one; }

/// Metadata of a rule: `static constexpr rule about{...}` in a check. Ids and names never change once released.
struct rule {
  std::string_view id{};                ///< group and number: `MEM001`
  std::string_view name{};              ///< the bad pattern, readable after "allow": `overlapping-live-buffers`
  severity level = severity::warning;   ///< the highest level of its findings
  std::string_view since = "0.1";       ///< version of hlolint
  cost_kind costs = cost_kind::memory;  ///< the meaning of `finding::bytes`
  need needs = need::nothing;           ///< without it the check is not run
  need uses = need::nothing;            ///< what the check also looks at where it is there
  bool compares = false;                ///< with something beside the dump, which the check names in `lacks`
  /// The opcodes that an instruction check is called for; null: all.
  bool (*looks_at)(hlo_opcode) = nullptr;
  std::string_view what{};     ///< one sentence: the reported pattern
  std::string_view why{};      ///< why it is bad
  std::string_view advice{};   ///< the remedy, for findings without their own
  std::string_view example{};  ///< dump text with the pattern
  std::string_view source{};   ///< reference: a document, an issue of XLA
  friend constexpr bool operator==(const rule&, const rule&) = default;
};

/// The rule of checks without their own, such as lambdas.
inline constexpr rule custom_rule{.id = "CUSTOM",
                                  .name = "custom-check",
                                  .level = severity::error,
                                  .what = "Whatever a check without a rule of its own reports."};

/// The group of a rule: `MEM` for `MEM001`.
constexpr std::string_view group_of_rule(std::string_view rule_id) {
  return rule_id.substr(0, rule_id.find_first_of("0123456789"));
}

/// Why a check was not run, as text. `one` is a single condition.
constexpr std::string_view reason_without(need one) {
  switch (one) {
    case need::hlo: return "no HLO text";
    case need::buffers: return "no buffer assignment";
    case need::memory: return "no buffer assignment";
    case need::scheduled: return "the module is not scheduled";
    case need::live_ranges:
    case need::printed_ranges: return "no live ranges (since 2026 XLA writes them to ...-live-range.txt)";
    case need::used_values: return "no used values (since 2026 XLA writes them to ...-buffer-assignment-values.txt)";
    case need::target: return "the target is not known; give cpu, gpu or tpu";
    case need::earlier: return "no HLO of before optimization (XLA writes it to ...before_optimizations.txt)";
    case need::ranks: return "no dumps of several ranks; see `hlolint ranks`";
    default: return "";
  }
}

/// An enabled check that was not run, or only in part, since something is missing.
struct skipped_check {
  std::string rule;      ///< id
  std::string module;    ///< name of the module
  std::string reason;    ///< what is missing, as text
  bool in_part = false;  ///< it was run on part of the module
  friend bool operator==(const skipped_check&, const skipped_check&) = default;
};

}  // namespace hlolint
