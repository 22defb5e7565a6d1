// What was compared between the ranks of a job: an empty report could also mean that nothing was compared.
#pragma once

#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint::compare {

/// Ranks whose collectives of one module are equal.
struct equal_ranks {
  record_list<std::string> ranks;  ///< names
  std::size_t collectives = 0;    ///< number of collectives
  std::uint64_t fingerprint = 0;  ///< as in `collective_sequence`
};

/// One module on the ranks that have it.
struct rank_comparison {
  std::string module;                   ///< without number
  record_list<equal_ranks> sides;       ///< groups of equal ranks, the largest first
  record_list<std::string> missing_on;  ///< ranks that do not have the module
};

/// The ranks of a job and how their modules differ.
struct rank_summary {
  record_list<std::string> ranks;          ///< names, as given
  record_list<std::string> unread;         ///< ranks of which not everything could be read
  record_list<std::string> without_dumps;  ///< folders beside the ranks' folders in which no dump was found
  record_list<rank_comparison> modules;    ///< the modules that several ranks have
};

}  // namespace hlolint::compare
