// MEM001, MEM002, MEM003: what each catches, what it does not, and every single move of a value.
#include "checks/memory/memory_outcome.hpp"

#include <hlolint/analysis/buffers/buffer_conflicts.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::memory;

namespace {

struct row {
  std::string_view what;
  std::vector<value_row> values;
  std::string found;
};

}  // namespace

TEST_CASE("pairs of values in temporary memory") {
  const row rows[] = {
      {"apart in bytes", {{"a", 0, 64, 1, 9, {9}}, {"b", 64, 64, 1, 9, {9}}}, ""},
      {"apart in time", {{"a", 0, 64, 1, 4, {4}}, {"b", 0, 64, 5, 9, {9}}}, ""},
      {"apart in time, at other offsets", {{"a", 0, 64, 1, 4, {4}}, {"b", 32, 64, 5, 9, {9}}}, ""},
      {"clash", {{"a", 0, 64, 1, 6, {6}}, {"b", 0, 64, 5, 9, {9}}}, "MEM001 error"},
      {"clash in one byte", {{"a", 0, 64, 1, 6, {6}}, {"b", 63, 64, 5, 9, {9}}}, "MEM001 error"},
      {"clash, one inside the other", {{"a", 0, 256, 1, 9, {9}}, {"b", 64, 64, 3, 5, {5}}}, "MEM001 error"},
      {"clash, both from one instruction", {{"a{0}", 0, 64, 3, 6, {6}}, {"a{1}", 0, 64, 3, 9, {9}}}, "MEM001 error"},
      {"clash of three",
       {{"a", 0, 64, 1, 9, {9}}, {"b", 0, 64, 2, 9, {9}}, {"c", 0, 64, 3, 9, {9}}},
       "MEM001 error, MEM001 error, MEM001 error"},
      {"clash to the end of the program", {{"a", 0, 64, 1, 21, {3}}, {"b", 0, 64, 5, 9, {9}}}, "MEM001 error"},
      {"touch, handed on", {{"a", 0, 64, 1, 5, {5}}, {"b", 0, 64, 5, 9, {9}}}, ""},
      {"touch, handed on to a smaller value", {{"a", 0, 64, 1, 5, {5}}, {"b", 0, 32, 5, 9, {9}}}, ""},
      {"touch, unexplained", {{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}}}, "MEM002 note"},
      {"touch, of a phi", {{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}, " (phi)"}}, ""},
      {"touch, two outputs of one operand",
       {{"z", 0, 64, 1, 5, {5}}, {"a{0}", 0, 64, 5, 5}, {"a{1}", 0, 64, 5, 9, {9}}},
       ""},
      {"touch, two outputs of nothing", {{"a{0}", 0, 64, 5, 5}, {"a{1}", 0, 64, 5, 9, {9}}}, "MEM002 note"},
      {"touch, by way of a third value",
       {{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}}, {"c", 0, 64, 12, 15, {15}, "", "", {"op.4", "op.9"}}},
       ""},
      {"touch, by way of a third value elsewhere",
       {{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}}, {"c", 64, 64, 12, 15, {15}, "", "", {"op.4", "op.9"}}},
       "MEM002 note"},
      {"partial touch, even if handed on", {{"a", 0, 64, 1, 5, {5}}, {"b", 32, 64, 5, 9, {9}}}, "MEM003 error"},
      {"partial touch backwards", {{"a", 32, 64, 1, 5, {5}}, {"b", 0, 64, 5, 9, {9}}}, "MEM003 error"},
      {"no bytes", {{"a", 0, 0, 1, 9, {9}}, {"b", 0, 64, 2, 9, {9}}, {"c", 0, 0, 3, 9, {9}}}, ""},
      {"no range", {{"a", 0, 64, 1, 9, {9}, "", "", {}, false}, {"b", 0, 64, 2, 9, {9}}}, ""},
      {"clash, renamed but read under another name too",
       {{"a", 0, 64, 1, 8, {4}, "", "", {"bitcast.1", "op.8"}}, {"b", 0, 64, 5, 9, {9}}},
       "MEM001 error"},
  };
  for (const row& r : rows) {
    CAPTURE(r.what);
    CHECK(outcome(dump_of({{temp, r.values}})) == r.found);
  }
}

