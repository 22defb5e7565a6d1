// Programs whose instructions belong to weights: what tests of a step's parts read.
#pragma once

namespace hlolint::testing {

/// A scan over layers: each iteration slices its weights from the stack, gathers and casts them, and multiplies.
inline constexpr const char* layers_text = R"(HloModule m, is_scheduled=true, num_partitions=4


product {
  x = bf16[512,1024]{1,0} parameter(0)
  w = f32[1024,1024]{1,0} parameter(1)
  h = bf16[1024,1024]{1,0} convert(w)
  ROOT d = bf16[512,1024]{1,0} dot(x, h), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

body {
  p = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  y = bf16[512,1024]{1,0} get-tuple-element(p), index=1
  stack = f32[8,256,1024]{2,1,0} get-tuple-element(p), index=2
  zero = s32[] constant(0)
  layer = f32[1,256,1024]{2,1,0} dynamic-slice(stack, i, zero, zero), dynamic_slice_sizes={1,256,1024}
  shard = f32[256,1024]{1,0} bitcast(layer)
  whole = f32[1024,1024]{1,0} all-gather(shard), dimensions={0}, replica_groups={{0,1,2,3}}, channel_id=1
  z = bf16[512,1024]{1,0} fusion(y, whole), kind=kOutput, calls=product
  act = bf16[512,1024]{1,0} tanh(z)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) tuple(j, act, stack)
}

cond {
  q = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) parameter(0)
  k = s32[] get-tuple-element(q), index=0
  n = s32[] constant(8)
  ROOT c = pred[] compare(k, n), direction=LT
}

ENTRY main {
  ids = bf16[512,1024]{1,0} parameter(0), metadata={op_name="batch"}
  up = f32[8,256,1024]{2,1,0} parameter(1), metadata={op_name="params[\'mlp\'][\'up_proj\']"}
  start = s32[] constant(0)
  init = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) tuple(start, ids, up)
  loop = (s32[], bf16[512,1024]{1,0}, f32[8,256,1024]{2,1,0}) while(init), condition=cond, body=body
  out = bf16[512,1024]{1,0} get-tuple-element(loop), index=1
  turned = bf16[1024,512]{1,0} transpose(out), dimensions={1,0}
  ROOT r = bf16[1024,512]{1,0} copy(turned)
}
)";

/// A training step: two weights gathered by one instruction, gradients added up over two microbatches in a stack and
/// over the devices, and an optimizer with a state, all donated.
inline constexpr const char* training_text = R"(HloModule m, is_scheduled=true, num_partitions=4,
input_output_alias={ {0}: (1, {}, may-alias), {1}: (2, {}, may-alias), {2}: (3, {}, may-alias) }

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

body {
  p = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[64,32]{1,0} get-tuple-element(p), index=1
  dy = f32[64,16]{1,0} get-tuple-element(p), index=2
  stack = f32[2,32,16]{2,1,0} get-tuple-element(p), index=3
  zero = s32[] constant(0)
  one = s32[] constant(1)
  next = s32[] add(i, one)
  wgrad = f32[32,16]{1,0} dot(x, dy), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  row = f32[1,32,16]{2,1,0} reshape(wgrad)
  written = f32[2,32,16]{2,1,0} dynamic-update-slice(stack, row, i, zero, zero)
  ROOT t = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) tuple(next, x, dy, written)
}

cond {
  q = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) parameter(0)
  k = s32[] get-tuple-element(q), index=0
  n = s32[] constant(2)
  ROOT c = pred[] compare(k, n), direction=LT
}

ENTRY main {
  ids = f32[64,32]{1,0} parameter(0), metadata={op_name="batch"}
  up = f32[8,16]{1,0} parameter(1), metadata={op_name="params[\'up\']"}
  mu = f32[8,16]{1,0} parameter(2), metadata={op_name="mu[\'up\']"}
  down = f32[4,32]{1,0} parameter(3), metadata={op_name="params[\'down\']"}
  gathered = (f32[32,16]{1,0}, f32[16,32]{1,0}) all-gather(up, down), dimensions={0}, channel_id=1,
    replica_groups={{0,1,2,3}}
  whole_up = f32[32,16]{1,0} get-tuple-element(gathered), index=0
  whole_down = f32[16,32]{1,0} get-tuple-element(gathered), index=1
  x = f32[64,32]{1,0} sine(ids)
  hidden = f32[64,16]{1,0} dot(x, whole_up), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  act = f32[64,16]{1,0} tanh(hidden)
  out = f32[64,32]{1,0} dot(act, whole_down), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  scores = f32[64,64]{1,0} dot(out, out), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  dy = f32[64,16]{1,0} dot(scores, act), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  null = f32[] constant(0)
  empty = f32[2,32,16]{2,1,0} broadcast(null), dimensions={}
  start = s32[] constant(0)
  init = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) tuple(start, x, dy, empty)
  loop = (s32[], f32[64,32]{1,0}, f32[64,16]{1,0}, f32[2,32,16]{2,1,0}) while(init), condition=cond, body=body
  grads = f32[2,32,16]{2,1,0} get-tuple-element(loop), index=3
  first = f32[1,32,16]{2,1,0} slice(grads), slice={[0:1], [0:32], [0:16]}
  second = f32[1,32,16]{2,1,0} slice(grads), slice={[1:2], [0:32], [0:16]}
  both = f32[1,32,16]{2,1,0} add(first, second)
  flat = f32[32,16]{1,0} reshape(both)
  ddown = f32[16,32]{1,0} dot(act, out), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  scattered = (f32[8,16]{1,0}, f32[4,32]{1,0}) reduce-scatter(flat, ddown), dimensions={0}, channel_id=2,
    replica_groups={{0,1,2,3}}, to_apply=sum
  shard = f32[8,16]{1,0} get-tuple-element(scattered), index=0
  shard_down = f32[4,32]{1,0} get-tuple-element(scattered), index=1
  squares = f32[8,16]{1,0} multiply(shard, shard)
  norm = f32[] reduce(squares, null), dimensions={0,1}, to_apply=sum
  scale = f32[8,16]{1,0} broadcast(norm), dimensions={}
  clipped = f32[8,16]{1,0} multiply(shard, scale)
  new_mu = f32[8,16]{1,0} add(mu, clipped)
  new_up = f32[8,16]{1,0} subtract(up, new_mu)
  new_down = f32[4,32]{1,0} subtract(down, shard_down)
  ROOT r = (f32[8,16]{1,0}, f32[8,16]{1,0}, f32[4,32]{1,0}) tuple(new_up, new_mu, new_down)
}
)";

}  // namespace hlolint::testing
