#include <hlolint/checks/performance/param_duplicated.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `operation` on a parameter of 16 MiB, and its value in a temporary allocation from position 2 to `end` of 4.
findings lint_program(const std::string& operation, int end, const param_duplicated& check = {.min_positions = 2},
                      const std::string& color = "", target on = target::unknown) {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[2048,2048]{1,0} parameter(0)\n"
      "  %c = f32[2048,2048]{0,1} " +
      operation +
      "\n  %n = f32[2048,2048]{0,1} negate(%c)\n"
      "  ROOT %a = f32[2048,2048]{0,1} add(%n, %c)\n}\n");
  const buffer_dump buffers = buffers_of(
      "BufferAssignment:\nallocation 0: size 16777216, parameter 0, shape |f32[2048,2048]| at ShapeIndex {}:\n"
      " value: <0 p @0> (size=16777216,offset=0): f32[2048,2048]{1,0}\n"
      "allocation 1: size 50331648, " +
      color +
      "preallocated-temp:\n"
      " value: <1 c @0> (size=16777216,offset=0): f32[2048,2048]{0,1}\n"
      " value: <2 n @0> (size=16777216,offset=16777216): f32[2048,2048]{0,1}\n"
      " value: <3 a @0> (size=16777216,offset=33554432): f32[2048,2048]{0,1}\n\n"
      "HloLiveRange (max 4):\n  InstructionSequence:\n    0:p\n    1:c\n    2:n\n    3:a\n  BufferLiveRange:\n"
      "    p{}:0-4\n    c{}:1-" +
      std::to_string(end) + "\n    n{}:2-3\n    a{}:3-4\n  Live ranges at 3 (peak):\n    c: 16777216 bytes\n");
  return lint(check, context({.hlo = module, .buffers = buffers, .target = on}));
}

}  // namespace

TEST_CASE("PRF003 catches") {
  const findings found = lint_program("copy(%p)", 3);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "c");
  CHECK(found[0].bytes == 16_MiB);
  CHECK(found[0].message == "copy of parameter p takes 16.00MiB from position 1 to 3 of 4, beside the parameter");
  CHECK(found[0].related[0].instruction == "p");
}

TEST_CASE("PRF003 catches a cast before a loop in a short program, with its time") {
  const auto lint_loop = [](const std::string& trips, int end) {
    const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

%body {
  %s = (s32[], bf16[4,2048,2048]{2,1,0}) parameter(0)
  %k = s32[] get-tuple-element(%s), index=0
  %w = bf16[4,2048,2048]{2,1,0} get-tuple-element(%s), index=1
  ROOT %t = (s32[], bf16[4,2048,2048]{2,1,0}) tuple(%k, %w)
}

%condition {
  %c = (s32[], bf16[4,2048,2048]{2,1,0}) parameter(0)
  ROOT %go = pred[] constant(false)
}

ENTRY %main {
  %p = f32[4,2048,2048]{2,1,0} parameter(0)
  %cast = bf16[4,2048,2048]{2,1,0} convert(%p)
  %zero = s32[] constant(0)
  %state = (s32[], bf16[4,2048,2048]{2,1,0}) tuple(%zero, %cast)
  %loop = (s32[], bf16[4,2048,2048]{2,1,0}) while(%state), condition=%condition, body=%body, backend_config={"known_trip_count":{"n":")" +
                                        trips + R"("}}
  ROOT %out = s32[] get-tuple-element(%loop), index=0
}
)");
    const buffer_dump buffers = buffers_of(
        "BufferAssignment:\nallocation 0: size 67108864, parameter 0, shape |f32[4,2048,2048]| at ShapeIndex {}:\n"
        " value: <0 p @0> (size=67108864,offset=0): f32[4,2048,2048]{2,1,0}\n"
        "allocation 1: size 33554432, preallocated-temp:\n"
        " value: <1 cast @0> (size=33554432,offset=0): bf16[4,2048,2048]{2,1,0}\n\n"
        "HloLiveRange (max 6):\n  InstructionSequence:\n    0:p\n    1:cast\n    2:zero\n    3:state\n    4:loop\n"
        "    5:out\n  BufferLiveRange:\n    p{}:0-6\n    cast{}:1-" +
        std::to_string(end) + "\n  Live ranges at 2 (peak):\n    cast: 33554432 bytes\n");
    std::vector<finding> found;
    auto keep = [&](finding d) { found.push_back(std::move(d)); };
    param_duplicated{}(context({.hlo = module, .buffers = buffers}), sink_ref(keep));
    return found;
  };
  const std::vector<finding> found = lint_loop("24", 4);
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].saves.size() == 1);
  CHECK(found[0].saves[0].of.name() == "cast");
  CHECK(lint_loop("1", 4).empty());
  CHECK(lint_loop("24", 3).empty());
}

