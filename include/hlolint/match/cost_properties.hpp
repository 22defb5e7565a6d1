// Properties of what an instruction does, whether it stands alone or is wrapped into a fusion, and of the program that
// it is part of.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/sole_operation.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/match/predicate.hpp>
#include <hlolint/match/properties.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint::match {

/// Elements of an array.
inline constexpr auto elements = number<knowledge::module>(
    "elements", unit::count, "of an array", [](hlo_instruction i, const auto&) -> optional<double> {
      const auto count =
          i.shape() && i.shape()->is_array() ? hlolint::detail::dense_elements(*i.shape()) : std::nullopt;
      return detail::as_number(count);
    });
namespace detail {
template <element_type Type>
inline constexpr auto elements_word = [] {
  constexpr std::string_view type = name_of(Type), ending = " elements";
  std::array<char, type.size() + ending.size()> out{};
  std::copy(ending.begin(), ending.end(), std::copy(type.begin(), type.end(), out.begin()));
  return out;
}();
}  // namespace detail

/// elements_of<f64>: elements of the biggest array of that type in the result, parts of tuples included.
template <element_type Type>
inline constexpr auto elements_of =
    number<knowledge::module>(std::string_view(detail::elements_word<Type>.data(), detail::elements_word<Type>.size()),
                              unit::count, "of the biggest array of that type in the result, parts of tuples included",
                              [](hlo_instruction i, const auto&) -> optional<double> {
                                optional<double> most;
                                if (i.shape())
                                  for_each_subshape(*i.shape(), [&](const shape_index&, const shape& part) {
                                    const auto count = part.is_array() && part.type == Type
                                                           ? hlolint::detail::dense_elements(part)
                                                           : std::nullopt;
                                    if (count) most = std::max(most.value_or(0), static_cast<double>(*count));
                                  });
                                return most;
                              });
/// Bytes in memory that hold no element.
inline constexpr auto wasted_bytes =
    number<knowledge::module>("wasted bytes", unit::bytes, "bytes in memory that hold no element, because of tiles",
                              [](hlo_instruction i, const auto&) -> optional<double> {
                                const auto cost = i.shape() ? explain_padding(*i.shape()) : std::nullopt;
                                return cost ? optional(static_cast<double>(cost->waste())) : std::nullopt;
                              });
/// Partitions that the module is compiled for.
inline constexpr auto partitions =
    number<knowledge::module>("partitions", unit::count, "that the module is compiled for",
                              [](hlo_instruction, const auto& facts) -> optional<double> {
                                return static_cast<double>(facts.hlo()->num_partitions());
                              });
/// What it does: its opcode, or of a fusion the opcode of the only operation in it.
inline constexpr auto operation = text<knowledge::module>(
    "operation", "its opcode; of a fusion that of the only operation in it", [](hlo_instruction i, const auto& facts) {
      const hlo_instruction does = facts.template get<sole_operations>().of(i);
      return does ? std::string(does.opcode_text()) : std::string();
    });
/// It only changes the order of dimensions in memory.
inline constexpr auto reorders = flag<knowledge::module>(
    "reorders", "a transpose, or a copy into another dimension order, alone or in a fusion",
    [](hlo_instruction i, const auto& facts) {
      const hlo_instruction does = facts.template get<sole_operations>().of(i);
      if (!does || does.opcode() == hlo_opcode::transpose) return static_cast<bool>(does);
      const shape* const from = shape_of_operand(does, 0);
      return does.opcode() == hlo_opcode::copy && from && does.shape() && differs_in_order(*does.shape(), *from);
    });
/// It runs as a step of its own.
inline constexpr auto sequential = flag<knowledge::module>(
    "sequential", "it runs as a step of its own: not in a fusion or a reducer, and it is called",
    [](hlo_instruction i, const auto& facts) {
      return facts.template get<call_graph>().is_sequential(i.computation());
    });
/// It works at run time, or waits.
inline constexpr auto takes_time = flag<knowledge::module>(
    "takes time", "no parameter, constant, tuple, bitcast or the like, and no loop or call, whose bodies do the work",
    [](hlo_instruction i, const auto&) { return !takes_no_time(i.opcode()) && !calls_sequentially(i.opcode()); });
/// A loop whose number of iterations is proven.
inline constexpr auto is_counted = flag<knowledge::module>(
    "counted", "a loop whose number of iterations is proven",
    [](hlo_instruction i, const auto&) { return i.opcode() == hlo_opcode::while_ && trip_count_of(i).is_proven(); });

/// All of them, by kind. @{
inline constexpr std::tuple work_numbers{elements, wasted_bytes, partitions};
inline constexpr std::tuple work_texts{operation};
inline constexpr std::tuple work_flags{reorders, sequential, takes_time, is_counted};
/// @}
/// `elements_of` for all types that arrays have.
inline constexpr auto element_counts = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::tuple{elements_of<static_cast<element_type>(At)>...};
}
(std::make_index_sequence<static_cast<std::size_t>(element_type::token)>());

}  // namespace hlolint::match
