// What is known of the terminal that standard output goes to.
#pragma once

#include <cstddef>

/// Columns of the terminal; 0 if standard output is a file or a pipe, or the terminal does not know.
std::size_t terminal_width();
