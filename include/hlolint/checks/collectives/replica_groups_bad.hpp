// COL009: groups of devices that no collective can use.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// XLA's CheckReplicaGroups (scheduling.md 2), for groups in any of their written forms.
struct replica_groups_bad {
  static constexpr rule about{
      .id = "COL009",
      .name = "replica-groups-bad",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .looks_at =
          [](hlo_opcode opcode) {
            return is_collective(opcode) && opcode != hlo_opcode::collective_broadcast && !is_permute(opcode);
          },
      .what =
          "The replica_groups of a collective leave a device out, name one twice or one that does not exist, are "
          "empty, differ in size, or have another size than an all-gather or reduce-scatter multiplies or divides by.",
      .why = "XLA's verifier rejects it: devices would wait for others that belong to another group, or to none.",
      .advice =
          "Let the groups name each number from 0 to n-1 once, where n is replica_count, num_partitions or "
          "their product, as channel_id and use_global_device_ids decide.",
      .example =
          "HloModule m, replica_count=4\n"
          "%ag = f32[16]{0} all-gather(%p), replica_groups={{0,1},{2,2}}, dimensions={0}",
      .source = "XLA: hlo_verifier.cc, CheckReplicaGroups; collective_op_group_mode.cc; openxla/stablehlo #498"};

  void operator()(hlo_instruction i, const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace hlolint {

namespace col009 {

/// The part of a gathering or scattering collective's result that belongs to operand `k`.
inline const shape* result_of(hlo_instruction i, std::size_t k) {
  const shape* result = i.shape();
  if (result && i.opcode() == hlo_opcode::all_gather_start) result = result->at({1});
  return result && result->is_tuple() ? result->at({static_cast<std::uint32_t>(k)}) : result;
}

/// An all-gather multiplies one dimension by the size of its groups, a reduce-scatter divides it.
inline std::optional<std::string> size_fault_of(hlo_instruction i, group_mode mode, std::size_t ids,
                                                std::int64_t partitions) {
  const bool scatters = i.opcode() == hlo_opcode::reduce_scatter;
  if (!scatters && i.opcode() != hlo_opcode::all_gather && i.opcode() != hlo_opcode::all_gather_start)
    return std::nullopt;
  const bool all_partitions = mode == group_mode::cross_replica_and_partition;
  const auto size = checked_multiply(static_cast<std::int64_t>(ids), all_partitions ? partitions : 1);
  const auto along = get_integers(i, attribute_key::dimensions);
  // One partition also stands for a module that does not give their number.
  if (!size || *size <= 1 || (all_partitions && partitions == 1) || !along || along->size() != 1 || along->front() < 0)
    return std::nullopt;
  const auto d = static_cast<std::size_t>(along->front());
  for (std::size_t k = 0; k < i.operand_count(); ++k) {
    const shape* part = shape_of_operand(i, k);
    const shape* whole = result_of(i, k);
    if (scatters) std::swap(part, whole);
    if (!part || !whole || d >= part->rank() || d >= whole->rank() || !part->is_static() || !whole->is_static())
      continue;
    if (checked_multiply(part->dimensions[d].size, *size) == whole->dimensions[d].size) continue;
    return str_cat({"dimension ", d, scatters ? " shrinks from " : " grows from ",
                    (scatters ? whole : part)->dimensions[d].size, " to ",
                    (scatters ? part : whole)->dimensions[d].size, ", but a group of replica_groups has ", *size,
                    " devices in mode ", name_of(mode)});
  }
  return std::nullopt;
}

inline std::optional<std::string> fault_of(hlo_instruction i, const hlo_module& module,
                                           const module_groups& all_groups) {
  const auto mode = group_mode_of(i);
  if (!mode) return std::nullopt;  // the reader has reported that channel_id is missing
  const std::string in_mode = " in mode " + std::string(name_of(*mode));
  const written_groups* const list = all_groups.of(i);
  if (!list && *mode == group_mode::flattened_id && !i.has(attribute_key::replica_groups))
    return "replica_groups is missing" + in_mode + ", where every device must be named";
  if (!list) return std::nullopt;
  if (list->group_count == 0) {
    if (*mode == group_mode::flattened_id)
      return "replica_groups is empty" + in_mode + ", where every device must be named";
    return std::nullopt;
  }
  if (list->faults.has_empty_group) return "one of the replica_groups is empty";
  if (list->faults.twice)
    return "device " + std::to_string(*list->faults.twice) + " stands twice in replica_groups" + in_mode;
  const std::int64_t count = list->id_count;
  if (list->faults.missing)
    return "device " + std::to_string(*list->faults.missing) + " is missing among the " + std::to_string(count) +
           " devices of replica_groups" + in_mode;

  const std::int64_t replicas = module.replica_count(), partitions = module.num_partitions();
  const std::int64_t expected = *mode == group_mode::cross_partition ? partitions
                                : *mode == group_mode::flattened_id ? checked_multiply(replicas, partitions).value_or(1)
                                                                    : replicas;
  // 1 also stands for a module that does not give its number of devices.
  if (expected != 1 && count != expected)
    return str_cat({"replica_groups names ", count, " devices, expected ", expected, in_mode});

  const bool any_sizes = i.opcode() == hlo_opcode::all_reduce || i.opcode() == hlo_opcode::all_reduce_start;
  if (!any_sizes && list->other_size)
    return "the replica_groups have " + std::to_string(list->first_size) + " and " + std::to_string(*list->other_size) +
           " devices, expected equal sizes";
  return size_fault_of(i, *mode, list->first_size, partitions);
}

}  // namespace col009

HLOLINT_INLINE void replica_groups_bad::operator()(hlo_instruction i, const context& dump, sink_ref emit) const {
  if (!about.looks_at(i.opcode())) return;
  const auto fault = col009::fault_of(i, *dump.hlo(), dump.get<module_groups>());
  if (!fault) return;
  finding d = finding_at(i, str_cat({*fault, " (", name_of(i.opcode()), ", ", detail::position_text(i), ")"}));
  if (i.has(attribute_key::replica_groups)) d.where = i.attribute_location(attribute_key::replica_groups);
  emit(std::move(d));
}

}  // namespace hlolint
#endif
