// What --version prints.
#pragma once

#include <string>

/// `hlolint 0.2.0 (0123456789ab)`: the version, and the commit it was configured from, if that is known.
std::string version_text();
