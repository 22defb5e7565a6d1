// Finds the backend of files and groups them by module: a pure function of their paths and contents.
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/integer.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// The backend by XLA's words in a file's name: `sm_8.0_gpu_after_optimizations`, `cpu_after_...`, `gfx942`. Only whole
/// words count: `output` is no `tpu`. Folders do not count.
constexpr target target_of_file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const auto digit_at = [&](std::size_t at) { return at < name.size() && is_digit(name[at]); };
  for (std::size_t begin = 0; begin < name.size();) {
    std::size_t end = begin;
    while (end < name.size() && is_alphanumeric(name[end])) ++end;
    const std::string_view word = name.substr(begin, end - begin);
    if (word == "gpu" || (word == "sm" && end < name.size() && name[end] == '_' && digit_at(end + 1)))
      return target::gpu;
    if (word.substr(0, 3) == "gfx" && digit_at(begin + 3)) return target::gpu;
    if (word == "cpu") return target::cpu;
    // libtpu names the change that it was built from: `cl_1014260217`.
    if (word == "cl" && begin > 0 && name[begin - 1] == '.' && end < name.size() && name[end] == '_' &&
        digit_at(end + 1))
      return target::tpu;
    if (word == "tpu" || (word.substr(0, 4) == "tpuv" && digit_at(begin + 4))) return target::tpu;
    begin = end + 1;
  }
  return target::unknown;
}

namespace detail {

// Whether a shape has tiles that only TPUs use: T(8,128), T(4,128)(2,1), T(1024).
inline bool has_tpu_tile(const shape& whole) {
  if (whole.layout)
    for (const tile& t : whole.layout->tiles)
      if (!t.dimensions.empty() && t.dimensions.back() > 0 && t.dimensions.back() % 128 == 0) return true;
  for (const shape& part : whole.elements)
    if (has_tpu_tile(part)) return true;
  return false;
}

struct target_word {
  std::string_view text;
  target backend;
};

// Prefixes of custom-call targets.
inline constexpr target_word target_words_of_custom_calls[] = {{"AsyncCollectiveStart", target::tpu},
                                                               {"AsyncCollectiveDone", target::tpu},
                                                               {"tpu_custom_call", target::tpu},
                                                               {"ConcatBitcast", target::tpu},
                                                               {"__cublas", target::gpu},
                                                               {"__cudnn", target::gpu},
                                                               {"__cusolver", target::gpu},
                                                               {"cusolver", target::gpu},
                                                               {"__gpu$", target::gpu},
                                                               {"__triton", target::gpu},
                                                               {"triton_kernel_call", target::gpu},
                                                               {"__cub$", target::gpu},
                                                               {"__onednn$", target::cpu},
                                                               {"__xla_cpu", target::cpu},
                                                               {"lapack_", target::cpu}};

// Keys of backend_config.
inline constexpr target_word target_words_of_backend_configs[] = {
    {"operation_queue_id", target::gpu},         {"collective_backend_config", target::gpu},
    {"fusion_backend_config", target::gpu},      {"gemm_backend_config", target::gpu},
    {"cudnn_conv_backend_config", target::gpu},  {"reification_cost", target::gpu},
    {"outer_dimension_partitions", target::cpu}, {"window_config", target::tpu},
    {"aliasing_operands", target::tpu},          {"scoped_memory_configs", target::tpu}};

inline target target_of_custom_call(std::string_view called) {
  if (!called.empty() && called.front() == '"') called.remove_prefix(1);
  for (const target_word& word : target_words_of_custom_calls)
    if (called.substr(0, word.text.size()) == word.text) return word.backend;
  return target::unknown;
}
inline target target_of_backend_config(std::string_view config) {
  for (const target_word& word : target_words_of_backend_configs)
    if (config.find(word.text) != std::string_view::npos) return word.backend;
  return target::unknown;
}

}  // namespace detail

/// The backend by custom-call targets and `backend_config` keys; the first evidence in the text decides. Tiles are no
/// evidence, since programs that assign without a TPU print them too (sizes.md 5); `decide_target` looks at them where
/// there is no assignment.
inline target target_of_module(const hlo_module& module) {
  for (const hlo_instruction i : module.instructions()) {
    target found = target::unknown;
    if (const auto called = i.attribute(attribute_key::custom_call_target))
      found = detail::target_of_custom_call(*called);
    if (found != target::unknown) return found;
    if (const auto config = i.attribute(attribute_key::backend_config))
      found = detail::target_of_backend_config(*config);
    if (found != target::unknown) return found;
    if (const auto given = i.attribute(attribute_key::frontend_attributes))
      if (given->find("xla_cpu_") != std::string_view::npos) return target::cpu;
  }
  return target::unknown;
}

