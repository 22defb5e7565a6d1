// The text of --version.
#pragma once

#include <string>

/// `hlolint 0.2.0 (0123456789ab)`: the version, and the commit of the build, if known.
std::string version_text();
