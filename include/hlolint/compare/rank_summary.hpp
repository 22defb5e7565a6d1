// What was compared between the ranks of a job: without it, no finding could mean nothing to compare.
#pragma once

#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint::compare {

/// Ranks whose collectives of one module are equal.
struct equal_ranks {
  record_list<std::string> ranks;  ///< names
  std::size_t collectives = 0;    ///< how many
  std::uint64_t fingerprint = 0;  ///< of them, as `collective_sequence` gives it
  friend bool operator==(const equal_ranks&, const equal_ranks&) = default;
};

/// One module on the ranks that have it.
struct rank_comparison {
  std::string module;                   ///< without number
  record_list<equal_ranks> sides;       ///< those of most ranks first
  record_list<std::string> missing_on;  ///< ranks that do not have the module
  friend bool operator==(const rank_comparison&, const rank_comparison&) = default;
};

/// The ranks of a job and how their modules differ.
struct rank_summary {
  record_list<std::string> ranks;          ///< names, as given
  record_list<std::string> unread;         ///< ranks of which not everything could be read
  record_list<std::string> without_dumps;  ///< folders beside those of the ranks
  record_list<rank_comparison> modules;    ///< one per module that is on several ranks
  friend bool operator==(const rank_summary&, const rank_summary&) = default;
};

}  // namespace hlolint::compare
