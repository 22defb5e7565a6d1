// The windows of the project's seed dumps, as worked out by hand.
#include "corpus.hpp"

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

using namespace hlolint;

namespace {

parsed_file seed(const std::string& number) {
  const std::filesystem::path folder = corpus() / "seeds";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().rfind(number, 0) == 0) {
      const loaded_file loaded = load_file(entry.path().string());
      REQUIRE(loaded.text);
      return parse(*loaded.text);
    }
  FAIL("no seed " << number);
  return {};
}

struct row {
  std::size_t start_line, done_line;
  hlo_opcode kind;
  std::size_t between, real;
  bool is_sync;
};

}  // namespace

TEST_CASE("windows of the TPU seed") {
  const parsed_file file = seed("001");
  REQUIRE(file.modules().size() == 1);
  const async_windows windows(file.modules()[0]);
  struct expected {
    const char* start;
    std::size_t from, to, between, real;
  };
  const std::vector<expected> rows{{"async-collective-start", 8, 41, 32, 1},
                                   {"copy-start", 40, 42, 1, 0},
                                   {"async-collective-start.1", 43, 75, 31, 1}};
  REQUIRE(windows.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const async_window& w = windows.begin()[static_cast<std::ptrdiff_t>(i)];
    INFO(rows[i].start);
    CHECK(w.start.name() == rows[i].start);
    CHECK(w.start.index_in_computation() == rows[i].from);
    CHECK(w.done.index_in_computation() == rows[i].to);
    CHECK(w.between == rows[i].between);
    CHECK(w.real == rows[i].real);
  }
  CHECK(windows.unmatched().empty());
  CHECK(windows.begin()[0].bytes == 117440512);
}

TEST_CASE("windows of the GPU seed") {
  using enum hlo_opcode;
  const std::vector<row> rows{
      {1857, 1884, collective_permute, 26, 14, false}, {1895, 1912, all_gather, 16, 6, false},
      {1988, 1993, all_to_all, 4, 2, false},           {2009, 2010, all_to_all, 0, 0, true},
      {2085, 2095, all_to_all, 9, 5, false},           {2096, 2110, collective_permute, 13, 5, false},
      {2113, 2125, all_to_all, 11, 5, false},          {2128, 2142, collective_permute, 13, 5, false},
      {6316, 6357, collective_permute, 40, 12, false}, {6378, 6388, all_gather, 9, 5, false},
      {6448, 6463, all_to_all, 14, 6, false},          {6465, 6488, all_to_all, 22, 5, false},
      {6507, 6525, all_to_all, 17, 5, false},          {6529, 6548, all_to_all, 18, 8, false},
      {6636, 6665, collective_permute, 28, 14, false}, {6667, 6686, all_to_all, 18, 6, false},
      {6688, 6700, all_to_all, 11, 5, false},          {6703, 6728, collective_permute, 24, 8, false},
      {6731, 6748, all_to_all, 16, 5, false},          {6751, 6769, all_to_all, 17, 8, false},
      {6770, 6784, collective_permute, 13, 6, false},  {6861, 6876, reduce_scatter, 14, 8, false},
      {10820, 10822, all_gather, 1, 1, false},         {10829, 10844, all_to_all, 14, 10, false},
      {10845, 10852, all_gather, 6, 6, false},         {10854, 10861, collective_permute, 6, 5, false},
      {10904, 10905, all_to_all, 0, 0, true},          {10907, 10910, collective_permute, 2, 2, false},
      {10911, 10924, all_reduce, 12, 9, false},        {10939, 10948, all_to_all, 8, 4, false},
      {10950, 10958, collective_permute, 7, 6, false}, {10999, 11009, all_reduce, 9, 1, false},
      {11010, 11012, all_reduce, 1, 1, false},         {11015, 11113, all_to_all, 97, 46, false},
      {11114, 11137, all_reduce, 22, 10, false},       {11139, 11151, collective_permute, 11, 11, false},
      {11159, 11165, reduce_scatter, 5, 5, false},     {11168, 11174, all_reduce, 5, 5, false},
      {11176, 11182, all_reduce, 5, 5, false},         {11183, 11193, all_reduce, 9, 9, false},
      {11200, 11206, all_reduce, 5, 5, false},         {11283, 11423, all_reduce, 139, 67, false},
      {11424, 11432, all_reduce, 7, 7, false},         {11433, 11439, all_reduce, 5, 5, false}};
  const parsed_file file = seed("004");
  REQUIRE(file.modules().size() == 1);
  const async_windows windows(file.modules()[0]);
  REQUIRE(windows.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const async_window& w = windows.begin()[static_cast<std::ptrdiff_t>(i)];
    INFO("line ", rows[i].start_line);
    CHECK(w.start.where().begin().line == rows[i].start_line);
    REQUIRE(w.done);
    CHECK(w.done.where().begin().line == rows[i].done_line);
    CHECK(w.kind == rows[i].kind);
    CHECK(w.between == rows[i].between);
    CHECK(w.real == rows[i].real);
    CHECK(w.transfers == 0);
    CHECK(w.is_sync == rows[i].is_sync);
  }
  CHECK(windows.unmatched().empty());
}

TEST_CASE("every size in the seeds is the size of its rule") {
  struct expected {
    const char* number;
    size_rule rule;
    std::size_t values;
  };
  for (const expected& e :
       {expected{"000", size_rule::tpu_tiled, 83}, {"002", size_rule::tpu_tiled, 21}, {"003", size_rule::plain, 135}}) {
    INFO(e.number);
    const parsed_file file = seed(e.number);
    REQUIRE(file.buffers);
    CHECK(choose_size_rule(*file.buffers) == e.rule);
    CHECK(file.buffers->values().size() == e.values);
    for (const assigned_value& v : file.buffers->values()) CHECK(size_agrees(*file.buffers, v, e.rule));
  }
}
