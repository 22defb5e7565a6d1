// The other dumps of the modules that are named.
#pragma once

#include <string>
#include <vector>

/// The paths, and behind them the dumps that lie beside the files among them and have their stems, by name. If wanted,
/// also what the final modules among all these were before XLA optimized them.
std::vector<std::string> with_companions(std::vector<std::string> paths, bool with_earlier = false);
