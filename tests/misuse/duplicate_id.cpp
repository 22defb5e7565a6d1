// expect: two checks share an id or a name
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct one {
  static constexpr rule about{.id = "TST001", .name = "one"};
  void operator()(const hlo_module&, sink auto&) const {}
};
struct other {
#ifdef HLOLINT_MISUSE
  static constexpr rule about{.id = "TST001", .name = "other"};
#else
  static constexpr rule about{.id = "TST002", .name = "other"};
#endif
  void operator()(const hlo_module&, sink auto&) const {}
};

const auto list = one{} | other{};
