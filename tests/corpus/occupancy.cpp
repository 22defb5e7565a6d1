// Peaks, packing bounds and repacking on dumps that XLA wrote: the known numbers (buffer_dumps.md 9), what holds for
// all, and what could be saved.
#include "corpus.hpp"

#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/tool/memory/memory_profile.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

namespace fs = std::filesystem;

parsed_file read(const fs::path& path) {
  const loaded_file loaded = load_file(path.string());
  REQUIRE(loaded.text);
  return parse(*loaded.text);
}

buffer_dump seed(const std::string& number) {
  for (const auto& entry : fs::directory_iterator(corpus() / "seeds"))
    if (entry.path().filename().string().starts_with(number)) return *read(entry.path()).buffers;
  FAIL("no seed " << number);
  return {};
}

struct sums {
  std::size_t modules = 0, allocations = 0, blocks = 0, at_bound = 0, repacked_at_bound = 0, smaller = 0;
  std::size_t bound_too_large = 0, repacked_too_large = 0, apart = 0;
  byte_count bytes = 0, bound = 0, from_dump = 0, from_hlo = 0;
};

// Whether possible_alias_sets keeps together what XLA must keep together.
void count_apart(const hlo_module& module, const buffer_dump& dump, sums& out) {
  const alias_sets sets(module, dump);
  const named_values names(sets.flow());
  const std::vector<std::uint32_t> possible = possible_alias_sets(value_table(dump));
  std::map<std::uint32_t, std::uint32_t> of_set;
  for (std::size_t i = 0; i < dump.values().size(); ++i) {
    const value_name& name = dump.values()[i].name;
    const auto value = names.value(name.instruction, name.at());
    if (value && dump.values()[i].size > 0)
      out.apart += of_set.emplace(sets.set_of(*value), possible[i]).first->second != possible[i];
  }
}

void count(const std::optional<hlo_module>& hlo, const buffer_dump& dump, sums& out) {
  ++out.modules;
  const memory_profile alone(dump);
  std::optional<memory_profile> paired;
  if (hlo) paired.emplace(*hlo, dump), count_apart(*hlo, dump, out);
  for (std::size_t a = 0; a < dump.allocations().size(); ++a) {
    const allocation& in = dump.allocations()[a];
    const packed_allocation* const packed = alone.packing.of_allocation(a);
    ++out.allocations;
    out.bound_too_large += packed && (packed->bound > in.size || packed->gaps() < 0 || packed->covered < packed->bound);
    if (!in.preallocated_temp || !packed) continue;
    const byte_count from_dump = alone.packed.of_allocation(a)->size;
    const byte_count from_hlo = paired ? paired->packed.of_allocation(a)->size : from_dump;
    ++out.blocks;
    out.bytes += in.size, out.bound += packed->bound, out.from_dump += from_dump, out.from_hlo += from_hlo;
    out.at_bound += in.size == packed->bound;
    out.repacked_at_bound += from_hlo == packed->bound;
    out.smaller += from_hlo < in.size;
    for (const byte_count size : {from_dump, from_hlo})
      out.repacked_too_large += size > in.size || size < packed->bound;
  }
}

// The files of one folder and stem are one module's.
sums sums_of(const fs::path& folder) {
  std::map<std::string, std::vector<parsed_file>> modules;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".txt") continue;
    const std::string path = entry.path().string();
    const file_stem name = file_stem_of(path);
    modules[std::string(name.folder) + "/" + std::string(name.stem)].push_back(read(entry.path()));
  }
  sums out;
  for (const auto& entry : modules) {
    const std::vector<parsed_file>& files = entry.second;
    CAPTURE(entry.first);
    std::vector<input_file> inputs;
    for (const parsed_file& file : files) inputs.push_back({file.text.path(), &file});
    const paired_files paired = pair_files(inputs);
    for (const module_group& group : paired.groups)
      if (group.buffers && group.buffers->has_assignment() && group.buffers->live_ranges())
        count(group.hlo, *group.buffers, out);
  }
  return out;
}

}  // namespace

TEST_CASE("the known peaks and bounds of the seeds") {
  using ranges = std::vector<position_range>;
  struct peak_row {
    const char* number;
    byte_count bytes;
    ranges positions;
  };
  for (const peak_row& r : {peak_row{"000", 2709520384, {{78, 78}}}, peak_row{"002", 297796132, {{9, 9}}},
                            peak_row{"003", 1092637220, {{158, 163}, {165, 166}}}}) {
    CAPTURE(r.number);
    const occupancy in_use(seed(r.number));
    CHECK(in_use.total().peak() == r.bytes);
    CHECK(in_use.total().peak_positions() == r.positions);
  }
  struct bound_row {
    const char* number;
    std::size_t allocation;
    byte_count size, bound;
    std::int64_t at;
    byte_count slack, never_covered;
  };
  for (const bound_row& r :
       {bound_row{"000", 6, 2114011136, 2113929408, 59, 81728, 81568}, bound_row{"000", 7, 58720256, 58720256, 5, 0, 0},
        bound_row{"000", 8, 52, 52, 40, 0, 0}, bound_row{"000", 9, 4096, 4096, 8, 0, 0},
        bound_row{"002", 10, 49184, 544, 12, 48640, 48576}, bound_row{"002", 11, 8, 8, 6, 0, 0},
        bound_row{"002", 12, 90177536, 90177536, 7, 0, 0}, bound_row{"003", 53, 985504, 851968, 126, 133536, 2128}}) {
    CAPTURE(r.number);
    CAPTURE(r.allocation);
    const packing_bound bounds(seed(r.number));
    const packed_allocation* const found = bounds.of_allocation(r.allocation);
    REQUIRE(found);
    CHECK(found->size == r.size);
    CHECK(found->bound == r.bound);
    CHECK(found->position == r.at);
    CHECK(found->slack() == r.slack);
    CHECK(found->gaps() == r.never_covered);
  }
}

TEST_CASE("bounds hold and repacking never costs, on every dump; what it saves") {
  std::printf("%-14s %7s %6s %15s %15s %15s %15s %8s\n", "temporary", "modules", "blocks", "XLA's bytes", "bound",
              "repacked: dump", "dump and HLO", "smaller");
  for (const char* const set : {"seeds", "pairs/real", "pairs/xla2025", "pairs/xla2026", "real/buffers"}) {
    if (!fs::exists(corpus() / set)) continue;
    CAPTURE(set);
    const sums s = sums_of(corpus() / set);
    std::printf("%-14s %7zu %6zu %15lld %15lld %15lld %15lld %8zu\n", set, s.modules, s.blocks,
                static_cast<long long>(s.bytes), static_cast<long long>(s.bound), static_cast<long long>(s.from_dump),
                static_cast<long long>(s.from_hlo), s.smaller);
    std::cout << "  at the bound: " << s.at_bound << " of " << s.blocks << ", repacked " << s.repacked_at_bound
              << " of " << s.blocks << "; bound not above the allocation: " << s.allocations - s.bound_too_large
              << " of " << s.allocations << std::endl;
    CHECK(s.modules > 0);
    CHECK(s.bound_too_large == 0);
    CHECK(s.repacked_too_large == 0);
    CHECK(s.apart == 0);
    if (set == std::string("pairs/real")) {
      CHECK(s.bytes == 55923119388);
      CHECK(s.bound == 55656985729);
      CHECK(s.blocks == 82);
      CHECK(s.at_bound == 13);
    }
  }
}
