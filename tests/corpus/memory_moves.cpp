// The memory rules on dumps that XLA wrote: silent on all of them, and on the seeds every single move of a value onto
// one that lives at the same time is found.
#include "corpus.hpp"

#include "all_settings.hpp"
#include "checks/memory_fixtures.hpp"

#include <hlolint/checks/memory/overlapping_live_buffers.hpp>
#include <hlolint/checks/memory/partial_overlap_in_place.hpp>
#include <hlolint/checks/memory/touching_not_shareable.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr auto memory_rules = overlapping_live_buffers{} | touching_not_shareable{} | partial_overlap_in_place{};

parsed_file read(const std::filesystem::path& path) {
  loaded_file loaded = load_file(path.string());
  REQUIRE(loaded.text);
  return parse(*loaded.text);
}

parsed_file seed(const std::string& number) {
  for (const auto& entry : std::filesystem::directory_iterator(corpus() / "seeds"))
    if (entry.path().filename().string().rfind(number, 0) == 0) return read(entry.path());
  FAIL("no seed " << number);
  return {};
}

}  // namespace

TEST_CASE("every move in the seeds") {
  struct row {
    const char* buffers;
    const char* hlo;
    target backend;
    int moves;
  };
  for (const row& r : {row{"000", nullptr, target::tpu, 620}, row{"000", "001", target::tpu, 620},
                       row{"002", nullptr, target::tpu, 10}, row{"003", nullptr, target::gpu, 178}}) {
    CAPTURE(r.buffers);
    const parsed_file file = seed(r.buffers);
    REQUIRE(file.buffers);
    CHECK(target_of_buffers(*file.buffers) == r.backend);
    const parsed_file hlo = r.hlo ? seed(r.hlo) : parsed_file{};
    context::parts parts;
    parts.buffers = *file.buffers;
    if (r.hlo) parts.hlo = hlo.modules().at(0);
    parts.target = r.backend;
    CHECK(lint(memory_rules, context(parts), all_settings(memory_rules)).empty());
    const move_counts counts =
        try_all_moves(memory_rules, *file.buffers, r.hlo ? &hlo.modules()[0] : nullptr, r.backend);
    CHECK(counts.missed == std::vector<std::string>{});
    CHECK(counts.moves == r.moves);
    CHECK(counts.errors == r.moves);
  }
}

TEST_CASE("silent on what XLA wrote") {
  std::map<std::string, std::vector<parsed_file>> folders;  // the files of one module
  for (const char* const part : {"pairs", "real"}) {
    if (!std::filesystem::exists(corpus() / part)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus() / part)) {
      const std::string name = entry.path().filename().string();
      const file_stem stem = file_stem_of(name);
      if (!entry.is_regular_file() ||
          !(stem.ending.starts_with("-buffer-assignment") || stem.ending == "-live-range.txt"))
        continue;
      folders[(entry.path().parent_path() / stem.stem).string()].push_back(read(entry.path()));
    }
  }
  std::size_t modules = 0, notes = 0;
  for (const auto& folder : folders) {
    const std::vector<parsed_file>& files = folder.second;
    CAPTURE(folder.first);
    const findings found = lint(memory_rules, files);
    CHECK(found.empty());
    ++modules;
    std::vector<buffer_dump> parts;
    for (const parsed_file& file : files)
      if (file.buffers) parts.push_back(*file.buffers);
    if (!parts.empty()) notes += lint(memory_rules, context(join(parts)), all_settings(memory_rules)).size();
  }
  MESSAGE(modules << " modules, " << notes << " notes");
  CHECK(notes * 200 <= modules);  // a touch that only the HLO explains is rare
}
