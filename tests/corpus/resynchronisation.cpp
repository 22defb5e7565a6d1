// One damaged line in dumps from the wild: what it costs, and whether the entry is kept.
#include "corpus.hpp"

#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <vector>

using namespace hlolint;

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace

TEST_CASE("300 breakages of a line of each dump: the median loses at most one instruction, and the entry is kept") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(corpus() / "real" / "hlo"))
    if (entry.path().extension() == ".txt" && entry.file_size() > 20000 && entry.file_size() < 120000)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::size_t modules = 0, breakages = 0, worst_loss = 0, entries_lost = 0, without_report = 0;
  for (std::size_t f = 0; f < files.size(); f += 6) {
    const auto loaded = load_file(files[f].string()).text;
    REQUIRE(loaded.has_value());
    const parsed_file whole = parse(*loaded);
    if (whole.status != parse_status::ok || whole.modules().size() != 1) continue;
    const std::size_t total = whole.modules()[0].instruction_count();
    const std::string entry(whole.modules()[0].entry().name());
    const std::vector<std::string> lines = lines_of(loaded->text());
    ++modules;
    std::mt19937 random(12);
    std::vector<std::size_t> lost;
    for (int round = 0; round < 300; ++round, ++breakages) {
      std::vector<std::string> broken = lines;
      const std::size_t n = random() % lines.size();
      const auto at = broken.begin() + static_cast<std::ptrdiff_t>(n);
      const unsigned kind = random() % 4;
      if (kind == 0) broken.erase(at);
      if (kind == 1) at->resize(at->empty() ? 0 : random() % at->size());
      if (kind == 2) broken.insert(at, lines[n]);
      if (kind == 3 && n + 1 < lines.size()) std::swap(broken[n], broken[n + 1]);
      const parsed_file file = parse(joined(broken));
      std::size_t left = 0;
      bool kept = false;
      for (const hlo_module& m : file.modules()) {
        left += m.instruction_count();
        kept |= m.entry() && m.entry().name() == entry;
      }
      lost.push_back(left < total ? total - left : 0);
      const bool own =
          lines[n].starts_with("ENTRY") || (kind == 3 && n + 1 < lines.size() && lines[n + 1].starts_with("ENTRY"));
      if (!kept && !own) {
        ++entries_lost;
        MESSAGE(files[f].filename().string() << ": the entry is lost with line " << n + 1 << ", kind " << kind);
      }
      without_report += lost.back() > 1 && file.status == parse_status::ok;
    }
    std::sort(lost.begin(), lost.end());
    CAPTURE(files[f].string());
    CHECK(lost[lost.size() / 2] <= 1);
    worst_loss = std::max(worst_loss, lost.back());
  }
  std::cout << "one damaged line: " << breakages << " breakages of " << modules << " dumps; the entry is lost in "
            << entries_lost << ", the worst loses " << worst_loss << " instructions\n";
  CHECK(modules > 10);
  CHECK(entries_lost == 0);
  CHECK(without_report == 0);
}
