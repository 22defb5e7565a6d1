// `hlolint advise`: edits of a schedule that save memory.
#pragma once

#include "../settings/arguments.hpp"

#include <ostream>

namespace hlolint::command {

/// Writes what each module needs, what edits make of that, and how to get them; the edited modules too if a folder is
/// given. Returns the exit status: 1 if a module needs more than the target after its edits.
int show_advice(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);

}  // namespace hlolint::command
