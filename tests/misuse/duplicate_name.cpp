// expect: two checks share an id or a name
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

inline constexpr rule first{.id = "TST001", .name = "same"};
#ifdef HLOLINT_MISUSE
inline constexpr rule second{.id = "TST002", .name = "same"};
#else
inline constexpr rule second{.id = "TST002", .name = "another"};
#endif

const auto list =
    with_rule<first>([](const hlo_module&, sink auto&) {}) | with_rule<second>([](const hlo_module&, sink auto&) {});
