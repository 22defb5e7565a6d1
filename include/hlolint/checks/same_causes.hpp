// Which findings say what a comparison of two compilations says anyway.
#pragma once

#include <hlolint/compare/diff_options.hpp>

namespace hlolint {

/// For `diff_options::causes`.
inline constexpr compare::same_cause same_causes[] = {
    {compare::change_kind::memory, "BUD"},         {compare::change_kind::memory, "PAD005"},
    {compare::change_kind::memory, "PAD006"},      {compare::change_kind::memory, "PAD007"},
    {compare::change_kind::donation, "ALI"},       {compare::change_kind::synchronous, "COL001"},
    {compare::change_kind::synchronous, "COL002"}, {compare::change_kind::synchronous, "COL003"},
    {compare::change_kind::overlap, "COL001"},     {compare::change_kind::overlap, "COL002"},
    {compare::change_kind::overlap, "COL003"},     {compare::change_kind::copy, "PRF"},
    {compare::change_kind::copy, "PAD"},           {compare::change_kind::constant, "PRF001"}};

}  // namespace hlolint
