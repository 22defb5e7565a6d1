// The parts of XLA's names of dump files (buffer_dumps.md 1): [prefix.]module_NNNN[.module_name][.suffix] and an
// ending.
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlolint {

/// The parts of a path. Files of one module agree in `folder` and `stem`.
struct file_stem {
  std::string_view folder;  ///< with its last slash
  std::string_view stem;    ///< common to the files of one module
  std::string_view ending;  ///< the rest, with its dot or dash
  friend constexpr bool operator==(const file_stem&, const file_stem&) = default;
};

namespace detail {
/// Of endings with a common end the longest comes first.
inline constexpr std::string_view dump_endings[] = {"-buffer-assignment-values.txt",
                                                    "-buffer-assignment.txt",
                                                    "-live-range.txt",
                                                    "-memory-usage-report.txt",
                                                    ".memory-usage-report.txt",
                                                    ".thunk_sequence_after_thunk_passes.txt",
                                                    ".thunk_sequence.txt",
                                                    ".hlo.txt",
                                                    "-memory-usage-report.pb",
                                                    ".hlo_snapshot.pb",
                                                    ".hlo_unoptimized_snapshot.pb",
                                                    ".hlo_proto.pb",
                                                    ".hlo.pb"};
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

/// The name of a file, or its stem, without the time in microseconds that --xla_dump_include_timestamp puts in front of
/// some names, `1764460000123456.module_0012.jit_f`, but of no list of thunks or description of a device.
constexpr std::string_view without_timestamp(std::string_view name) {
  constexpr std::size_t least = 10;  // digits
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[digits])) ++digits;
  const bool is_time = digits >= least && digits < name.size() && name[digits] == '.';
  return is_time ? name.substr(digits + 1) : name;
}

/// What a file of a dump folder is, by its name (buffer_dumps.md 1.2).
enum class dump_role : std::uint8_t {
  program,   ///< the final text of a module
  copy,      ///< the final text once more
  snapshot,  ///< the final module with the arguments of one execution
  stage,     ///< the module at an earlier stage of its compilation
  buffers,   ///< buffers, live ranges, a memory report or thunks
  facts,     ///< no HLO, but something about the device, the topology or the flags
  piece,     ///< a fusion as a module of its own, if the module that it is from lies beside it
  left_out,  ///< nothing that is read: code and drawings
  unknown    ///< a name that XLA does not write: the content decides
};

/// What the name of a file shows.
struct dump_file_name {
  std::string_view folder;              ///< with its last slash
  std::string_view module;              ///< common to all files of one module: `module_0012.jit_f.cpu`, or less of it
  dump_role role = dump_role::unknown;  ///< what the file holds
  int rank = 0;                         ///< of the texts of one module, the lowest one counts
};

