// The rules of the tool, for hlolint::tool.
#define HLOLINT_COMPILES_TOOL
#include <hlolint/tool/checks/all.hpp>
