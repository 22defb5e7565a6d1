// expect: if its rule has `.compares = true`, and no other has
#include <hlolint/lint/lint.hpp>

#include <string_view>

using namespace hlolint;

struct limit {
  static constexpr rule about{.id = "TST001", .name = "limit", .compares = true};
#ifdef HLOLINT_MISUSE
  std::string_view lack(const context&) const { return "no limit"; }
#else
  std::string_view lacks(const context&) const { return "no limit"; }
#endif
  void operator()(const context&, sink auto&) const {}
};

const auto list = checks(limit{});
