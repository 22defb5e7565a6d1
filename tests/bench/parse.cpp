// parse/FILE: how fast the HLO files named on the command line are read, and how many bytes the heap holds at most for
// each byte of text (the text itself included).
#include <hlolint/parse_hlo.hpp>
#include <hlolint/text/file.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <string>
#include <vector>

namespace {

std::size_t held = 0, most_held = 0;

void* counted(std::size_t size) {
  void* const p = std::malloc(size);
  if (!p) throw std::bad_alloc();
  held += malloc_usable_size(p);
  most_held = std::max(most_held, held);
  return p;
}
void uncounted(void* p) {
  if (p) held -= malloc_usable_size(p);
  std::free(p);
}

void parse_file(benchmark::State& state, const std::string& path) {
  const hlolint::loaded_file file = hlolint::load_file(path);
  if (!file.text) return state.SkipWithError(file.error.c_str());
  const std::string text(file.text->text());
  double bytes_per_byte = 0;
  {
    const std::size_t before = held;
    most_held = held;
    const hlolint::parsed_file whole = hlolint::parse_hlo(hlolint::source(std::string(text), path));
    benchmark::DoNotOptimize(whole.modules.size());
    bytes_per_byte = static_cast<double>(most_held - before) / static_cast<double>(text.size());
  }
  for (auto _ : state) {
    const hlolint::parsed_file read = hlolint::parse_hlo(hlolint::source(text, path, hlolint::borrow));
    benchmark::DoNotOptimize(read.modules.size());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.counters["peak_heap_bytes_per_byte"] = bytes_per_byte;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void operator delete(void* p) noexcept { uncounted(p); }
void operator delete(void* p, std::size_t) noexcept { uncounted(p); }

int main(int count, char** words) {
  benchmark::Initialize(&count, words);
  std::vector<std::string> paths(words + 1, words + count);
  if (paths.empty()) std::fprintf(stderr, "usage: hlolint_bench [--benchmark_...] HLO-FILE...\n");
  for (const std::string& path : paths)
    benchmark::RegisterBenchmark(("parse/" + path.substr(path.rfind('/') + 1)).c_str(),
                                 [path](benchmark::State& state) { parse_file(state, path); });
  benchmark::RunSpecifiedBenchmarks();
  return paths.empty() ? 2 : 0;
}
