// The code of the toolkit, for programs that compile it once without CMake and without a library: define
// HLOLINT_COMPILED for all sources, so that the headers only declare, and include this file in exactly one of them,
// before any other header of hlolint. Without HLOLINT_COMPILED nothing is needed, and this file is empty.
#pragma once

#ifdef HLOLINT_COMPILED
#define HLOLINT_COMPILES_CHECKS
#include <hlolint/implementation/checks.hpp>
#include <hlolint/implementation/grammars.hpp>
#include <hlolint/implementation/reports.hpp>
#ifdef HLOLINT_DECLARATIONS_ONLY
#error "include <hlolint/implementation.hpp> before any other header of hlolint"
#endif
#endif
