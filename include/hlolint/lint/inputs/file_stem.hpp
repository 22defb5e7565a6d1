// The parts of XLA's names of dump files (buffer_dumps.md 1): [prefix.]module_NNNN[.module_name][.suffix] and an
// ending.
#pragma once

#include <hlolint/lint/module_number.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlolint {

/// A path in parts. Files of one module agree in `folder` and `stem`.
struct file_stem {
  std::string_view folder;  ///< with its last slash
  std::string_view stem;  ///< what files of one module have in common
  std::string_view ending;  ///< what was cut off, with its dot or dash
  friend constexpr bool operator==(const file_stem&, const file_stem&) = default;
};

namespace detail {
/// The longest first of those that end alike.
inline constexpr std::string_view dump_endings[] = {
    "-buffer-assignment-values.txt", "-buffer-assignment.txt", "-live-range.txt", "-memory-usage-report.txt",
    ".memory-usage-report.txt", ".thunk_sequence_after_thunk_passes.txt", ".thunk_sequence.txt", ".hlo.txt",
    "-memory-usage-report.pb", ".hlo_snapshot.pb", ".hlo_unoptimized_snapshot.pb", ".hlo_proto.pb", ".hlo.pb"};
}  // namespace detail

/// Cuts a known ending off, or else whatever stands after the last dot.
constexpr file_stem file_stem_of(std::string_view path) {
  // Asked for each file of a large folder many times: plain loops, where find_last_of calls for every byte.
  std::size_t begin = path.size();
  while (begin > 0 && path[begin - 1] != '/' && path[begin - 1] != '\\') --begin;
  const std::string_view folder = path.substr(0, begin), name = path.substr(begin);
  for (const std::string_view ending : detail::dump_endings)
    if (name.size() > ending.size() && name[name.size() - ending.size()] == ending[0] &&
        name[name.size() - ending.size() + 1] == ending[1] && name.ends_with(ending))
      return {folder, name.substr(0, name.size() - ending.size()), name.substr(name.size() - ending.size())};
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string_view::npos || dot == 0) return {folder, name, {}};
  return {folder, name.substr(0, dot), name.substr(dot)};
}

/// Whether a file's name shows that it holds the module as it was before XLA was done with it: `before_optimizations`
/// and the dumps between passes, `NNNN.pipeline.after_x.before_y`.
constexpr bool is_earlier_stage(std::string_view path) {
  const std::string_view stem = file_stem_of(path).stem;
  const std::size_t dot = stem.find_last_of('.');
  return stem.substr(dot == std::string_view::npos ? 0 : dot + 1).substr(0, 7) == "before_";
}

/// Path and name of a module's files without the part that gives their stage, if this is the one of
/// `before_optimizations`; else empty.
constexpr std::string_view unoptimized_stem(std::string_view path) {
  constexpr std::string_view stage = ".before_optimizations";
  const file_stem parts = file_stem_of(path);
  if (parts.stem.size() <= stage.size() || parts.stem.substr(parts.stem.size() - stage.size()) != stage) return {};
  return path.substr(0, parts.folder.size() + parts.stem.size() - stage.size());
}

/// What `unoptimized_stem` may give for the file of `before_optimizations` that belongs to a final module, one after
/// the other and the longest first, until `found` returns true: the name of the target in between may have dots.
template <class Found>
constexpr bool find_unoptimized_stem(std::string_view path, Found&& found) {
  constexpr std::string_view stage = "after_optimizations";
  const file_stem parts = file_stem_of(path);
  if (parts.stem.size() <= stage.size() || parts.stem.substr(parts.stem.size() - stage.size()) != stage) return false;
  const std::string_view stem = parts.stem;
  for (std::size_t dot = stem.find_last_of('.'); dot != std::string_view::npos && dot > 0;
       dot = stem.find_last_of('.', dot - 1))
    if (found(path.substr(0, parts.folder.size() + dot))) return true;
  return false;
}

/// The module's name in a stem: `jit_f` in `module_0012.jit_f.sm_8.0_gpu_after_optimizations`; the stem itself if XLA
/// did not make it.
constexpr std::string_view module_name_of(std::string_view stem) {
  const optional<std::string_view> rest = after_module_number(stem);
  if (!rest) return stem;
  std::size_t cut = rest->size();
  for (const std::string_view suffix : {".sm_", ".gfx", ".gpu_", ".cpu_", ".tpu", ".after_", ".before_"})
    cut = std::min(cut, rest->find(suffix));
  return rest->substr(0, cut);
}

static_assert(file_stem_of("d/m.x-live-range.txt") == file_stem{"d/", "m.x", "-live-range.txt"});
static_assert(is_earlier_stage("m.0001.spmd.after_a.before_b.txt") &&
              !is_earlier_stage("m.cpu_after_optimizations.txt"));
static_assert(unoptimized_stem("d/m.f.before_optimizations.txt") == "d/m.f" &&
              unoptimized_stem("d/m.after_optimizations.txt").empty());
static_assert(find_unoptimized_stem("d/m.f.sm_8.0_gpu_after_optimizations.txt",
                                    [](std::string_view stem) { return stem == "d/m.f"; }));
static_assert(module_name_of("module_0012.jit_f.sm_8.0_gpu_after_optimizations") == "jit_f");

}  // namespace hlolint
