// Errors on the corpus, both ways: each one found is listed in known_findings.tsv with the reason why it is right, and
// each one listed is found.
#include "all_settings.hpp"
#include "corpus.hpp"
#include "programs.hpp"

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/checks/all.hpp>
#include <hlolint/tool/checks/budget/out_of_memory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

/// File (from the corpus folder on), rule, instruction.
using place = std::tuple<std::string, std::string, std::string>;

}  // namespace

const auto known_rules = checks(all, out_of_memory{});

TEST_CASE("errors on the corpus are known, and known errors are found") {
  std::set<place> known, found;
  for (const auto& row : table(std::filesystem::path(HLOLINT_TEST_DATA) / "../known_findings.tsv", 4)) {
    CHECK_FALSE(row[3].empty());  // a reason
    CHECK(known.emplace(row[0], row[1], row[2]).second);
  }
  std::size_t modules = 0;
  std::map<std::string, std::array<std::size_t, 3>> counts;  // by rule: notes, warnings, errors
  for (const auto& files : programs()) {
    const std::vector<parsed_file> parsed = parsed_files(files);
    std::vector<input_file> inputs;
    for (const parsed_file& file : parsed) inputs.push_back({file.text.path(), &file, true});
    for (const module_group& group : pair_files(inputs).groups) {
      ++modules;
      for (const diagnostic& d : lint(known_rules, context(parts_of(group, inputs)), all_settings(known_rules))) {
        ++counts[d.rule][static_cast<std::size_t>(d.level)];
        if (d.level != severity::error) continue;
        const std::string file = std::filesystem::relative(std::string(d.where.in.path()), corpus()).generic_string();
        found.emplace(file, d.rule, d.instruction);
        INFO(file, ": ", d.rule, " ", d.instruction, ": ", d.message);
        CHECK(known.count({file, d.rule, d.instruction}) == 1);
      }
    }
  }
  for (const place& expected : known) {
    INFO(std::get<0>(expected), ": ", std::get<1>(expected), " ", std::get<2>(expected));
    CHECK(found.count(expected) == 1);
  }
  REQUIRE(modules > 0);
  std::size_t explained = 0;
  for (const place& p : found) explained += known.count(p);
  std::cout << "known errors: " << explained << " of " << found.size() << " found in " << modules << " modules\n";
  for (const auto& [rule, by_level] : counts)
    std::cout << "  " << rule << ": errors " << by_level[2] << ", warnings " << by_level[1] << ", notes " << by_level[0]
              << '\n';
}
