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

// Defined in files of such programs: the headers of checks then end after the declarations. The library itself sees the
// code below them.
#if defined HLOLINT_COMPILED && !defined HLOLINT_COMPILES_CHECKS
#define HLOLINT_DECLARATIONS_ONLY
#endif

// All files of a program are built in one way: otherwise a function has two definitions. The linker refuses a symbol
// that is local to a thread in one file and not in another, and its message shows the name.
#ifdef __ELF__
namespace hlolint::detail {
#ifdef HLOLINT_COMPILED
extern __thread char HLOLINT_COMPILED_is_defined_for_all_files_or_for_none;  // in implementation/grammars.hpp
[[gnu::used]] inline char way_of_building() { return HLOLINT_COMPILED_is_defined_for_all_files_or_for_none; }
#else
[[gnu::used]] inline char HLOLINT_COMPILED_is_defined_for_all_files_or_for_none = 0;
#endif
}  // namespace hlolint::detail
#endif
