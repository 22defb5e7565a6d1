// What was compared between the ranks of a job: without it, no finding could mean nothing to compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hlolint::compare {

/// Ranks whose collectives of one module are equal.
struct equal_ranks {
  std::vector<std::string> ranks;  ///< names
  std::size_t collectives = 0;    ///< how many
  std::uint64_t fingerprint = 0;  ///< of them, as `collective_sequence` gives it
  friend bool operator==(const equal_ranks&, const equal_ranks&) = default;
};

/// One module on the ranks that have it.
struct rank_comparison {
  std::string module;                   ///< without number
  std::vector<equal_ranks> sides;       ///< those of most ranks first
  std::vector<std::string> missing_on;  ///< ranks that do not have the module
  friend bool operator==(const rank_comparison&, const rank_comparison&) = default;
};

/// The ranks of a job and how their modules differ.
struct rank_summary {
  std::vector<std::string> ranks;  ///< names, as given
  std::vector<std::string> unread;         ///< ranks of which not everything could be read
  std::vector<std::string> without_dumps;  ///< folders beside those of the ranks
  std::vector<rank_comparison> modules;  ///< one per module that is on several ranks
  friend bool operator==(const rank_summary&, const rank_summary&) = default;
};

}  // namespace hlolint::compare
