#include "memory_fixture.hpp"

#include <hlolint/tool/report/memory/memory_text.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::testing;

namespace {

std::string text_of(const context& module, memory_options options = {}) {
  std::ostringstream out;
  memory_text report(out, options);
  report(module, "dumps/small-buffer-assignment.txt");
  return out.str();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("memory_text: all of a small module") {
  CHECK(text_of(*small_module()) == R"(dumps/small-buffer-assignment.txt: module small
  need       6656 bytes (6.5KiB) in 3 allocations, as long as it is loaded; without code
           = arguments 1.0KiB + outputs 1.0KiB + temporaries 4.5KiB
  in use     5120 bytes (5.0KiB) at most, at position 2 (b)
  XLA's peak 4096 bytes (4.0KiB) at position 3 (c)
             (XLA counts values whose ranges touch as apart)

  memory space  allocations    size  in use  at
  color 0                 2  2.0KiB  2.0KiB  3 (c)
  color 1                 1  4.5KiB  4.0KiB  2 (b)

  allocation  kind       color  bytes  bound  at  slack  gaps  repacked
           2  temp           1   4608   4096   2    512   512      4096
           0  parameter      0   1024   1024   0      0     0
           1  live-out       0   1024   1024   3      0     0
  bound: most bytes in use at one position. slack: bytes - bound. gaps: never used by any value.
  repacked: a smaller packing of the same values that was found, or the present size.

  what takes the need at position 2 (b), where 5120 bytes (5.0KiB) are in use
    size  kind       value              live  allocation  shape
  2.0KiB  temp       a                   1-2           2  f32[512]{0}
      f.py:7, jit(f)/a
  2.0KiB  temp       b                   2-3           2  f32[512]{0}
  1.0KiB  parameter  p                   0-4           0  f32[256]{0}
  1.0KiB  live-out   c                   3-4           1  f32[256]{0}
    512B  temp       (not in use then)                 2

  bytes in use by schedule position
      5.0KiB |                                ################
             |                                ################
             |                                ################################
             |                                ################################
             |                ################################################
             |                ################################################
             |                ################################################################
             |                ################################################################
             |################################################################################
             |################################################################################
          0B +--------------------------------^^^^^^^^^^^^^^^^--------------------------------
              0                                                                              4

)");
}

TEST_CASE("memory_text: where a value comes from is known without the HLO too") {
  const std::string alone = text_of(*module_with(nullptr, small_buffers));
  CHECK(has(alone, "\n      f.py:7, jit(f)/a\n"));
}

TEST_CASE("memory_text: another position, fewer rows, blocks") {
  const std::string text = text_of(*small_module(), {1, 3, true});
  CHECK(has(text, "what takes the need at position 3 (c), where 4096 bytes (4.0KiB) are in use\n"));
  CHECK(has(text, "  2.5KiB  temp  (not in use then)"));
  CHECK_FALSE(has(text, "  p  "));
  CHECK(has(text, "  and 2 more\n  bound:"));
  CHECK(has(text, "  and 3 more\n\n  bytes in use"));
  CHECK(has(text, "\xE2\x96\x88"));
  CHECK_FALSE(has(text, "#"));
}

TEST_CASE("memory_text: sizes alone, and what would give the rest") {
  const std::string untimed = text_of(*module_with(nullptr, without_live_ranges()));
  CHECK(has(untimed, "need       6656 bytes"));
  CHECK(has(untimed, "  color 1                 1  4.5KiB\n"));
  CHECK_FALSE(has(untimed, "position"));
  CHECK_FALSE(has(untimed, "4608   4608"));
  CHECK(has(untimed, "-live-range.txt"));
  CHECK(has(untimed, "--xla_dump_buffer_assignment_analysis"));
  // With the schedule of the HLO beside it nothing is missing.
  const std::string timed = text_of(*module_with(small_hlo, without_live_ranges()));
  CHECK(has(timed, "need       6656 bytes"));
  CHECK(has(timed, "position"));
  CHECK(has(timed, "when values live is not in the dump: it follows from the schedule of the HLO"));
  CHECK_FALSE(has(timed, "-live-range.txt"));
  const std::string nothing = text_of(*module_with(small_hlo, ""));
  CHECK(has(nothing, "no buffer assignment"));
  CHECK(has(nothing, "--xla_dump_to"));
  CHECK(has(nothing, "estimated from the schedule of the HLO alone"));
  CHECK(has(nothing, "need       6144 bytes (6.0KiB) in 3 allocations"));
  CHECK(has(nothing, "in use     5120 bytes (5.0KiB) at most, at position 2 (b)"));
  CHECK_FALSE(has(text_of(*small_module()), "estimated"));
}

TEST_CASE("memory_text: by source, scope, opcode and shape; each sums to the need") {
  const auto by = [](memory_by what) {
    memory_options options;
    options.by = what;
    return text_of(*small_module(), options);
  };
  const std::string source = by(memory_by::source);
  CHECK(has(source,
            "what takes the need, by source, at position 2 (b)\n"
            "    size  share  values  source\n"
            "  2.0KiB   31 %       1  (temp)\n"
            "  2.0KiB   31 %       1  f.py:7\n"
            "  1.0KiB   15 %       1  (live-out)\n"
            "  1.0KiB   15 %       1  (parameter)\n"
            "    512B  7.7 %       1  (not in use then)\n"));
  CHECK_FALSE(has(source, "repacked"));
  CHECK(has(by(memory_by::scope), "jit(f)/a"));
  CHECK(has(by(memory_by::opcode), "  5.0KiB   77 %       3  custom-call\n"));
  CHECK(has(by(memory_by::shape), "  4.0KiB   62 %       2  f32[512]{0}\n"));
  const auto module = small_module();
  const memory_profile& facts = module->get<memory_profile>();
  for (const memory_by what : {memory_by::source, memory_by::opcode, memory_by::shape}) {
    byte_count sum = 0;
    for (const memory_group& group : memory_groups(*module, resident_at(facts.chunks, 2), what)) sum += group.bytes;
    CHECK(sum == memory_need(*module->buffers()).total);
  }
}

TEST_CASE("memory_text: tables fit the terminal, and nothing is cut without one") {
  std::string hlo = small_hlo, buffers = small_buffers;
  const std::string name(90, 'n');  // of the value b
  for (std::string* const text : {&hlo, &buffers})
    for (std::size_t at = 0; (at = text->find("%b", at)) != text->npos;) text->replace(at, 2, "%" + name);
  for (const char* const before : {"<2 ", "2:", "    ", "  "})
    for (const char* const after : {" @", "{}", "\n", ", operand"}) {
      const std::string word = std::string(before) + "b" + after;
      for (std::size_t at = 0; (at = buffers.find(word, at)) != buffers.npos; at += name.size())
        buffers.replace(at, word.size(), before + name + after);
    }
  const auto module = module_with(hlo.c_str(), buffers);
  for (const std::size_t width : {80u, 120u}) {
    CAPTURE(width);
    for (const memory_by by : {memory_by::nothing, memory_by::source, memory_by::shape}) {
      memory_options options;
      options.width = width, options.by = by;
      std::istringstream lines(text_of(*module, options));
      for (std::string line; std::getline(lines, line);)
        if (line.find(' ') != 0 || line.find(name) == line.npos) CHECK_MESSAGE(line.size() <= width, line);
    }
  }
  CHECK(has(text_of(*module), "  " + name + " "));
  memory_options narrow;
  narrow.width = 80;
  CHECK_FALSE(has(text_of(*module, narrow), "  " + name + " "));
}

TEST_CASE("memory_groups: what lies somewhere at any time counts once") {
  // Two values of one line in the same bytes, and one beside them.
  const auto module = module_with(nullptr, R"(BufferAssignment:
allocation 0: size 3072, preallocated-temp:
 value: <0 a @0> (size=2048,offset=0): f32[512]{0}
 value: <1 b @0> (size=2048,offset=0): f32[512]{0}
 value: <2 c @0> (size=1024,offset=2048): f32[512]{0}

HloLiveRange (max 4):
  InstructionSequence:
    0:a
    1:b
    2:c
  BufferLiveRange:
    a{}:0-0
    b{}:1-2
    c{}:2-3
  Live ranges at 2 (peak):
    b{}: 2048 bytes (cumulative: 2048 bytes)
)");
  const memory_profile& facts = module->get<memory_profile>();
  const auto groups = memory_groups(*module, resident_at(facts.chunks, 1), memory_by::shape);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].name == "f32[512]{0}");
  CHECK(groups[0].bytes == 2048);
  CHECK(groups[0].allocated == 3072);
  CHECK(groups[1].name == "(not in use then)");
  CHECK(groups[1].allocated == groups[1].bytes);
}

