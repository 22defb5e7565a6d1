// Dumps of compilers read with and without the fast path: the same values and diagnostics, and most lines are taken by
// it.
#include "../both_readings.hpp"
#include "corpus.hpp"

#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>

using namespace hlolint;

namespace {

/// Where a dump comes from and how it is written, by its place in the corpus and its text.
std::string dialect(const std::string& file, std::string_view text) {
  const std::string folder = file.substr(0, file.find('/', file.find('/') + 1));
  const auto named = [&](std::string_view word) { return file.find(word) != file.npos; };
  const char* const target =
      named("gpu") || named("sm_") || text.find("__cublas") != text.npos || text.find("__triton") != text.npos ? "GPU"
      : named("cpu") || text.find("__onednn") != text.npos                                                     ? "CPU"
      : named("tpu") || text.find(":T(") != text.npos                                                          ? "TPU"
                                                      : "other";
  const bool percent = text.find("\n  %") != text.npos || text.find("\n  ROOT %") != text.npos;
  return folder + ", " + target + ", " + (percent ? "long form" : "short form");
}

struct share {
  std::size_t files = 0, taken = 0, lines = 0;
  double percent() const { return lines == 0 ? 100 : 100.0 * static_cast<double>(taken) / static_cast<double>(lines); }
};

/// Reads every file of the corpus that `is_one` accepts both ways, as `Readings` does, and prints how many lines of
/// real dumps the fast path takes.
template <class Readings, class IsOne>
void compare_readings(const IsOne& is_one) {
  std::map<std::string, share> shares;
  std::size_t files = 0, different = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus())) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".txt" && extension != ".hlo")) continue;
    const auto text = load_file(entry.path().string()).text;
    if (!text || !is_one(kind_of(text->text()))) continue;
    const std::string file = std::filesystem::relative(entry.path(), corpus()).string();
    const Readings read(*text);
    ++files;
    if (const std::string difference = read.difference(); !difference.empty()) {
      ++different;
      MESSAGE(file << ": " << difference);
    }
    if ((!file.starts_with("real/") && !file.starts_with("pairs/")) || read.lines() == 0) continue;
    share& s = shares[dialect(file, text->text())];
    ++s.files;
    s.taken += read.taken();
    s.lines += read.lines();
  }
  share all;
  std::printf("%-40s %8s %10s %10s %9s\n", "dialect", "files", "lines", "taken", "share");
  for (const auto& [name, s] : shares) {
    std::printf("%-40s %8zu %10zu %10zu %8.2f%%\n", name.c_str(), s.files, s.lines, s.taken, s.percent());
    all.taken += s.taken;
    all.lines += s.lines;
  }
  std::cout << "read with and without the fast path: " << files << " files, " << different
            << " of them different; it takes " << all.percent() << " % of the lines of real dumps" << std::endl;
  CHECK(files > 1000);
  CHECK(different == 0);
  CHECK(all.percent() >= 95);
}

/// Buffer dumps are read in one way.
bool is_hlo(input_kind kind) {
  return kind != input_kind::buffer_assignment && kind != input_kind::buffer_values && kind != input_kind::live_range;
}

}  // namespace

TEST_CASE(
    "with and without the fast path every module of the corpus is the same; it takes nearly all lines of real ones") {
  compare_readings<both_readings>(is_hlo);
}
