// expect: two checks share an id or a name
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct first {
  static constexpr rule about{.id = "TST001", .name = "same"};
  void operator()(const hlo_module&, sink auto&) const {}
};
struct second {
#ifdef HLOLINT_MISUSE
  static constexpr rule about{.id = "TST002", .name = "same"};
#else
  static constexpr rule about{.id = "TST002", .name = "another"};
#endif
  void operator()(const hlo_module&, sink auto&) const {}
};

const auto list = first{} | second{};