TEST_CASE("memory_groups: scopes are a tree, and brackets hide their slashes") {
  CHECK(scope_parts("jit(a/b)/while[x=(c/d)]//e") == std::vector<std::string_view>{"jit(a/b)", "while[x=(c/d)]", "e"});
  CHECK(scope_parts("a(/b").size() == 1);
  report::detail::scope_node root;
  root.below["a"].bytes = 5, root.below["a"].below["b"].bytes = 5, root.below["c"].bytes = 7;
  std::vector<memory_group> out;
  report::detail::add_scopes(root, {}, 0, out);
  REQUIRE(out.size() == 2);
  CHECK(out[0].name == "c");
  CHECK(out[1].name == "a/b");
}

TEST_CASE("memory_text: a job's log is its table") {
  std::ostringstream out;
  const parsed_file log = parse_parts(
      source("Ran out of memory in memory space hbm. Used 9.00G of 8.00G hbm. Exceeded hbm capacity by 1.00G.\n  "
             "1. Size: 4.00G\n     Operator: "
             "op_name=\"a/b\" source_file=\"f.py\" source_line=3\n     Shape: s8[4]\n     Unpadded size: 1.00G\n "
             "    Extra memory due to padding: "
             "3.00G (4.0x expansion)\n     XLA label: x\n     Allocation type: HLO temp\n     =====\n",
             "job.log"));
  const context module(*log.buffers);
  memory_text report(out);
  report(module, "job.log");
  CHECK(has(out.str(), "9.00GiB are needed, and there are 8.00GiB"));
  CHECK(has(out.str(), "  4.00GiB  3.00GiB  HLO temp  s8[4]\n      f.py:3, a/b\n"));
  CHECK(has(out.str(), "advice: Padding alone"));
  CHECK_FALSE(has(out.str(), "no buffer assignment"));
}

