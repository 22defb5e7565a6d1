// Other dumps of the modules whose files are named.
#pragma once

#include "inputs.hpp"

#include <string>
#include <vector>

namespace hlolint::command {

/// Returns the paths, followed by the dumps beside them that have the same stems, by name, and by the modules of other
/// wanted stages that belong to final modules among them. Beside a file in an archive are the others in `packed`, which
/// may be null.
std::vector<std::string> with_companions(std::vector<std::string> paths, module_stages wanted_stages,
                                         const packed_files* packed);

}  // namespace hlolint::command
