// What was compared between the ranks of a job: an empty report could also mean that nothing was compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hlolint::compare {

/// Ranks whose collectives of one module are equal.
struct equal_ranks {
  std::vector<std::string> ranks;  ///< names
  std::size_t collectives = 0;     ///< number of collectives
  std::uint64_t fingerprint = 0;   ///< as in `collective_sequence`
};

/// One module on the ranks that have it.
struct rank_comparison {
  std::string module;                   ///< without number
  std::vector<equal_ranks> sides;       ///< groups of equal ranks, the largest first
  std::vector<std::string> missing_on;  ///< ranks that do not have the module
};

/// The ranks of a job and how their modules differ.
struct rank_summary {
  std::vector<std::string> ranks;          ///< names, as given
  std::vector<std::string> unread;         ///< ranks of which not everything could be read
  std::vector<std::string> without_dumps;  ///< folders beside the ranks' folders in which no dump was found
  std::vector<rank_comparison> modules;    ///< the modules that several ranks have
};

}  // namespace hlolint::compare