TEST_CASE("memory_text: a device has so much, and its memory spaces have names") {
  const auto text_on = [](const char* name, byte_count memory) {
    context::parts parts;
    parts.buffers = buffers_of(small_buffers);
    parts.target = target::tpu;
    device on;
    on.name = name;
    on.memory_size = memory;
    parts.device = on;
    return text_of(context(std::move(parts)));
  };
  CHECK(has(text_on("tpu-v5e", 1), "  device     tpu-v5e has 15.75GiB of HBM: 15.75GiB are left\n"));
  CHECK(has(text_on("my own", 1024), "  device     my own has 1.0KiB of HBM: 1.0KiB too much\n"));
  CHECK(has(text_on("my own", 1024), "  VMEM                    1  4.5KiB"));
  CHECK_FALSE(has(text_of(*small_module()), "device"));
}

TEST_CASE("memory_text: a text without its entry has no need") {
  context::parts parts;
  parts.target = target::gpu;
  const parsed_file cut =
      parse_hlo(source(std::string("HloModule m, is_scheduled=true, "
                                   "entry_computation_layout={(f32[8]{0})->f32[8]{0}}\n\n%f (p: f32[8]) -> f32[8] {\n"
                                   "  %p = f32[8]{0} parameter(0)\n  ROOT %n = f32[8]{0} negate(%p)\n}\n")));
  parts.hlo = cut.modules()[0];
  const std::string text = text_of(context(parts));
  CHECK(has(text, "the text has no ENTRY computation"));
  CHECK_FALSE(has(text, "  need "));
}
