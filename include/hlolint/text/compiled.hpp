// One source, two ways to build. By default every file that includes hlolint compiles the parts that it uses. Programs
// that link hlolint::compiled only get declarations: that target defines HLOLINT_COMPILED, and the library has the
// code.
#pragma once

// Stands before a function that is defined outside its class: `inline`, or nothing where the library has its code.
#ifdef HLOLINT_COMPILED
#define HLOLINT_INLINE
#else
#define HLOLINT_INLINE inline
#endif

// Defined if a file that includes a check sees its code, and not only its declaration. The library itself sees the
// code.
#if !defined HLOLINT_COMPILED || defined HLOLINT_COMPILES_CHECKS
#define HLOLINT_CHECK_CODE
#endif
