// What a module needs, and what takes it: all numbers agree on every dump that XLA wrote.
#include "corpus.hpp"

#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/tool/memory/resident_memory.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <optional>

using namespace hlolint;

TEST_CASE("the need is XLA's total, and what is resident at the peak sums to it") {
  std::size_t dumps = 0, with_peak = 0, wrong_total = 0, wrong_terms = 0, wrong_sum = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus())) {
    if (!entry.is_regular_file() || entry.path().string().find("buffer-assignment") == std::string::npos) continue;
    const loaded_file loaded = load_file(entry.path().string());
    if (!loaded.text) continue;
    const parsed_file file = parse(*loaded.text);
    if (!file.buffers || !file.buffers->has_assignment() || file.status != parse_status::ok) continue;
    const buffer_dump& dump = *file.buffers;
    const memory_need need(dump);
    ++dumps;
    if (dump.total_bytes_used()) wrong_total += *dump.total_bytes_used() != need.total;
    wrong_terms += need.total != need.arguments + need.outputs - need.aliased + need.temporaries + need.constants +
                                     need.thread_local_storage + need.tuple_tables;
    const live_chunks chunks(dump);
    const auto peak = occupancy(chunks).total().peak_positions();
    with_peak += !peak.empty();
    byte_count sum = 0;
    for (const resident_item& item :
         resident_at(chunks, peak.empty() ? std::nullopt : std::optional(peak.front().first)))
      sum += item.bytes;
    if (sum != need.total)
      ++wrong_sum, std::cout << "resident " << sum << " of " << need.total << ": " << entry.path().string() << '\n';
  }
  std::cout << "need: " << dumps << " dumps, " << with_peak << " with a peak\n";
  CHECK(dumps > 100);
  CHECK(wrong_total == 0);
  CHECK(wrong_terms == 0);
  CHECK(wrong_sum == 0);
}
