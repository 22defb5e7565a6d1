// Pairs the files of a run; implements pairing.hpp.
#pragma once

#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/inputs/element_names.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/lint/inputs/pair_by_names.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/text/compiled.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

// Maps files of final modules to files with the same modules before optimization: by folder and name, else, if such a
// file was named, the only one whose module has this name.
inline std::map<std::size_t, std::size_t> earlier_stages(const std::vector<input_file>& inputs) {
  const auto has_module = [&](std::size_t i) { return inputs[i].content->modules().size() == 1; };
  std::map<std::size_t, std::size_t> out;
  std::map<std::string_view, std::size_t> before;                              // by path without stage
  std::map<std::string_view, std::vector<std::size_t>> final_ones, unmatched;  // by the module's name
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const std::string_view stem = unoptimized_stem(inputs[i].path); !stem.empty() && has_module(i))
      before.emplace(stem, i);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!has_module(i) || is_earlier_stage(inputs[i].path)) continue;
    const bool matched = find_unoptimized_stem(inputs[i].path, [&](std::string_view stem) {
      const auto found = before.find(stem);
      return found != before.end() && (out[i] = found->second, true);
    });
    if (!matched) final_ones[inputs[i].content->modules().front().name()].push_back(i);
  }
  std::set<std::size_t> used;
  for (const auto& [last, first] : out) used.insert(first);
  for (const auto& [stem, i] : before)
    if (inputs[i].named && used.count(i) == 0) unmatched[inputs[i].content->modules().front().name()].push_back(i);
  for (const auto& [name, files] : unmatched)
    if (const auto found = final_ones.find(name);
        found != final_ones.end() && files.size() == 1 && found->second.size() == 1)
      out.emplace(found->second.front(), files.front());
  return out;
}

// Whether a dump has any section about values.
inline bool has_values(const buffer_dump& dump) {
  return dump.has_assignment() || dump.has_used_values() || dump.data().live_ranges;
}

// Pairs the files of one run in steps, each of which visits every file once.
class file_pairing {
 public:
  explicit file_pairing(const std::vector<input_file>& inputs) : inputs_(inputs), earlier_of_(earlier_stages(inputs)) {
    sort_by_stem();
    pair_units();
    draft_modules();
    place_others();
    make_groups();
    note_namesakes();
    note_recompilations();
  }
  paired_files result() && { return std::move(out_); }

 private:
  using stem_key = std::pair<std::string_view, std::string_view>;  // folder and stem
  struct files_of_stem {
    std::vector<std::size_t> files;
    std::optional<std::size_t> hlo, buffers;  // positions of units
    bool has_final = false;                   // its final text was read, which others repeat
  };
  // A group in preparation.
  struct draft {
    std::optional<hlo_module> hlo;
    std::vector<std::size_t> files;
    std::vector<buffer_dump> parts;
    std::optional<std::size_t> unpaired{};
  };

  static stem_key key_of(const input_file& file) {
    const dump_file_name name = dump_file_of(file.path);
    return {name.folder, name.module};
  }

  // Collects modules and sets of buffers by stem. Of one stem only one HLO is linted, and no earlier stage of another.
  void sort_by_stem() {
    std::set<std::size_t> earlier;
    for (const auto& [last, first] : earlier_of_) earlier.insert(first);
    // Texts first: of a module in text and protobuf form, people know the text. Then in the order of their ranks.
    std::vector<std::tuple<bool, int, std::size_t>> order;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      order.emplace_back(!is_text(*inputs_[i].content), dump_file_of(inputs_[i].path).rank, i);
    std::sort(order.begin(), order.end());
    for (const auto& [is_message, rank, i] : order) sort_by_stem(i, earlier);
  }
  void sort_by_stem(std::size_t i, const std::set<std::size_t>& earlier) {
    const parsed_file& content = *inputs_[i].content;
    files_of_stem* stem = &stems_[key_of(inputs_[i])];
    stem->files.push_back(i);
    files_of_stem* const text = stem_of_same_text(i);
    const dump_role role = dump_file_of(inputs_[i].path).role;
    const bool is_final = role == dump_role::program || role == dump_role::copy;
    const bool unwanted =
        (is_final && stem->has_final) || (!inputs_[i].named && (stem->hlo || role == dump_role::stage));
    stem->has_final = stem->has_final || (is_final && content.modules().size() == 1);
    bool is_used = true;
    if (text) {
      stem = text;
      is_used = false;
    } else if (!content.modules().empty() && (unwanted || earlier.count(i) > 0)) {
      is_used = false;
    } else {
      for (const hlo_module& module : content.modules()) hlo_.push_back({i, module});
      if (content.modules().size() == 1 && !stem->hlo) stem->hlo = hlo_.size() - 1;
    }
    // A report or a list of thunks is no set of buffers; it joins a module later, or stands alone.
    if (content.buffers && !has_values(*content.buffers)) {
      others_.push_back(i);
    } else if (content.buffers && !(text && has_same_sections(*text, *content.buffers))) {
      if (!stem->buffers) stem->buffers = buffers_.size(), buffers_.emplace_back();
      buffers_[*stem->buffers].files.push_back(i);
      buffers_[*stem->buffers].parts.push_back(*content.buffers);
      is_used = true;
    }
    if (!is_used) out_.left_out.push_back(i);
  }