namespace detail {

struct dump_stage {
  std::string_view name;
  dump_role role;
  int rank;
};
/// The stages that a file's name ends with. Between passes it is `NNNN.pipeline.after_x.before_y`.
inline constexpr dump_stage dump_stages[] = {
    {"after_codegen", dump_role::program, 0},        // libtpu
    {"after_optimizations", dump_role::program, 1},  // on a GPU with the backend before it
    {"after_optimization", dump_role::program, 1},   // XLA before 2019
    {"after_codegen_after_hlo_sanitization", dump_role::copy, 2},
    {"after_optimizations_after_buffer_assignment", dump_role::copy, 3},
    {"oom_intermediate_module", dump_role::copy, 4},  // libtpu, where HBM does not suffice
    {"after_optimizations_before_buffer_assignment", dump_role::stage, 5},
    {"before_config_assignment", dump_role::stage, 6},
    {"after_spmd_partitioner", dump_role::stage, 7},
    {"before_optimizations", dump_role::stage, 8},
    {"before_optimization", dump_role::stage, 8}};

/// How the names of files end that hold no HLO, but facts.
inline constexpr std::string_view fact_endings[] = {
    // libtpu
    ".target_arguments.txt", ".execution_options.txt", ".hlo_module_config.txt", ".tpu_comp_env.txt",
    ".transfer_stats.txt", ".basic_compiler_metadata.txt", ".sparse_core_specific_metadata.txt", ".flagfile",
    ".target_arguments.pb", ".execution_options.pb", ".hlo_module_config.pb", ".tpu_comp_env.pb", ".transfer_stats.pb",
    ".basic_compiler_metadata.pb", ".sparse_core_specific_metadata.pb",
    // dump.cc
    ".debug_options",
    // gpu_compiler.cc
    ".config.pbtxt", ".gpu_target_config.pbtxt", ".autotune_results.pbtxt",
    // gpu_executable.cc
    ".thunk_metadata.txt", ".thunk_metadata.pb",
    // dump.cc
    ".execution_profile.pbtxt",
    // JAX
    "topology.textproto", "compile_options.textproto", "topology.pb", "compile_options.pb"};

/// How the names of files end that hold a module in a form that is not read (dump.cc).
inline constexpr std::string_view unread_endings[] = {".hlo_unoptimized_snapshot.txt", ".dot", ".html", ".url",
                                                      ".riegeli"};

/// How the names of files end that are not read: code and drawings.
inline constexpr std::string_view left_out_endings[] = {
    // Triton
    ".ttir.txt", ".ttir",
    // priority_fusion.cc
    ".priority_fusion_dump.txt",
    // JAX, XLA:CPU, XLA:GPU
    ".mlir",
    // LLVM
    ".ll",
    // XLA:GPU
    ".ptx", ".cubin", ".hsaco", ".fatbin",
    // XLA:CPU
    ".asm", ".o", ".s",
    // dump.cc
    ".svg", ".pyz", ".fdo_profile"};

// Where the stage between two passes begins, at the dot before its number: `.0012.spmd.after_a.before_b`.
constexpr std::size_t pass_stage_of(std::string_view stem) {
  std::size_t at = std::min(stem.find(".after_"), stem.find(".before_"));
  if (at == std::string_view::npos) return at;
  for (std::size_t dot = stem.rfind('.', at - 1); at != 0 && dot != std::string_view::npos && dot > 0;
       dot = stem.rfind('.', dot - 1)) {
    std::size_t digits = dot + 1;
    while (digits < stem.size() && is_digit(stem[digits])) ++digits;
    if (digits >= dot + 5 && digits < stem.size() && stem[digits] == '.') return dot;
  }
  return std::string_view::npos;
}

// Where the name of an execution begins in that of a snapshot, `.snapshot.-1487048986` or `.execution_0003`.
constexpr std::size_t execution_place_of(std::string_view stem) {
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return std::string_view::npos;
  if (stem.substr(dot).starts_with(".execution_")) return dot;
  return stem.substr(0, dot).ends_with(".snapshot") ? dot - std::string_view(".snapshot").size()
                                                    : std::string_view::npos;
}

// Whether a file is one that libtpu writes with --xla_jf_dump_to: the low-level operations of an instruction, or tables
// of its passes. Their names begin with the time in nanoseconds.
constexpr bool is_low_level(std::string_view name) {
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[digits])) ++digits;
  return digits > 0 && digits < name.size() && name[digits] == '-' &&
         (digits >= 15 || name.substr(digits).starts_with("-TLP-"));
}

}  // namespace detail

