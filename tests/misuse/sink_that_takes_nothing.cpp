// expect: constraint
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

inline const auto list = as_catalogue([](const context&, sink auto&) {});

auto result(const context& dump) {
#ifdef HLOLINT_MISUSE
  return run(list, dump, [](int) {});
#else
  return run(list, dump, [](diagnostic) {});
#endif
}
