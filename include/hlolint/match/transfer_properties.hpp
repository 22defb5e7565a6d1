// Properties of what an instruction moves between devices, also from inside a fusion.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/collective_kind.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/moves_nothing.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/analysis/transfers/wasted_results.hpp>
#include <hlolint/match/predicate.hpp>
#include <hlolint/match/properties.hpp>
#include <hlolint/text/optional.hpp>

#include <tuple>

namespace hlolint::match {

/// Bytes of the bigger side of the transfer that an instruction is or starts, also inside a fusion.
inline constexpr auto moved_bytes = number<knowledge::module>(
    "transfer bytes", unit::bytes, "bytes of the bigger side of the transfer that it is or starts, also in a fusion",
    [](hlo_instruction i, const auto& facts) -> optional<double> {
      if (!transfer_sources::may_transfer(i.opcode())) return std::nullopt;
      const hlo_instruction transfer = facts.template get<transfer_sources>().transfer_of(i);
      if (!transfer) return std::nullopt;
      return detail::as_number(i.opcode() == hlo_opcode::fusion ? transfer_bytes(transfer) : collective_bytes(i));
    });
/// Bytes that a collective brings to each device and that the device does not keep.
inline constexpr auto wasted_transfer = number<knowledge::module>(
    "wasted transfer", unit::bytes, "bytes that a collective brings and of which each device keeps only its own part",
    [](hlo_instruction i, const auto& facts) -> optional<double> {
      const wasted_result* const wasted = facts.template get<wasted_results>().of(i);
      return wasted ? optional(static_cast<double>(wasted->waste())) : std::nullopt;
    });
/// A collective over groups of one device, or a permutation of each onto itself.
inline constexpr auto stays_on_device = flag<knowledge::module>(
    "moves nothing", "a collective over groups of one device, or a permutation of each onto itself",
    [](hlo_instruction i, const auto& facts) {
      const hlo_instruction transfer = collective_of(i);
      return transfer && moves_nothing(transfer, facts.template get<module_groups>());
    });

/// All of them, by kind. @{
inline constexpr std::tuple transfer_numbers{moved_bytes, wasted_transfer};
inline constexpr std::tuple transfer_flags{stays_on_device};
/// @}

}  // namespace hlolint::match
