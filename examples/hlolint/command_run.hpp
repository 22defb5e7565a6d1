// Runs a command line inside another program.
#pragma once

#include "settings/arguments.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace hlolint::command {

/// Runs the words after the command's name. `given` holds what no word can express: the checks, dumps at hand, what a
/// server keeps. Reports go to `output`, error messages to `errors`. Returns the exit status. Passes on what
/// `given.step` and `given.pause` throw, and nothing else.
int run_command_line(const std::vector<std::string>& words, arguments given, std::ostream& output,
                     std::ostream& errors);

}  // namespace hlolint::command