/// What the name of a file shows; `unknown` for names that no compiler writes.
constexpr dump_file_name dump_file_of(std::string_view path) {
  const file_stem parts = file_stem_of(path);
  const std::string_view name = path.substr(parts.folder.size());
  dump_file_name out{parts.folder, parts.stem, dump_role::unknown, 2};
  const bool about_buffers =
      parts.ending.find_first_of("-_") != std::string_view::npos && parts.ending.ends_with(".txt");
  const auto ends_with_any = [&](const auto& endings, dump_role role) {
    for (const std::string_view ending : endings)
      if (name.ends_with(ending)) {
        out.module = name.substr(0, name.size() - ending.size()), out.role = role;
        return true;
      }
    return false;
  };
  if (ends_with_any(detail::fact_endings, dump_role::facts)) return out;
  if (ends_with_any(detail::unread_endings, dump_role::left_out)) return out;
  if (ends_with_any(detail::left_out_endings, dump_role::left_out)) return out;
  for (const detail::dump_stage& stage : detail::dump_stages) {
    if (parts.stem.size() <= stage.name.size() + 1 || !parts.stem.ends_with(stage.name)) continue;
    const std::size_t end = parts.stem.size() - stage.name.size() - 1;
    if (parts.stem[end] != '.' && parts.stem[end] != '_') continue;
    out.module = parts.stem.substr(0, end), out.role = stage.role, out.rank = stage.rank;
    break;
  }
  if (out.role == dump_role::unknown) {
    std::size_t stage = detail::pass_stage_of(parts.stem);
    if (const std::size_t dot = parts.stem.rfind('.');
        stage == std::string_view::npos && dot != stage && dot > 0 && parts.stem.substr(dot).starts_with(".before_"))
      stage = dot;
    if (stage != std::string_view::npos)
      out.module = parts.stem.substr(0, stage), out.role = dump_role::stage, out.rank = 9;
  }
  if (const std::size_t place = detail::execution_place_of(parts.stem);
      place != std::string_view::npos && parts.ending.ends_with(".pb")) {
    const bool unoptimized = parts.ending == ".hlo_unoptimized_snapshot.pb";
    out.module = parts.stem.substr(0, place);
    out.role = unoptimized ? dump_role::stage : dump_role::snapshot, out.rank = 9;
  }
  if (about_buffers || parts.ending == "-memory-usage-report.pb") {
    out.role = dump_role::buffers;
  } else if (out.role == dump_role::unknown && detail::is_low_level(name)) {
    out.role = dump_role::left_out;
  } else if (out.role == dump_role::unknown && after_module_number(parts.stem) &&
             (parts.ending == ".hlo" || parts.stem.ends_with(".before") || parts.stem.ends_with(".after"))) {
    out.role = dump_role::piece;  // from Triton or the autotuner
  }
  return out;
}

/// Whether a file's name shows a module in a form that is not read: a drawing, or records of it.
constexpr bool has_unread_form(std::string_view path) {
  for (const std::string_view ending : detail::unread_endings)
    if (path.ends_with(ending)) return true;
  return false;
}

/// Whether a file's name shows an earlier stage of a module: `before_optimizations`, and dumps between passes,
/// `NNNN.pipeline.after_x.before_y`.
constexpr bool is_earlier_stage(std::string_view path) { return dump_file_of(path).role == dump_role::stage; }

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
  const dump_file_name name = dump_file_of(path);
  if (name.role != dump_role::program && name.role != dump_role::copy) return false;
  for (std::size_t end = name.module.size(); end != std::string_view::npos && end > 0;
       end = name.module.find_last_of('.', end - 1))
    if (found(path.substr(0, name.folder.size() + end))) return true;
  return false;
}

/// The module's name in a stem: `jit_f` in `module_0012.jit_f.sm_8.0_gpu_after_optimizations`; the whole stem if it has
/// not XLA's form.
constexpr std::string_view module_name_of(std::string_view stem) {
  const std::optional<std::string_view> rest = after_module_number(stem);
  if (!rest) return stem;
  std::size_t cut = rest->size();
  for (const std::string_view suffix : {".sm_", ".gfx", ".gpu_", ".cpu_", ".tpu", ".cl_", ".after_", ".before_"})
    cut = std::min(cut, rest->find(suffix));
  return rest->substr(0, cut);
}

/// Whether two files can be of one module by their names: false if XLA gave both a number and a name, and these differ.
constexpr bool may_be_of_one_module(std::string_view a, std::string_view b) {
  const std::string_view first = file_stem_of(a).stem, second = file_stem_of(b).stem;
  const auto rest = after_module_number(first), other_rest = after_module_number(second);
  if (!rest || !other_rest) return true;
  return first.substr(0, first.size() - rest->size()) == second.substr(0, second.size() - other_rest->size()) &&
         module_name_of(first) == module_name_of(second);
}

/// The beginning of a path that all files of its module have in common.
constexpr std::string_view module_prefix(std::string_view path) {
  const dump_file_name name = dump_file_of(path);
  return path.substr(0, name.folder.size() + name.module.size());
}

}  // namespace hlolint
