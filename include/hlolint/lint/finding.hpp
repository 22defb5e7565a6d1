// What a check reports.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <string>
#include <utility>

namespace hlolint {

/// What a finding is about, for those who look for it in the dump or in the user's program. What is not known is empty.
struct finding_subject {
  std::string computation;  ///< its name
  std::string instruction;  ///< its name
  std::string shape;        ///< as XLA prints it
  program_place from;       ///< in the user's program
  friend bool operator==(const finding_subject&, const finding_subject&) = default;
};

/// An instruction whose time a finding could win, or a part of it.
struct saved_time {
  hlo_instruction of;  ///< of a transfer what nothing hides counts, of all else its work
  double share = 1;    ///< from 0 to 1
  friend bool operator==(const saved_time&, const saved_time&) = default;
};

/// What only the check knows. Rule, module and fingerprint, and whatever is left out, are added on the way to the sink
/// (run.hpp), which gets a `diagnostic`.
struct finding {
  finding() = default;
  /// About no place in particular.
  explicit finding(std::string text) : message(std::move(text)) {}

  std::string message;                   ///< one sentence, without the rule
  location where;                        ///< if left out, the module
  finding_subject subject;               ///< names and places
  optional<severity> level;              ///< counts if it is lower than that of the rule
  optional<byte_count> bytes;            ///< lost or in conflict, in one run
  optional<double> runs;                 ///< how often in a step; if left out, as often as its computation
  optional<finding_impact> impact;       ///< for a whole step; if left out, it follows from what is above and below
  hlo_instruction about;                 ///< empty if it is about no instruction
  record_list<saved_time> saves;         ///< if left out, the time of `about`
  optional<buffer_place> buffer;         ///< where in memory, and when
  record_list<related_place> related;    ///< what else takes part
  std::string advice;                    ///< if left out, that of the rule
  friend bool operator==(const finding&, const finding&) = default;
};

}  // namespace hlolint
