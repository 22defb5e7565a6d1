// Rules that a Python program defines: queries with a message, and functions.
#pragma once

#include "views.hpp"

#include <hlolint/settings/checks.hpp>

#include <memory>
#include <string>
#include <vector>

namespace hlolint::python {

using command::checks_part;
using command::command_checks;

/// The built-in checks and those of Python. Made and destroyed while the interpreter's lock is held.
struct checks_with_own {
  std::vector<std::shared_ptr<const checks_part>> own;  ///< keeps the rules of Python alive
  command_checks checks;
  std::vector<std::string> errors;  ///< errors in the rules, one line each
};

/// `rules`: dictionaries with the keys of `[[rule]]`. A function has the key `find` instead of `match`: it is called
/// with a Module and returns a list of (Instruction or None, message).
checks_with_own checks_with(const nb::list& rules);

}  // namespace hlolint::python
