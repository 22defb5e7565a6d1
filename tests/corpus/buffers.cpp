// Every buffer dump that XLA wrote is read whole, and nothing in it is overlooked: the records are as many as the lines
// that begin like one. Dumps that the corpus marks as damaged are partial, with a located error.
#include "corpus.hpp"

#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/ir/memory_report.hpp>
#include <hlolint/tool/logs/oom_report.hpp>
#include <hlolint/ir/thunk_sequence.hpp>
#include <hlolint/parse_buffers.hpp>
#include <hlolint/tool/parse_log.hpp>
#include <hlolint/tool/parse_parts.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files() {
  std::vector<fs::path> out;
  for (const char* const folder : {"seeds", "real/buffers", "pairs", "xla_tests/buffer_strings"}) {
    if (!fs::exists(corpus() / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(corpus() / folder))
      if (entry.is_regular_file() && entry.path().extension() == ".txt") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Lines that begin with `beginning`.
std::size_t lines(std::string_view text, std::string_view beginning) {
  std::size_t count = text.starts_with(beginning);
  const std::string needle = "\n" + std::string(beginning);
  for (std::size_t at = text.find(needle); at != text.npos; at = text.find(needle, at + 1)) ++count;
  return count;
}
/// Lines set in by four blanks below the first one that begins with `head`.
std::size_t lines_below(std::string_view text, std::string_view head) {
  const std::size_t begin = text.find("\n" + std::string(head));
  if (begin == text.npos) return 0;
  std::size_t count = 0;
  for (std::size_t at = text.find('\n', begin + 1); at != text.npos && text.substr(at + 1).starts_with("    ");
       at = text.find('\n', at + 1))
    ++count;
  return count;
}
/// Lines that begin with `indent` below each line that begins with `head`.
std::size_t lines_below_all(std::string_view text, std::string_view head, std::string_view indent) {
  std::size_t count = 0;
  const std::string needle = "\n" + std::string(head);
  for (std::size_t at = text.find(needle); at != text.npos; at = text.find(needle, at + 1)) {
    std::size_t line = text.find('\n', at + 1);
    for (; line != text.npos && text.substr(line + 1).starts_with(indent); line = text.find('\n', line + 1))
      count += !text.substr(line + 1).starts_with("  (none)");
  }
  return count;
}

bool whole(const parsed_file& file) {
  const std::string_view text = file.text.text();
  const buffer_data& data = file.buffers->data();
  bool good = true;
  const auto equal = [&](std::string_view what, std::size_t read, std::size_t there) {
    if (read == there) return;
    good = false;
    std::cout << file.text.path() << ": " << read << " " << what << ", but " << there << " lines of them\n";
  };
  equal("values", data.values.size(), lines(text, " value: <"));
  equal("recolored values", data.recolored.size(), lines(text, "  value: <"));
  if (!data.memory_report) equal("allocations", data.allocations.size(), lines(text, "allocation "));
  equal("used values", data.used_values.size(), lines(text, "<"));
  equal("positions", data.positions.size(), lines_below_all(text, " positions:", "  "));
  equal("uses", data.uses.size(), lines_below_all(text, " uses:", "  "));
  if (const live_range_block* const block = file.buffers->live_ranges()) {
    equal("positions of the schedule", block->sequence.size(), lines_below(text, "  InstructionSequence:"));
    equal("instructions", block->sequence.size(), static_cast<std::size_t>(block->max));
    equal("live ranges", block->ranges.size(), lines_below(text, "  BufferLiveRange:"));
    equal("values at the peak", block->peak.size(), lines_below(text, "  Live ranges at "));
  }
  if (const memory_report* const report = file.buffers->memory_report()) {
    equal("allocations with values", report->with_values.size(), lines(text, "allocation "));
    equal("memory spaces", report->spaces.size(), lines(text, "Memory Space: "));
    std::size_t tables = 0;
    for (std::size_t at = text.find("used_by_n_values"); at != text.npos; at = text.find("used_by_n_values", at + 1))
      ++tables;
    equal("tables", report->tables.size(), tables);
  }
  if (file.buffers->total_bytes_used() && !file.buffers->allocations().empty()) {
    byte_count sum = 0;
    for (const allocation& a : file.buffers->allocations()) sum += a.size;
    equal("bytes", static_cast<std::size_t>(sum), static_cast<std::size_t>(*file.buffers->total_bytes_used()));
  }
  if (data.has_assignment && data.has_used_values) equal("used values", data.used_values.size(), data.values.size());
  return good;
}

}  // namespace

TEST_CASE("every buffer dump of the corpus is read whole") {
  std::map<std::string, std::pair<int, int>> by_kind;
  std::pair<int, int> total, damaged;
  for (const fs::path& path : files()) {
    CAPTURE(path.string());
    const loaded_file loaded = load_file(path.string());
    REQUIRE(loaded.text);
    const input_kind what = kind_of_parts(loaded.text->text());
    if (what == input_kind::hlo) continue;
    const parsed_file file = what == input_kind::oom_report ? parse_log(*loaded.text) : parse_buffers(*loaded.text);
    REQUIRE(file.buffers);
    if (path.filename().string().starts_with("CORRUPT_")) {
      ++damaged.second;
      damaged.first += file.status == parse_status::partial && file.diagnostics.at(0).where.begin().line > 1;
      continue;
    }
    const bool good = file.status == parse_status::ok && file.diagnostics.empty() && whole(file);
    if (!good)
      for (const diagnostic& d : file.diagnostics)
        std::cout << path.string() << ":" << d.where.begin().line << ": " << d.message << "\n";
    auto& kind = by_kind[std::string(name_of(file.kind))];
    ++kind.second, ++total.second;
    kind.first += good, total.first += good;
  }
  for (const auto& [kind, count] : by_kind) std::cout << kind << ": " << count.first << " of " << count.second << "\n";
  std::cout << "buffer dumps read whole: " << total.first << " of " << total.second
            << ", damaged ones reported: " << damaged.first << " of " << damaged.second << "\n";
  CHECK(total.second > 0);
  CHECK(total.first == total.second);
  CHECK(damaged.first == damaged.second);
}

TEST_CASE("the seeds have the numbers that are known of them") {
  struct row {
    const char* file;
    std::size_t allocations, values, sequence, ranges, peak;
    byte_count total;
    std::int64_t peak_position;
  };
  for (const row& r : {row{"000", 10, 83, 80, 83, 8, 2885767252, 78}, row{"002", 13, 21, 15, 18, 9, 299944008, 11},
                       row{"003", 54, 135, 166, 132, 50, 1093622736, 158}}) {
    CAPTURE(r.file);
    for (const fs::path& path : files()) {
      if (!path.filename().string().starts_with(r.file) || path.parent_path().filename() != "seeds") continue;
      const parsed_file file = parse_buffers(*load_file(path.string()).text);
      CHECK(file.status == parse_status::ok);
      REQUIRE(file.buffers);
      const buffer_dump& dump = *file.buffers;
      CHECK(dump.allocations().size() == r.allocations);
      CHECK(dump.values().size() == r.values);
      CHECK(dump.used_values().size() == r.values);
      CHECK(dump.total_bytes_used() == r.total);
      REQUIRE(dump.live_ranges());
      CHECK(dump.live_ranges()->sequence.size() == r.sequence);
      CHECK(dump.live_ranges()->ranges.size() == r.ranges);
      CHECK(dump.live_ranges()->peak.size() == r.peak);
      CHECK(dump.live_ranges()->peak_position == r.peak_position);
    }
  }
}
