// Numbers that are equal but for rounding, however small they are.
#pragma once

#include <doctest/doctest.h>

namespace hlolint::testing {

/// doctest's own comparison adds 1 to both sides: of seconds, all below ten microseconds would be equal.
inline doctest::Approx nearly(double value) { return doctest::Approx(value).scale(1e-18); }

}  // namespace hlolint::testing
