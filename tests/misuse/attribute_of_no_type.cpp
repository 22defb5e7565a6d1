// expect: get<T>: T is the value of an attribute
#include <hlolint/grammar/attributes/get.hpp>

using namespace hlolint;

#ifdef HLOLINT_MISUSE
using wanted = int;
#else
using wanted = window;
#endif

bool has(const hlo_instruction& i) { return get<wanted>(i).has_value(); }
