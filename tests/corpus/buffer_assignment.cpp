// The assignment made from the HLO alone against the one that XLA made.
#include "corpus.hpp"

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace hlolint;
namespace fs = std::filesystem;

namespace {

// XLA's own tests assign without a back-end, whatever their files are called.
assignment_rules rules_of(const buffer_dump& dump, const std::string& path, bool real) {
  const target backend = real ? target_of_file_name(path) : target::unknown;
  assignment_rules out = assignment_rules::of(backend, date_of(dump));
  if (backend != target::unknown) return out;
  out.alignment = 256;
  if (choose_size_rule(dump) == size_rule::tpu_tiled) out.sizes = size_rule::tpu_tiled;
  return out;
}

struct agreement {
  bool total = false, sizes = false, places = false;
};
agreement agreement_of(const hlo_module& module, const buffer_dump& dump, const assignment_rules& rules) {
  const buffer_assignment made(module, rules);
  const buffer_plan plan = made.plan(flat_schedule::ids_in(module, flat_schedule::printed_order(module, &dump)));
  agreement out;
  byte_count total = 0;
  std::vector<byte_count> sizes, own;
  for (const allocation& a : dump.allocations()) total += a.size, sizes.push_back(a.size);
  for (const planned_allocation& a : plan.allocations) own.push_back(a.size);
  out.total = total == plan.total, out.sizes = sizes == own;
  const instruction_names names(module);
  std::map<std::tuple<std::string, shape_index>, std::tuple<std::int64_t, byte_count, byte_count>> there, here;
  for (const assigned_value& v : dump.values())
    there[{std::string(v.name.instruction), v.name.at()}] = {v.allocation, v.offset, v.size};
  for (std::size_t v = 0; v < plan.values.size(); ++v) {
    const planned_value& p = plan.values[v];
    const hlo_value& value = made.flow().values()[v];
    if (p.allocation != none)
      here[{std::string(names.of(made.flow().instruction(value))), made.flow().index(value.defined)}] = {
          p.allocation, p.offset, p.size};
  }
  out.places = there == here;
  return out;
}

}  // namespace

TEST_CASE("buffers, assigned from the HLO alone and by XLA") {
  struct expected {
    const char* part;
    std::size_t total, sizes, places;  // at least
  };
  for (const expected& least : {expected{"pairs/xla2025", 402, 402, 402}, expected{"pairs/xla2026", 412, 412, 412},
                                expected{"pairs/real", 130, 127, 119}}) {
    std::map<fs::path, std::vector<fs::path>> folders;
    for (const auto& entry : fs::recursive_directory_iterator(corpus() / least.part))
      if (entry.is_regular_file()) folders[entry.path().parent_path()].push_back(entry.path());
    std::size_t total = 0, sizes = 0, places = 0, count = 0;
    const bool real = std::string(least.part) == "pairs/real";
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
        if (!group.hlo || !group.buffers || !group.buffers->has_assignment()) continue;
        const std::string path = files[group.files.front()].path;
        const agreement found = agreement_of(*group.hlo, *group.buffers, rules_of(*group.buffers, path, real));
        ++count, total += found.total, sizes += found.sizes, places += found.places;
        if (found.total && found.places) continue;
        std::cout << "  " << (found.total ? "places" : "total") << ": " << path << "\n";
      }
    }
    std::cout << least.part << ": " << count << " modules, equal totals " << total << ", sizes " << sizes
              << ", places of all values " << places << '\n';
    CHECK(total >= least.total);
    CHECK(sizes >= least.sizes);
    CHECK(places >= least.places);
  }
}
