// The other dumps of the modules that are named.
#pragma once

#include "inputs.hpp"

#include <hlolint/text/record_list.hpp>

#include <string>

/// The paths, and after them the dumps that lie beside the files among them and have their stems, by name; then of the
/// final modules among all these those of the other stages that are wanted.
hlolint::record_list<std::string> with_companions(hlolint::record_list<std::string> paths, module_stages wanted_stages);
