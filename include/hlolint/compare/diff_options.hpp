// What counts as a difference between two compilations.
#pragma once

#include <hlolint/compare/change_tolerance.hpp>
#include <hlolint/compare/module_change.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace hlolint::compare {

/// Findings of this rule (or of the rules whose ids begin so) repeat a change of this kind, if both are about one
/// instruction. Changes of memory are about the whole module.
struct same_cause {
  change_kind kind = change_kind::memory;  ///< the kind of change
  std::string_view rule;  ///< id of the rule, or its beginning
};

/// What of two runs counts as a change.
struct diff_options {
  /// Of numbers of bytes; what is not larger than its bytes may come and go (but no errors).
  change_tolerance tolerance;
  double time_ratio = 0.01;          ///< of estimated times: what may change, of the old one
  std::int64_t time_least = 10'000;  ///< of these in nanoseconds: what may change anyway
  byte_count large = 1_MiB;    ///< smaller copies and constants do not count
  /// New findings below this are neither worse nor better; nothing: all are.
  optional<severity> fail_on = severity::warning;
  std::span<const same_cause> causes;                   ///< see checks/same_causes.hpp

  /// What times may change by, in nanoseconds. A percentage that bytes may change by holds for times, too.
  change_tolerance time_tolerance() const { return {std::max(time_ratio, tolerance.ratio), time_least}; }
};

}  // namespace hlolint::compare
