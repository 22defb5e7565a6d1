// Modules that XLA has printed twice, with a line for each get-tuple-element and without: what is known of one is known
// of the other.
#include "corpus.hpp"

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

struct answers {
  std::vector<std::pair<std::string, std::int64_t>> runs;  // instructions that elements have no part in, and how often
  double step = 0;                                         // seconds, 0 if not scheduled
};

answers ask(const std::string& path) {
  answers out;
  const loaded_file loaded = load_file(path);
  REQUIRE(loaded.text.has_value());
  const parsed_file file = parse(*loaded.text);
  if (file.modules().empty()) return out;
  const hlo_module& module = file.modules().front();
  const loops around(module);
  for (const hlo_instruction i : module.instructions())
    if (i.opcode() != hlo_opcode::get_tuple_element)
      out.runs.emplace_back(std::string(i.name()), around.runs_of(i.computation()).times);
  if (module.is_scheduled()) out.step = exposed_time(module, find_device("h100-sxm").value()).step();
  return out;
}

}  // namespace

TEST_CASE("elements without lines of their own change no answer") {
  std::size_t modules = 0, loops_found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus() / "twins")) {
    const std::string path = entry.path().string();
    const std::string_view ending = ".dump.txt";
    if (!path.ends_with(ending)) continue;
    CAPTURE(path);
    const answers compact = ask(path), with_lines = ask(path.substr(0, path.size() - ending.size()) + ".txt");
    CHECK(compact.runs == with_lines.runs);
    CHECK(compact.step == doctest::Approx(with_lines.step));
    ++modules;
    for (const auto& [name, runs] : compact.runs) loops_found += runs > 1;
  }
  MESSAGE(modules << " modules, " << loops_found << " instructions that run more than once");
  CHECK(modules > 0);
  CHECK(loops_found > 0);
}
