// The peak that JAX shows (buffer_dumps.md 9).
#include <hlolint/analysis/buffers/reported_peak.hpp>

#include "analysis/module_of.hpp"

#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
// p -> a -> b -> c, of 1024 bytes each; a and b are temporary, c is the result. b may take a's bytes.
const std::string hlo =
    "HloModule m, is_scheduled=true\n\nENTRY e {\n  p = f32[256]{0} parameter(0)\n  a = f32[256]{0} negate(p)\n"
    "  b = f32[256]{0} sine(a)\n  ROOT c = f32[128,2]{1,0} reshape(b)\n}\n";
std::string dump(const std::string& a, const std::string& b) {
  return "BufferAssignment:\nallocation 0: size 1024, parameter 0, shape |f32[256]| at ShapeIndex {}:\n"
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
         a + "\n    b{}:2-3\n    c{}:3-4\n  Live ranges at 3 (peak):\n    p: 1024 bytes\n";
}
reported_peak peak(const std::string& b, target on) {
  const hlo_module module = module_of(hlo);
  const parsed_file buffers = parse(dump("1-2", b));
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

TEST_CASE("XLA:CPU keeps no trace of its heap") { CHECK(peak("0", target::cpu).total() == 2048); }
