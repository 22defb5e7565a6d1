// Rules that a Python program brings along: queries with a message, and functions.
#pragma once

#include "views.hpp"

#include <hlolint/checks.hpp>

#include <memory>
#include <string>
#include <vector>

namespace hlolint::python {

/// The built-in checks and others. Made and destroyed while the interpreter's lock is held.
struct checks_with_own {
  std::vector<std::shared_ptr<const checks_part>> own;  ///< keeps what Python gave
  command_checks checks;
  std::vector<std::string> errors;  ///< what is wrong with the rules, one line each
};

/// `rules`: dictionaries with the keys of `[[rule]]`, and for a function the key `find` in place of `match`: called
/// with a Module, it returns a list of (Instruction or None, message).
checks_with_own checks_with(const py::list& rules);

}  // namespace hlolint::python
