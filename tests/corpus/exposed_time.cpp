// The time model against what it was made from: XLA's own measurements, measured programs, and the reference values of
// its document (time_model.md 3 to 6). The tables lie in the folder named by HLOLINT_SPEC.
#include "corpus.hpp"

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/analysis/time/matmul_work.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

std::filesystem::path spec(const char* file) {
  const char* const folder = std::getenv("HLOLINT_SPEC");
  if (!folder || !*folder) {
    MESSAGE("skipped: HLOLINT_SPEC is not set; set it to the folder of time_model.md to run this test");
    return {};
  }
  return std::filesystem::path(folder) / "time" / file;
}

hlo_module module_in(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  const parsed_file file = parse(text.str(), path.string());
  REQUIRE(!file.modules().empty());
  return file.modules().front();
}

std::filesystem::path seed_004() {
  for (const auto& entry : std::filesystem::directory_iterator(corpus() / "seeds"))
    if (entry.path().filename().string().starts_with("004")) return entry.path();
  return {};
}

/// Predicted / measured.
struct ratios {
  std::vector<double> all;
  double at(double share) {
    std::sort(all.begin(), all.end());
    return all.empty()
               ? 0
               : all[std::min(all.size() - 1, static_cast<std::size_t>(share * static_cast<double>(all.size())))];
  }
  double median() { return at(0.5); }
};

