// Other dumps of the modules whose files are named.
#pragma once

#include "inputs.hpp"

#include <string>
#include <vector>

namespace hlolint::command {

/// Returns the paths, followed by the dumps beside them that have the same stems, by name, and by the modules of other
/// wanted stages that belong to final modules among them.
std::vector<std::string> with_companions(std::vector<std::string> paths, module_stages wanted_stages);

}  // namespace hlolint::command
