// Two compilations of a small training step: in the second one a collective is synchronous, a donation is lost, and so
// the peak is higher.
#pragma once

#include <hlolint/tool/compare/module_change.hpp>

#include <string>
#include <string_view>

namespace hlolint::testing {

/// The texts of one module's dumps.
struct dumped {
  std::string hlo;
  std::string buffers;
};

/// The beginning of the files' names.
inline constexpr const char* diff_stem = "module_0007.jit_step.sm_8.0_gpu_after_optimizations";

/// 40 MiB: 4 of the weights, old and new, 16 of the batch, 16 of its sum, 4 of a temporary.
inline dumped good_step() {
  return {
      R"(HloModule jit_step, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, entry_computation_layout={(f32[1048576]{0}, f32[4194304]{0})->(f32[1048576]{0}, f32[4194304]{0})}, num_partitions=4

%add.11 (x.12: f32[], y.13: f32[]) -> f32[] {
  %x.12 = f32[] parameter(0)
  %y.13 = f32[] parameter(1)
  ROOT %sum.14 = f32[] add(%x.12, %y.13)
}

ENTRY %main.9 (weights.1: f32[1048576], batch.2: f32[4194304]) -> (f32[1048576], f32[4194304]) {
  %weights.1 = f32[1048576]{0} parameter(0), metadata={op_name="weights"}
  %batch.2 = f32[4194304]{0} parameter(1), metadata={op_name="batch"}
  %all-reduce-start.3 = f32[4194304]{0} all-reduce-start(%batch.2), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add.11, metadata={op_name="jit(step)/psum" source_file="train.py" source_line=31}
  %sine.4 = f32[1048576]{0} sine(%weights.1), frontend_attributes={latency_metadata="1000000"}
  %multiply.5 = f32[1048576]{0} multiply(%weights.1, %sine.4)
  %all-reduce-done.6 = f32[4194304]{0} all-reduce-done(%all-reduce-start.3)
  ROOT %tuple.7 = (f32[1048576]{0}, f32[4194304]{0}) tuple(%multiply.5, %all-reduce-done.6)
}
)",
      R"(BufferAssignment:
allocation 0: size 4194304, parameter 0, shape |f32[1048576]| at ShapeIndex {}, maybe-live-out:
 value: <0 weights.1 @0> (size=4194304,offset=0): f32[1048576]{0}
 value: <4 multiply.5 @0> (size=4194304,offset=0): f32[1048576]{0}
allocation 1: size 16777216, parameter 1, shape |f32[4194304]| at ShapeIndex {}:
 value: <1 batch.2 @0> (size=16777216,offset=0): f32[4194304]{0}
allocation 2: size 16777216, output shape is |(f32[1048576], f32[4194304])|, maybe-live-out:
 value: <2 all-reduce-start.3 @0> (size=16777216,offset=0): f32[4194304]{0}
allocation 3: size 16, output shape is |(f32[1048576], f32[4194304])|, maybe-live-out:
 value: <5 tuple.7{} @0> (size=16,offset=0): (f32[1048576]{0}, f32[4194304]{0})
allocation 4: size 4194304, preallocated-temp:
 value: <3 sine.4 @0> (size=4194304,offset=0): f32[1048576]{0}

Total bytes used: 41943056 (40.00MiB)

HloLiveRange (max 7):
  InstructionSequence:
    0:weights.1
    1:batch.2
    2:all-reduce-start.3
    3:sine.4
    4:multiply.5
    5:all-reduce-done.6
    6:tuple.7
  BufferLiveRange:
    weights.1{}:0-4
    batch.2{}:0-2
    all-reduce-start.3{}:2-7
    sine.4{}:3-4
    multiply.5{}:4-7
    tuple.7{}:6-7
  Live ranges at 3 (peak):
    all-reduce-start.3{}: 16777216 bytes
    sine.4{}: 4194304 bytes
    weights.1{}: 4194304 bytes
)"};
}