std::size_t line_of(const hlo_module& module, hlo_instruction i) {
  const std::string_view before = module.text().text().substr(0, i.where().at.begin);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace

TEST_CASE("collectives as XLA measured them: same median and spread as the document") {
  const auto path = spec("collective_table.tsv");
  if (path.empty()) return;
  std::map<std::string, ratios> small, large;
  for (const auto& row : table(path, 7)) {
    const device d = find_device(row[1]).value();
    const double bytes = std::stod(row[4]);
    const hlo_opcode kind = find_hlo_opcode(row[2]);
    const std::int64_t n = std::stoll(row[3]);
    const double predicted = 1e6 * (kind == hlo_opcode::collective_permute ? pair_time(d, kind, bytes, true, false)
                                                                           : collective_time(d, kind, bytes, {n, 1}))
                                       .seconds();
    INFO(row[1] << ' ' << row[2] << ' ' << row[3] << ' ' << row[4]);
    CHECK(predicted == doctest::Approx(std::stod(row[6])).epsilon(0.01));
    if (bytes >= 1048576) small[row[1]].all.push_back(predicted / std::stod(row[5]));
    if (bytes >= 64 * 1048576) large[row[1]].all.push_back(predicted / std::stod(row[5]));
  }
  struct {
    const char* device;
    std::size_t points;
    double median, low, high, large;
  } const rows[] = {{"h100-sxm", 168, 0.96, 0.74, 1.23, 0.96},
                    {"b200", 168, 0.92, 0.64, 1.06, 0.96},
                    {"gb200", 651, 1.00, 0.72, 1.22, 1.01},
                    {"mi355x", 154, 0.99, 0.87, 1.09, 0.98}};
  for (const auto& row : rows) {
    CAPTURE(row.device);
    CHECK(small[row.device].all.size() == row.points);
    CHECK(small[row.device].median() == doctest::Approx(row.median).epsilon(0.01));
    CHECK(small[row.device].at(0.1) == doctest::Approx(row.low).epsilon(0.02));
    CHECK(small[row.device].at(0.9) == doctest::Approx(row.high).epsilon(0.02));
    CHECK(large[row.device].median() == doctest::Approx(row.large).epsilon(0.01));
  }
}

TEST_CASE("matrix products as XLA measured them: same median and spread as the document") {
  const auto path = spec("gemm_table.tsv");
  if (path.empty()) return;
  std::map<std::pair<std::string, char>, std::pair<ratios, ratios>> found;  // all, and large ones
  for (const auto& row : table(path, 9)) {
    const device d = find_device(row[1]).value();
    const auto extent = [&](std::size_t column) { return std::stoll(row[column]); };
    const std::string word = row[2].substr(0, row[2].find('x'));
    const element_type in = find_element_type(word), out = find_element_type(row[2].substr(row[2].find("->") + 2));
    const auto array = [](element_type type, std::vector<std::int64_t> extents) {
      shape s;
      s.type = type;
      for (const std::int64_t e : extents) s.dimensions.push_back({e, false});
      return s;
    };
    const shape left = array(in, {extent(3), extent(4), extent(6)}),
                result = array(out, {extent(3), extent(4), extent(5)});
    work w;
    w.set_product(dot_flops(d, &left, &result, {2}, {0}));
    w.type = in;
    w.read = byte_width(in) * static_cast<double>(extent(3) * extent(6) * (extent(4) + extent(5)));
    w.written = byte_width(out) * static_cast<double>(extent(3) * extent(4) * extent(5));
    const double predicted = kernel_time(d, w).seconds * 1e6;
    INFO(row[1] << ' ' << row[2] << ' ' << row[3] << ' ' << row[4] << ' ' << row[5] << ' ' << row[6]);
    CHECK(predicted == doctest::Approx(std::stod(row[8])).epsilon(0.01));
    auto& [all, large] = found[{row[1], word[1]}];  // b_f_16, f_3_2, f_8_e...
    all.all.push_back(predicted / std::stod(row[7]));
    if (w.flops > 30e9) large.all.push_back(predicted / std::stod(row[7]));
  }
  struct {
    const char* device;
    char type;  // second letter of its name
    double median, low, high, large, large_low, large_high;
  } const rows[] = {
      {"h100-sxm", 'f', 0.87, 0.76, 1.01, 1.00, 0.92, 1.06}, {"h100-sxm", '3', 0.72, 0.56, 1.00, 0.99, 0.80, 1.06},
      {"h100-sxm", '8', 0.92, 0.60, 1.43, 1.43, 1.11, 1.62}, {"b200", 'f', 0.87, 0.73, 0.99, 0.98, 0.89, 1.03},
      {"b200", '3', 0.74, 0.64, 0.94, 0.94, 0.88, 1.08},     {"b200", '8', 0.86, 0.71, 0.99, 0.97, 0.86, 1.11},
      {"mi355x", 'f', 0.86, 0.66, 1.12, 1.02, 0.72, 1.23},   {"mi355x", '3', 1.01, 0.94, 1.25, 1.04, 1.02, 1.06},
      {"mi355x", '8', 0.76, 0.52, 1.13, 0.72, 0.56, 0.88}};
  for (const auto& row : rows) {
    CAPTURE(row.device);
    CAPTURE(row.type);
    auto& [all, large] = found[{row.device, row.type}];
    CHECK(all.all.size() == 375);
    CHECK(large.all.size() == 65);
    CHECK(all.median() == doctest::Approx(row.median).epsilon(0.01));
    CHECK(all.at(0.1) == doctest::Approx(row.low).epsilon(0.02));
    CHECK(all.at(0.9) == doctest::Approx(row.high).epsilon(0.02));
    CHECK(large.median() == doctest::Approx(row.large).epsilon(0.01));
    CHECK(large.at(0.1) == doctest::Approx(row.large_low).epsilon(0.03));
    CHECK(large.at(0.9) == doctest::Approx(row.large_high).epsilon(0.03));
  }
}

TEST_CASE("measured Fourier transforms, where the corpus has their dumps") {
  const auto path = spec("fft_measured.tsv");
  if (path.empty()) return;
  std::map<std::string, std::vector<std::filesystem::path>> dumps;  // by the name of the benchmark's file
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus() / "pairs")) {
    const std::string name = entry.path().filename().string();
    const std::size_t at = name.rfind("__");
    if (at != name.npos && name.ends_with(".md.txt"))
      dumps[name.substr(at + 2, name.size() - at - 6)].push_back(entry.path());
  }
  std::size_t compared = 0;
  for (const auto& row : table(path, 10)) {
    const auto found = dumps.find(row[0].substr(row[0].rfind('/') + 1));
    if (found == dumps.end()) continue;
    double nearest = 0;
    for (const auto& dump : found->second) {
      const hlo_module module = module_in(dump);
      const double step = exposed_time(module, find_device(row[1]).value()).step() * 1e3;
      if (std::abs(step - std::stod(row[7])) < std::abs(nearest - std::stod(row[7]))) nearest = step;
    }
    ++compared;
    CAPTURE(row[0]);
    CHECK(nearest == doctest::Approx(std::stod(row[7])).epsilon(0.01));
  }
  CHECK(compared >= 30);
}

