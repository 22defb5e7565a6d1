// BUD001: a module that takes more memory than the device has, or than the user allows.
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Silent until a capacity is given, the device is known, or the compiler itself reports that the program does not fit.
/// Compares the total that XLA prints, for one memory space.
struct over_budget {
  static constexpr rule about{
      .id = "BUD001",
      .name = "over-budget",
      .level = severity::error,
      .needs = need::memory,
      .compares = true,
      .what =
          "All allocations of a memory space together exceed the given capacity, or that of the device, less the "
          "margin.",
      .why = "The program will not load on the device, or not beside everything else that has to be there.",
      .advice = "Start with the values named here: shard or donate parameters, rematerialize or split temporaries.",
      .example = "capacity = 16GiB, margin = 0.1, and allocations of 15.20GiB in color 0",
      .source = "XLA: docs/errors/error_1000.md; GpuAllocatorConfig::memory_fraction; JAX: GPU memory allocation"};

  byte_count capacity = 0;
  double margin = -1;  ///< share of the capacity that has to stay free; below 0: XLA's default
  int color = 0;
  static constexpr auto options = std::tuple{
      option{"capacity", &over_budget::capacity, "bytes of the memory space; 0: those of the device, if it is known"},
      option{"margin", &over_budget::margin,
             "share of it that has to stay free (runtime, other programs); below 0: what XLA leaves by default, 0.25 "
             "of a GPU's memory and nothing of a given capacity"},
      option{"color", &over_budget::color, "the memory space"}};

  /// The check runs only if a capacity is given, the device is known, or the compilation failed for lack of memory.
  std::string_view lacks(const context& dump) const {
    const bool known = capacity > 0 || (color == 0 && usable_memory(dump.certain_device()) > 0) ||
                       (color == 0 && dump.is_out_of_memory());
    return known ? std::string_view{} : "neither a capacity nor a device is known; name one with --device";
  }

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/checks/budget/largest_values.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void over_budget::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump& buffers = *dump.buffers();
  const device on = dump.certain_device();
  const bool of_device = capacity <= 0 && color == 0;
  const byte_count there = of_device ? usable_memory(on) : capacity;
  const bool failed = color == 0 && dump.is_out_of_memory();
  if (there <= 0 && !failed) return;
  const byte_count used = bytes_in_space(buffers, color, dump.target());
  // If the device has the memory and only XLA's default share of it is too small, a setting helps.
  const bool by_default = of_device && margin < 0 && used <= there && !failed;
  const double share = by_default ? on.memory_share : margin > 0 ? 1 - margin : 1;
  const double allowed = static_cast<double>(there) * share;
  const bool exceeds = there > 0 && static_cast<double>(used) > allowed;
  if (!exceeds && !failed) return;
  const byte_count budget = clamp_to_int64(allowed > 0 ? allowed : 0);
  finding d = finding_at(
      buffers.where(buffers.total_text().empty() ? buffers.allocations().front().text : buffers.total_text()),
      str_cat({"allocations ", meaning_of_space(dump.target(), color) ? "in " : "of ",
               memory_space_name(dump.target(), color), " take ", human(used)}));
  if (exceeds)
    d.message += ", " + human((checked_int64(used) - budget).clamped()) + " more than the " +
                 (by_default ? human(budget) + " that XLA takes by default of the " + human(there) + " of " + on.name
                  : of_device && margin <= 0 ? "memory of " + on.name + ", " + human(budget)
                                             : "budget of " + human(budget));
  if (failed) {
    d.message += exceeds     ? "; the compilation failed"
                 : there > 0 ? "; the compilation failed although " + on.name + " has " + human(there) +
                                   ": its code, and what is reserved, take some of it"
                             : "; the compilation failed: the device has less";
  }
  if (by_default) {
    d.level = severity::warning;
    d.advice =
        "Let XLA take more of the memory (XLA_CLIENT_MEM_FRACTION, formerly XLA_PYTHON_CLIENT_MEM_FRACTION), "
        "or begin with the values named here. If the job does so, set the margin that it leaves.";
  }
  if (exceeds) d.bytes = (checked_int64(used) - budget).clamped();
  detail::add_largest_values(
      buffers, [&](const allocation& a) { return a.color == color && takes_memory(a, dump.target()); }, d);
  emit(std::move(d));
}

}  // namespace hlolint
#endif
