// Which findings have the same cause as a change that the comparison of two compilations reports.
#pragma once

#include <hlolint/tool/compare/module_change.hpp>

#include <array>

namespace hlolint {

/// For `diff_options::causes`.
inline constexpr auto same_causes = [] {
  using enum compare::change_kind;
  return std::to_array<compare::same_cause>({{memory, "BUD"},
                                             {memory, "PAD005"},
                                             {memory, "PAD006"},
                                             {memory, "PAD007"},
                                             {donation, "ALI"},
                                             {synchronous, "COL001"},
                                             {synchronous, "COL002"},
                                             {synchronous, "COL003"},
                                             {overlap, "COL001"},
                                             {overlap, "COL002"},
                                             {overlap, "COL003"},
                                             {copy, "PRF"},
                                             {copy, "PAD"},
                                             {constant, "PRF001"}});
}();

}  // namespace hlolint
