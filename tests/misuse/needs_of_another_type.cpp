// expect: `needs` of a check is of type need
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct wants {
  static constexpr rule about{.id = "TST001", .name = "wants"};
#ifdef HLOLINT_MISUSE
  static constexpr int needs = 4;
#else
  static constexpr need needs = need::scheduled;
#endif
  void operator()(const hlo_module&, sink auto&) const {}
};

static_assert(needs_of<wants>() != need::nothing);
