// Which files belong to one module: a pure function of their paths and contents.
#pragma once

#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/file_stem.hpp>
#include <hlolint/lint/target.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

/// A file that was read.
struct input_file {
  std::string path;
  const parsed_file* content = nullptr;
  bool named = true;  ///< given by name, not found in a folder
};

/// One module with what was found of it.
struct module_group {
  std::optional<hlo_module> hlo;
  std::optional<buffer_dump> buffers;
  std::string name;                ///< the HLO module's, else the one in the file's name
  std::vector<std::size_t> files;  ///< positions of the inputs that were used, the HLO's first
  std::vector<std::size_t> beside;  ///< inputs of the same folder and stem that were not
  /// First files of the later groups of the same folder and name, if this is the first.
  std::vector<std::size_t> namesakes;
  std::optional<std::size_t> earlier{};  ///< the input with the module as it was before XLA optimized it
};

struct paired_files {
  std::vector<module_group> groups;       ///< in the order of their first files
  std::vector<std::size_t> left_out;      ///< HLO not to be linted: earlier stages, and a second HLO of one stem
};

namespace detail {

// Names of the instructions that a buffer dump mentions.
inline std::unordered_set<std::string_view> names_in_dump(const buffer_dump& dump) {
  std::unordered_set<std::string_view> names;
  for (const assigned_value& v : dump.values()) names.insert(v.name.instruction);
  for (const used_value& v : dump.used_values()) names.insert(v.name.instruction);
  if (const live_range_block* block = dump.live_ranges()) names.insert(block->sequence.begin(), block->sequence.end());
  return names;
}

struct hlo_unit {
  std::size_t file;
  hlo_module module;
  bool taken = false;
};

struct buffer_unit {
  std::vector<std::size_t> files;
  std::vector<buffer_dump> parts;
  std::optional<std::size_t> partner;  // position of a hlo_unit
};

// Whether there is anything about values in it.
inline bool has_values(const buffer_dump& dump) {
  return dump.has_assignment() || dump.has_used_values() || dump.data().live_ranges;
}

// Whether a file that XLA names without target and stage, as those of thunks, goes with another one.
inline bool belongs_to(std::string_view path, std::string_view known_path) {
  const file_stem mine = file_stem_of(path), known = file_stem_of(known_path);
  if (known.folder != mine.folder || !known.stem.starts_with(mine.stem)) return false;
  return known.stem.size() == mine.stem.size() || known.stem[mine.stem.size()] == '.';
}

// Whether both have a section that a joined dump could hold only once.
inline bool same_sections(const buffer_dump& a, const buffer_dump& b) {
  return (a.has_assignment() && b.has_assignment()) || (a.has_used_values() && b.has_used_values()) ||
         (a.live_ranges() && b.live_ranges());
}

// Pairs what the names of files left over: at least 90 % of a dump's instruction names are in one HLO, and in no other.
inline void pair_by_names(std::vector<hlo_unit>& hlo, std::vector<buffer_unit>& buffers) {
  const auto lonely = [](const buffer_unit& b) { return !b.partner; };
  const auto free = [](const hlo_unit& h) { return !h.taken; };
  if (std::none_of(buffers.begin(), buffers.end(), lonely) || std::none_of(hlo.begin(), hlo.end(), free)) return;
  std::vector<std::unordered_set<std::string_view>> known(hlo.size());
  for (std::size_t i = 0; i < hlo.size(); ++i)
    for (const hlo_instruction instruction : hlo[i].module.instructions()) known[i].insert(instruction.name());
  std::vector<std::optional<buffer_dump>> given(hlo.size());
  for (buffer_unit& unit : buffers) {
    if (unit.partner) continue;
    const buffer_dump whole = join(unit.parts);
    const std::unordered_set<std::string_view> names = names_in_dump(whole);
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < hlo.size(); ++i) {
      std::size_t found = 0;
      for (const std::string_view name : names) found += known[i].count(name);
      if (!names.empty() && found * 10 >= names.size() * 9) fitting.push_back(i);
    }
    if (fitting.size() != 1) continue;
    const std::size_t i = fitting.front();
    if (hlo[i].taken && (!given[i] || same_sections(*given[i], whole))) continue;
    given[i] = given[i] ? join({*given[i], whole}) : whole;
    hlo[i].taken = true;
    unit.partner = i;
  }
}

