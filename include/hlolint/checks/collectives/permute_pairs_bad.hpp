// COL008: source-target pairs that are not a permutation of devices.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// scheduling.md 2. Rings and pairs of a device with itself are legal for a collective-permute. Send and recv, which
/// wait for each other, must not have them (COL007).
struct permute_pairs_bad {
  static constexpr rule about{
      .id = "COL008",
      .name = "permute-pairs-bad",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .looks_at = [](hlo_opcode opcode) { return is_permute(opcode); },
      .what =
          "The source_target_pairs of a collective-permute name a device twice as source or twice as target, or "
          "a device that does not exist.",
      .why =
          "XLA's verifier rejects it: a device cannot receive two values into one result, and a device that does "
          "not exist never answers.",
      .advice =
          "Name every source once and every target once, with numbers below replica_count, or below "
          "num_partitions if there is a channel_id.",
      .example = "%cp = f32[8]{0} collective-permute(%p), source_target_pairs={{0,1},{0,2}}",
      .source = "XLA: hlo_verifier.cc, CheckDuplicatedSourceOrTarget"};

  void operator()(hlo_instruction i, const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

namespace col008 {

/// How often a device may be a source or a target: once, and in the in-place form (four operands) once per slot.
inline std::size_t slots_of(hlo_instruction i) {
  if (i.operand_count() != 4) return 1;
  const shape *buffer = shape_of_operand(i, 0), *offsets = shape_of_operand(i, 2);
  if (!buffer || !offsets) return i.operand_count();  // not known: allow as many as possible
  if (buffer->is_tuple()) offsets = offsets->at({0});
  return offsets && offsets->is_tuple() ? offsets->elements.size() : 1;
}

}  // namespace col008

HLOLINT_INLINE void permute_pairs_bad::operator()(hlo_instruction i, const context& dump, sink_ref emit) const {
  if (!about.looks_at(i.opcode())) return;
  const auto written = get<source_target_pairs>(i);
  if (!written) return;
  const bool partitions = i.has(attribute_key::channel_id);
  const std::int64_t limit = partitions ? dump.hlo()->num_partitions() : dump.hlo()->replica_count();
  const auto fault = [&](const std::string& words) {
    finding d = finding_at(i, str_cat({words, " in the source_target_pairs of ", name_of(i.opcode()), " (",
                                       detail::position_text(i), ")"}));
    d.where = i.attribute_location(attribute_key::source_target_pairs);
    emit(std::move(d));
  };
  for (const auto& [source, target] : written->pairs)
    for (const std::int64_t device : {source, target})
      if (device < 0 || (limit > 1 && device >= limit))
        return fault(
            str_cat({partitions ? "partition " : "replica ", device, ", which is not below ", limit, ", stands"}));
  const std::size_t allowed = col008::slots_of(i);
  if (const auto twice = find_repeated_device(written->pairs, allowed))
    fault(str_cat({twice->as_source ? "source " : "target ", twice->device, " appears more than ",
                   allowed == 1 ? "once" : str_cat({allowed, " times"})}));
}

}  // namespace hlolint
#endif
