// Properties of what an instruction does, whether it stands alone or is wrapped into a fusion, and of the program that
// it is part of.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/sole_operation.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/match/predicate.hpp>
#include <hlolint/match/properties.hpp>

#include <optional>
#include <string>
#include <tuple>

namespace hlolint::match {

/// Elements of an array.
inline constexpr auto elements = number<knowledge::module>(
    "elements", unit::count, "of an array", [](hlo_instruction i, const auto&) -> std::optional<double> {
      const auto count =
          i.shape() && i.shape()->is_array() ? hlolint::detail::dense_elements(*i.shape()) : std::nullopt;
      return detail::as_number(count);
    });
/// Bytes in memory that hold no element.
inline constexpr auto wasted_bytes =
    number<knowledge::module>("wasted bytes", unit::bytes, "bytes in memory that hold no element, because of tiles",
                              [](hlo_instruction i, const auto&) -> std::optional<double> {
                                const auto cost = i.shape() ? explain_padding(*i.shape()) : std::nullopt;
                                return cost ? std::optional(static_cast<double>(cost->waste())) : std::nullopt;
                              });
/// Partitions that the module is compiled for.
inline constexpr auto partitions =
    number<knowledge::module>("partitions", unit::count, "that the module is compiled for",
                              [](hlo_instruction, const auto& facts) -> std::optional<double> {
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
/// A loop whose number of iterations is proven.
inline constexpr auto is_counted = flag<knowledge::module>(
    "counted", "a loop whose number of iterations is proven",
    [](hlo_instruction i, const auto&) { return i.opcode() == hlo_opcode::while_ && trip_count_of(i).is_proven(); });

/// All of them, by kind. @{
inline constexpr std::tuple work_numbers{elements, wasted_bytes, partitions};
inline constexpr std::tuple work_texts{operation};
inline constexpr std::tuple work_flags{reorders, sequential, is_counted};
/// @}

}  // namespace hlolint::match