inline dumped bad_step() {
  return {
      R"(HloModule jit_step, is_scheduled=true, entry_computation_layout={(f32[1048576]{0}, f32[4194304]{0})->(f32[1048576]{0}, f32[4194304]{0})}, num_partitions=4

%add.11 (x.12: f32[], y.13: f32[]) -> f32[] {
  %x.12 = f32[] parameter(0)
  %y.13 = f32[] parameter(1)
  ROOT %sum.14 = f32[] add(%x.12, %y.13)
}

ENTRY %main.9 (weights.1: f32[1048576], batch.2: f32[4194304]) -> (f32[1048576], f32[4194304]) {
  %weights.1 = f32[1048576]{0} parameter(0), metadata={op_name="weights"}
  %batch.2 = f32[4194304]{0} parameter(1), metadata={op_name="batch"}
  %all-reduce.3 = f32[4194304]{0} all-reduce(%batch.2), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=%add.11, metadata={op_name="jit(step)/psum" source_file="train.py" source_line=31}
  %sine.4 = f32[1048576]{0} sine(%weights.1), frontend_attributes={latency_metadata="1000000"}
  %multiply.5 = f32[1048576]{0} multiply(%weights.1, %sine.4)
  ROOT %tuple.7 = (f32[1048576]{0}, f32[4194304]{0}) tuple(%multiply.5, %all-reduce.3)
}
)",
      R"(BufferAssignment:
allocation 0: size 4194304, parameter 0, shape |f32[1048576]| at ShapeIndex {}:
 value: <0 weights.1 @0> (size=4194304,offset=0): f32[1048576]{0}
allocation 1: size 16777216, parameter 1, shape |f32[4194304]| at ShapeIndex {}:
 value: <1 batch.2 @0> (size=16777216,offset=0): f32[4194304]{0}
allocation 2: size 16777216, output shape is |(f32[1048576], f32[4194304])|, maybe-live-out:
 value: <2 all-reduce.3 @0> (size=16777216,offset=0): f32[4194304]{0}
allocation 3: size 16, output shape is |(f32[1048576], f32[4194304])|, maybe-live-out:
 value: <5 tuple.7{} @0> (size=16,offset=0): (f32[1048576]{0}, f32[4194304]{0})
allocation 4: size 4194304, output shape is |(f32[1048576], f32[4194304])|, maybe-live-out:
 value: <4 multiply.5 @0> (size=4194304,offset=0): f32[1048576]{0}
allocation 5: size 4194304, preallocated-temp:
 value: <3 sine.4 @0> (size=4194304,offset=0): f32[1048576]{0}

Total bytes used: 46137360 (44.00MiB)

HloLiveRange (max 6):
  InstructionSequence:
    0:weights.1
    1:batch.2
    2:all-reduce.3
    3:sine.4
    4:multiply.5
    5:tuple.7
  BufferLiveRange:
    weights.1{}:0-6
    batch.2{}:0-6
    all-reduce.3{}:2-6
    sine.4{}:3-4
    multiply.5{}:4-6
    tuple.7{}:5-6
  Live ranges at 5 (peak):
    all-reduce.3{}: 16777216 bytes
    batch.2{}: 16777216 bytes
    multiply.5{}: 4194304 bytes
    weights.1{}: 4194304 bytes
    tuple.7{}: 16 bytes
)"};
}

/// A number and those below it: `peak: 12.00MiB -> 36.00MiB`, one on each line.
inline std::string numbers_of(const compare::module_change& change) {
  std::string out;
  const auto add = [&](const compare::changed_number& n) {
    out +=
        n.what + ": " + compare::amount_text(n.before, n.unit) + " -> " + compare::amount_text(n.after, n.unit) + "\n";
  };
  if (change.number) add(*change.number);
  for (const compare::changed_number& n : change.with) add(n);
  return out;
}

/// The same with other numbers at the ends of all names.
inline std::string renumbered(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    out += text[i];
    const bool of_name = text[i] == '.' && i > 0 && text[i - 1] >= 'a' && text[i - 1] <= 'z';
    ++i;
    if (!of_name || i == text.size() || !digit(text[i])) continue;
    int number = 0;
    for (; i < text.size() && digit(text[i]); ++i) number = 10 * number + (text[i] - '0');
    out += std::to_string(7 * number + 12);
  }
  return out;
}
inline dumped renumbered(const dumped& from) { return {renumbered(from.hlo), renumbered(from.buffers)}; }

}  // namespace hlolint::testing
