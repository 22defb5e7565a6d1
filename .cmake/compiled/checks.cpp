// The built-in checks and what runs checks, for hlolint::compiled.
#define HLOLINT_COMPILES_CHECKS
#include <hlolint/checks/all.hpp>
#include <hlolint/lint/lint.hpp>