TEST_CASE("PRF003 catches parameters that are stacked in the program") {
  // As XLA for TPU writes a stack: each part fills a row of the array in place, by way of another memory.
  const auto lint_stack = [](const std::string& second, const std::string& row = "%w1") {
    const hlo_module module = module_of(
        "HloModule m, is_scheduled=true\n\n%first {\n  %a = f32[2048,2048]{1,0} parameter(0)\n"
        "  %all = f32[2,2048,2048]{2,1,0} custom-call(), custom_call_target=\"AllocateBuffer\"\n"
        "  %z = s32[] constant(0)\n  %r = f32[1,2048,2048]{2,1,0} bitcast(%a)\n"
        "  ROOT %u = f32[2,2048,2048]{2,1,0} dynamic-update-slice(%all, %r, %z, %z, %z)\n}\n\n"
        "%second {\n  %all = f32[2,2048,2048]{2,1,0} parameter(0)\n  %a = f32[2048,2048]{1,0} parameter(1)\n"
        "  %z = s32[] constant(0)\n  %one = s32[] constant(1)\n  %b = f32[2048,2048]{1,0} " +
        second +
        "(%a)\n  %r = f32[1,2048,2048]{2,1,0} bitcast(%b)\n  ROOT %u = f32[2,2048,2048]{2,1,0} "
        "dynamic-update-slice(%all, %r, %one, %z, %z)\n}\n\n"
        "ENTRY %main {\n  %w0 = f32[2048,2048]{1,0} parameter(0)\n  %w1 = f32[2048,2048]{1,0} parameter(1)\n"
        "  %s = f32[2,2048,2048]{2,1,0} fusion(%w0), kind=kLoop, calls=%first\n"
        "  %t = f32[2,2048,2048]{2,1,0} fusion(%s, " +
        row +
        "), kind=kLoop, calls=%second\n  %n = f32[2,2048,2048]{2,1,0} negate(%t)\n"
        "  ROOT %b = f32[2,2048,2048]{2,1,0} add(%n, %t)\n}\n");
    const buffer_dump buffers = buffers_of(
        "BufferAssignment:\nallocation 0: size 100663296, preallocated-temp:\n"
        " value: <2 s @0> (size=33554432,offset=0): f32[2,2048,2048]{2,1,0}\n"
        " value: <3 t @0> (size=33554432,offset=0): f32[2,2048,2048]{2,1,0}\n"
        " value: <4 n @0> (size=33554432,offset=33554432): f32[2,2048,2048]{2,1,0}\n\n"
        "HloLiveRange (max 6):\n  InstructionSequence:\n    0:w0\n    1:w1\n    2:s\n    3:t\n    4:n\n    5:b\n"
        "  BufferLiveRange:\n    w0{}:0-6\n    w1{}:0-6\n    s{}:2-3\n    t{}:3-5\n    n{}:4-5\n    b{}:5-6\n"
        "  Live ranges at 4 (peak):\n    t: 33554432 bytes\n");
    return lint(param_duplicated{.min_positions = 2}, context({.hlo = module, .buffers = buffers}));
  };
  const findings found = lint_stack("copy");
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "t");
  CHECK(found[0].message ==
        "an array of 2 parameters, joined in the program, takes 32.00MiB from position 2 to 5 of 6, beside the "
        "parameters");
  CHECK(found[0].bytes == 32_MiB);
  REQUIRE(found[0].related.size() == 2);
  CHECK(lint_stack("negate").empty());
  CHECK(lint_stack("copy", "%w0").empty());  // one parameter, twice
}

TEST_CASE("PRF003 does not catch") {
  CHECK(lint_program("negate(%p)", 3).empty());  // computes
  // a weight that a TPU keeps in VMEM
  CHECK(lint_program("copy(%p)", 3, {.min_positions = 2}, "color 1, ", target::tpu).empty());
  CHECK(lint_program("copy(%p)", 3, {.min_positions = 2}, "color 1, ", target::gpu).size() == 1);
  CHECK(lint_program("copy(%p)", 3, param_duplicated{.min_positions = 4}).empty());
  CHECK(lint_program("copy(%p)", 3, param_duplicated{.min_percent = 80, .min_positions = 2}).empty());
  CHECK(lint_program("copy(%p)", 3, param_duplicated{.min_bytes = 17_MiB, .min_positions = 2}).empty());
}
