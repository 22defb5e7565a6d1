// DMP004: files that XLA writes beside the given ones and that were not found.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 1: the contents of each file.
struct missing_companion {
  static constexpr rule about{
      .id = "DMP004",
      .name = "missing-companion",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .what =
          "A final HLO module without a buffer assignment, or a buffer assignment without HLO, live ranges or "
          "used values.",
      .why = "Rules that need the missing part do not run.",
      .advice =
          "Give all files of the module, or the folder that --xla_dump_to names. Since April 2026 live ranges "
          "and used values are separate files, which --xla_dump_buffer_assignment_analysis (on by default) "
          "writes.",
      .example = "hlolint module_0001.jit_f.sm_8.0_gpu_after_optimizations.txt   (and no ...-buffer-assignment.txt)",
      .source = "XLA: dump.cc; debug_options_flags.cc"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <string_view>

namespace hlolint {

HLOLINT_INLINE void missing_companion::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump* const buffers = dump.buffers();
  std::string stem(dump.files().empty() ? "..." : file_stem_of(dump.files().front().path).stem);
  // libtpu names what is beside the text of its code after the text before it.
  if (constexpr std::string_view code = ".after_codegen"; stem.ends_with(code))
    stem.replace(stem.size() - code.size(), code.size(), ".after_optimizations");
  // A file that is there, but could not be read, has an error of its own. Dumps of buffers may have the name of an HLO.
  const auto is_there = [&](std::string_view ending) {
    return std::any_of(dump.files().begin(), dump.files().end(), [&](const seen_file& file) {
      const file_stem name = file_stem_of(file.path);
      const bool may_be = ending != ".txt" || file.kind == input_kind::unknown || holds_hlo(file.kind);
      return may_be && name.ending == ending && name.stem == stem;
    });
  };
  const auto add = [&](const std::string& missing, const char* ending, location where) {
    if (is_there(ending)) return;
    emit(finding_at(std::move(where), str_cat({missing, ": ", stem, ending, " was not found"})));
  };
  if (dump.hlo() && dump.hlo()->is_scheduled() && !dump.has(need::buffers)) {
    add("no buffer assignment of this module", "-buffer-assignment.txt", dump.hlo()->where());
  } else if (dump.has(need::buffers)) {
    const location at = buffers->texts().empty() ? location{} : location{buffers->texts().front(), {}};
    if (!dump.hlo() && !dump.unpaired().empty() && !is_there(".txt"))
      emit(finding_at(at, str_cat({"no HLO of this buffer assignment: ", stem, ".txt was not found; ", dump.unpaired(),
                                   " has the same instructions, but the name of another module"})));
    else if (!dump.hlo())
      add("no HLO of this buffer assignment", ".txt", at);
    if (!buffers->data().live_ranges) add("no live ranges of this buffer assignment", "-live-range.txt", at);
    if (!buffers->has_used_values())
      add("no used values of this buffer assignment", "-buffer-assignment-values.txt", at);
  }
}

}  // namespace hlolint
#endif
