// The width of the terminal.
#pragma once

#include <cstddef>

namespace hlolint::command {

/// Columns of the terminal, or the value of COLUMNS; 80 if neither is known. 0 if standard output is a file or a pipe.
std::size_t terminal_width();

}  // namespace hlolint::command
