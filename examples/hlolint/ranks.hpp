// What `hlolint ranks` does.
#pragma once

#include "arguments.hpp"
#include "checks.hpp"
#include "run.hpp"

#include <hlolint/lint/settings.hpp>
#include <hlolint/text/record_list.hpp>

#include <string>

/// One process or host of a job, and where its dumps are.
struct rank_dumps {
  std::string name;    ///< what distinguishes its path from those of the others
  std::string path;    ///< of a folder or a file
  bool found = false;  ///< in a folder of ranks; it may be something else then
};

/// Each path is a rank; of one folder alone each folder in it, `rank2` before `rank10`.
hlolint::record_list<rank_dumps> find_ranks(const hlolint::record_list<std::string>& paths);

/// Reads the ranks one after the other, or several at a time, and keeps of equal modules one. Modules of one name are
/// compared.
linted compare_ranks(const arguments& given, const hlolint::record_list<rank_dumps>& ranks,
                     const hlolint::rule_settings& settings, const configured_checks& checks);
