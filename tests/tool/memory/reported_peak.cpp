// The peak that JAX shows (buffer_dumps.md 9).
#include <hlolint/tool/memory/reported_peak.hpp>

#include "analysis/module_of.hpp"

#include <hlolint/lint/context.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
// p -> a -> b -> c, of 1024 bytes each; a and b are temporary, c is the result. b may take a's bytes.
const std::string hlo =
    "HloModule m, is_scheduled=true\n\nENTRY e {\n  p = f32[256]{0} parameter(0)\n  a = f32[256]{0} negate(p)\n"
    "  b = f32[256]{0} sine(a)\n  ROOT c = f32[128,2]{1,0} reshape(b)\n}\n";
std::string dump(const std::string& a, const std::string& b, const std::string& page) {
  return "BufferAssignment:\nallocation 0: size 1024" + page +
         ", parameter 0, shape |f32[256]| at ShapeIndex {}:\n"
         " value: <0 p @0> (size=1024,offset=0): f32[256]{0}\n"
         "allocation 1: size 1024, output shape is |f32[128,2]|, maybe-live-out:\n"
         " value: <3 c @0> (size=1024,offset=0): f32[128,2]{1,0}\n"
         "allocation 2: size 2048, preallocated-temp:\n"
         " value: <1 a @0> (size=1024,offset=0): f32[256]{0}\n"
         " value: <2 b @0> (size=1024,offset=" +
         b +
         "): f32[256]{0}\n\n"
         "HloLiveRange (max 4):\n  InstructionSequence:\n    0:p\n    1:a\n    2:b\n    3:c\n  BufferLiveRange:\n"
         "    p{}:0-4\n    a{}:" +
         a + "\n    b{}:2-3\n    c{}:3-4\n  Live ranges at 3 (peak):\n    p{}: 1024 bytes (cumulative: 1024 bytes)\n";
}
reported_peak peak(const std::string& b, target on, const std::string& page = ", page 0") {
  const hlo_module module = module_of(hlo);
  const parsed_file buffers = parse(dump("1-2", b, page));
  REQUIRE(buffers.buffers);
  const matched_values values(module, *buffers.buffers);
  REQUIRE(values.same_program());
  return reported_peak(values, on);
}
}  // namespace

TEST_CASE("parameters and results last, and temporary values count at their highest point") {
  CHECK(peak("0", target::gpu).lasting == 2048);
  CHECK(peak("0", target::gpu).heap == 1024);  // b takes a's bytes, whatever the offsets are
  CHECK(peak("1024", target::gpu).total() == 3072);
}

TEST_CASE("XLA:CPU keeps no trace of its heap, and XLA:GPU kept none until 2026") {
  CHECK(peak("0", target::cpu).total() == 2048);
  CHECK_FALSE(peak("0", target::cpu).has_heap);
  CHECK(peak("0", target::gpu).has_heap);
  CHECK(peak("0", target::gpu, "").total() == 2048);  // allocations have pages since 2026
  CHECK(peak("0", target::tpu, "").total() == 3072);
}

TEST_CASE("the peak of computed buffers is that of the XLA that compiled the text") {
  const auto heap = [](const std::string& tables, const std::string& metadata) {
    context::parts parts;
    std::string text = hlo;
    text.insert(text.find("negate(p)") + 9, metadata).insert(text.find("ENTRY"), tables);
    parts.hlo = module_of(text);
    parts.target = target::gpu;
    const context module(std::move(parts));
    const context& with = with_memory(module);
    REQUIRE(with.has(need::live_ranges));
    return reported_peak(with.get<matched_values>(), target::gpu).heap;
  };
  const std::string tables =
      "FileNames\n1 \"f.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n1 {file_name_id=1 function_name_id=1 line=1 "
      "end_line=1 column=1 end_column=2}\n\nStackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n";
  CHECK(heap(tables, ", metadata={stack_frame_id=1}") == 1024);  // since December 2025
  CHECK(heap("", ", metadata={source_file=\"f.py\" source_line=1}") == 0);
}

