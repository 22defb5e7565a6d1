#include "companions.hpp"

#include "decompress.hpp"

#include <hlolint/lint/inputs/file_stem.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint::command {

namespace {

hlolint::dump_file_name name_of(std::string_view path) { return hlolint::dump_file_of(without_compression(path)); }

namespace fs = std::filesystem;

// The files of a folder, which may lie in an archive; `folder` ends in a slash, or it is empty.
std::vector<std::string> files_in(const std::string& folder, const packed_files* packed) {
  std::vector<std::string> out;
  std::error_code error;
  const fs::path at = folder.empty() ? "." : folder;
  for (fs::directory_iterator entry(at, error), end; !error && entry != end; entry.increment(error))
    out.push_back(folder + entry->path().filename().string());
  if (packed && !folder.empty())
    for (std::string& file : packed->files_of(folder.substr(0, folder.size() - 1)))
      if (file.find('/', folder.size()) == file.npos) out.push_back(std::move(file));
  return out;
}

}  // namespace

std::vector<std::string> with_companions(std::vector<std::string> paths, module_stages wanted_stages,
                                         const packed_files* packed) {
  std::set<std::string> folders;
  std::unordered_set<std::string> stems;  // including the folder
  std::unordered_set<std::string> named;  // names without the extension of a compression
  const auto folder_and_stem = [](std::string_view path) {
    const hlolint::dump_file_name name = name_of(path);
    return std::string(name.folder).append(name.module);
  };
  std::error_code error;
  for (const std::string& path : paths)
    if (fs::is_regular_file(path, error) || (packed && packed->find(path))) {
      folders.emplace(name_of(path).folder);
      stems.insert(folder_and_stem(path));
      named.emplace(without_compression(path));
    }

  const bool with_earlier = wanted_stages == module_stages::last_and_before_optimizing;
  std::vector<std::string> found, before;
  for (const std::string& folder : folders) {
    for (const std::string& path : files_in(folder, packed)) {
      const std::string_view name = without_compression(path);
      const hlolint::dump_role role = name_of(path).role;
      if (with_earlier && name.ends_with(".txt") && !hlolint::unoptimized_stem(without_compression(path)).empty())
        before.push_back(path);
      const bool is_named = named.count(std::string(without_compression(path))) > 0;  // perhaps in compressed form
      if (!is_named && stems.count(folder_and_stem(path)) && (name.ends_with(".txt") || name.ends_with(".hlo")) &&
          (role == hlolint::dump_role::program || role == hlolint::dump_role::copy ||
           role == hlolint::dump_role::buffers || role == hlolint::dump_role::unknown))
        found.push_back(path);
    }
  }
  std::sort(found.begin(), found.end());
  paths.insert(paths.end(), found.begin(), found.end());
  std::unordered_set<std::string_view> wanted;  // paths without stages
  for (const std::string& path : paths)
    if (without_compression(path).ends_with(".txt"))
      hlolint::find_unoptimized_stem(without_compression(path),
                                     [&](std::string_view stem) { return wanted.insert(stem), false; });
  std::sort(before.begin(), before.end());
  found.clear();
  for (std::string& path : before)
    if (wanted.count(hlolint::unoptimized_stem(without_compression(path))) > 0) found.push_back(std::move(path));
  paths.insert(paths.end(), found.begin(), found.end());
  return paths;
}

}  // namespace hlolint::command
