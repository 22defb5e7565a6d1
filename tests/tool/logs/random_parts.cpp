// Random texts of several parts: each part is found as it is read alone, or it is reported as damaged.
#include <hlolint/text/file.hpp>
#include <hlolint/tool/logs/oom_report.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

struct contents {
  std::vector<std::pair<std::string, std::size_t>> modules;  // names, and how many instructions
  std::vector<std::string> reports;
  bool has_assignment = false, has_errors = false;
};

contents contents_of(const parsed_file& file) {
  contents out;
  for (const hlo_module& m : file.modules()) out.modules.emplace_back(m.name(), m.instruction_count());
  if (file.buffers && file.buffers->oom())
    for (const oom_report& r : file.buffers->oom()->reports) out.reports.emplace_back(r.text);
  out.has_assignment = file.buffers && file.buffers->has_assignment();
  out.has_errors = std::any_of(file.diagnostics.begin(), file.diagnostics.end(),
                               [](const diagnostic& d) { return d.level == severity::error && d.rule != "SYN002"; });
  return out;
}

struct piece {
  std::string text;
  contents alone;
};

const std::vector<std::string> messages{
    "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 18.40G of 15.75G hbm. "
    "Exceeded hbm capacity by 2.65G.\n\nTotal hbm usage >= 18.65G:\n    reserved        260.00M\n    program          "
    "14.40G\n",
    "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    out = model(x)\nRuntimeError: "
    "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 12.00GiB.\n",
    "ERROR: RESOURCE_EXHAUSTED: Out of memory allocating 68719476736 bytes.\n"};
const std::vector<std::string> others{"",
                                      "\n",
                                      "step 1: loss 0.5\n",
                                      "```\n\nAnd then:\n\n```\n",
                                      "I0000 00:00:1755684000.123456  123 service.cc:148] XLA service initialized\n",
                                      "and this is how it looks (in part):\n"};

// The dumps of a folder, each with what is read of it alone.
std::vector<piece> pieces_below(const std::string& folder, std::size_t most_bytes) {
  std::vector<piece> out;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.file_size() < most_bytes &&
        (entry.path().extension() == ".txt" || entry.path().extension() == ".hlo"))
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths) {
    const loaded_file file = load_file(path.string());
    if (!file.text) continue;
    std::string text(file.text->text());
    if (!text.ends_with('\n')) text += '\n';
    contents alone = contents_of(parse_parts(text));
    // A part that begins with no landmark of its own is a part of what is before it.
    const bool has_landmark = text.starts_with("HloModule ") || text.starts_with("BufferAssignment:");
    if (!alone.has_errors && has_landmark && (!alone.modules.empty() || alone.has_assignment))
      out.push_back({std::move(text), std::move(alone)});
  }
  return out;
}

}  // namespace

TEST_CASE("each part of a random text is found as it is alone, or reported as damaged") {
  const char* const corpus = std::getenv("HLOLINT_CORPUS");
  const char* const wanted = std::getenv("HLOLINT_RANDOM_TEXTS");
  std::vector<piece> pieces = pieces_below(HLOLINT_TEST_DATA, 20'000);
  if (corpus && wanted)
    for (piece& p : pieces_below(corpus, 60'000)) pieces.push_back(std::move(p));
  for (const std::string& text : messages) pieces.push_back({text, contents_of(parse_parts(text))});
  REQUIRE(pieces.size() > 10);
  const int count = wanted ? std::atoi(wanted) : 300;
  std::mt19937 random(1);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  int damaged = 0;  // of the texts that are whole
  for (int n = 0; n < count; ++n) {
    std::string text;
    contents expected;
    bool is_cut = false;
    const std::size_t parts = 1 + below(4);
    for (std::size_t i = 0; i < parts; ++i) {
      const piece& p = pieces[below(4) == 0 ? pieces.size() - 1 - below(messages.size()) : below(pieces.size())];
      if (p.alone.has_assignment && expected.has_assignment) continue;  // one of each kind is read
      text += others[below(others.size())];
      if (!is_cut && below(6) == 0) {
        const std::size_t size = below(p.text.size());
        text += p.text.substr(0, size) + "\n";
        is_cut = true;
        expected.has_assignment |= p.alone.has_assignment;  // another assignment after it is of the same kind
        continue;
      }
      text += p.text;
      for (const auto& m : p.alone.modules) expected.modules.push_back(m);
      for (const std::string& r : p.alone.reports) expected.reports.push_back(r);
      expected.has_assignment |= p.alone.has_assignment;
    }
    text += others[below(others.size())];
    CAPTURE(n);
    CAPTURE(text);
    const parsed_file read = parse_parts(text);
    const contents found = contents_of(read);
    std::string errors;
    for (const diagnostic& d : read.diagnostics)
      if (d.level == severity::error) errors += std::to_string(d.where.begin().line) + ": " + d.message + "\n";
    CAPTURE(errors);
    if (!is_cut) {
      const bool same = found.modules == expected.modules && found.reports.size() >= expected.reports.size() &&
                        found.has_assignment == expected.has_assignment;
      CHECK((same || found.has_errors));
      damaged += found.has_errors;
      continue;
    }
    // What is whole is found, or the damage of the part before it reaches it, which is reported.
    const bool all = std::all_of(expected.modules.begin(), expected.modules.end(), [&](const auto& m) {
      return std::find(found.modules.begin(), found.modules.end(), m) != found.modules.end();
    });
    CHECK((all || found.has_errors));
    CHECK((found.reports.size() >= expected.reports.size() || found.has_errors));
  }
  CHECK(damaged * 100 <= count);
}
