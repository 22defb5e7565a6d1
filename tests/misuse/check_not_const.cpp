// expect: a check needs a const call operator
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct counts {
  static constexpr rule about{.id = "TST001", .name = "counts"};
#ifdef HLOLINT_MISUSE
  int calls = 0;
  void operator()(const hlo_module&, sink auto&) { ++calls; }
#else
  void operator()(const hlo_module&, sink auto&) const {}
#endif
};

const auto list = as_catalogue(counts{});
