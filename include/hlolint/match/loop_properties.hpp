// Properties of what a while loop carries from iteration to iteration, and of what it does more than once.
#pragma once

#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/analysis/values/loop_repeats.hpp>
#include <hlolint/analysis/values/root_elements.hpp>
#include <hlolint/match/predicate.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <tuple>

namespace hlolint::match {

/// Which element of the tuple that its loop carries an instruction is, bitcasts and copies looked through.
inline constexpr auto carried_element = number<knowledge::module>(
    "carried element", unit::count, "which element of what its loop carries it is",
    [](hlo_instruction i, const auto& facts) -> optional<double> {
      const auto at = facts.template get<carried_elements>().of(i);
      const auto loop = facts.template get<loops>().around(i.computation());
      if (!at || !loop) return std::nullopt;
      const auto called = loop.called_computations();
      const bool own = std::find(called.begin(), called.end(), i.computation()) != called.end();
      return own ? optional(static_cast<double>(*at)) : std::nullopt;
    });
/// Which element of its loop's result an instruction becomes, bitcasts looked through; 0 where that is no tuple.
inline constexpr auto result_element =
    number<knowledge::module>("result element", unit::count, "which element of its loop's result it becomes",
                              [](hlo_instruction i, const auto& facts) -> optional<double> {
                                const root_element into = facts.template get<root_elements>().of(i);
                                if (!into.reached) return std::nullopt;
                                return static_cast<double>(into.element.value_or(0));
                              });
/// The share of the iterations of its loop in which an instruction reads what it has read in an earlier one, at least.
inline constexpr auto repeats = number<knowledge::module>(
    "repeats", unit::ratio, "share of its loop's iterations that read what an earlier one has read, at least",
    [](hlo_instruction i, const auto& facts) { return facts.template get<loop_repeats>().of(i); });

/// All of them. @{
inline constexpr std::tuple loop_numbers{carried_element, result_element, repeats};
/// @}

}  // namespace hlolint::match
