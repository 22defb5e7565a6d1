// expect: a rule has an id and a name
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct nameless {
#ifdef HLOLINT_MISUSE
  static constexpr rule about{.id = "TST001"};
#else
  static constexpr rule about{.id = "TST001", .name = "named"};
#endif
  void operator()(const hlo_module&, sink auto&) const {}
};

const auto list = as_catalogue(nameless{});