  static bool is_text(const parsed_file& file) { return file.kind == input_kind::hlo || !holds_hlo(file.kind); }

  bool has_same_sections(const files_of_stem& stem, const buffer_dump& dump) const {
    return stem.buffers && same_sections(join(buffers_[*stem.buffers].parts), dump);
  }

  // For a protobuf message, the stem of the text of the same module; null if there is none.
  files_of_stem* stem_of_same_text(std::size_t i) {
    if (is_text(*inputs_[i].content) || inputs_[i].content->modules().size() != 1) return nullptr;
    const hlo_module& module = inputs_[i].content->modules().front();
    const auto same = [&](const hlo_unit& unit) {
      return is_text(*inputs_[unit.file].content) && unit.module.name() == module.name() &&
             unit.module.computation_count() == module.computation_count() &&
             unit.module.instruction_count() == module.instruction_count();
    };
    files_of_stem& own = stems_[key_of(inputs_[i])];
    if (own.hlo && is_text(*inputs_[hlo_[*own.hlo].file].content) && hlo_[*own.hlo].module.name() == module.name())
      return &own;
    const auto found = std::find_if(hlo_.begin(), hlo_.end(), same);
    if (found == hlo_.end() || key_of(inputs_[i]).first != key_of(inputs_[found->file]).first) return nullptr;
    return &stems_[key_of(inputs_[found->file])];
  }

  // Pairs by stem; a single module and a single set; others by the names of instructions. Files whose names belong to
  // different modules are never paired.
  void pair_units() {
    const auto pair = [&](std::size_t module, std::size_t set) {
      buffers_[set].partner = module, hlo_[module].taken = true;
    };
    for (const auto& [name, stem] : stems_)
      if (stem.hlo && stem.buffers) pair(*stem.hlo, *stem.buffers);
    const auto of_one_module = [&](const hlo_unit& hlo, const buffer_unit& buffers) {
      return may_be_of_one_module(inputs_[hlo.file].path, inputs_[buffers.files.front()].path);
    };
    if (hlo_.size() == 1 && buffers_.size() == 1 && of_one_module(hlo_[0], buffers_[0]))
      pair(0, 0);
    else
      pair_by_names(hlo_, buffers_, of_one_module);
  }

  // Makes a draft for every module with its buffers, and for every set of buffers without a module.
  void draft_modules() {
    for (const hlo_unit& unit : hlo_) drafts_.push_back({unit.module, {unit.file}, {}});
    for (const buffer_unit& unit : buffers_) {
      if (!unit.partner) continue;
      draft& to = drafts_[*unit.partner];
      to.parts.insert(to.parts.end(), unit.parts.begin(), unit.parts.end());
      for (const std::size_t file : unit.files)  // a protobuf message may hold both
        if (std::find(to.files.begin(), to.files.end(), file) == to.files.end()) to.files.push_back(file);
    }
    for (const buffer_unit& unit : buffers_)
      if (!unit.partner)
        drafts_.push_back({{},
                           unit.files,
                           unit.parts,
                           unit.unpaired ? std::optional<std::size_t>(hlo_[*unit.unpaired].file) : std::nullopt});
  }

