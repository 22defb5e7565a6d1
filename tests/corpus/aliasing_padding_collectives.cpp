// What the rules on aliasing, padding and collectives find in the corpus.
#include "corpus.hpp"

#include <hlolint/checks/aliasing/alias_duplicate.hpp>
#include <hlolint/checks/aliasing/alias_size_mismatch.hpp>
#include <hlolint/checks/aliasing/operand_alias_invalid.hpp>
#include <hlolint/checks/collectives/empty_overlap_window.hpp>
#include <hlolint/checks/collectives/sync_collective.hpp>
#include <hlolint/checks/collectives/thin_overlap_window.hpp>
#include <hlolint/checks/padding/tile_padding.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

using namespace hlolint;

namespace {

const auto four_families =
    alias_size_mismatch{} | alias_duplicate{} | operand_alias_invalid{} | tile_padding{} | sync_collective{};

std::vector<parsed_file> files_in(const std::string& folder, const std::string& beginning = {}) {
  std::vector<parsed_file> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus() / folder)) {
    if (!entry.is_regular_file() || entry.path().filename().string().rfind(beginning, 0) != 0) continue;
    const loaded_file loaded = load_file(entry.path().string());
    REQUIRE(loaded.text);
    out.push_back(parse(*loaded.text));
  }
  return out;
}

}  // namespace

TEST_CASE("seeds: three synchronous collectives and nothing else") {
  std::vector<parsed_file> pair;
  for (const char* const number : {"001", "000"})
    for (const parsed_file& file : files_in("seeds", number)) pair.push_back(file);
  const findings of_tpu = lint(four_families, pair);
  REQUIRE(of_tpu.size() == 1);
  CHECK(of_tpu[0].rule == "COL001");
  CHECK(of_tpu[0].instruction == "all-gather.30");

  const findings of_gpu = lint(four_families, files_in("seeds", "004"));
  REQUIRE(of_gpu.size() == 2);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    CHECK(of_gpu[i].rule == "COL001");
    CHECK(of_gpu[i].message.find("is_sync") != std::string::npos);
  }
  CHECK(of_gpu[0].instruction == "all-to-all-start.1");
  CHECK(of_gpu[1].instruction == "all-to-all-start.15");

  for (const char* const number : {"002", "003"}) CHECK(lint(four_families, files_in("seeds", number)).empty());
}

TEST_CASE("no error on what compilers wrote") {
  std::size_t modules = 0;
  for (const char* const folder : {"pairs", "real"})
    for (const parsed_file& file : files_in(folder)) {
      modules += file.modules().size();
      for (const diagnostic& d : lint(four_families, file)) {
        INFO(d.where.in.path(), ": ", d.message);
        CHECK(d.level != severity::error);
      }
    }
  CHECK(modules > 0);
}

TEST_CASE("seeds: what COL002 and COL003 see without a device, and with one") {
  rule_choice all;
  all.select.emplace_back("ALL");
  const auto list = empty_overlap_window{} | thin_overlap_window{};
  const rule_settings settings = choose_rules(rules_of(list), all).settings;
  const auto found_in = [&](const char* number, std::optional<device> on, const char* rule) {
    std::vector<std::string> names;
    for (const parsed_file& file : files_in("seeds", number))
      for (const hlo_module& module : file.modules()) {
        context::parts parts;
        parts.hlo = module;
        parts.target = target_of_module(module);
        parts.device = on;
        for (const diagnostic& d : lint(list, context(std::move(parts)), settings))
          if (d.rule == rule) names.push_back(d.instruction);
      }
    return names;
  };
  // Between hosts of eight, permutes are the worst; two small ones more are exposed than without a device, where all
  // devices are in one domain.
  const std::vector<std::string> exposed = found_in("004", find_device("h100-sxm"), "COL002");
  CHECK(exposed == std::vector<std::string>{"collective-permute-start.2", "all-to-all-start", "all-to-all-start.2",
                                            "all-to-all-start.3", "collective-permute-start.3", "all-to-all-start.12",
                                            "collective-permute-start.10", "all-to-all-start.13",
                                            "collective-permute-start.8", "collective-permute-start.9",
                                            "reduce-scatter-start.1", "all-reduce-start.3", "all-reduce-start.2"});
  const std::vector<std::string> tight = found_in("004", find_device("h100-sxm"), "COL003");
  for (const char* const name : {"all-gather-start.3", "collective-permute-start.1", "collective-permute-start.5"})
    CHECK(std::count(tight.begin(), tight.end(), name) == 1);
  CHECK(found_in("004", {}, "COL002") == exposed);
  CHECK(found_in("001", {}, "COL002").empty() == false);
}
