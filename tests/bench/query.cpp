// Queries on a generated module: how long it takes to look at each instruction, to follow paths, and to give up a query
// that has too many choices. The argument is the number of instructions.
#include <hlolint/match.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/tool/query/compiled_query.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace hlolint;

/// Chains of elementwise instructions; each hundredth is a copy, and what follows reads two instructions.
std::string chains(std::int64_t count) {
  const std::string shape = "f32[8,128]{1,0}";
  std::string out =
      "HloModule chains\n\nENTRY %main (p: f32[8,128]) -> f32[8,128] {\n  %i.0 = " + shape + " parameter(0)\n";
  for (std::int64_t k = 1; k < count; ++k) {
    const std::string before = "%i." + std::to_string(k - 1);
    out += (k + 1 == count ? "  ROOT %i." : "  %i.") + std::to_string(k) + " = " + shape;
    out += k % 100 == 0 ? " copy(" + before + ")\n"
                        : " add(" + before + ", %i." + std::to_string(k > 50 ? k - 50 : 0) + ")\n";
  }
  return out + "}\n";
}

void match_query(benchmark::State& state, const std::string& text) {
  const match::compiled_query<module_facts> query(text, match::module_properties<module_facts>());
  if (query.error()) return state.SkipWithError(query.error()->message.c_str());
  const parsed_file file = parse_hlo(source(chains(state.range(0))));
  std::size_t found = 0;
  bool exhausted = false;
  for (auto _ : state) {
    const module_facts facts(file.modules().front());  // analyses count
    match::match_state<module_facts> matching(facts);
    found = 0;
    match::for_each_match(query.pattern(), matching, [&](hlo_instruction, const auto&) { return ++found, true; });
    exhausted = matching.exhausted();
  }
  state.counters["matches"] = static_cast<double>(found);
  state.counters["given_up"] = exhausted;
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

const std::string choices = [] {
  std::string out = "add($a, $b) where users($a) = 77";
  for (char c = 'c'; c < 'o'; ++c) out += std::string(" and has operand ($") + c + ": add(...))";
  return out;
}();

#define HLOLINT_QUERY_ROW(name, text)                              \
  void name(benchmark::State& state) { match_query(state, text); } \
  BENCHMARK(name)->Unit(benchmark::kMillisecond)->RangeMultiplier(10)->Range(10'000, 1'000'000)

HLOLINT_QUERY_ROW(query_any, "any");
HLOLINT_QUERY_ROW(query_operands, "add(copy, $x: add) where bytes($x) >= 4KiB");
HLOLINT_QUERY_ROW(query_path, "add where depends on (copy) and reaches within 3 (copy)");
HLOLINT_QUERY_ROW(query_choices, choices);

}  // namespace
