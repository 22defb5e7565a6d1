#include "inputs.hpp"

#include "decompress.hpp"
#include "../output_file.hpp"
#include "parallel.hpp"

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint::command {

namespace {

namespace fs = std::filesystem;

// Whether the name is that of a file that XLA never leaves empty.
bool must_have_content(const std::string& path) {
  const std::string_view name = without_compression(path);
  for (const std::string_view ending :
       {"-buffer-assignment.txt", "-buffer-assignment-values.txt", "-live-range.txt", "memory-usage-report.txt"})
    if (name.ends_with(ending)) return true;
  return dump_file_of(name).role == dump_role::program;
}

// Whether the name is that of a dump without HLO, such as `-buffer-assignment.txt` or `.thunk_sequence.txt`.
bool is_beside_hlo(const std::string& path) {
  return dump_file_of(without_compression(path)).role == dump_role::buffers;
}

// Whether a name is that of a file that holds something else than a dump.
bool is_other(const dump_file_name& name) { return name.role == dump_role::facts || name.role == dump_role::left_out; }

// Whether the name is that of a compressed file without a dump.
bool is_compressed_binary(const std::string& path) {
  const std::string_view inside = without_compression(path);
  return inside.size() != path.size() && !inside.ends_with(".txt") && !inside.ends_with(".pb");
}

// The files of a folder and its subfolders, by name. Adds a problem for each folder that cannot be opened.
std::vector<std::string> files_of(const std::string& folder, std::vector<diagnostic>& problems) {
  std::vector<std::string> files;
  std::vector<fs::path> folders{folder};
  while (!folders.empty()) {
    const fs::path at = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    for (fs::directory_iterator entry(at, error), end; !error && entry != end; entry.increment(error)) {
      std::error_code gone;  // an entry that cannot be inspected is read as a file, which reports the error
      if (entry->is_directory(gone)) {
        if (!entry->is_symlink(gone)) folders.push_back(entry->path());  // links may form a cycle
      } else if (gone || entry->is_regular_file(gone) || (entry->is_symlink(gone) && !entry->exists(gone))) {
        files.push_back(entry->path().string());
      }
    }
    if (error) problems.push_back(unreadable(at.string(), "cannot be read: " + error.message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Whether the name is that of a final text, whatever its form.
bool is_final(const dump_file_name& name) { return name.role == dump_role::program || name.role == dump_role::copy; }

// Of the final texts and messages of a module: the lowest rank, and whether one is a text.
struct final_forms {
  int best = 0;
  bool has_text = false;
};
// By folder and module, with the time in its name and without it: some files have none (without_timestamp).
std::map<std::string, final_forms> final_forms_in(const std::vector<std::string>& files) {
  std::map<std::string, final_forms> out;
  for (const std::string& file : files) {
    const dump_file_name name = dump_file_of(without_compression(file));
    if (!is_final(name)) continue;
    const auto add = [&](std::string_view module) {
      const auto [at, is_new] = out.try_emplace(std::string(name.folder).append(module), final_forms{name.rank, false});
      at->second.best = std::min(at->second.best, name.rank);
      at->second.has_text = at->second.has_text || !without_compression(file).ends_with(".pb");
    };
    add(name.module);
    if (const std::string_view undated = without_timestamp(name.module); undated.size() != name.module.size())
      add(undated);
  }
  return out;
}
// Whether there is a final form of the module of this name, `module_0001.jit_f.cpu` for `module_0001.jit_f`, too.
bool has_final(const std::string& module, const std::map<std::string, final_forms>& forms) {
  const auto found = forms.lower_bound(module);
  return found != forms.end() && (found->first == module || found->first.starts_with(module + '.'));
}
// Whether a better form of the same module is there, so that this one need not be read. Without texts, libtpu's message
// of what it optimized has the buffers of the one after code generation.
bool repeats_final(const dump_file_name& name, const std::map<std::string, final_forms>& forms) {
  if (!is_final(name)) return false;
  const final_forms& of = forms.at(std::string(name.folder).append(name.module));
  return of.best < name.rank && (of.has_text || name.role == dump_role::copy);
}
// Whether the module that a fusion is from is there: `module_0001.jit_f.cpu` for `module_0001.jit_f.fusion.3`.
bool is_beside_its_module(const dump_file_name& name, const std::map<std::string, final_forms>& forms) {
  for (std::size_t end = name.module.rfind('.'); end != std::string_view::npos && end > 0;
       end = name.module.rfind('.', end - 1)) {
    if (has_final(std::string(name.folder).append(name.module.substr(0, end)), forms))
      return module_name_of(name.module.substr(0, end)) != name.module.substr(0, end);
  }
  return false;
}

// The files with modules before optimization whose final module is among the files, too.
std::unordered_set<std::string> stages_before_final(const std::vector<std::string>& files) {
  std::map<std::string_view, std::vector<const std::string*>> before;  // by path without stage and compression
  for (const std::string& file : files)
    if (const std::string_view stem = unoptimized_stem(without_compression(file)); !stem.empty())
      before[stem].push_back(&file);
  std::unordered_set<std::string> out;
  for (const std::string& file : files) {
    const std::string_view path = without_compression(file);
    if (before.empty() || !must_have_content(file) || is_beside_hlo(file)) continue;
    find_unoptimized_stem(path, [&](std::string_view stem) {
      const auto found = before.find(stem);
      if (found == before.end()) return false;
      for (const std::string* const earlier : found->second) out.insert(*earlier);
      return true;
    });
  }
  return out;
}

}  // namespace

bool is_left_out(const std::string& path, const parsed_file& content) {
  return is_other(dump_file_of(without_compression(path))) ||
         (content.kind == input_kind::unknown && !must_have_content(path));
}

input_plan plan_inputs(const std::vector<std::string>& paths, const reading_options& how) {
  input_plan out;
  std::error_code error;
  // Without links, a file lies in its folder. Folders are looked up once, since that takes a system call for each part
  // of a path.
  std::unordered_map<std::string, std::string> canonical_folders;
  const auto canonical = [&](const std::string& path) {
    const fs::path found = fs::canonical(path, error);
    return error ? path : found.string();
  };
  const auto same_for_all_names = [&](const std::string& path) {
    if (fs::is_symlink(path, error)) return canonical(path);
    const std::size_t name = path.rfind('/') + 1;
    const auto [at, is_new] = canonical_folders.try_emplace(name == 0 ? "." : path.substr(0, name));
    if (is_new) at->second = canonical(at->first);
    return (fs::path(at->second) / path.substr(name)).string();
  };
  std::unordered_set<std::string> named, taken;
  const auto is_packed = [&](const std::string& path) { return how.packed && how.packed->holds(path); };
  for (const std::string& path : paths)
    if (!fs::is_directory(path, error) && !is_packed(path)) named.insert(same_for_all_names(path));

  for (const std::string& path : paths) {
    if (!fs::is_directory(path, error) && !is_packed(path)) {
      if (taken.insert(same_for_all_names(path)).second) out.candidates.push_back({path, std::nullopt});
      continue;
    }
    input_plan::folder& here = out.folders.emplace_back();
    here.path = path;
    const std::size_t problems_before = out.problems.size();
    here.packed = is_packed(path);
    std::vector<std::string> files;
    if (here.packed) {
      for (const std::string& output : how.outputs)
        if (is_same_file(path, output)) throw overwrites_input(output, path);
      files = how.packed->files_of(path);
      for (const diagnostic& problem : how.packed->problems_of(path)) out.problems.push_back(problem);
      // The log around printed dumps may have messages.
      if (const auto log = how.packed->find(path); log && kind_of_parts(*log) != input_kind::unknown)
        out.candidates.push_back({path, std::nullopt});
    } else {
      files = files_of(path, out.problems);
    }
    const std::map<std::string, final_forms> forms = final_forms_in(files);
    std::unordered_set<std::string> wanted_earlier, snapshots;  // by path; by folder and module
    if (how.stages == module_stages::last_and_before_optimizing) wanted_earlier = stages_before_final(files);
    for (const std::string& file : files) {
      const std::string same = same_for_all_names(file);
      if (named.count(same) || !taken.insert(same).second) {
        ++here.dumps;
        continue;
      }
      if (how.only_hlo && is_beside_hlo(file)) {
        ++here.dumps, ++out.ignored;
        continue;
      }
      const dump_file_name name = dump_file_of(without_compression(file));
      if (is_other(name) || (name.role == dump_role::piece && is_beside_its_module(name, forms))) {
        here.without_program.push_back(file);
        ++out.ignored;
        continue;
      }
      // Each execution writes a snapshot with the same module.
      const std::string module = std::string(name.folder).append(name.module);
      if (repeats_final(name, forms) ||
          (name.role == dump_role::snapshot && (has_final(module, forms) || !snapshots.insert(module).second))) {
        ++here.dumps, ++out.ignored;
        continue;
      }
      const bool earlier = name.role == dump_role::stage && wanted_earlier.count(file) == 0;
      if (earlier || (is_compressed_binary(file) && !must_have_content(file))) {
        if (earlier) here.earlier_stages.push_back(file), ++here.dumps;  // unwanted, but still dumps
        ++out.ignored;
        continue;
      }
      out.candidates.push_back({file, out.folders.size() - 1});
    }
    here.has_problems = out.problems.size() > problems_before;
  }
  return out;
}

std::vector<std::vector<std::size_t>> independent_inputs(const input_plan& plan) {
  struct module_files {
    std::vector<std::size_t> files;
    bool hlo = false, buffers = false;
  };
  std::map<std::string_view, module_files> modules;  // by path up to the number
  for (std::size_t i = 0; i < plan.candidates.size(); ++i) {
    if (!plan.candidates[i].folder) return {};
    const std::string_view path = plan.candidates[i].path;
    const std::optional<std::string_view> rest = after_module_number(path.substr(path.rfind('/') + 1));
    if (!rest) continue;
    module_files& m = modules[path.substr(0, path.size() - rest->size())];
    m.files.push_back(i);
    m.hlo = m.hlo || (must_have_content(plan.candidates[i].path) && !is_beside_hlo(plan.candidates[i].path));
    m.buffers = m.buffers || is_beside_hlo(plan.candidates[i].path);
  }
  std::vector<std::vector<std::size_t>> out;
  for (auto& [path, m] : modules) {
    if (m.buffers && !m.hlo) return {};  // these buffers may belong to any HLO
    out.push_back(std::move(m.files));
  }
  std::sort(out.begin(), out.end());
  return out.size() > 1 ? out : std::vector<std::vector<std::size_t>>{};
}

std::vector<std::optional<input>> read_candidates(const input_plan& plan, const std::vector<std::size_t>& which,
                                                  const reading_options& how, const std::function<void()>& done) {
  std::vector<std::optional<input>> out(which.size());
  for_each_index(which.size(), how.jobs, [&](std::size_t i) {
    const input_plan::candidate& from = plan.candidates[which[i]];
    read_file read = how.read(from.path, how.max_size);
    if (!from.folder || read.is_dump || must_have_content(from.path)) {
      for (const std::string& output : how.outputs)
        if (is_same_file(from.path, output)) throw overwrites_input(output, from.path);
      out[i] = input{std::string(without_compression(from.path)), std::move(read.content), !from.folder};
    }
    done();
  });
  return out;
}

void add_read(input_plan& plan, std::vector<std::optional<input>>&& read, const std::vector<std::size_t>& which,
              inputs& out) {
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::optional<std::size_t> folder = plan.candidates[which[i]].folder;
    if (!read[i]) {
      ++plan.ignored;
      continue;
    }
    if (folder) ++plan.folders[*folder].dumps;
    out.files.push_back(std::move(*read[i]));
  }
}

void finish_inputs(input_plan&& plan, inputs& out) {
  out.ignored = plan.ignored;
  out.problems = std::move(plan.problems);
  for (input_plan::folder& here : plan.folders) {
    if (here.dumps > 0 && here.dumps == here.earlier_stages.size())
      out.unfinished.push_back(std::move(here.earlier_stages));
    if (here.dumps == 0 && !here.without_program.empty())
      out.unfinished.push_back(std::move(here.without_program));
    else if (here.dumps == 0 && !here.has_problems)
      out.problems.push_back(
          unreadable(here.path, here.packed ? "no dump of XLA in this archive" : "no dump of XLA in this folder"));
  }
}

inputs read_inputs(const std::vector<std::string>& paths, const reading_options& how) {
  input_plan plan = plan_inputs(paths, how);
  std::vector<std::size_t> all(plan.candidates.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  progress_bar bar("reading", how.shows_bar ? all.size() : 0);
  inputs out;
  add_read(plan, read_candidates(plan, all, how, [&] { bar.step(); }), all, out);
  finish_inputs(std::move(plan), out);
  return out;
}

}  // namespace hlolint::command
