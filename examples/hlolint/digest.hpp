// What `hlolint digest` does: what one process or host contributes to a comparison of ranks, as a small file.
#pragma once

#include "arguments.hpp"
#include "checks.hpp"
#include "run.hpp"

#include <hlolint/compare/rank_digest.hpp>

#include <map>
#include <ostream>
#include <string>
#include <vector>

/// Whether a path is that of a digest: by its name, or because a text that is not a dump stands for it (at_hand).
bool is_digest(const arguments& given, const std::string& path);

/// Writes the digest of the paths: folders and files are ranks, digests are taken over. Returns the exit status.
int write_digest(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);

/// Compares the ranks of digests. Problems with the files are among the findings.
linted compare_digests(const arguments& given, const hlolint::rule_settings& settings);
