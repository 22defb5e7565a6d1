// The inputs that a check needs.
#pragma once

#include <cstdint>
#include <string_view>

namespace hlolint {

/// A set of conditions on the dump: `static constexpr need needs = need::scheduled | need::target;`. What follows from
/// the form of the call operator need not be given.
enum class need : std::uint16_t {
  nothing = 0,        ///< no condition
  hlo = 1,            ///< the module's text
  buffers = 2,        ///< the section `BufferAssignment:`
  scheduled = 4,      ///< `is_scheduled=true`; order means nothing otherwise
  live_ranges = 8,    ///< the block `HloLiveRange`, or a schedule that it follows from
  used_values = 16,   ///< the section `Used values:`, or a schedule
  target = 32,        ///< cpu, gpu or tpu is known
  earlier = 64,       ///< the module as it was before XLA optimized it
  ranks = 128,        ///< the module as the ranks of a job compiled it
  memory = 256,       ///< `BufferAssignment:`, or a schedule from which it is estimated if the rule is asked for
  printed_ranges = 512,  ///< the block `HloLiveRange` as XLA printed it
};

/// Both sets of conditions.
constexpr need operator|(need a, need b) {
  return static_cast<need>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// The conditions that are in both sets.
constexpr need operator&(need a, need b) {
  return static_cast<need>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
/// Whether all conditions of `one` are in `set`.
constexpr bool contains(need set, need one) { return (set & one) == one; }

/// Why a check was not run, for people. `one` is a single condition.
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

}  // namespace hlolint
