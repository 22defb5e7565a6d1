// One source, two ways to build. By default every file that includes hlolint compiles what it uses of it. Programs that
// link hlolint::compiled get declarations: that target defines HLOLINT_COMPILED, and the library holds the code.
#pragma once

// Before a function that is defined outside of its class: `inline`, or nothing where the library has it.
#ifdef HLOLINT_COMPILED
#define HLOLINT_INLINE
#else
#define HLOLINT_INLINE inline
#endif

// Whether a file that includes a check sees what it does, or only how it is called. The library itself does see it.
#if !defined HLOLINT_COMPILED || defined HLOLINT_COMPILES_CHECKS
#define HLOLINT_CHECK_CODE
#endif
