// The error message if none of the dumps holds what a command needs.
#pragma once

#include <string>

namespace hlolint::command {

/// Describes `missing`, which all modules lack, and how to dump it.
std::string how_to_dump(const std::string& missing);

}  // namespace hlolint::command
