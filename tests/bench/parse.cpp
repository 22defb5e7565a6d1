// parse/FILE: how fast dumps are read, and how many bytes the heap holds at most for each byte of text (the text itself
// included). parse/FILE/grammar: read without the fast path for lines as XLA prints them. parse/FILE/after_a_line: read
// as a text of parts, since a line of a log stands before the dump; split/FILE: only the parts of that text are found.
// The files are named on the command line; without any, it is the sample pair.
#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/grammar/printed/read.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/tool/logs/input_parts.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace {

bool counts = false;  // not while time is measured
std::size_t held = 0, most_held = 0;

void* counted(std::size_t size) {
  void* const p = std::malloc(size);
  if (!p) throw std::bad_alloc();
  if (counts) {
    held += malloc_usable_size(p);
    most_held = std::max(most_held, held);
  }
  return p;
}
void uncounted(void* p) {
  if (p && counts) held -= malloc_usable_size(p);
  std::free(p);
}

/// The most that the heap holds between loading a file and the end of its parse, in bytes per byte of text.
double heap_peak_per_byte(const std::string& path) {
  held = most_held = 0;
  counts = true;
  hlolint::loaded_file file = hlolint::load_file(path);
  const auto size = static_cast<double>(file.text->text().size());
  const hlolint::parsed_file whole = hlolint::parse(std::move(*file.text));
  benchmark::DoNotOptimize(whole.modules().size());
  counts = false;
  return static_cast<double>(most_held) / size;
}

void parse_file(benchmark::State& state, const std::string& path) {
  const hlolint::loaded_file file = hlolint::load_file(path);
  if (!file.text) return state.SkipWithError(file.error.c_str());
  const std::string_view text = file.text->text();
  // First, so that the time which a virtual machine takes to find its memory for the first time is not measured.
  state.counters["heap_peak_per_byte"] = heap_peak_per_byte(path);
  for (auto _ : state) {
    const hlolint::parsed_file read = hlolint::parse(hlolint::source(text, path, hlolint::borrow));
    benchmark::DoNotOptimize(read.modules().size());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
/// HLO by the rules of the grammar alone.
void parse_by_grammar(benchmark::State& state, const std::string& path) {
  const hlolint::loaded_file file = hlolint::load_file(path);
  if (!file.text) return state.SkipWithError(file.error.c_str());
  const std::string_view text = file.text->text();
  for (auto _ : state) {
    const auto read = hlolint::grammar::read_hlo(hlolint::source(text, path, hlolint::borrow), false);
    benchmark::DoNotOptimize(read.modules.size());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

/// A file with a line of a log before it; empty if it cannot be read.
std::string after_a_line(const std::string& path) {
  const hlolint::loaded_file file = hlolint::load_file(path);
  return file.text ? "step 1: loss 0.5\n" + std::string(file.text->text()) : std::string();
}
void parse_after_a_line(benchmark::State& state, const std::string& path) {
  const std::string text = after_a_line(path);
  for (auto _ : state) {
    const hlolint::parsed_file read = hlolint::parse_parts(hlolint::source(text, path, hlolint::borrow));
    if (read.parts.empty()) return state.SkipWithError("no part was found");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
void split_after_a_line(benchmark::State& state, const std::string& path) {
  const std::string text = after_a_line(path);
  for (auto _ : state) {
    const hlolint::logs::input_parts parts = hlolint::logs::text_splitter(text).read();
    if (parts.parts.empty()) return state.SkipWithError("no part was found");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void operator delete(void* p) noexcept { uncounted(p); }
void operator delete(void* p, std::size_t) noexcept { uncounted(p); }

int main(int count, char** words) {
  // As the command does it (heap.cpp): memory below 4 MiB does not go back to the system after each text.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  benchmark::Initialize(&count, words);
  std::vector<std::string> paths(words + 1, words + count);
  const std::string sample = HLOLINT_TEST_DATA "/sample/module_0042.jit_train_step.cl_1.after_codegen";
  if (paths.empty()) paths = {sample + ".txt", sample + "-buffer-assignment.txt"};
  std::size_t rows = 0;
  const auto add_row = [&](const std::string& path, const char* ending, auto run, const char* what = "parse/") {
    benchmark::RegisterBenchmark((what + path.substr(path.rfind('/') + 1) + ending).c_str(),
                                 [path, run](benchmark::State& state) { run(state, path); });
    ++rows;
  };
  for (const std::string& path : paths) {
    add_row(path, "", parse_file);
    const hlolint::loaded_file file = hlolint::load_file(path);
    if (file.text && hlolint::kind_of(file.text->text()) == hlolint::input_kind::hlo)
      add_row(path, "/grammar", parse_by_grammar);
    add_row(path, "/after_a_line", parse_after_a_line);
    add_row(path, "", split_after_a_line, "split/");
  }
  return benchmark::RunSpecifiedBenchmarks() == rows ? 0 : 1;
}
