// Other dumps of the modules whose files are named.
#pragma once

#include "inputs.hpp"

#include <hlolint/text/record_list.hpp>

#include <string>

/// Returns the paths, followed by the dumps beside them that have the same stems, by name, and by the modules of other
/// wanted stages that belong to final modules among them.
hlolint::record_list<std::string> with_companions(hlolint::record_list<std::string> paths, module_stages wanted_stages);
