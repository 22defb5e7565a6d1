// Properties of the work of an instruction, alone or in a fusion, of its loop, and of its transfer.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/layout_order.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/analysis/transfers/wasted_results.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/analysis/values/loop_repeats.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/match/predicate.hpp>
#include <hlolint/match/properties.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint::match {

namespace detail {
template <element_type Type>
inline constexpr auto elements_word = [] {
  constexpr std::string_view type = name_of(Type), ending = " elements";
  std::array<char, type.size() + ending.size()> out{};
  std::copy(ending.begin(), ending.end(), std::copy(type.begin(), type.end(), out.begin()));
  return out;
}();
}  // namespace detail

/// elements_of<f64>: elements of the biggest array of this type in the result, parts of tuples included.
template <element_type Type>
inline constexpr auto elements_of = number<knowledge::module>(
    std::string_view(detail::elements_word<Type>.data(), detail::elements_word<Type>.size()), unit::count,
    "of the biggest array of that type in the result, parts of tuples included", [](hlo_instruction i, const auto&) {
      std::optional<double> most;
      if (i.shape())
        for_each_subshape(*i.shape(), [&](const shape_index&, const shape& part) {
          if (!part.is_array() || part.type != Type) return;
          if (const auto count = hlolint::detail::dense_elements(part))
            most = std::max(most.value_or(0), static_cast<double>(*count));
        });
      return most;
    });

/// Numbers, as their texts describe. @{
inline constexpr auto elements =
    number<knowledge::module>("elements", unit::count, "of an array", [](hlo_instruction i, const auto&) {
      return i.shape() && i.shape()->is_array() ? hlolint::detail::dense_elements(*i.shape()) : std::nullopt;
    });
inline constexpr auto wasted_bytes = number<knowledge::module>(
    "wasted bytes", unit::bytes, "bytes in memory that hold no element, because of tiles",
    [](hlo_instruction i, const auto&) {
      return detail::member_of(i.shape() ? explain_padding(*i.shape()) : std::nullopt, &padding_cost::waste);
    });
inline constexpr auto partitions =
    number<knowledge::module>("partitions", unit::count, "that the module is compiled for",
                              [](hlo_instruction, const auto& facts) { return facts.hlo()->num_partitions(); });
inline constexpr auto carried_element = number<knowledge::module>(
    "carried element", unit::count, "which element of what its loop carries it is",
    [](hlo_instruction i, const auto& facts) -> std::optional<std::int64_t> {
      const auto at = facts.template get<carried_elements>().of(i);
      const auto loop = facts.template get<loops>().around(i.computation());
      if (!at || !loop) return std::nullopt;
      const auto called = loop.called_computations();
      return std::find(called.begin(), called.end(), i.computation()) != called.end() ? at : std::nullopt;
    });
inline constexpr auto result_element =
    number<knowledge::module>("result element", unit::count, "which element of its loop's result it becomes",
                              [](hlo_instruction i, const auto& facts) {
                                const root_element into = facts.template get<root_elements>().of(i);
                                return into.reached ? std::optional(into.element.value_or(0)) : std::nullopt;
                              });
inline constexpr auto repeats = number<knowledge::module>(
    "repeats", unit::ratio, "share of its loop's iterations that read what an earlier one has read, at least",
    [](hlo_instruction i, const auto& facts) { return facts.template get<loop_repeats>().of(i); });
inline constexpr auto moved_bytes = number<knowledge::module>(
    "transfer bytes", unit::bytes, "bytes of the bigger side of the transfer that it is or starts, also in a fusion",
    [](hlo_instruction i, const auto& facts) -> std::optional<byte_count> {
      if (!transfer_sources::may_transfer(i.opcode())) return std::nullopt;
      const hlo_instruction transfer = facts.template get<transfer_sources>().transfer_of(i);
      if (!transfer) return std::nullopt;
      return i.opcode() == hlo_opcode::fusion ? transfer_bytes(transfer) : collective_bytes(i);
    });
inline constexpr auto wasted_transfer = number<knowledge::module>(
    "wasted transfer", unit::bytes, "bytes that a collective brings and of which each device keeps only its own part",
    [](hlo_instruction i, const auto& facts) {
      return detail::member_of(facts.template get<wasted_results>().of(i), &wasted_result::waste);
    });
/// @}

/// The opcode of an instruction, or of the only operation in a fusion.
inline constexpr auto operation = text<knowledge::module>(
    "operation", "its opcode; of a fusion that of the only operation in it", [](hlo_instruction i, const auto& facts) {
      const hlo_instruction does = facts.template get<sole_operations>().of(i);
      return does ? does.opcode_text() : std::string_view();
    });

/// Flags, as their texts describe. @{
inline constexpr auto reorders = flag<knowledge::module>(
    "reorders", "a transpose, or a copy into another dimension order, alone or in a fusion",
    [](hlo_instruction i, const auto& facts) {
      const hlo_instruction does = facts.template get<sole_operations>().of(i);
      if (!does || does.opcode() == hlo_opcode::transpose) return static_cast<bool>(does);
      const shape* const from = shape_of_operand(does, 0);
      return does.opcode() == hlo_opcode::copy && from && does.shape() && differs_in_order(*does.shape(), *from);
    });
inline constexpr auto sequential = flag<knowledge::module>(
    "sequential", "it runs as a step of its own: not in a fusion or a reducer, and it is called",
    [](hlo_instruction i, const auto& facts) {
      return facts.template get<call_graph>().is_sequential(i.computation());
    });
inline constexpr auto takes_time = flag<knowledge::module>(
    "takes time", "no parameter, constant, tuple, bitcast or the like, and no loop or call, whose bodies do the work",
    [](hlo_instruction i, const auto&) { return !takes_no_time(i.opcode()) && !calls_sequentially(i.opcode()); });
inline constexpr auto is_counted = flag<knowledge::module>(
    "counted", "a loop whose number of iterations is proven",
    [](hlo_instruction i, const auto&) { return i.opcode() == hlo_opcode::while_ && trip_count_of(i).is_proven(); });
inline constexpr auto stays_on_device = flag<knowledge::module>(
    "moves nothing", "a collective over groups of one device, or a permutation of each onto itself",
    [](hlo_instruction i, const auto& facts) {
      const hlo_instruction transfer = facts.template get<transfer_sources>().collective_of(i);
      return transfer && moves_nothing(transfer, facts.template get<module_groups>());
    });
/// @}

/// All properties of work, loops and transfers, by kind. @{
inline constexpr std::tuple work_numbers{elements,       wasted_bytes, partitions,  carried_element,
                                         result_element, repeats,      moved_bytes, wasted_transfer};
inline constexpr std::tuple work_texts{operation};
inline constexpr std::tuple work_flags{reorders, sequential, takes_time, is_counted, stays_on_device};
/// @}
/// `elements_of` for all types of arrays.
inline constexpr auto element_counts = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::tuple{elements_of<static_cast<element_type>(At)>...};
}
(std::make_index_sequence<static_cast<std::size_t>(element_type::token)>());

}  // namespace hlolint::match
