// How near the estimate of temporary memory from the HLO alone comes to what XLA assigned.
#include "corpus.hpp"

#include <hlolint/analysis/buffers/estimated_buffers.hpp>
#include <hlolint/analysis/buffers/resident_memory.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
namespace fs = std::filesystem;

TEST_CASE("temporary memory, estimated from the HLO and as XLA assigned it") {
  std::map<std::string, std::vector<std::pair<double, std::string>>> errors;  // by target: share of XLA's, and the file
  std::map<std::string, std::size_t> too_small;
  for (const char* const part : {"pairs/real", "pairs/xla2025", "pairs/xla2026"}) {
    std::map<fs::path, std::vector<fs::path>> folders;
    for (const auto& entry : fs::recursive_directory_iterator(corpus() / part))
      if (entry.is_regular_file()) folders[entry.path().parent_path()].push_back(entry.path());
    for (auto& [folder, paths] : folders) {
      std::sort(paths.begin(), paths.end());
      std::vector<parsed_file> contents;
      contents.reserve(paths.size());
      std::vector<input_file> files;
      for (const fs::path& path : paths) {
        const loaded_file loaded = load_file(path.string());
        if (!loaded.text) continue;
        contents.push_back(parse(*loaded.text));
        files.push_back({path.string(), &contents.back(), false});
      }
      for (const module_group& group : pair_files(files).groups) {
        if (!group.hlo || !group.buffers || !group.buffers->has_assignment() || !group.hlo->is_scheduled()) continue;
        const context::parts parts = parts_of(group, files);
        const byte_count real = memory_need(*group.buffers).temporaries;
        const byte_count estimate = memory_need(estimated_buffers(*group.hlo, parts.target)).temporaries;
        const std::string name = std::string(part) + " " + std::string(name_of(parts.target));
        if (real < 64 * 1024) {
          ++too_small[name];  // alignment is most of it
          continue;
        }
        errors[name].emplace_back(static_cast<double>(estimate) / static_cast<double>(real) - 1,
                                  files[group.files.front()].path);
      }
    }
  }
  for (auto& [name, list] : errors) {
    std::sort(list.begin(), list.end(),
              [](const auto& a, const auto& b) { return std::abs(a.first) < std::abs(b.first); });
    const auto within = [&](double most) {
      return static_cast<double>(
                 std::count_if(list.begin(), list.end(), [&](const auto& e) { return std::abs(e.first) <= most; })) /
             static_cast<double>(list.size());
    };
    const double median = std::abs(list[list.size() / 2].first);
    std::cout << name << ": " << list.size() << " modules (" << too_small[name]
              << " with less than 64 KiB left out), median error " << 100 * median
              << " %, within 10 %: " << 100 * within(0.10) << " %, within 25 %: " << 100 * within(0.25) << " %\n";
    for (const auto& [error, file] : list)
      if (std::abs(error) > 0.25) std::cout << "  " << 100 * error << " %: " << file << '\n';
    CHECK(median <= 0.03);
    CHECK(within(0.10) >= 0.9);
  }
  CHECK_FALSE(errors.empty());
}
