// Which backend a module was compiled for, from the names and contents of its files.
#pragma once

#include <hlolint/analysis/sizes/size_rule.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/optional.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint {

/// From words in a file's name, as XLA puts them there: `sm_8.0_gpu_after_optimizations`, `cpu_after_...`, `gfx942`.
/// Words only: `output` is no `tpu`. The folders before the name do not count.
constexpr target target_of_file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const auto digit_at = [&](std::size_t at) { return at < name.size() && name[at] >= '0' && name[at] <= '9'; };
  for (std::size_t begin = 0; begin < name.size();) {
    std::size_t end = begin;
    while (end < name.size() && alphanumeric(name[end])) ++end;
    const std::string_view word = name.substr(begin, end - begin);
    if (word == "gpu" || (word == "sm" && end < name.size() && name[end] == '_' && digit_at(end + 1)))
      return target::gpu;
    if (word.substr(0, 3) == "gfx" && digit_at(begin + 3)) return target::gpu;
    if (word == "cpu") return target::cpu;
    if (word == "tpu" || (word.substr(0, 4) == "tpuv" && digit_at(begin + 4))) return target::tpu;
    begin = end + 1;
  }
  return target::unknown;
}

namespace detail {

// Tiles as only TPUs have them: T(8,128), T(4,128)(2,1), T(1024).
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

// Beginnings of custom-call targets.
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

/// From custom-call targets and `backend_config` keys; the first evidence in the text decides. Tiles are none: programs
/// that assign without a TPU print them, too (sizes.md 5).
inline target target_of_module(const hlo_module& module) {
  for (const hlo_instruction i : module.instructions()) {
    target found = target::unknown;
    if (const auto called = i.attribute(attribute_key::custom_call_target))
      found = detail::target_of_custom_call(*called);
    if (found != target::unknown) return found;
    if (const auto config = i.attribute(attribute_key::backend_config))
      found = detail::target_of_backend_config(*config);
    if (found != target::unknown) return found;
  }
  return target::unknown;
}

/// From the `from instruction` lines of a buffer dump; else from tiles, if sizes are right by the rule of TPUs alone.
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
    if (detail::has_tpu_tile(s))
      return choose_size_rule(buffers) == size_rule::tpu_tiled ? target::tpu : target::unknown;
  return target::unknown;
}

/// Whatever is given, else what the files' names show, else what their contents show. `paths` is any range of strings.
template <class Paths>
target decide_target(optional<target> given, const Paths& paths, const hlo_module* hlo, const buffer_dump* buffers) {
  if (given && *given != target::unknown) return *given;
  target found = target::unknown;
  for (const auto& path : paths)
    if (found == target::unknown) found = target_of_file_name(path);
  if (found == target::unknown && hlo) found = target_of_module(*hlo);
  if (found == target::unknown && buffers) found = target_of_buffers(*buffers);
  return found;
}

static_assert(target_of_file_name("gpu/output.txt") == target::unknown);
static_assert(target_of_file_name("module_0001.jit_f.sm_8.0_gpu_after_optimizations.txt") == target::gpu);

}  // namespace hlolint
