// Which findings say what a comparison of two compilations says anyway.
#pragma once

#include <hlolint/compare/diff_options.hpp>

namespace hlolint {

/// For `diff_options::causes`.
inline constexpr same_cause same_causes[] = {
    {change_kind::memory, "BUD"},         {change_kind::memory, "PAD005"},  {change_kind::memory, "PAD006"},
    {change_kind::memory, "PAD007"},      {change_kind::donation, "ALI"},   {change_kind::synchronous, "COL001"},
    {change_kind::synchronous, "COL002"}, {change_kind::synchronous, "COL003"}, {change_kind::overlap, "COL001"},
    {change_kind::overlap, "COL002"},     {change_kind::overlap, "COL003"}, {change_kind::copy, "PRF"},
    {change_kind::copy, "PAD"},           {change_kind::constant, "PRF001"}};

}  // namespace hlolint
