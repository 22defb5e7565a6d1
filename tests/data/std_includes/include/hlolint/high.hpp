#pragma once

#include <hlolint/low.hpp>

// std::map in a comment needs no header; std::string comes with low.hpp.
inline std::vector<std::string> high() { return {low()}; }
