#pragma once

#include <string>

inline std::string low() { return {}; }
