// BUD002: a module that takes more memory than when its baseline was made.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Compares the memory of a module with its baseline; silent if the baseline does not know the module.
struct peak_regression {
  static constexpr rule about{
      .id = "BUD002",
      .name = "peak-regression",
      .needs = need::memory,
      .compares = true,
      .what = "The allocations of a module, its temporary allocations or its peak take more bytes than its baseline.",
      .why = "The next larger model or batch, or another module on the device, may no longer fit.",
      .advice =
          "`hlolint diff` shows what grew. If the growth is wanted, or XLA's version changed, renew the "
          "baseline with --update-baseline.",
      .example = "peak of jit_train_step: 9.50GiB, was 8.00GiB in the baseline (+18.8 %)",
      .source = "buffer_dumps.md 9; jax issues about memory that grew between versions"};

  double tolerance = 0.02;
  byte_count min_bytes = 1_MiB;
  static constexpr auto options =
      std::tuple{option{"tolerance", &peak_regression::tolerance,
                        "growth that is not reported, as a part of the baseline's number"},
                 option{"min-bytes", &peak_regression::min_bytes, "growth that is not reported, in bytes"}};

  /// The check runs only if the baseline knows the module's memory.
  std::string_view lacks(const context& dump) const {
    return dump.agreed_memory() ? std::string_view{} : "no baseline that knows the module's memory";
  }

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void peak_regression::operator()(const context& dump, sink_ref emit) const {
  const memory_summary* const agreed = dump.agreed_memory();
  if (!agreed) return;
  const memory_summary now = memory_summary_of(dump);
  const auto compare = [&](std::string_view what, byte_count before, byte_count after) {
    if (before <= 0 || after <= before) return;
    const auto growth = static_cast<double>(after - before), earlier = static_cast<double>(before);
    if (after - before < min_bytes || growth / earlier <= tolerance) return;
    const auto& texts = dump.buffers()->texts();
    emit(finding_at(texts.empty() ? location{} : location{texts.front(), {}},
                    str_cat({what, " of ", dump.name(), ": ", human(after), ", was ", human(before),
                             " in the baseline (+", share_text(growth, earlier, 3), ")"}),
                    {.bytes = after - before}));
  };
  compare("peak", agreed->peak, now.peak);
  compare("total", agreed->total, now.total);
  compare("temp", agreed->temp, now.temp);
}

}  // namespace hlolint
#endif
