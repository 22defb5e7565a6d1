// DMP004: files that XLA writes beside those that were given, and that were not found.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 1: which file holds what.
struct missing_companion {
  static constexpr rule about{
      .id = "DMP004",
      .name = "missing-companion",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .what = "A final HLO module without buffer assignment, or a buffer assignment without HLO, live ranges or used "
              "values.",
      .why = "Rules that need the missing part do not run.",
      .advice = "Give all files of the module, or the folder that --xla_dump_to names. Since April 2026 live ranges "
                "and used values are files of their own, which --xla_dump_buffer_assignment_analysis (on by default) "
                "writes.",
      .example = "hlolint module_0001.jit_f.sm_8.0_gpu_after_optimizations.txt   (and no ...-buffer-assignment.txt)",
      .source = "XLA: dump.cc; debug_options_flags.cc"};

  /// Reports files that XLA writes beside those that were given, and that were not found.
  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

struct missing_companion::code : missing_companion {
  void operator()(const context& dump, sink_ref report) const {
    const buffer_dump* const buffers = dump.buffers();
    const auto add = [&](std::string message, location where) {
      finding d(std::move(message));
      d.where = std::move(where);
      report(std::move(d));
    };
    if (dump.hlo() && dump.hlo()->is_scheduled() && !dump.has(need::buffers)) {
      add("no buffer assignment of this module: " + companion(dump, "-buffer-assignment.txt") + " was not found",
          dump.hlo()->where());
    } else if (dump.has(need::buffers)) {
      const location at = buffers->texts().empty() ? location{} : location{buffers->texts().front(), {}};
      if (!dump.hlo()) add("no HLO of this buffer assignment: " + companion(dump, ".txt") + " was not found", at);
      if (!buffers->data().live_ranges)
        add("no live ranges of this buffer assignment: " + companion(dump, "-live-range.txt") + " was not found", at);
      if (!buffers->has_used_values())
        add("no used values of this buffer assignment: " + companion(dump, "-buffer-assignment-values.txt") +
                " was not found",
            at);
    }
  }

 private:
  static std::string companion(const context& dump, std::string_view ending) {
    const std::string_view stem =
        dump.files().empty() ? std::string_view("...") : file_stem_of(dump.files().front().path).stem;
    return std::string(stem) + std::string(ending);
  }
};

HLOLINT_INLINE void missing_companion::operator()(const context& dump, sink_ref report) const {
  code{*this}(dump, report);
}

}  // namespace hlolint
#endif
