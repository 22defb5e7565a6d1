// expect: a check has only one call operator
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct judges_twice {
  static constexpr rule about{.id = "TST001", .name = "judges-twice"};
  void operator()(const hlo_module&, sink auto&) const {}
#ifdef HLOLINT_MISUSE
  void operator()(const buffer_dump&, sink auto&) const {}
#endif
};

const auto list = judges_twice{} | [](const context&, sink auto&) {};