TEST_CASE("seed 004 on two hosts of eight H100") {
  const hlo_module module = module_in(seed_004());
  const exposed_time time(module, find_device("h100-sxm").value());
  CHECK(time.step() * 1e3 == doctest::Approx(6374.8).epsilon(0.01));
  CHECK(time.compute() * 1e3 == doctest::Approx(6137.5).epsilon(0.01));
  CHECK(time.exposed() * 1e3 == doctest::Approx(237.4).epsilon(0.01));
  CHECK(time.is_complete());
  CHECK(time.loops_of_unknown_count().empty());

  struct {
    std::size_t line;
    double mebibytes, runs, each, work, exposed;  // us
    exposure_class overlap;
  } const rows[] = {{1857, 384, 9, 8988, 59, 8929, exposure_class::exposed},
                    {6316, 384, 9, 8988, 227, 8761, exposure_class::exposed},
                    {2009, 672, 9, 2078, 0, 2078, exposure_class::synchronous},
                    {1988, 672, 9, 2078, 287, 1791, exposure_class::exposed},
                    {2085, 672, 9, 2078, 434, 1644, exposure_class::exposed},
                    {2113, 672, 9, 2078, 862, 1216, exposure_class::exposed},
                    {10907, 768, 1, 2916, 4, 2912, exposure_class::exposed},
                    {11139, 768, 1, 2916, 22, 2894, exposure_class::exposed},
                    {11159, 672, 1, 2078, 10, 2068, exposure_class::exposed},
                    {10950, 768, 1, 2916, 1171, 1745, exposure_class::exposed},
                    {10904, 384, 1, 1607, 0, 1607, exposure_class::synchronous},
                    {10939, 384, 1, 1607, 13, 1594, exposure_class::exposed},
                    {10829, 384, 1, 1607, 33, 1573, exposure_class::exposed},
                    {11168, 48, 1, 1170, 10, 1160, exposure_class::exposed},
                    {11176, 48, 1, 1170, 10, 1160, exposure_class::exposed},
                    {10820, 672, 1, 2078, 1510, 568, exposure_class::tight}};
  const std::vector<exposed_transfer> worst = time.worst_first();
  REQUIRE(worst.size() == 44);
  for (std::size_t k = 0; k < std::size(rows); ++k) {
    CAPTURE(rows[k].line);
    const exposed_transfer& t = worst[k];
    CHECK(line_of(module, t.start) == rows[k].line);
    CHECK(t.time.wire_bytes / 1048576 == doctest::Approx(rows[k].mebibytes).epsilon(0.01));
    CHECK(t.runs == rows[k].runs);
    CHECK(t.time.seconds() * 1e6 == doctest::Approx(rows[k].each).epsilon(0.01));
    CHECK(std::abs(t.work_each() * 1e6 - rows[k].work) <= std::max(0.6, 0.01 * rows[k].work));
    CHECK(t.exposed_each() * 1e6 == doctest::Approx(rows[k].exposed).epsilon(0.01));
    CHECK(t.overlap() == rows[k].overlap);
  }
  for (const std::size_t line : {2128ul, 6770ul, 6636ul})  // hidden, but a slower network exposes them
    for (const exposed_transfer& t : worst)
      if (line_of(module, t.start) == line) CHECK(t.overlap() == exposure_class::tight);

  device one_domain = find_device("h100-sxm").value();
  one_domain.domain_size = 16;
  const exposed_time in_one(module, one_domain);
  CHECK(in_one.exposed() * 1e3 == doctest::Approx(100.3).epsilon(0.01));
  const std::vector<exposed_transfer> first = in_one.worst_first();
  const std::size_t order[] = {2009, 1988, 2085, 1857, 6316};
  for (std::size_t k = 0; k < std::size(order); ++k) CHECK(line_of(module, first[k].start) == order[k]);

  struct {
    const char* device;
    double step, exposed;  // ms
  } const others[] = {{"a100-80", 19084, 432}, {"h200", 6227, 244}, {"b200", 3573, 312}, {"gb200", 3089, 53}};
  for (const auto& other : others) {
    CAPTURE(other.device);
    const exposed_time on(module, find_device(other.device).value());
    CHECK(on.step() * 1e3 == doctest::Approx(other.step).epsilon(0.01));
    CHECK(on.exposed() * 1e3 == doctest::Approx(other.exposed).epsilon(0.01));
  }
}

TEST_CASE("a window across the iterations of a loop, as the document has it") {
  const auto path = spec("pipe.hlo");
  if (path.empty()) return;
  const hlo_module module = module_in(path);
  const exposed_time time(module, find_device("h100-sxm").value());
  CHECK(time.step() * 1e3 == doctest::Approx(282.95).epsilon(0.001));
  CHECK(time.compute() * 1e3 == doctest::Approx(274.03).epsilon(0.001));
  CHECK(time.exposed() * 1e6 == doctest::Approx(8927).epsilon(0.001));
}