TEST_CASE("values of different allocations never meet") {
  CHECK(outcome(dump_of({{temp, {{"a", 0, 64, 1, 9, {9}}}}, {temp, {{"b", 0, 64, 1, 9, {9}}}}})) == "");
}

TEST_CASE("alternate memory of a TPU") {
  struct colored {
    std::string_view what;
    std::vector<value_row> values;
    std::string tpu, gpu;
  };
  const colored rows[] = {
      {"read long after", {{"a", 0, 64, 1, 9, {9}}, {"b", 0, 64, 5, 12, {12}}}, "MEM001 error", "MEM001 error"},
      {"read right after", {{"a", 0, 64, 1, 6, {6}}, {"b", 0, 64, 5, 12, {12}}}, "MEM001 error", "MEM001 error"},
      {"read by the other's instruction",
       {{"a", 0, 64, 1, 6, {5}}, {"b", 0, 64, 5, 12, {12}}},
       "MEM001 warning",
       "MEM001 error"},
      {"never read", {{"a", 0, 64, 1, 9}, {"b", 0, 64, 5, 12, {12}}}, "MEM001 warning", "MEM001 error"},
      {"touch", {{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 12, {12}}}, "", "MEM002 note"},
      {"partial touch", {{"a", 0, 64, 1, 5, {5}}, {"b", 32, 64, 5, 12, {12}}}, "MEM003 warning", "MEM003 error"},
      {"read by a conditional",
       {{"a", 0, 64, 1, 9, {9}},
        {"b", 0, 64, 5, 12, {12}},
        {"c", 64, 64, 9, 12, {12}, "", "conditional(%a, %a), branch_computations={%x, %y}"}},
       "MEM001 note",
       "MEM001 error"},
      {"read by a ConcatBitcast",
       {{"a", 0, 64, 1, 9, {9}},
        {"b", 0, 64, 5, 12, {12}},
        {"c", 64, 64, 9, 12, {12}, "", "custom-call(%a), custom_call_target=\"ConcatBitcast\""}},
       "MEM001 warning",
       "MEM001 error"},
  };
  for (const colored& r : rows) {
    CAPTURE(r.what);
    const buffer_dump dump = dump_of({{", color 1, preallocated-temp", r.values}});
    CHECK(outcome(dump, target::tpu) == r.tpu);
    CHECK(outcome(dump, target::unknown) == r.tpu);
    CHECK(outcome(dump, target::gpu) == r.gpu);
    // Color 0 is ordinary memory.
    CHECK(outcome(dump_of({{temp, r.values}}), target::tpu) == r.gpu);
  }
}

TEST_CASE("a dump without live ranges is not judged, and the run reports it") {
  const std::string text = dump_text({{temp, {{"a", 0, 64, 1, 6, {6}}, {"b", 0, 64, 5, 9, {9}}}}});
  const parsed_file file = parse(text.substr(0, text.find("HloLiveRange")));
  const findings found = lint(memory_rules, *file.buffers);
  CHECK(found.empty());
  REQUIRE(found.skipped.size() == 3);
  CHECK(found.skipped[0].rule == "MEM001");
  CHECK(found.skipped[0].reason.find("live ranges") != std::string::npos);
  // Joined with the file of live ranges, as XLA writes them since 2026, it is.
  const parsed_file ranges = parse(text.substr(text.find("HloLiveRange")));
  CHECK(lint(memory_rules, join({*ranges.buffers, *file.buffers})).size() == 1);
}

