#include "grammar/buffers/reading.hpp"

#include <hlolint/parse_buffers.hpp>

namespace buffer_reading {

hlolint::parsed_file read(std::string text) {
  return hlolint::parse_buffers(hlolint::source(std::move(text), "dump.txt"));
}

std::string outcome(const hlolint::parsed_file& file) {
  std::string out(name_of(file.status));
  for (const hlolint::diagnostic& d : file.diagnostics) {
    const hlolint::line_column at = d.where.begin();
    out += " " + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.rule + " " + d.message;
  }
  return out;
}

const std::string_view combined = R"(BufferAssignment:
allocation 0: size 4096, parameter 0, shape |f32[32,32]| at ShapeIndex {0}, maybe-live-out:
 value: <3 p0{0} @0> (size=4096,offset=0): f32[32,32]{1,0:T(8,128)}
 value: <9 while.1{0} (phi) @0> (size=4096,offset=0): f32[32,32]{1,0:T(8,128)}
allocation 1: size 16, output shape is |(f32[32,32], /*index=1*/s32[])|, maybe-live-out:
 value: <11 result{} @0> (size=16,offset=0): (f32[32,32]{1,0:T(8,128)}, s32[]{:T(128)})
allocation 2: size 4, constant:
 value: <4 limit @0> (size=4,offset=0): s32[]
allocation 3: size 4, thread-local:
 value: <1 x @0> (size=4,offset=0): f32[]
allocation 4: size 8448, preallocated-temp:
 value: <5 scale @0> (size=4096,offset=0): f32[32,32]{1,0:T(8,128)}
 value: <6 shift @0> (size=4096,offset=4096): f32[32,32]{1,0:T(8,128)}
 value: <7 count @0> (size=256,offset=8192): s32[64]{0:T(128)}
allocation 5: size 4096, color 1, preallocated-temp:
 value: <8 copy-start{0} @1> (size=4096,offset=0): f32[32,32]{1,0:T(8,128)S(1)}
allocation 6: size 0, color 3, preallocated-temp:

Total bytes used: 16668 (16.3KiB)

Used values:
<1 x @0>
 positions:
  x
 uses:
  sum, operand 0
 from instruction: %x = f32[] parameter(0)
<3 p0{0} @0>
 positions:
  p0 {0}
  get-tuple-element.1
 uses:
  scale, operand 0
  while.1, operand 0 {0,1}
 from instruction:%p0 = (f32[32,32]{1,0:T(8,128)}) parameter(0), metadata={op_name="a \"b\" }"}
<6 shift @0>
 positions:
  shift
 uses:
 from instruction: %shift = f32[32,32]{1,0:T(8,128)} custom-call(f32[32,32]{1,0:T(8,128)} %scale), backend_config={
   "kind": "} of two lines"
}


HloLiveRange (max 4):
  InstructionSequence:
    0:p0
    1:scale
    2:shift
    3:result
  BufferLiveRange:
    p0{0}:0-4
    scale{}:1-2
    shift{}:2-3
    result{}:3-4
  Live ranges at 2 (peak):
    p0{0}: 4096 bytes (cumulative: 4096 bytes)
    scale{}: 4096 bytes (cumulative: 8192 bytes)
    shift{}: 4096 bytes (cumulative: 12288 bytes)
  Stack trace breakdown for peak usage: 12 288 bytes
    main (100.0%, total: 12 288 bytes, current: 0 bytes, remaining: 12 288 bytes)
      ├── jit(step) (now) (66.7%, total: 8 192 bytes, current: 4 096 bytes, remaining: 8 192 bytes)
      │   └── scale (33.3%, total: 4 096 bytes, current: 4 096 bytes, remaining: 4 096 bytes)
      └── p0{0} (33.3%, total: 4 096 bytes, current: 4 096 bytes, remaining: 0 bytes)
)";

}  // namespace buffer_reading
