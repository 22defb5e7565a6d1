// ALI005: a parameter that was donated to no effect.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// XLA turns a donor into an alias if an output of its size exists; the buffer assignment had no use for a donor that
/// the final module still lists (buffer_dumps.md 10).
struct donated_not_used {
  static constexpr rule about{
      .id = "ALI005",
      .name = "donated-not-used",
      .needs = need::scheduled,
      .what =
          "A large parameter is still in buffer_donor of the final module: no output took over its buffer. On "
          "TPU, which frees such buffers early, this is a note.",
      .why = "Argument and result are in memory together, although the caller donated the argument to avoid that.",
      .advice = "Return an array of the same shape, element type and sharding as the argument, or do not donate it.",
      .example =
          "HloModule m, is_scheduled=true, buffer_donor={ (0, {}) }, "
          "entry_computation_layout={(f32[8192,4096]{1,0})->f32[]}",
      .source = "jax #9675, #9237; XLA: optimize_input_output_buffer_alias.cc"};

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &donated_not_used::min_bytes, "smaller parameters are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/checks/aliasing/free_leaves.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void donated_not_used::operator()(const context& dump, sink_ref emit) const {
  const auto donors = get<buffer_donor>(*dump.hlo());
  if (!donors) return;
  const detail::free_leaves leaves(dump, min_bytes);
  std::map<std::pair<std::int64_t, shape_index>, const detail::entry_leaf*> by_place;
  for (const detail::entry_leaf& leaf : leaves.parameters())
    by_place.emplace(std::pair(leaf.parameter, leaf.index), &leaf);
  std::map<byte_count, const detail::entry_leaf*> fitting_outputs;  // by size, the first
  for (const detail::entry_leaf& output : leaves.outputs()) fitting_outputs.emplace(output.size, &output);
  for (const buffer_donor_entry& donor : donors->entries) {
    const auto found = by_place.find({donor.parameter, donor.parameter_index});
    if (found == by_place.end()) continue;
    const detail::entry_leaf& leaf = *found->second;
    const auto fitting = fitting_outputs.find(leaf.size);
    finding d =
        finding_at(leaves.shapes().where(donor.text),
                   str_cat({detail::sized_text(leaf), " is donated, but no output took its buffer; ",
                            fitting == fitting_outputs.end() ? "no output" : detail::to_string(*fitting->second),
                            " has the same size"}),
                   {.bytes = leaf.size});
    if (dump.target() == target::tpu) d.level = severity::note;
    if (const hlo_instruction parameter = dump.get<computation_parameters>().of(dump.hlo()->entry(), leaf.parameter)) {
      d.subject.instruction = std::string(parameter.name());
      add_program_place(d.subject, parameter);
    }
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
