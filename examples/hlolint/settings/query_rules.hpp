// Rules of the configuration: queries with a message.
#pragma once

#include "checks.hpp"
#include "configuration.hpp"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace hlolint::command {

/// The rules of a configuration as a part of the command's checks, and the errors in them, one line each:
/// `path:line: error: ...`.
struct loaded_rules {
  std::shared_ptr<const checks_part> part;  ///< null if there are errors
  std::vector<std::string> errors;
};

/// `others`: the existing checks, whose ids and names are taken.
loaded_rules make_query_rules(const configuration& settings, const command_checks& others);

/// Runs the examples of the rules and writes one line for each rule. Returns the exit status: 0 all pass, 1 one fails,
/// 2 one cannot be read, or there is none.
int test_query_rules(const configuration& settings, const command_checks& others, std::ostream& out);

}  // namespace hlolint::command
