// MEM001, MEM002, MEM003: what each catches, what it does not, and every single move of a value.
#include "memory_fixtures.hpp"

#include <hlolint/analysis/buffers/buffer_conflicts.hpp>
#include <hlolint/checks/memory/overlapping_live_buffers.hpp>
#include <hlolint/checks/memory/partial_overlap_in_place.hpp>
#include <hlolint/checks/memory/touching_not_shareable.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr auto memory_rules = overlapping_live_buffers{} | touching_not_shareable{} | partial_overlap_in_place{};

// `MEM001 error, MEM002 note`: everything, notes included.
std::string outcome(const context& dump) {
  std::string out;
  for (const diagnostic& d : lint(memory_rules, dump, all_settings(memory_rules)))
    out += (out.empty() ? "" : ", ") + d.rule + " " + std::string(name_of(d.level));
  return out;
}
std::string outcome(const buffer_dump& dump, target backend = target::gpu) {
  return outcome(context({.buffers = dump, .target = backend}));
}

struct row {
  std::string_view what;
  std::vector<value_row> values;
  std::string found;
};

const std::string temp = ", preallocated-temp";

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

TEST_CASE("a value that is only renamed after the other one starts is a note, in temporary memory") {
  // op.8 is called bitcast.8 here.
  const auto with = [](const std::string& flags, std::int64_t last_read) {
    std::string text =
        dump_text({{flags, {{"a", 0, 64, 1, 8, {last_read}, "", "", {"op.8"}}, {"b", 0, 64, 5, 9, {9}}}}});
    for (std::size_t at = text.find("op.8"); at != std::string::npos; at = text.find("op.8"))
      text.replace(at, 4, "bitcast.8");
    return outcome(*parse(std::move(text)).buffers);
  };
  CHECK(with(temp, 4) == "MEM001 note");
  CHECK(with(temp, 6) == "MEM001 error");
  CHECK(with(", maybe-live-out", 4) == "MEM001 error");
}

TEST_CASE("what the compiler's instructions declare explains a touch") {
  const auto with = [](const std::string& first, const std::string& second) {
    return outcome(dump_of(
        {{temp,
          {{"z", 64, 64, 1, 5, {5}},
           {"f{0}", 0, 64, 5, 5, {}, "", "fusion(%z), calls=%c, output_to_operand_aliasing={" + first + "}"},
           {"f{1}", 0, 64, 5, 9, {9}, "", "fusion(%z), calls=%c, output_to_operand_aliasing={" + second + "}"}}}}));
  };
  CHECK(with("{0}: (0, {}), {1}: (0, {})", "{0}: (0, {}), {1}: (0, {})") == "");
  CHECK(with("{0}: (0, {})", "{0}: (0, {})") == "MEM002 note");
  CHECK(with("{0}: (0, {}), {1}: (1, {})", "{0}: (0, {}), {1}: (1, {})") == "MEM002 note");
}