/// The backend by the `from instruction` lines of a buffer dump, else by tiles, if sizes agree only with the TPU rule.
inline target target_of_buffers(const buffer_dump& buffers) {
  for (const used_value& v : buffers.used_values()) {
    target found = target::unknown;
    constexpr std::string_view key = "custom_call_target=";
    if (const std::size_t at = v.from_instruction.find(key); at != std::string_view::npos)
      found = detail::target_of_custom_call(v.from_instruction.substr(at + key.size()));
    if (found == target::unknown)
      if (const std::size_t at = v.from_instruction.find("backend_config="); at != std::string_view::npos)
        found = detail::target_of_backend_config(v.from_instruction.substr(at));
    if (found != target::unknown) return found;
  }
  for (const shape& s : buffers.data().shapes)
    if (detail::has_tpu_tile(s)) return is_tiled(choose_size_rule(buffers)) ? target::tpu : target::unknown;
  return target::unknown;
}

/// The given target, else that of the files' names, else that of their contents. `paths` is any range of strings.
template <class Paths>
target decide_target(std::optional<target> given, const Paths& paths, const hlo_module* hlo,
                     const buffer_dump* buffers) {
  if (given && *given != target::unknown) return *given;
  target found = target::unknown;
  for (const auto& path : paths)
    if (found == target::unknown) found = target_of_file_name(path);
  if (found == target::unknown && hlo) found = target_of_module(*hlo);
  if (found == target::unknown && buffers) return target_of_buffers(*buffers);
  if (found == target::unknown && hlo && hlo->is_scheduled())
    for (const shape& s : hlo->data().shapes)
      if (detail::has_tpu_tile(s)) return target::tpu;
  return found;
}

/// A file of a run.
struct input_file {
  std::string path;                      ///< as given or found
  const parsed_file* content = nullptr;  ///< the content; not null, and outlives this
  bool named = true;                     ///< given by name rather than found in a folder
};

/// One module with its files.
struct module_group {
  std::optional<hlo_module> hlo;       ///< the module, if its HLO was read
  std::optional<buffer_dump> buffers;  ///< its buffers, joined
  std::string name;                    ///< of the HLO module, else from the file's name
  std::vector<std::size_t> files;      ///< positions of its inputs, the HLO's first
  std::vector<std::size_t> beside;     ///< unused inputs of the same folder and stem
  /// In the first group of a folder and name: first files of the later ones.
  std::vector<std::size_t> namesakes;
  /// In the first of several groups of a folder and function: all its modules.
  std::vector<recompilation> recompilations{};
  std::optional<std::size_t> earlier{};   ///< the input with the module before XLA's optimizations
  std::optional<std::size_t> unpaired{};  ///< for buffers alone: HLO that fits them, under the name of another module
};

/// The modules of all files, and unused files.
struct paired_files {
  std::vector<module_group> groups;   ///< in the order of their first files
  std::vector<std::size_t> left_out;  ///< HLO not to be linted: earlier stages, and a second HLO of one stem
};

/// Files of one folder and stem belong together. Others pair by names of instructions; a single HLO and a single set of
/// buffer files always pair. Files whose names belong to different modules never do. Of one stem only one HLO is
/// linted. The stage before optimization goes with its final module and is not linted; without a final module earlier
/// stages are linted only if they were named.
paired_files pair_files(const std::vector<input_file>& inputs);

/// The parts of a context for a group. `given`: the user's target.
inline context::parts parts_of(const module_group& group, const std::vector<input_file>& inputs,
                               std::optional<target> given = std::nullopt) {
  context::parts parts;
  std::vector<std::string_view> paths;
  for (const std::size_t file : group.files)
    parts.is_read_in_part = parts.is_read_in_part || inputs[file].content->status != parse_status::ok;
  for (const std::vector<std::size_t>* list : {&group.files, &group.beside})
    for (const std::size_t file : *list) {
      paths.push_back(inputs[file].path);
      parts.files.push_back({inputs[file].path, inputs[file].content->kind});
    }
  if (group.earlier) {
    parts.compared_with.earlier = inputs[*group.earlier].content->modules().front();
    parts.files.push_back({inputs[*group.earlier].path, inputs[*group.earlier].content->kind});
  }
  if (group.unpaired) parts.unpaired = inputs[*group.unpaired].path;
  for (const std::size_t file : group.namesakes) parts.namesakes.push_back(inputs[file].path);
  parts.recompilations = group.recompilations;
  parts.hlo = group.hlo;
  parts.buffers = group.buffers;
  parts.name = group.name;
  parts.target =
      decide_target(given, paths, group.hlo ? &*group.hlo : nullptr, group.buffers ? &*group.buffers : nullptr);
  return parts;
}

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/lint/inputs/file_pairing.hpp>
#endif
