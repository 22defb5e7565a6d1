// With two.cpp: the whole library in two translation units of one program. A function or object that is not inline
// is then defined twice, and the program does not link.
#include <hlolint/checks/all.hpp>
#include <hlolint/hlolint.hpp>

int one() { return 1; }
