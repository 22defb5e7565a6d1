// How the analyses grow: hlolint_scale [LARGEST] prints seconds for made-up programs of 10^4 values and ten times more
// up to LARGEST (10^6 if not known), and for each the factor to the one before.
#include "program.hpp"

#include <hlolint/analysis/buffers/buffer_conflicts.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/tool/memory/verification.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

// Rows by what was done, columns by size.
class seconds_table {
 public:
  void begin_column(std::size_t values) { columns_.push_back(values); }
  template <class F>
  void row(const std::string& name, F&& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (columns_.size() == 1) rows_.push_back({name, {}});
    for (auto& [known, times] : rows_)
      if (known == name) times.push_back(seconds);
  }
  void print() const {
    std::printf("%-18s", "seconds for");
    for (const std::size_t values : columns_) std::printf(" %9zu  factor", values);
    std::printf("\n");
    for (const auto& [name, times] : rows_) {
      std::printf("%-18s", name.c_str());
      for (std::size_t i = 0; i < times.size(); ++i) {
        std::printf(" %9.3f", times[i]);
        i == 0 ? std::printf("%8s", "") : std::printf("%8.1f", times[i] / times[i - 1]);
      }
      std::printf("\n");
    }
  }

 private:
  std::vector<std::size_t> columns_;
  std::vector<std::pair<std::string, std::vector<double>>> rows_;
};

}  // namespace

int main(int count, char** words) {
  const std::size_t largest = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1'000'000;
  seconds_table table;
  bool good = true;
  for (std::size_t values = 10'000; values <= largest; values *= 10) {
    table.begin_column(values);
    testing::program_texts texts;
    table.row("generate", [&] { texts = testing::generated_program(values, 1).texts(); });
    parsed_file hlo, buffers;
    table.row("parse HLO", [&] { hlo = parse(std::move(texts.hlo)); });
    table.row("parse buffers", [&] { buffers = parse(std::move(texts.buffers)); });
    if (hlo.status != parse_status::ok || buffers.status != parse_status::ok) return 1;
    const hlo_module& module = hlo.modules().front();
    const buffer_dump& dump = *buffers.buffers;

    table.row("value_table", [&] { value_table made(dump); });
    table.row("buffer_conflicts", [&] { good = good && buffer_conflicts(dump).size() == 0; });
    std::optional<live_chunks> chunks;
    table.row("movable_chunks", [&] { chunks.emplace(movable_chunks(dump)); });
    std::optional<occupancy> in_use;
    table.row("occupancy", [&] { in_use.emplace(*chunks); });
    table.row("packing_bound", [&] {
      const packing_bound bound(*chunks, *in_use);
      good = good && bound.of_allocation(0);
    });
    std::optional<repack> packed;
    table.row("repack", [&] { packed.emplace(*chunks); });
    const std::size_t temporary = dump.allocations().size() - 1;
    const packed_allocation bound = *packing_bound(*chunks, *in_use).of_allocation(temporary);
    std::printf("%zu values: temporary allocation %lld bytes, bound %lld, repacked %lld (%s)\n", values,
                static_cast<long long>(bound.size), static_cast<long long>(bound.bound),
                static_cast<long long>(packed->of_allocation(temporary)->size),
                std::string(name_of(packed->of_allocation(temporary)->method)).c_str());
    packed.reset();

    std::optional<dataflow> flow;
    table.row("dataflow", [&] { flow.emplace(module); });
    std::optional<alias_sets> sets;
    table.row("alias_sets", [&] { sets.emplace(std::move(*flow)); });
    table.row("live_ranges", [&] { live_ranges made(std::move(*sets), {}); });
    table.row("verification", [&] { good = good && verification(module, dump).all_equal(); });
  }
  table.print();
  if (!good) std::printf("something is wrong: a conflict, or a difference between HLO and dump\n");
  return good ? 0 : 1;
}
