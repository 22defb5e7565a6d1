#include "facts_beside.hpp"
#include "decompress.hpp"

#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/device/target_config.hpp>
#include <hlolint/tool/device/target_messages.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>

namespace hlolint::command {

namespace {

// The file whose name is the beginning of that of the module's HLO and this suffix; empty if there is none.
std::string path_beside(const context::parts& module, const packed_files* packed, std::string_view suffix) {
  for (const seen_file& seen : module.files) {
    if (!holds_hlo(seen.kind)) continue;
    // The prefix is the file's name up to some dot: module_0001.jit_f of module_0001.jit_f.sm_9.0_gpu_after_....txt.
    const std::string& path = seen.path;
    const std::size_t folder = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
    const std::string_view name = std::string_view(path).substr(folder), undated = without_timestamp(name);
    // The files of a folder may be compressed one by one, and then the HLO has no file of this path.
    std::error_code problem;
    const bool compressed = !(packed && packed->find(path)) && !std::filesystem::is_regular_file(path, problem);
    for (std::string_view shown = name;; shown = undated) {
      for (std::size_t dot = shown.rfind('.'); dot != shown.npos && dot > 0; dot = shown.rfind('.', dot - 1)) {
        const std::string beside = str_cat({std::string_view(path).substr(0, folder), shown.substr(0, dot), suffix});
        for (const std::string_view ending : {"", ".gz", ".xz", ".zst"}) {
          const std::string one = str_cat({beside, ending});
          if (packed && packed->find(one)) return one;
          if (std::filesystem::is_regular_file(one, problem)) return one;
          if (!compressed) break;
        }
      }
      if (shown.size() == undated.size()) break;
    }
  }
  return {};
}

// The content of such a file, decompressed if need be.
std::optional<source> content_beside(const context::parts& module, const packed_files* packed,
                                     std::string_view suffix) {
  const std::string path = path_beside(module, packed, suffix);
  if (const auto bytes = packed ? packed->find(path) : nullptr) return source(std::string(*bytes), path);
  if (path.empty()) return std::nullopt;
  const compression how = compression_of(path, {});
  constexpr std::uint64_t most = std::uint64_t{1} << 26;
  const auto may_be_message = [](std::string_view) { return true; };
  file_reader file(path);
  if (how == compression::none) return load_file(std::move(file), path, most, may_be_message).text;
  decompressed held = decompress(how, file, most, may_be_message);
  return held.status == load_status::loaded ? std::optional(held.text.release(path)) : std::nullopt;
}

}  // namespace

std::optional<device> device_beside(const context::parts& module, const packed_files* packed) {
  if (const auto file = content_beside(module, packed, ".gpu_target_config.pbtxt"))
    return read_target_config(file->text());
  std::optional<device> out;
  struct form {
    std::string_view suffix;
    std::optional<device> (*read)(std::string_view);
  };
  for (const form& one : {form{".target_arguments.txt", read_target_arguments},
                          {".target_arguments.pb", read_target_arguments_message},
                          {"/topology.textproto", read_topology},
                          {"/topology.pb", read_topology_message}})
    if (const auto file = out ? std::nullopt : content_beside(module, packed, one.suffix)) out = one.read(file->text());
  if (out) {
    if (const auto reserved = module.flags.value("xla_tpu_user_reserved_hbm_bytes"))  // -1: as usual
      out->reserved_memory = std::max(out->reserved_memory, integer_in(*reserved).value_or(0));
  }
  return out;
}

std::vector<std::int64_t> assignment_beside(const context::parts& module, const packed_files* packed) {
  for (const std::string_view suffix :
       {".execution_options.txt", ".config.pbtxt", ".hlo_module_config.txt", "/compile_options.textproto"})
    if (const auto file = content_beside(module, packed, suffix))
      if (auto ids = read_device_assignment(file->text()); !ids.empty()) return ids;
  if (const auto file = content_beside(module, packed, ".execution_options.pb"))
    if (auto ids = read_device_assignment_message(file->text(), {7}); !ids.empty()) return ids;
  if (const auto file = content_beside(module, packed, "/compile_options.pb"))
    return read_device_assignment_message(file->text(), {3, 9});
  return {};
}

compiler_flags flags_beside(const context::parts& module, const packed_files* packed) {
  // Of a flag in several files the first one counts: libtpu's environment of this compilation knows what
  // `compile(compiler_options=...)` sets, and its list of flags does not; JAX writes its options without it, too.
  compiler_flags out;
  for (const std::string_view suffix : {".tpu_comp_env.txt", ".config.pbtxt", ".hlo_module_config.txt",
                                        ".debug_options", "/compile_options.textproto", ".flagfile"})
    if (const auto file = content_beside(module, packed, suffix)) out.add(*file);
  return out;
}

bool is_out_of_memory(const context::parts& module, const packed_files* packed) {
  // Beside the text of a finished compilation it is left from an earlier run.
  return path_beside(module, packed, ".after_codegen.txt").empty() &&
         !path_beside(module, packed, ".oom_intermediate_module.txt").empty();
}

}  // namespace hlolint::command
