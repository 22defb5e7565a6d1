// DMP007: a folder of dumps in which no module is finished.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks only at the list of files: a context without HLO and buffers stands for a folder whose files are all earlier
/// stages.
struct empty_dump {
  static constexpr rule about{
      .id = "DMP007",
      .name = "empty-dump",
      .costs = cost_kind::nothing,
      .what = "A folder holds HLO of earlier stages only (before_optimizations, between passes), and no final module.",
      .why = "Nothing in the folder can be checked, and a run without findings looks as if all were well.",
      .advice =
          "A compilation that fails, or that a compilation cache answers, writes no final module. Clear the "
          "cache, set XLA_FLAGS before the first compilation, and dump again.",
      .example = "dump/module_0001.jit_f.before_optimizations.txt   (and nothing else)",
      .source = "XLA: dump.cc; jax persistent compilation cache"};

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

HLOLINT_INLINE void empty_dump::operator()(const context& dump, sink_ref emit) const {
  const auto& files = dump.files();
  if (dump.hlo() || dump.buffers() || files.empty()) return;
  const auto holds_none = [](const seen_file& file) {
    const dump_role role = dump_file_of(file.path).role;
    return role == dump_role::facts || role == dump_role::left_out || role == dump_role::piece;
  };
  const auto count_text = [&] { return str_cat({files.size(), files.size() == 1 ? " file" : " files"}); };
  const auto name_text = [](const seen_file& file) {
    return str_cat({file_stem_of(file.path).stem, file_stem_of(file.path).ending});
  };
  if (std::all_of(files.begin(), files.end(), holds_none)) {
    const auto other =
        std::find_if(files.begin(), files.end(), [](const seen_file& f) { return has_unread_form(f.path); });
    if (other == files.end()) {
      const location where{source(std::string_view{}, files.front().path, borrow), {}};
      const auto is_mlir = [](const seen_file& file) { return file.path.ends_with(".mlir"); };
      if (!std::all_of(files.begin(), files.end(), is_mlir))
        return emit(finding_at(
            where, str_cat({"no module in this folder, only ", count_text(), " that ",
                            files.size() == 1 ? "holds" : "hold", " no program, such as ", name_text(files.front())})));
      return emit(
          finding_at(where,
                     str_cat({"no HLO in this folder, only MLIR (StableHLO or another dialect), such as ",
                              name_text(files.front())}),
                     {.advice = "XLA writes HLO with --xla_dump_to, and JAX with lowered.compile().as_text()."}));
    }
    return emit(finding_at(
        {source(std::string_view{}, other->path, borrow), {}},
        str_cat({"no module in this folder in a form that is read: XLA wrote it as ", name_text(*other)}),
        {.advice = "Add --xla_dump_hlo_as_text (or --xla_dump_hlo_as_proto) to XLA_FLAGS, and dump again."}));
  }
  if (!std::all_of(files.begin(), files.end(), [](const seen_file& file) { return is_earlier_stage(file.path); }))
    return;
  emit(finding_at({source(std::string_view{}, files.front().path, borrow), {}},
                  str_cat({"no final module in this folder, only ", count_text(), " of earlier stages such as ",
                           file_stem_of(files.front().path).stem})));
}

}  // namespace hlolint
#endif