  // Adds the other files, such as lists of thunks, which XLA names without target and stage, to the first draft with a
  // file of the same stem, or of a stem that continues with a dot.
  void place_others() {
    std::map<stem_key, std::size_t> homes;
    const auto offer = [&](std::size_t d, std::size_t file) {
      const auto [folder, whole] = key_of(inputs_[file]);
      for (const std::string_view stem : {whole, without_timestamp(whole)})
        for (std::size_t end = stem.size(); end != std::string_view::npos;
             end = end == 0 ? std::string_view::npos : stem.rfind('.', end - 1)) {
          const auto [at, is_new] = homes.try_emplace({folder, stem.substr(0, end)}, d);
          at->second = std::min(at->second, d);
        }
    };
    for (std::size_t d = 0; d < drafts_.size(); ++d)
      for (const std::size_t file : drafts_[d].files) offer(d, file);
    for (const std::size_t other : others_) {
      const auto home = homes.find(key_of(inputs_[other]));
      const std::size_t d = home == homes.end() ? drafts_.size() : home->second;
      if (home == homes.end()) drafts_.emplace_back();
      drafts_[d].files.push_back(other);
      drafts_[d].parts.push_back(*inputs_[other].content->buffers);
      offer(d, other);
    }
  }

  // Orders groups by their first files; the modules of one file keep their order.
  void make_groups() {
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t i = 0; i < drafts_.size(); ++i)
      order.emplace_back(*std::min_element(drafts_[i].files.begin(), drafts_[i].files.end()), i);
    std::sort(order.begin(), order.end());
    for (const auto& [first_file, i] : order) out_.groups.push_back(group_of(std::move(drafts_[i])));
  }
  module_group group_of(draft from) {
    module_group group{std::move(from.hlo), std::nullopt, {}, std::move(from.files), {}, {}, {}, {}};
    group.unpaired = from.unpaired;
    if (!from.parts.empty()) group.buffers = join(from.parts);
    if (group.hlo && group.buffers) group.hlo = with_element_names(*group.hlo, *group.buffers);
    group.name = group.hlo ? std::string(group.hlo->name())
                           : std::string(module_name_of(file_stem_of(inputs_[group.files.front()].path).stem));
    if (group.hlo)
      if (const auto found = earlier_of_.find(group.files.front()); found != earlier_of_.end())
        group.earlier = found->second;
    const std::set<std::size_t> used(group.files.begin(), group.files.end());
    std::set<const files_of_stem*> stems;
    for (const std::size_t file : group.files) {
      const files_of_stem& stem = stems_[key_of(inputs_[file])];
      if (!stems.insert(&stem).second) continue;
      for (const std::size_t same : stem.files) {
        if (group.beside.size() == most_beside) break;
        if (used.count(same) == 0 && dump_file_of(inputs_[same].path).role != dump_role::stage)
          group.beside.push_back(same);
      }
    }
    return group;
  }

  void note_namesakes() {
    std::map<stem_key, std::vector<std::size_t>> of_name;  // folder and name
    const auto key = [&](const module_group& group) {
      return stem_key(file_stem_of(inputs_[group.files.front()].path).folder, group.name);
    };
    for (const module_group& group : out_.groups) of_name[key(group)].push_back(group.files.front());
    for (module_group& group : out_.groups) {
      std::vector<std::size_t>& same = of_name[key(group)];
      if (same.empty() || same.front() != group.files.front()) continue;
      for (const std::size_t file : same)
        if (file != same.front()) group.namesakes.push_back(file);
      same.clear();  // reported once
    }
  }

  // Names may contain numbers, as in `jit_f.3`.
  void note_recompilations() {
    std::map<std::pair<std::string_view, std::string>, std::vector<std::size_t>> of_function;  // folder and name
    for (std::size_t i = 0; i < out_.groups.size(); ++i)
      if (const module_group& group = out_.groups[i]; group.hlo)
        of_function[{file_stem_of(inputs_[group.files.front()].path).folder, compiled_function(group.name)}].push_back(
            i);
    for (auto& [name, same] : of_function)
      if (same.size() > 1)
        for (const std::size_t i : same)
          out_.groups[same.front()].recompilations.push_back(
              {inputs_[out_.groups[i].files.front()].path, parameter_shapes(*out_.groups[i].hlo)});
  }

  /// The most files of one stem listed beside a module.
  static constexpr std::size_t most_beside = 64;

  const std::vector<input_file>& inputs_;
  const std::map<std::size_t, std::size_t> earlier_of_;  // final file to its earlier stage
  std::map<stem_key, files_of_stem> stems_;
  std::vector<hlo_unit> hlo_;
  std::vector<buffer_unit> buffers_;
  std::vector<std::size_t> others_;
  std::vector<draft> drafts_;
  paired_files out_;
};

}  // namespace detail

HLOLINT_INLINE paired_files pair_files(const std::vector<input_file>& inputs) {
  return detail::file_pairing(inputs).result();
}

}  // namespace hlolint
