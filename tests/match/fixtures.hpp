// A small program for tests of patterns: a loop around a matmul whose weights are gathered, and a fusion.
#pragma once

namespace hlolint::testing {

inline constexpr const char* step_text = R"(HloModule step, is_scheduled=true

%fused (a: f32[8,64], b: f32[64,64]) -> f32[8,64] {
  %a = f32[8,64]{1,0} parameter(0)
  %b = f32[64,64]{1,0} parameter(1)
  ROOT %dot.1 = f32[8,64]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

%sum (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add.9 = f32[] add(%x, %y)
}

%body (state: (s32[], f32[8,64], f32[32,64])) -> (s32[], f32[8,64], f32[32,64]) {
  %state = (s32[], f32[8,64]{1,0}, f32[32,64]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%state), index=0
  %h = f32[8,64]{1,0} get-tuple-element(%state), index=1
  %w = f32[32,64]{1,0} get-tuple-element(%state), index=2
  %gather = f32[64,64]{1,0} all-gather(%w), channel_id=1, replica_groups={{0,1}}, dimensions={0}, metadata={op_name="jit(step)/mlp/gather" source_file="mlp.py" source_line=7}
  %fusion = f32[8,64]{1,0} fusion(%h, %gather), kind=kOutput, calls=%fused
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  ROOT %carry = (s32[], f32[8,64]{1,0}, f32[32,64]{1,0}) tuple(%next, %fusion, %w)
}

%condition (state.1: (s32[], f32[8,64], f32[32,64])) -> pred[] {
  %state.1 = (s32[], f32[8,64]{1,0}, f32[32,64]{1,0}) parameter(0)
  %i.1 = s32[] get-tuple-element(%state.1), index=0
  %limit = s32[] constant(4)
  ROOT %less = pred[] compare(%i.1, %limit), direction=LT
}

ENTRY %main (p0: f32[8,64], p1: f32[32,64]) -> f32[8,64] {
  %p0 = f32[8,64]{1,0} parameter(0)
  %p1 = f32[32,64]{1,0} parameter(1)
  %zero = s32[] constant(0)
  %init = (s32[], f32[8,64]{1,0}, f32[32,64]{1,0}) tuple(%zero, %p0, %p1)
  %while = (s32[], f32[8,64]{1,0}, f32[32,64]{1,0}) while(%init), condition=%condition, body=%body, backend_config={"known_trip_count":{"n":"4"}}
  %result = f32[8,64]{1,0} get-tuple-element(%while), index=1
  %copy = f32[8,64]{0,1} copy(%result)
  %twice = f32[8,64]{0,1} add(%copy, %copy)
  %reduced = f32[8,64]{0,1} all-reduce(%twice), channel_id=2, replica_groups={{0,1}}, to_apply=%sum
  ROOT %out = f32[8,64]{1,0} bitcast(%reduced)
}
)";

}  // namespace hlolint::testing
