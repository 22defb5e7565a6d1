// `hlolint ranks`.
#pragma once

#include "../reading/inputs.hpp"
#include "../settings/arguments.hpp"
#include "../settings/checks.hpp"
#include "run.hpp"

#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/lint/rank_summary.hpp>
#include <hlolint/lint/settings.hpp>
#include <hlolint/tool/compare/rank_digest.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hlolint::command {

/// One process or host of a job, and where its dumps are.
struct rank_dumps {
  std::string name;    ///< the part of its path that differs from those of other ranks
  std::string path;    ///< of a folder or a file
  bool found = false;  ///< listed from a folder, so it may be something else than a rank
};

/// Each path is a rank. If there is only one folder, or one archive, each folder in it is a rank, `rank2` before
/// `rank10`. `packed`: what the only path holds; may be null.
std::vector<rank_dumps> find_ranks(const std::vector<std::string>& paths, const packed_files* packed);

/// Reads the HLO of one rank. An archive is unpacked for it, unless `given.packed` has its files.
inputs read_rank_dumps(const arguments& given, const rank_dumps& from);

/// Adds what was read of a rank to a result. Returns the files that were read completely; they refer to `read`.
std::vector<hlolint::input_file> complete_files(const inputs& read, const arguments& given,
                                                const hlolint::rule_settings& settings,
                                                hlolint::report::run_result& result);

/// One module, of a row of `match_modules`, on the ranks of these names. `first` gets the position of the first module
/// of each side, in whose order the sides are.
hlolint::compare::rank_comparison comparison_of(const hlolint::compare::matched_modules& row,
                                                const std::vector<hlolint::compare::ranked_module>& modules,
                                                const std::vector<std::string>& ranks, std::vector<std::size_t>& first);

/// Reads the ranks, several at a time with several jobs, and compares modules of one name. Of equal modules only one is
/// kept in memory.
linted compare_ranks(const arguments& given, const std::vector<rank_dumps>& ranks,
                     const hlolint::rule_settings& settings, const configured_checks& checks);

}  // namespace hlolint::command
