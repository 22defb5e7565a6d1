// expect: a check that costs time includes <hlolint/lint/finding_costs.hpp>
#undef HLOLINT_COMPILED  // a compiled library has the costs
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct slow {
#ifdef HLOLINT_MISUSE
  static constexpr rule about{.id = "TST001", .name = "slow", .costs = cost_kind::time};
#else
  static constexpr rule about{.id = "TST001", .name = "slow", .costs = cost_kind::nothing};
#endif
  void operator()(const hlo_module&, sink auto&) const {}
};

const auto list = checks(slow{});
const auto listed = listed_checks(list);