TEST_CASE("every single move of a value onto one that lives at the same time is found") {
  // A program with hand-offs, siblings, a phi and values that use the same bytes one after the other.
  const buffer_dump dump = dump_of({{", parameter 0, shape |u8[64]| at ShapeIndex {}", {{"p0", 0, 64, 0, 21, {3, 8}}}},
                                    {temp,
                                     {{"a", 0, 64, 1, 4, {4}},
                                      {"b", 0, 64, 4, 7, {7}},
                                      {"c{0}", 64, 128, 2, 9, {9}},
                                      {"c{1}", 192, 32, 2, 5, {3, 5}},
                                      {"d", 192, 32, 6, 12, {12}},
                                      {"e{0}", 0, 64, 7, 7},
                                      {"e{1}", 0, 64, 7, 14, {14}},
                                      {"f", 64, 64, 10, 16, {16}},
                                      {"g", 128, 64, 10, 13, {13}, " (phi)"},
                                      {"h", 128, 64, 13, 18, {18}},
                                      {"i", 224, 16, 1, 18, {18}}}},
                                    {", color 1, preallocated-temp",
                                     {{"j", 0, 64, 1, 6, {6}}, {"k", 64, 64, 5, 9, {9}}, {"l", 128, 64, 3, 12, {12}}}},
                                    {", thread-local", {{"x", 0, 4, 0, 0, {}, "", "", {}, false}}}});
  REQUIRE(outcome(dump, target::tpu) == "");
  const move_counts gpu = try_all_moves(memory_rules, dump, nullptr, target::gpu);
  CHECK(gpu.missed == std::vector<std::string>{});
  CHECK(gpu.moves == 56);
  CHECK(gpu.errors == gpu.moves);
  const move_counts tpu = try_all_moves(memory_rules, dump, nullptr, target::tpu);
  CHECK(tpu.missed == std::vector<std::string>{});
  CHECK(tpu.warnings == 0);
  CHECK(tpu.errors + tpu.warnings == gpu.moves);
}

TEST_CASE("so it is in the sample program, with its HLO at hand") {
  for (const char* const folder : {"/ok/", "/sample/"}) {
    CAPTURE(folder);
    const std::string stem = std::string(HLOLINT_TEST_DATA) + folder + "module_0042.jit_train_step.cl_1.";
    const parsed_file hlo = parse(*load_file(stem + "after_codegen.txt").text);
    const parsed_file buffers = parse(*load_file(stem + "after_optimizations-buffer-assignment.txt").text);
    REQUIRE(hlo.modules().size() == 1);
    REQUIRE(buffers.buffers);
    const move_counts counts = try_all_moves(memory_rules, *buffers.buffers, &hlo.modules()[0], target::tpu);
    CHECK(counts.missed == std::vector<std::string>{});
    CHECK(counts.moves > 50);
  }
}

TEST_CASE("many values: disjoint in time, in few chunks, next to a few that live long") {
  constexpr std::size_t count = 200'000;
  auto data = std::make_shared<buffer_data>();
  std::string names;
  for (std::size_t i = 0; i < count; ++i) names += "v" + std::to_string(i) + " ";
  data->texts.emplace_back(names, "<many>");
  const std::string_view text = data->texts[0].text();
  data->has_assignment = true;
  data->shapes.emplace_back();
  data->live_ranges.emplace();
  allocation& a = data->allocations.emplace_back();
  a.preallocated_temp = true;
  a.value_count = count;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = text.find(' ', at);
    assigned_value v;
    v.name.id = static_cast<std::int64_t>(i);
    v.name.instruction = v.text = text.substr(at, end - at);
    at = end + 1;
    const bool long_lived = i < 10;
    v.offset = static_cast<byte_count>(long_lived ? i * 64 : 4096 + i % 8 * 64);
    v.size = 64;
    const auto t = static_cast<std::int64_t>(i / 8);
    data->values.push_back(v);
    data->live_ranges->ranges.push_back({v.name.instruction,
                                         {},
                                         long_lived ? 0 : 2 * t,
                                         long_lived ? static_cast<std::int64_t>(count) : 2 * t + 1,
                                         v.text});
  }
  // One fault among them: the last value over a long-lived one.
  data->values.back().offset = 64;
  const findings found = lint(memory_rules, buffer_dump(data));
  CHECK(found.size() == 1);  // compared pair by pair, this would not end within the time limit of a test
}

TEST_CASE("a dump in which everything lies on everything ends") {
  std::vector<value_row> values;
  for (int i = 0; i < 200; ++i) values.push_back({"v" + std::to_string(i), 0, 64, 1, 9, {9}});
  const findings found = lint(memory_rules, dump_of({{temp, values}}));
  CHECK(found.size() == buffer_conflicts::most_per_allocation + 1);
}
