// PRF014: a large array that every device holds completely.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks at parameters of the entry that are replicated over several partitions.
struct replicated_large {
  static constexpr rule about{
      .id = "PRF014",
      .name = "replicated-large",
      .needs = need::hlo,
      .uses = need::earlier,
      .what = "In a program over several partitions, a big parameter is replicated: each device holds all of it.",
      .why = "It takes memory on every device, and each device repeats the work on it.",
      .advice =
          "Give it a sharding over one of the mesh's axes, and check that the annotation reaches it (an "
          "unannotated argument is replicated by default). With plain data parallelism weights are replicated "
          "on purpose: raise min-bytes.",
      .example =
          "HloModule m, num_partitions=8\n"
          "%p = f32[16384,16384]{1,0} parameter(0), sharding={replicated}",
      .source = "openxla/xla #15207; docs/errors/error_1000.md"};

  byte_count min_bytes = 128_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &replicated_large::min_bytes, "smaller arrays are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/same_sharding.hpp>
#include <hlolint/analysis/transfers/parameter_shardings.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void replicated_large::operator()(const context& dump, sink_ref emit) const {
  const std::int64_t partitions = dump.hlo()->num_partitions();
  if (partitions < 2) return;
  const auto shardings = parameter_shardings(*dump.hlo(), dump.earlier());
  for (std::size_t n = 0; n < shardings.size(); ++n) {
    const hlo_instruction parameter = dump.get<computation_parameters>().of(dump.hlo()->entry(), n);
    if (!shardings[n] || !parameter.shape()) continue;
    std::size_t leaf = 0;
    for_each_subshape(*parameter.shape(), [&](const shape_index& index, const shape& part) {
      if (part.is_tuple()) return;
      const sharding* own = &*shardings[n];
      if (own->written == sharding::kind::tuple) own = leaf < own->elements.size() ? &own->elements[leaf] : nullptr;
      ++leaf;
      const auto bytes = dense_size(part);
      if (!own || !is_replicated(*own) || !bytes || *bytes < min_bytes) return;
      emit(finding_at(
          parameter,
          str_cat({human(*bytes), index.empty() ? "" : str_cat({" at ", to_string(index)}), " are replicated on all ",
                   partitions, " partitions; sharded over all they would be ", human(*bytes / partitions), " on each"}),
          part, {.bytes = *bytes - *bytes / partitions}));
    });
  }
}

}  // namespace hlolint
#endif