TEST_CASE("memory-space assignment counts each value of a TPU's fast memory from its definition to its last use") {
  // b lies in a's bytes, as dynamic-update-slices do; in the trace both are held while b begins.
  const auto heap = [](const std::string& space, const std::string& made = "dynamic-update-slice(a, u, i)") {
    const std::string f = "f32[256]{0:T(128)" + space + "}";
    const hlo_module module = module_of(
        "HloModule m, is_scheduled=true\n\nENTRY e {\n  p = f32[256]{0:T(128)} parameter(0)\n  i = s32[] parameter(1)\n"
        "  u = f32[1]{0:T(128)} parameter(2)\n  a = " +
        f + " negate(p)\n  b = " + f + " " + made + "\n  ROOT c = f32[256]{0:T(128)} sine(b)\n}\n");
    const std::string color = space.empty() ? "" : "color 1, ";
    const parsed_file buffers = parse(
        "BufferAssignment:\nallocation 0: size 1024, output shape is |f32[256]|, maybe-live-out:\n"
        " value: <5 c @0> (size=1024,offset=0): f32[256]{0:T(128)}\n"
        "allocation 1: size 1024, " +
        color +
        "preallocated-temp:\n"
        " value: <3 a @0> (size=1024,offset=0): " +
        f + "\n value: <4 b @0> (size=1024,offset=0): " + f +
        "\n\n"
        "HloLiveRange (max 6):\n  InstructionSequence:\n    0:p\n    1:i\n    2:u\n    3:a\n    4:b\n    5:c\n"
        "  BufferLiveRange:\n    p{}:0-6\n    i{}:0-6\n    u{}:0-6\n    a{}:3-4\n    b{}:4-5\n    c{}:5-6\n"
        "  Live ranges at 4 (peak):\n    a: 1024 bytes\n");
    REQUIRE(buffers.buffers);
    const matched_values values(module, *buffers.buffers);
    REQUIRE(values.same_program());
    return reported_peak(values, target::tpu).heap;
  };
  CHECK(heap("S(1)") == 2048);
  CHECK(heap("") == 1024);
  // The slices of an array that arrive one by one are the array.
  CHECK(heap("S(1)", "custom-call(a), custom_call_target=\"ConcatBitcast\"") == 1024);
}

TEST_CASE("a value of fast memory that conditionals read last is held in the branches that read it") {
  // v, of 4096 bytes, is read by the first branch; w, as large, lives in the second one.
  const std::string big = "f32[1024]{0:T(1024)S(1)}", out = "f32[1024]{0:T(1024)}";
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\nfirst {\n  q = " + big + " parameter(0)\n  ROOT r = " + out +
      " negate(q)\n}\n\nsecond {\n  s = " + out + " parameter(0)\n  w = " + big + " negate(s)\n  ROOT x = " + out +
      " sine(w)\n}\n\nENTRY e {\n  p = " + out + " parameter(0)\n  k = pred[]{:T(512)} parameter(1)\n  v = " + big +
      " sine(p)\n  ROOT c = " + out + " conditional(k, v, p), true_computation=first, false_computation=second\n}\n");
  const parsed_file buffers = parse(
      "BufferAssignment:\nallocation 0: size 4096, output shape is |f32[1024]|, maybe-live-out:\n"
      " value: <4 r @0> (size=4096,offset=0): " +
      out +
      "\n"
      "allocation 1: size 8192, color 1, preallocated-temp:\n"
      " value: <2 v @1> (size=4096,offset=0): " +
      big + "\n value: <5 w @1> (size=4096,offset=4096): " + big +
      "\n\n"
      "HloLiveRange (max 9):\n  InstructionSequence:\n    0:p\n    1:k\n    2:v\n    3:q\n    4:r\n    5:s\n    6:w\n"
      "    7:x\n    8:c\n  BufferLiveRange:\n    p{}:0-9\n    k{}:0-9\n    v{}:2-8\n    r{}:4-9\n    w{}:6-7\n"
      "  Live ranges at 6 (peak):\n    v: 4096 bytes\n");
  REQUIRE(buffers.buffers);
  const matched_values values(module, *buffers.buffers);
  CHECK(reported_peak(values, target::tpu).heap == 4096);
}

TEST_CASE("contexts of asynchronous operations are in no trace of a TPU's heap") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\n%wrapped {\n  %q = f32[256]{0:T(128)} parameter(0)\n"
      "  ROOT %n = f32[256]{0:T(128)} negate(%q)\n}, execution_thread=\"sparsecore\"\n\nENTRY %e {\n"
      "  %p = f32[256]{0:T(128)} parameter(0)\n"
      "  %s = ((f32[256]{0:T(128)}), f32[256]{0:T(128)}, (s32[1024]{0:T(128)}, s32[]{:S(2)})) async-start(%p), "
      "async_execution_thread=\"sparsecore\", calls=%wrapped\n  %d = f32[256]{0:T(128)} async-done(%s)\n"
      "  ROOT %r = f32[256]{0:T(128)} sine(%d)\n}\n");
  const parsed_file buffers = parse(
      "BufferAssignment:\nallocation 0: size 8192, preallocated-temp:\n"
      " value: <3 n @0> (size=1024,offset=0): f32[256]{0:T(128)}\n"
      " value: <5 s{2,0} @0> (size=4096,offset=4096): s32[1024]{0:T(128)}\n\n"
      "HloLiveRange (max 6):\n  InstructionSequence:\n    0:p\n    1:q\n    2:n\n    3:s\n    4:d\n    5:r\n"
      "  BufferLiveRange:\n    p{}:0-6\n    n{}:2-5\n    s{}:3-4\n    s{2}:3-4\n    s{2,0}:3-4\n    s{2,1}:3-4\n"
      "    r{}:5-6\n  Live ranges at 3 (peak):\n    n: 1024 bytes\n");
  REQUIRE(buffers.buffers);
  const matched_values values(module, *buffers.buffers);
  CHECK(reported_peak(values, target::tpu).heap == 1024);
}
