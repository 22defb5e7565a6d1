// expect: a check needs a const call operator
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct judges_nothing {
  static constexpr rule about{.id = "TST001", .name = "judges-nothing"};
#ifdef HLOLINT_MISUSE
  void operator()(int, sink auto&) const {}
#else
  void operator()(const hlo_module&, sink auto&) const {}
#endif
};

const auto list = judges_nothing{} | [](const context&, sink auto&) {};
