// `hlolint digest`: a small file with all that a comparison of ranks needs of one process or host.
#pragma once

#include "../settings/arguments.hpp"
#include "../settings/checks.hpp"
#include "run.hpp"

#include <hlolint/tool/compare/rank_digest.hpp>

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace hlolint::command {

/// Whether a path is that of a digest: by its name, or because `at_hand` holds a text for it that is not a dump.
bool is_digest(const arguments& given, const std::string& path);

/// Writes the digest of the paths: each folder or file is a rank, and the ranks of digests are copied. Returns the exit
/// status.
int write_digest(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);

/// Compares the ranks of digests. Errors in the files are reported as findings.
linted compare_digests(const arguments& given, const hlolint::rule_settings& settings);

}  // namespace hlolint::command
