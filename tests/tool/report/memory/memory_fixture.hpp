// A module small enough to know all its numbers.
#pragma once

#include "analysis/module_of.hpp"

#include <hlolint/lint/context.hpp>

#include <memory>
#include <string>

namespace hlolint::testing {

constexpr const char* small_hlo =
    R"(HloModule small, is_scheduled=true, entry_computation_layout={(f32[256]{0})->f32[256]{0}}

ENTRY %main (p: f32[256]) -> f32[256] {
  %p = f32[256]{0} parameter(0)
  %a = f32[512]{0} custom-call(%p), custom_call_target="f", metadata={op_name="jit(f)/a" source_file="f.py" source_line=7}
  %b = f32[512]{0} custom-call(%a), custom_call_target="f"
  ROOT %c = f32[256]{0} custom-call(%b), custom_call_target="f"
}
)";

// a and b live together at position 2; between them lie 512 bytes that nothing uses. XLA's peak is at 3, because it
// counts what starts there before it lets go what has ended.
constexpr const char* small_buffers = R"(BufferAssignment:
allocation 0: size 1024, parameter 0, shape |f32[256]| at ShapeIndex {}:
 value: <0 p @0> (size=1024,offset=0): f32[256]{0}
allocation 1: size 1024, output shape is |f32[256]|, maybe-live-out:
 value: <3 c @0> (size=1024,offset=0): f32[256]{0}
allocation 2: size 4608, color 1, preallocated-temp:
 value: <1 a @1> (size=2048,offset=0): f32[512]{0}
 value: <2 b @1> (size=2048,offset=2560): f32[512]{0}

Total bytes used: 6656 (6.5KiB)

Used values:
<0 p @0>
 positions:
  p
 uses:
  a, operand 0
 from instruction: %p = f32[256]{0} parameter(0)
<1 a @1>
 positions:
  a
 uses:
  b, operand 0
 from instruction: %a = f32[512]{0} custom-call(%p), custom_call_target="f", metadata={op_name="jit(f)/a" source_file="f.py" source_line=7}
<2 b @1>
 positions:
  b
 uses:
  c, operand 0
 from instruction: %b = f32[512]{0} custom-call(%a), custom_call_target="f"
<3 c @0>
 positions:
  c
 uses:
 from instruction: %c = f32[256]{0} custom-call(%b), custom_call_target="f"


HloLiveRange (max 4):
  InstructionSequence:
    0:p
    1:a
    2:b
    3:c
  BufferLiveRange:
    p{}:0-4
    a{}:1-2
    b{}:2-3
    c{}:3-4
  Live ranges at 3 (peak):
    b{}: 2048 bytes (cumulative: 2048 bytes)
    c{}: 1024 bytes (cumulative: 3072 bytes)
    p{}: 1024 bytes (cumulative: 4096 bytes)
)";

inline std::unique_ptr<context> module_with(const char* hlo, const std::string& buffers) {
  context::parts parts;
  if (hlo) parts.hlo = module_of(hlo);
  if (!buffers.empty()) parts.buffers = buffers_of(buffers);
  parts.name = "small";
  return std::make_unique<context>(parts);
}
inline std::unique_ptr<context> small_module() { return module_with(small_hlo, small_buffers); }

inline std::string without_live_ranges() {
  const std::string all_sections = small_buffers;
  return all_sections.substr(0, all_sections.find("\n\nHloLiveRange"));
}

}  // namespace hlolint::testing
