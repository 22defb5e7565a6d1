// expect: `needs` and `looks_at` are members of the rule
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct wants {
  static constexpr rule about{.id = "TST001", .name = "wants"};
#ifdef HLOLINT_MISUSE
  static constexpr need needs = need::scheduled;
#endif
  void operator()(const hlo_module&, sink auto&) const {}
};

const auto list = checks(wants{});
