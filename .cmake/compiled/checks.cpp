#include <hlolint/implementation/checks.hpp>
