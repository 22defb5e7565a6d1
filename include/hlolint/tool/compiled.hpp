// The code of the tool's rules, in one source with their declarations; see text/compiled.hpp.
#pragma once

#include <hlolint/text/compiled.hpp>

// Defined in files of programs that link hlolint::tool, which get the code from that library.
#if defined HLOLINT_COMPILED && !defined HLOLINT_COMPILES_TOOL
#define HLOLINT_TOOL_DECLARATIONS_ONLY
#endif
