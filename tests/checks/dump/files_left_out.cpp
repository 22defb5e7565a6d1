// Without some of the files of a sound dump no rule reports more than notes: what is missing is no fault.
#include "all_settings.hpp"

#include <hlolint/checks/all.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace hlolint;

namespace {

/// Level, rule and instruction of the errors and warnings.
using reported = std::set<std::tuple<severity, std::string, std::string>>;

reported reported_on(const std::vector<parsed_file>& files) {
  std::vector<input_file> inputs;
  for (const parsed_file& file : files) inputs.push_back({std::string(file.text.path()), &file, false});
  reported out;
  const auto rules = checks(all);
  for (const module_group& group : pair_files(inputs).groups)
    for (const diagnostic& found : lint(rules, context(parts_of(group, inputs)), all_settings(rules)))
      if (found.level >= severity::warning) out.emplace(found.level, found.rule, found.instruction);
  return out;
}

std::vector<parsed_file> read(const std::string& stem, const std::vector<std::string>& endings) {
  std::vector<parsed_file> out;
  for (const std::string& ending : endings) {
    const loaded_file loaded = load_file(std::string(HLOLINT_TEST_DATA) + stem + ending);
    REQUIRE(loaded.status == load_status::loaded);
    out.push_back(parse(*loaded.text));
    REQUIRE(out.back().diagnostics.empty());
  }
  return out;
}

void check_subsets(const std::vector<parsed_file>& files) {
  const reported whole = reported_on(files);
  for (std::size_t subset = 1; subset + 1 < std::size_t{1} << files.size(); ++subset) {
    std::vector<parsed_file> some;
    std::string names;
    for (std::size_t i = 0; i < files.size(); ++i)
      if (subset >> i & 1) some.push_back(files[i]), names += std::string(files[i].text.path()) + "\n";
    for (const auto& found : reported_on(some)) {
      INFO(names, std::get<1>(found), " at ", std::get<2>(found));
      CHECK(whole.count(found) == 1);
    }
  }
}

}  // namespace

TEST_CASE("a part of the files of a sound dump has no errors or warnings that the whole has not") {
  // In the short form, whose elements the files name in another order than that of their use, and with the root of a
  // wrapped computation.
  const std::vector<parsed_file> apart =
      read("/apart/module_0003.jit_f.sm_9.0_gpu_after_optimizations",
           {".txt", "-buffer-assignment.txt", "-buffer-assignment-values.txt", "-live-range.txt"});
  CHECK(reported_on(apart).empty());
  check_subsets(apart);
  check_subsets(
      read("/ok/module_0042.jit_train_step.cl_1.", {"after_codegen.txt", "after_optimizations-buffer-assignment.txt"}));
}
