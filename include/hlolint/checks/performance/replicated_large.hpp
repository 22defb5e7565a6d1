// PRF014: large arrays that every device holds completely.
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
      .what =
          "In a program over several partitions, a big parameter is replicated, or many smaller ones that are big "
          "together: each device holds all of it.",
      .why = "It takes memory on every device, and each device repeats the work on it.",
      .advice =
          "Give it a sharding over one of the mesh's axes, and check that the annotation reaches it (an "
          "unannotated argument is replicated by default). With plain data parallelism weights are replicated "
          "on purpose: raise min-bytes and min-together.",
      .example =
          "HloModule m, num_partitions=8\n"
          "%p = f32[16384,16384]{1,0} parameter(0), sharding={replicated}",
      .source = "openxla/xla #15207; docs/errors/error_1000.md"};

  byte_count min_bytes = 128_MiB;
  byte_count min_together = 1_GiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &replicated_large::min_bytes, "smaller arrays are not reported one by one"},
                 option{"min-together", &replicated_large::min_together,
                        "smaller arrays are reported if together they take this"}};

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
#include <hlolint/text/checked.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint {

namespace prf014 {

inline std::string sharded_text(byte_count bytes, std::int64_t partitions) {
  return str_cat({" are replicated on all ", partitions, " partitions; sharded over all they would be ",
                  human(bytes / partitions), " on each"});
}

/// Replicated arrays that are too small to be reported one by one.
struct small_arrays {
  checked_int64 bytes = 0;
  std::size_t count = 0;
  hlo_instruction largest;
  byte_count largest_bytes = 0;

  void add(hlo_instruction parameter, byte_count size) {
    bytes += size, ++count;
    if (size > largest_bytes) largest = parameter, largest_bytes = size;
  }
};

}  // namespace prf014

HLOLINT_INLINE void replicated_large::operator()(const context& dump, sink_ref emit) const {
  const std::int64_t partitions = dump.hlo()->num_partitions();
  if (partitions < 2) return;
  const auto shardings = parameter_shardings(*dump.hlo(), dump.earlier());
  prf014::small_arrays others;
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
      if (!own || !is_replicated(*own) || !bytes) return;
      if (*bytes < min_bytes) return others.add(parameter, *bytes);
      emit(finding_at(parameter,
                      str_cat({human(*bytes), index.empty() ? "" : str_cat({" at ", to_string(index)}),
                               prf014::sharded_text(*bytes, partitions)}),
                      part, {.bytes = *bytes - *bytes / partitions}));
    });
  }
  const byte_count together = others.bytes.clamped();
  if (others.count == 0 || together < min_together) return;
  emit(finding_at(
      others.largest,
      str_cat({human(together), " in ", others.count, " arrays below ", human(min_bytes),
               prf014::sharded_text(together, partitions), "; this is the largest, ", human(others.largest_bytes)}),
      *others.largest.shape(), {.bytes = together - together / partitions}));
}

}  // namespace hlolint
#endif
