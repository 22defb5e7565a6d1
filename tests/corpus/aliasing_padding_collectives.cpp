// What the rules on aliasing, padding and collectives say of the corpus.
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

#include <filesystem>
#include <string>
#include <vector>

using namespace hlolint;

namespace {

const auto checks = alias_size_mismatch{} | alias_duplicate{} | operand_alias_invalid{} | tile_padding{} |
                    sync_collective{} | empty_overlap_window{};

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
  const findings of_tpu = lint(checks, pair);
  REQUIRE(of_tpu.size() == 1);
  CHECK(of_tpu[0].rule == "COL001");
  CHECK(of_tpu[0].instruction == "all-gather.30");

  const findings of_gpu = lint(checks, files_in("seeds", "004"));
  REQUIRE(of_gpu.size() == 2);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    CHECK(of_gpu[i].rule == "COL001");
    CHECK(of_gpu[i].message.find("is_sync") != std::string::npos);
  }
  CHECK(of_gpu[0].instruction == "all-to-all-start.1");
  CHECK(of_gpu[1].instruction == "all-to-all-start.15");

  for (const char* const number : {"002", "003"}) CHECK(lint(checks, files_in("seeds", number)).empty());
}

TEST_CASE("no error on what compilers wrote") {
  std::size_t modules = 0;
  for (const char* const folder : {"pairs", "real"})
    for (const parsed_file& file : files_in(folder)) {
      modules += file.modules.size();
      for (const diagnostic& d : lint(checks, file)) {
        INFO(d.where.in.path(), ": ", d.message);
        CHECK(d.level != severity::error);
      }
    }
  CHECK(modules > 0);
}

TEST_CASE("seeds: the three weak windows, and none among the TPU's chains") {
  rule_choice weak;
  weak.select.emplace_back("COL003");
  const auto list = as_catalogue(thin_overlap_window{});
  const rule_settings settings = choose_rules(rules_of(list), weak).settings;
  const auto found_in = [&](const char* number) {
    std::vector<std::string> names;
    for (const parsed_file& file : files_in("seeds", number))
      for (const hlo_module& module : file.modules)
        for (const diagnostic& d : lint(list, context({module, {}, target_of_module(module), {}, {}}), settings))
          names.push_back(d.instruction);
    return names;
  };
  CHECK(found_in("004") == std::vector<std::string>{"all-gather-start.3", "all-reduce-start.1", "all-reduce-start.6"});
  CHECK(found_in("001").empty());
}