TEST_CASE("alternate memory of a TPU") {
  struct colored {
    std::string_view what;
    std::vector<value_row> values;
    std::string tpu, gpu;
  };
  const colored rows[] = {
      {"read long after", {{"a", 0, 64, 1, 9, {9}}, {"b", 0, 64, 5, 12, {12}}}, "MEM001 error", "MEM001 error"},
      {"read right after", {{"a", 0, 64, 1, 6, {6}}, {"b", 0, 64, 5, 12, {12}}}, "MEM001 warning", "MEM001 error"},
      {"never read", {{"a", 0, 64, 1, 9}, {"b", 0, 64, 5, 12, {12}}}, "MEM001 warning", "MEM001 error"},
      {"touch", {{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 12, {12}}}, "", "MEM002 note"},
      {"partial touch", {{"a", 0, 64, 1, 5, {5}}, {"b", 32, 64, 5, 12, {12}}}, "MEM003 warning", "MEM003 error"},
      {"read by a conditional",
       {{"a", 0, 64, 1, 9, {9}},
        {"b", 0, 64, 5, 12, {12}},
        {"c", 64, 64, 9, 12, {12}, "", "conditional(%a, %a), branch_computations={%x, %y}"}},
       "MEM001 warning",
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
    // Colour 0 is ordinary memory.
    CHECK(outcome(dump_of({{temp, r.values}}), target::tpu) == r.gpu);
  }
}

TEST_CASE("with the HLO at hand") {
  const buffer_dump dump = dump_of({{temp, {{"a", 0, 64, 1, 6, {6}}, {"b", 0, 64, 5, 9, {9}}}}});
  const auto with = [&](std::string_view header) {
    const parsed_file file = parse("HloModule m" + std::string(header) +
                                   "\n\nENTRY %main (p: u8[64]) -> u8[64] {\n"
                                   "  %p = u8[64]{0} parameter(0)\n"
                                   "  %a = u8[64]{0} not(u8[64]{0} %p)\n"
                                   "  ROOT %b = u8[64]{0} not(u8[64]{0} %a), metadata={op_name=\"jit(g)/not\" "
                                   "source_file=\"g.py\" source_line=7}\n}\n");
    return context({.hlo = file.modules().at(0), .buffers = dump, .target = target::gpu});
  };
  CHECK(outcome(with(", is_scheduled=true")) == "MEM001 error");
  CHECK(outcome(with("")) == "MEM001 warning");
  const findings found = lint(memory_rules, with(", is_scheduled=true"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].computation == "main");
  CHECK(found[0].source_file == "g.py");
  CHECK(found[0].source_line == 7);
}

TEST_CASE("the HLO decides about a touch") {
  struct touch {
    std::string_view what;
    std::string instructions;   // after op.0, a parameter
    std::vector<value_row> values;
    std::string gpu, cpu, tpu, alone;
  };
  const std::vector<value_row> handed_on{{"a", 0, 64, 1, 2, {2}}, {"b", 0, 64, 2, 3, {}}};
  const std::string a = "  a = u8[64]{0} not(op.0)\n";
  const touch rows[] = {
      {"two outputs in one place, one of them never read",
       "  c = (u8[64]{0}, u8[64]{0}) custom-call(op.0), custom_call_target=\"x\"\n  op.2 = u8[64]{0} get-tuple-element(c), index=1\n  ROOT op.3 = u8[64]{0} not(op.2)\n",
       {{"c{0}", 0, 64, 1, 1}, {"c{1}", 0, 64, 1, 3, {3}}}, "MEM002 error", "MEM002 error", "MEM002 error", "MEM002 note"},
      {"the same, both declared aliases of the operand",
       "  c = (u8[64]{0}, u8[64]{0}) custom-call(op.0), custom_call_target=\"x\", output_to_operand_aliasing={{0}: (0, "
       "{}), {1}: (0, {})}\n"
       "  op.2 = u8[64]{0} get-tuple-element(c), index=1\n  ROOT op.3 = u8[64]{0} not(op.2)\n",
       {{"c{0}", 0, 64, 1, 1}, {"c{1}", 0, 64, 1, 4, {3}}}, "", "", "", "MEM002 note"},
      {"elementwise", a + "  ROOT b = u8[64]{0} not(a)\n", handed_on, "", "", "", ""},
      {"an operand read out of order", a + "  ROOT b = u8[64]{0} reverse(a), dimensions={0}\n", handed_on,
       "MEM002 warning", "MEM002 warning", "MEM002 note", ""},
      {"a custom-call", a + "  ROOT b = u8[64]{0} custom-call(a), custom_call_target=\"x\"\n", handed_on, "MEM002 note",
       "MEM002 note", "MEM002 note", ""},
      {"what only GPUs do in place", a + "  ROOT b = u8[64]{0} all-reduce(a), replica_groups={}, to_apply=or\n",
       handed_on, "", "MEM002 warning", "", ""},
      {"an HLO with other live ranges proves nothing",
       a + "  o = u8[64]{0} not(op.0)\n"
           "  ROOT b = u8[64]{0} reverse(a), dimensions={0}\n",
       handed_on, "", "", "", ""},
      {"nor does one without the values", "  ROOT o = u8[64]{0} not(op.0)\n", handed_on, "", "", "", ""},
  };
  for (const touch& r : rows) {
    CAPTURE(r.what);
    const buffer_dump dump = dump_of({{temp, r.values}}, 3);
    const auto with = [&](target backend, const std::string& header) {
      const parsed_file file = parse("HloModule m" + header +
                                     "\n\nor {\n  x = u8[] parameter(0)\n"
                                     "  y = u8[] parameter(1)\n  ROOT z = u8[] or(x, y)\n}\n"
                                     "\nENTRY main {\n  op.0 = u8[64]{0} parameter(0)\n" +
                                     r.instructions + "}\n");
      REQUIRE(file.status == parse_status::ok);
      return outcome(context({.hlo = file.modules().at(0), .buffers = dump, .target = backend}));
    };
    const std::string scheduled = ", is_scheduled=true";
    CHECK(with(target::gpu, scheduled) == r.gpu);
    CHECK(with(target::cpu, scheduled) == r.cpu);
    CHECK(with(target::tpu, scheduled) == r.tpu);
    CHECK(outcome(dump) == r.alone);
    if (r.gpu == "MEM002 error") CHECK(with(target::gpu, "") == "MEM002 warning");
  }
}

TEST_CASE("the text of a finding") {
  const buffer_dump dump = dump_of({{temp, {{"a{0}", 128, 64, 1, 6, {6}}, {"b", 160, 64, 5, 9, {9}}}}});
  const findings found = lint(memory_rules, dump);
  REQUIRE(found.size() == 1);
  const diagnostic& d = found[0];
  CHECK(d.message ==
        "b (bytes 160 to 224, live 5-9) lies over a{0} (bytes 128 to 192, live 1-6): 32B in common, and both "
        "live from position 5 (b) on");
  CHECK(d.instruction == "b");
  CHECK(d.shape == "u8[64]{0}");
  CHECK(d.bytes == 32);
  CHECK(d.buffer == buffer_place{0, 160, 64, 5, 9});
  CHECK(d.where.text() == dump.values()[1].text);
  CHECK(d.op_name == "jit(f)/b");
  CHECK(d.source_file == "f.py");
  CHECK(d.source_line == 4);
  CHECK(!d.advice.empty());
  REQUIRE(d.related.size() == 1);
  CHECK(d.related[0].instruction == "a");
  CHECK(d.related[0].buffer == buffer_place{0, 128, 64, 1, 6});
  CHECK(d.related[0].where.text() == dump.values()[0].text);
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
  const buffer_dump dump = dump_of(
      {{", parameter 0, shape |u8[64]| at ShapeIndex {}", {{"p0", 0, 64, 0, 21, {3, 8}}}},
       {temp,
        {{"a", 0, 64, 1, 4, {4}}, {"b", 0, 64, 4, 7, {7}}, {"c{0}", 64, 128, 2, 9, {9}}, {"c{1}", 192, 32, 2, 5, {3, 5}},
         {"d", 192, 32, 6, 12, {12}}, {"e{0}", 0, 64, 7, 7}, {"e{1}", 0, 64, 7, 14, {14}}, {"f", 64, 64, 10, 16, {16}},
         {"g", 128, 64, 10, 13, {13}, " (phi)"}, {"h", 128, 64, 13, 18, {18}}, {"i", 224, 16, 1, 18, {18}}}},
       {", color 1, preallocated-temp", {{"j", 0, 64, 1, 6, {6}}, {"k", 64, 64, 5, 9, {9}}, {"l", 128, 64, 3, 12, {12}}}},
       {", thread-local", {{"x", 0, 4, 0, 0, {}, "", "", {}, false}}}});
  REQUIRE(outcome(dump, target::tpu) == "");
  const move_counts gpu = try_all_moves(memory_rules, dump, nullptr, target::gpu);
  CHECK(gpu.missed == std::vector<std::string>{});
  CHECK(gpu.moves == 56);
  CHECK(gpu.errors == gpu.moves);
  const move_counts tpu = try_all_moves(memory_rules, dump, nullptr, target::tpu);
  CHECK(tpu.missed == std::vector<std::string>{});
  CHECK(tpu.warnings == 2);
  CHECK(tpu.errors + tpu.warnings == gpu.moves);
}

TEST_CASE("so it is in the sample program, with its HLO at hand") {
  for (const char* const folder : {"/ok/", "/sample/"}) {
    CAPTURE(folder);
    const std::string stem =
        std::string(HLOLINT_TEST_DATA) + folder + "module_0042.jit_train_step.tpu_after_optimizations";
    const parsed_file hlo = parse(*load_file(stem + ".txt").text);
    const parsed_file buffers = parse(*load_file(stem + "-buffer-assignment.txt").text);
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
    data->live_ranges->ranges.push_back({v.name.instruction, {}, long_lived ? 0 : 2 * t, long_lived ? static_cast<std::int64_t>(count) : 2 * t + 1, v.text});
  }
  // One fault among them: the last value over a long-lived one.
  data->values.back().offset = 64;
  const auto started = std::chrono::steady_clock::now();
  const findings found = lint(memory_rules, buffer_dump(data));
  CHECK(found.size() == 1);
  // seconds even where nothing is optimised
  CHECK(std::chrono::steady_clock::now() - started < std::chrono::seconds(20));
}

TEST_CASE("a dump in which everything lies on everything ends") {
  std::vector<value_row> values;
  for (int i = 0; i < 200; ++i) values.push_back({"v" + std::to_string(i), 0, 64, 1, 9, {9}});
  const findings found = lint(memory_rules, dump_of({{temp, values}}));
  CHECK(found.size() == buffer_conflicts::most_per_allocation + 1);
}
