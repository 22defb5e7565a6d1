// The programs of the corpus: which of its files belong together.
#pragma once

#include "corpus.hpp"

#include <hlolint/text/file.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What belongs together: the files of a folder below `pairs`, the texts of a twin, and of the seeds the two that are
/// one module; else each file by itself. Of XLA's tests those that XLA itself reads.
inline std::vector<std::vector<std::string>> programs() {
  std::map<std::string, std::string> verdicts;
  for (const auto& row : table(corpus() / "xla_verdicts.tsv", 2)) verdicts[row[0]] = row[1];
  std::map<std::string, std::vector<std::string>> together;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus())) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || extension == ".tsv" || extension == ".md" || extension == ".pb") continue;
    const std::string file = std::filesystem::relative(entry.path(), corpus()).generic_string();
    if (file.rfind("profiles/", 0) == 0) continue;  // measured, not compiled
    if (file.rfind("xla_tests/", 0) == 0 && verdicts[file] != "ok") continue;
    std::string key = file.rfind("pairs/", 0) == 0 ? entry.path().parent_path().string() : file;
    if (file.rfind("twins/", 0) == 0)  // NAME.txt and, of some, NAME.dump.txt and NAME.buffer-assignment.txt
      for (const std::string_view ending : {".dump.txt", ".buffer-assignment.txt", ".txt"})
        if (key.ends_with(ending)) {
          key.resize(key.size() - ending.size());
          break;
        }
    if (file.rfind("seeds/001", 0) == 0) key = "seeds/000";
    if (file.rfind("seeds/000", 0) == 0) key = "seeds/000";
    together[key].push_back(file);
  }
  std::vector<std::vector<std::string>> out;
  for (auto& [key, files] : together) {
    std::sort(files.begin(), files.end());
    out.push_back(std::move(files));
  }
  return out;
}

/// The files, by their names in the corpus, parsed as the command does: some are logs.
inline std::vector<hlolint::parsed_file> parsed_files(const std::vector<std::string>& files) {
  std::vector<hlolint::parsed_file> out;
  for (const std::string& file : files) {
    const hlolint::loaded_file loaded = hlolint::load_file((corpus() / file).string());
    if (!loaded.text) throw std::runtime_error(file + ": " + loaded.error);
    out.push_back(hlolint::parse_parts(*loaded.text));
  }
  return out;
}
