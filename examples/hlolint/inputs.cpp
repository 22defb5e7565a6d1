#include "inputs.hpp"

#include "decompress.hpp"
#include "output_file.hpp"
#include "parallel.hpp"
#include "read_file.hpp"

#include <hlolint/lint/inputs/file_stem.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace {

namespace fs = std::filesystem;
using namespace hlolint;

// Files that XLA never leaves empty, by their names.
bool must_have_content(const std::string& path) {
  const file_stem name = file_stem_of(without_compression(path));
  return name.ending == "-buffer-assignment.txt" ||
         (name.ending == ".txt" && name.stem.ends_with("after_optimizations"));
}

// A dump that is not HLO, by its name: `-buffer-assignment.txt`, `.thunk_sequence.txt` and the like.
bool is_beside_hlo(const std::string& path) {
  const std::string_view ending = file_stem_of(without_compression(path)).ending;
  return ending.ends_with(".txt") && ending.find_first_of("-_") != std::string_view::npos;
}

// A compressed file that holds something else than text, by its name.
bool is_compressed_binary(const std::string& path) {
  const std::string_view inside = without_compression(path);
  return inside.size() != path.size() && !inside.ends_with(".txt");
}

// The files of a folder and of those in it, by name. Folders that cannot be opened become problems.
std::vector<std::string> files_of(const std::string& folder, std::vector<diagnostic>& problems) {
  std::vector<std::string> files;
  std::vector<fs::path> folders{folder};
  while (!folders.empty()) {
    const fs::path at = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    for (fs::directory_iterator entry(at, error), end; !error && entry != end; entry.increment(error)) {
      std::error_code gone;  // an entry that cannot be inspected is read as a file, and then there is a message
      if (entry->is_directory(gone)) {
        if (!entry->is_symlink(gone)) folders.push_back(entry->path());  // a link might lead round in circles
      } else if (gone || entry->is_regular_file(gone) || (entry->is_symlink(gone) && !entry->exists(gone))) {
        files.push_back(entry->path().string());
      }
    }
    if (error) problems.push_back(unreadable(at.string(), "cannot be read: " + error.message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Of these files the ones that hold modules before optimization, and that have a final module among them too.
std::unordered_set<std::string> stages_before_final(const std::vector<std::string>& files) {
  std::map<std::string_view, std::vector<const std::string*>> before;  // by path without stage; compressed or not
  for (const std::string& file : files)
    if (const std::string_view stem = unoptimized_stem(without_compression(file)); !stem.empty())
      before[stem].push_back(&file);
  std::unordered_set<std::string> out;
  for (const std::string& file : files) {
    const std::string_view path = without_compression(file);
    if (before.empty() || !must_have_content(file) || file_stem_of(path).ending != ".txt") continue;
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

inputs read_inputs(const std::vector<std::string>& paths, const reading_options& how) {
  inputs out;
  std::error_code error;
  const auto same_for_all_names = [&](const std::string& path) {
    const fs::path canonical = fs::canonical(path, error);
    return error ? path : canonical.string();
  };
  std::unordered_set<std::string> named, taken;
  for (const std::string& path : paths)
    if (!fs::is_directory(path, error)) named.insert(same_for_all_names(path));

  // What to read, and what is known of each folder before anything is read.
  struct candidate {
    std::string path;
    std::optional<std::size_t> folder;
  };
  struct folder {
    std::string path;
    std::size_t dumps = 0;
    std::vector<std::string> earlier_stages;
    bool has_problems = false;
  };
  std::vector<candidate> candidates;
  std::vector<folder> folders;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path, error)) {
      if (taken.insert(same_for_all_names(path)).second) candidates.push_back({path, std::nullopt});
      continue;
    }
    folder& here = folders.emplace_back();
    here.path = path;
    const std::size_t problems_before = out.problems.size();
    const std::vector<std::string> files = files_of(path, out.problems);
    std::unordered_set<std::string> wanted_earlier;
    if (how.stages == module_stages::last_and_before_optimizing) wanted_earlier = stages_before_final(files);
    for (const std::string& file : files) {
      const std::string canonical = same_for_all_names(file);
      if (named.count(canonical) || !taken.insert(canonical).second) {
        ++here.dumps;
        continue;
      }
      if (how.only_hlo && is_beside_hlo(file)) {
        ++here.dumps, ++out.ignored;
        continue;
      }
      const bool earlier = is_earlier_stage(without_compression(file)) && wanted_earlier.count(file) == 0;
      if (earlier || (is_compressed_binary(file) && !must_have_content(file))) {
        if (earlier) here.earlier_stages.push_back(file), ++here.dumps;  // not wanted, but dumps
        ++out.ignored;
        continue;
      }
      candidates.push_back({file, folders.size() - 1});
    }
    here.has_problems = out.problems.size() > problems_before;
  }

  std::vector<read_file> readings(candidates.size());
  progress_bar bar("reading", how.shows_bar ? candidates.size() : 0);
  for_each_index(candidates.size(), how.jobs, [&](std::size_t i) {
    const std::string& from = candidates[i].path;
    const bool known = how.at_hand && how.at_hand->contains(from);
    readings[i] = known ? read_file{how.at_hand->at(from), true} : read_input(from, how.max_size);
    bar.step();
  });

  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const candidate& from = candidates[i];
    if (from.folder && !readings[i].is_dump && !must_have_content(from.path)) {
      ++out.ignored;
      continue;
    }
    if (from.folder) ++folders[*from.folder].dumps;
    for (const std::string& output : how.outputs)
      if (is_same_file(from.path, output)) throw overwrites_input(output, from.path);
    out.files.push_back({std::string(without_compression(from.path)), std::move(readings[i].content), !from.folder});
  }
  for (folder& here : folders) {
    if (here.dumps > 0 && here.dumps == here.earlier_stages.size())
      out.unfinished.push_back(std::move(here.earlier_stages));
    if (here.dumps == 0 && !here.has_problems)
      out.problems.push_back(unreadable(here.path, "no dump of XLA in this folder"));
  }
  return out;
}
