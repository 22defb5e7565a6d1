// Which files belong to one module: a pure function of their paths and contents.
#pragma once

#include <hlolint/lint/context.hpp>
#include <hlolint/lint/inputs/input_file.hpp>
#include <hlolint/lint/inputs/target_of_files.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hlolint {

/// One module with what was found of it.
struct module_group {
  optional<hlo_module> hlo;        ///< the module, if its HLO was read
  optional<buffer_dump> buffers;   ///< its buffers, joined
  std::string name;                ///< the HLO module's, else the one in the file's name
  record_list<std::size_t> files;  ///< positions of the inputs that were used, the HLO's first
  record_list<std::size_t> beside;  ///< inputs of the same folder and stem that were not
  /// First files of the later groups of the same folder and name, if this is the first.
  record_list<std::size_t> namesakes;
  /// All modules of the same folder and function, if this is the first of several of them.
  record_list<recompilation> recompilations{};
  optional<std::size_t> earlier{};  ///< the input with the module as it was before XLA optimized it
};

/// The modules of all files, and what was left over.
struct paired_files {
  record_list<module_group> groups;   ///< in the order of their first files
  record_list<std::size_t> left_out;  ///< HLO not to be linted: earlier stages, and a second HLO of one stem
};

namespace detail {
class file_pairing;
}

/// Files of one folder and stem belong together. What is left pairs by the names of instructions; exactly one HLO and
/// one set of buffer files always pair. Of one stem one HLO is linted. What a module was before optimization goes with
/// it and is not linted; without the final module this and other earlier stages are linted only if they were named.
/// The parameter names what pairs, so that it is compiled where it is used, or once (hlolint::compiled).
template <class Pairing = detail::file_pairing>
paired_files pair_files(const record_list<input_file>& inputs);

/// What a context needs of a group. `given`: the target if the user set it.
inline context::parts parts_of(const module_group& group, const record_list<input_file>& inputs,
                               optional<target> given = std::nullopt) {
  context::parts parts;
  record_list<std::string_view> paths;
  for (const record_list<std::size_t>* list : {&group.files, &group.beside})
    for (const std::size_t file : *list) {
      paths.push_back(inputs[file].path);
      parts.files.push_back({inputs[file].path, inputs[file].content->kind});
    }
  if (group.earlier) {
    parts.compared_with.earlier = inputs[*group.earlier].content->modules().front();
    parts.files.push_back({inputs[*group.earlier].path, inputs[*group.earlier].content->kind});
  }
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
