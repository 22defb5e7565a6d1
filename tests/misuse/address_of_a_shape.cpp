// expect: deleted
#include <hlolint/ir/text/value_text.hpp>

#include <iostream>

void show(const hlolint::shape* result) {
#ifdef HLOLINT_MISUSE
  std::cout << result;
#else
  std::cout << *result;
#endif
}
