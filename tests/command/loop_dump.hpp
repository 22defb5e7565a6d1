// A scan over layers as JAX compiles it: a stacked weight, sliced in each iteration, a transfer, and a kernel that no
// model knows.
#pragma once

#include "outside.hpp"

#include <string>

namespace from_outside {

/// 40 iterations. The weight is params['up'], of which each iteration reads one layer.
inline const std::string loop_dump = read(HLOLINT_TEST_DATA "/loop/loop.gpu_after_optimizations.txt");

}  // namespace from_outside