// For the files of final modules, those with the same modules before optimization: by folder and name, else, if it was
// named, the only one whose module has this name.
inline std::map<std::size_t, std::size_t> earlier_stages(const std::vector<input_file>& inputs) {
  const auto has_module = [&](std::size_t i) { return inputs[i].content->modules.size() == 1; };
  std::map<std::size_t, std::size_t> out;
  std::map<std::string_view, std::size_t> before;  // by path without stage
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
    if (!matched) final_ones[inputs[i].content->modules.front().name()].push_back(i);
  }
  std::set<std::size_t> used;
  for (const auto& [last, first] : out) used.insert(first);
  for (const auto& [stem, i] : before)
    if (inputs[i].named && used.count(i) == 0) unmatched[inputs[i].content->modules.front().name()].push_back(i);
  for (const auto& [name, files] : unmatched)
    if (const auto found = final_ones.find(name);
        found != final_ones.end() && files.size() == 1 && found->second.size() == 1)
      out.emplace(found->second.front(), files.front());
  return out;
}

}  // namespace detail

/// Files of one folder and stem belong together. What is left pairs by the names of instructions; exactly one HLO and
/// one set of buffer files always pair. Of one stem one HLO is linted. What a module was before optimization goes with
/// it and is not linted; without the final module this and other earlier stages are linted only if they were named.
inline paired_files pair_files(const std::vector<input_file>& inputs) {
  paired_files out;
  std::vector<detail::hlo_unit> hlo;
  std::vector<detail::buffer_unit> buffers;
  std::vector<std::size_t> others;
  const std::map<std::size_t, std::size_t> earlier_of = detail::earlier_stages(inputs);
  std::set<std::size_t> earlier;
  for (const auto& [last, first] : earlier_of) earlier.insert(first);
  struct of_stem {
    std::vector<std::size_t> files;
    std::optional<std::size_t> hlo, buffers;
  };
  std::map<std::pair<std::string_view, std::string_view>, of_stem> stems;
  const auto stem_of = [&](std::size_t file) -> of_stem& {
    const file_stem parts = file_stem_of(inputs[file].path);
    return stems[{parts.folder, parts.stem}];
  };

  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const parsed_file& content = *inputs[i].content;
    of_stem& stem = stem_of(i);
    stem.files.push_back(i);
    const bool unwanted = !inputs[i].named && (stem.hlo || is_earlier_stage(inputs[i].path));
    if (!content.modules.empty() && (unwanted || earlier.count(i) > 0)) {
      out.left_out.push_back(i);
    } else {
      for (const hlo_module& module : content.modules) hlo.push_back({i, module});
      if (content.modules.size() == 1 && !stem.hlo) stem.hlo = hlo.size() - 1;
    }
    if (!content.buffers) continue;
    // A report or a list of thunks is no set of buffers: it goes where it belongs, or stands alone.
    if (!detail::has_values(*content.buffers)) {
      others.push_back(i);
      continue;
    }
    if (!stem.buffers) stem.buffers = buffers.size(), buffers.emplace_back();
    buffers[*stem.buffers].files.push_back(i);
    buffers[*stem.buffers].parts.push_back(*content.buffers);
  }

  for (const auto& [name, stem] : stems)
    if (stem.hlo && stem.buffers) buffers[*stem.buffers].partner = *stem.hlo, hlo[*stem.hlo].taken = true;
  if (hlo.size() == 1 && buffers.size() == 1) {
    buffers[0].partner = 0, hlo[0].taken = true;
  } else {
    detail::pair_by_names(hlo, buffers);
  }

  struct draft {
    std::optional<hlo_module> hlo;
    std::vector<std::size_t> files;
    std::vector<buffer_dump> parts;
  };
  std::vector<draft> drafts;
  for (std::size_t i = 0; i < hlo.size(); ++i) {
    drafts.push_back({hlo[i].module, {hlo[i].file}, {}});
    for (const detail::buffer_unit& unit : buffers) {
      if (unit.partner != i) continue;
      drafts.back().parts.insert(drafts.back().parts.end(), unit.parts.begin(), unit.parts.end());
      drafts.back().files.insert(drafts.back().files.end(), unit.files.begin(), unit.files.end());
    }
  }
  for (const detail::buffer_unit& unit : buffers)
    if (!unit.partner) drafts.push_back({{}, unit.files, unit.parts});
  for (const std::size_t other : others) {
    const auto home = std::find_if(drafts.begin(), drafts.end(), [&](const draft& d) {
      return std::any_of(d.files.begin(), d.files.end(), [&](std::size_t file) {
        return detail::belongs_to(inputs[other].path, inputs[file].path);
      });
    });
    if (home == drafts.end()) {
      drafts.push_back({{}, {other}, {*inputs[other].content->buffers}});
    } else {
      home->files.push_back(other);
      home->parts.push_back(*inputs[other].content->buffers);
    }
  }

  // Positions break ties: the modules of one file keep their order.
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    order.emplace_back(*std::min_element(drafts[i].files.begin(), drafts[i].files.end()), i);
  std::sort(order.begin(), order.end());
  for (const auto& [first_file, i] : order) {
    draft& from = drafts[i];
    module_group group{std::move(from.hlo), std::nullopt, {}, std::move(from.files), {}, {}};
    if (!from.parts.empty()) group.buffers = join(from.parts);
    group.name = group.hlo ? std::string(group.hlo->name())
                           : std::string(module_name_of(file_stem_of(inputs[group.files.front()].path).stem));
    if (group.hlo)
      if (const auto found = earlier_of.find(group.files.front()); found != earlier_of.end())
        group.earlier = found->second;
    for (const std::size_t file : std::vector<std::size_t>(group.files))
      for (const std::size_t same : stem_of(file).files) {
        const auto in = [same](const std::vector<std::size_t>& list) {
          return std::find(list.begin(), list.end(), same) != list.end();
        };
        if (!in(group.files) && !in(group.beside)) group.beside.push_back(same);
      }
    out.groups.push_back(std::move(group));
  }
  std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>> of_name;  // folder and name
  const auto key = [&](const module_group& group) {
    return std::pair(file_stem_of(inputs[group.files.front()].path).folder, std::string_view(group.name));
  };
  for (const module_group& group : out.groups) of_name[key(group)].push_back(group.files.front());
  for (module_group& group : out.groups) {
    const std::vector<std::size_t>& same = of_name[key(group)];
    if (same.front() != group.files.front()) continue;
    for (const std::size_t file : same)
      if (file != same.front()) group.namesakes.push_back(file);
  }
  return out;
}

/// What a context needs of a group. `said`: the target if somebody said it.
inline context::parts parts_of(const module_group& group, const std::vector<input_file>& inputs,
                               std::optional<target> said = std::nullopt) {
  context::parts parts;
  std::vector<std::string_view> paths;
  for (const std::vector<std::size_t>* list : {&group.files, &group.beside})
    for (const std::size_t file : *list) {
      paths.push_back(inputs[file].path);
      parts.files.push_back({inputs[file].path, inputs[file].content->kind});
    }
  if (group.earlier) {
    parts.earlier = inputs[*group.earlier].content->modules.front();
    parts.files.push_back({inputs[*group.earlier].path, inputs[*group.earlier].content->kind});
  }
  for (const std::size_t file : group.namesakes) parts.namesakes.push_back(inputs[file].path);
  parts.hlo = group.hlo;
  parts.buffers = group.buffers;
  parts.name = group.name;
  parts.target =
      decide_target(said, paths, group.hlo ? &*group.hlo : nullptr, group.buffers ? &*group.buffers : nullptr);
  return parts;
}

}  // namespace hlolint
