// The parts of XLA's names of dump files (buffer_dumps.md 1): [prefix.]module_NNNN[.module_name][.suffix] and an
// ending.
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlolint {

/// The parts of a path. Files of one module agree in `folder` and `stem`.
struct file_stem {
  std::string_view folder;  ///< with its last slash
  std::string_view stem;  ///< common to the files of one module
  std::string_view ending;  ///< the rest, with its dot or dash
  friend constexpr bool operator==(const file_stem&, const file_stem&) = default;
};

namespace detail {
/// Of endings with a common end the longest comes first.
inline constexpr std::string_view dump_endings[] = {
    "-buffer-assignment-values.txt", "-buffer-assignment.txt", "-live-range.txt", "-memory-usage-report.txt",
    ".memory-usage-report.txt", ".thunk_sequence_after_thunk_passes.txt", ".thunk_sequence.txt", ".hlo.txt",
    "-memory-usage-report.pb", ".hlo_snapshot.pb", ".hlo_unoptimized_snapshot.pb", ".hlo_proto.pb", ".hlo.pb"};
}  // namespace detail

/// Splits off a known ending, or else the last dot and the text after it.
constexpr file_stem file_stem_of(std::string_view path) {
  // Called many times for each file of a large folder, so plain loops replace find_last_of, which makes a call for
  // every byte.
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

/// Whether a file's name shows an earlier stage of a module: `before_optimizations`, and dumps between passes,
/// `NNNN.pipeline.after_x.before_y`.
constexpr bool is_earlier_stage(std::string_view path) {
  const std::string_view stem = file_stem_of(path).stem;
  const std::size_t dot = stem.find_last_of('.');
  return stem.substr(dot == std::string_view::npos ? 0 : dot + 1).substr(0, 7) == "before_";
}

/// The path of a file of `before_optimizations` without stage and ending; empty for other files.
constexpr std::string_view unoptimized_stem(std::string_view path) {
  constexpr std::string_view stage = ".before_optimizations";
  const file_stem parts = file_stem_of(path);
  if (parts.stem.size() <= stage.size() || parts.stem.substr(parts.stem.size() - stage.size()) != stage) return {};
  return path.substr(0, parts.folder.size() + parts.stem.size() - stage.size());
}

/// Calls `found` with the possible values of `unoptimized_stem` for the earlier stage of a final module, longest first,
/// until it returns true: the name of the target in the file's name may contain dots.
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

/// The module's name in a stem: `jit_f` in `module_0012.jit_f.sm_8.0_gpu_after_optimizations`; the whole stem if it has
/// not XLA's form.
constexpr std::string_view module_name_of(std::string_view stem) {
  const optional<std::string_view> rest = after_module_number(stem);
  if (!rest) return stem;
  std::size_t cut = rest->size();
  for (const std::string_view suffix : {".sm_", ".gfx", ".gpu_", ".cpu_", ".tpu", ".after_", ".before_"})
    cut = std::min(cut, rest->find(suffix));
  return rest->substr(0, cut);
}

}  // namespace hlolint
