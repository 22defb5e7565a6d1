// What to do when no dump that was named can answer.
#pragma once

#include <string>

/// `missing` is what all modules lack; the rest is how to get it.
std::string how_to_dump(const std::string& missing);
