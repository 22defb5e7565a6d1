// The text of --version.
#pragma once

#include <string>

namespace hlolint::command {

/// `hlolint 0.2.0 (0123456789ab)`: the version, and the commit of the build, if known.
std::string version_text();

}  // namespace hlolint::command
