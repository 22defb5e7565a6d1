// BUD007: a small memory space (vmem, smem, host) that holds more than its limit.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Silent until a limit is given. On TPU color 1 is VMEM and 4 SMEM; 5 is host memory. A buffer dump does not have the
/// scratch memory of kernels (scoped vmem).
struct space_budget {
  static constexpr rule about{
      .id = "BUD007",
      .name = "space-budget",
      .needs = need::memory,
      .compares = true,
      .what = "The allocations of a memory space other than the main one exceed the limit that was given for it.",
      .why =
          "Memory on the chip is shared with the scratch space of kernels, host memory with the input pipeline: "
          "whoever allocates last runs out.",
      .advice =
          "Lower what the compiler may place there (on TPU --xla_tpu_scoped_vmem_limit_kib and the memory "
          "space assignment options), or offload less.",
      .example = "limit-1 = 64MiB, and an allocation of color 1 with 90177536 bytes",
      .source = "pytorch/xla #7942, #9524"};

  /// Limits of the memory spaces 1 to 5 in bytes; 0: no limit. @{
  byte_count limit_1 = 0, limit_2 = 0, limit_3 = 0, limit_4 = 0, limit_5 = 0;
  /// @}
  static constexpr auto options =
      std::tuple{option{"limit-1", &space_budget::limit_1, "bytes of color 1; 0: no limit"},
                 option{"limit-2", &space_budget::limit_2, "bytes of color 2; 0: no limit"},
                 option{"limit-3", &space_budget::limit_3, "bytes of color 3; 0: no limit"},
                 option{"limit-4", &space_budget::limit_4, "bytes of color 4; 0: no limit"},
                 option{"limit-5", &space_budget::limit_5, "bytes of color 5; 0: no limit"}};

  /// The check runs only if a limit is given.
  std::string_view lacks(const context&) const {
    const bool limited = limit_1 > 0 || limit_2 > 0 || limit_3 > 0 || limit_4 > 0 || limit_5 > 0;
    return limited ? std::string_view{} : "no limit of a memory space is given";
  }

  void operator()(const buffer_dump& buffers, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/checks/budget/largest_values.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void space_budget::operator()(const buffer_dump& buffers, sink_ref emit) const {
  int color = 0;
  for (const byte_count limit : {limit_1, limit_2, limit_3, limit_4, limit_5}) {
    ++color;
    const byte_count used = limit > 0 ? bytes_in_space(buffers, color) : 0;
    if (used <= limit) continue;
    finding d{.message = str_cat({"allocations of color ", color, " take ", human(used), ", ", human(used - limit),
                                  " more than the limit of ", human(limit)}),
              .bytes = used - limit};
    for (const allocation& a : buffers.allocations())
      if (a.color == color && d.where.at == span{}) d.where = buffers.where(a.text);
    detail::add_largest_values(
        buffers, [&](const allocation& a) { return a.color == color; }, d);
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
