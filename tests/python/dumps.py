"""Small programs for the tests."""

STEP = """HloModule jit_step, is_scheduled=true, entry_computation_layout={(f32[1024,1024]{1,0}, bf16[256]{0})->f32[4096,1024]{1,0}}, num_partitions=4

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(f32[] %a, f32[] %b)
}

ENTRY %main (p: f32[1024,1024], w: bf16[256]) -> f32[4096,1024] {
  %p = f32[1024,1024]{1,0} parameter(0), metadata={op_name="params['w']"}
  %w = bf16[256]{0} parameter(1), sharding={replicated}
  %square.1 = f32[1024,1024]{1,0} multiply(f32[1024,1024]{1,0} %p, f32[1024,1024]{1,0} %p), metadata={op_name="jit(step)/mul" source_file="step.py" source_line=7}, backend_config={"window_config":{"kernel":[1,2]}}, frontend_attributes={_team="ours",_x="1"}
  %all-reduce-start.1 = f32[1024,1024]{1,0} all-reduce-start(f32[1024,1024]{1,0} %square.1), channel_id=2, replica_groups=[2,2]<=[4], use_global_device_ids=true, to_apply=%add
  %all-reduce-done.1 = f32[1024,1024]{1,0} all-reduce-done(f32[1024,1024]{1,0} %all-reduce-start.1)
  ROOT %all-gather.1 = f32[4096,1024]{1,0} all-gather(f32[1024,1024]{1,0} %all-reduce-done.1), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, metadata={op_name="jit(step)/gather" source_file="step.py" source_line=9}
}
"""

# An all-gather on the SparseCore, hidden by two matmuls, and temporaries of 32 MiB.
SPARSE = """HloModule jit_sparse, is_scheduled=true, num_partitions=4, entry_computation_layout={(bf16[1024,1024]{1,0:T(8,128)(2,1)}, bf16[4096,4096]{1,0:T(8,128)(2,1)})->bf16[4096,4096]{1,0:T(8,128)(2,1)}}

%gather (q: bf16[1024,1024]) -> bf16[4096,1024] {
  %q = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(0)
  ROOT %ag = bf16[4096,1024]{1,0:T(8,128)(2,1)} all-gather(%q), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true
}, execution_thread="sparsecore"

ENTRY %main (p: bf16[1024,1024], w: bf16[4096,4096]) -> bf16[4096,4096] {
  %p = bf16[1024,1024]{1,0:T(8,128)(2,1)} parameter(0)
  %w = bf16[4096,4096]{1,0:T(8,128)(2,1)} parameter(1)
  %s = ((bf16[1024,1024]{1,0:T(8,128)(2,1)}), bf16[4096,1024]{1,0:T(8,128)(2,1)}, u32[]{:T(128)}) async-start(%p), async_execution_thread="sparsecore", calls=%gather
  %m = bf16[4096,4096]{1,0:T(8,128)(2,1)} dot(%w, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %k = bf16[4096,4096]{1,0:T(8,128)(2,1)} dot(%m, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %d = bf16[4096,1024]{1,0:T(8,128)(2,1)} async-done(%s), async_execution_thread="sparsecore", calls=%gather
  ROOT %r = bf16[4096,4096]{1,0:T(8,128)(2,1)} custom-call(%k, %d), custom_call_target="join"
}
"""

CLEAN = """HloModule jit_clean, is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}

ENTRY %main (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  ROOT %negate.1 = f32[8]{0} negate(f32[8]{0} %p)
}
"""

# ALI002, an error.
TWICE = """HloModule jit_twice, input_output_alias={ {0}: (0, {}, may-alias), {1}: (0, {}, may-alias) }, entry_computation_layout={(f32[8]{0})->(f32[8]{0}, f32[8]{0})}

ENTRY %main (p: f32[8]) -> (f32[8], f32[8]) {
  %p = f32[8]{0} parameter(0)
  %negate.1 = f32[8]{0} negate(f32[8]{0} %p)
  %exponential.1 = f32[8]{0} exponential(f32[8]{0} %p)
  ROOT %tuple.1 = (f32[8]{0}, f32[8]{0}) tuple(f32[8]{0} %negate.1, f32[8]{0} %exponential.1)
}
"""

BROKEN = CLEAN.replace("negate(f32[8]{0} %p)", "negate(f32[8]{0} %nothing")


class Compiled:
    """Has as_text(), as what any framework compiled may have."""

    def __init__(self, text):
        self.text = text

    def as_text(self):
        return self.text


def _varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def _number(tag, value):
    return _varint(tag << 3) + _varint(value)


def _sized(tag, content):
    return _varint(tag << 3 | 2) + _varint(len(content)) + content


def message(name="jit_twice"):
    """HloModuleProto of a module that negates a parameter of 8 floats, which both results of the program alias."""
    array = _number(2, 11) + _sized(3, _varint(8)) + _sized(5, _sized(1, _varint(0)))
    parameter = _sized(1, b"p") + _sized(2, b"parameter") + _sized(3, array) + _number(35, 1)
    negate = _sized(1, b"n") + _sized(2, b"negate") + _sized(3, array) + _number(35, 2) + _sized(36, _varint(1))
    pair = _sized(1, b"t") + _sized(2, b"tuple") + _number(35, 3) + _sized(36, _varint(2) + _varint(2))
    pair += _sized(3, _number(2, 13) + _sized(4, array) + _sized(4, array))
    entry = _sized(1, b"main") + _sized(2, parameter) + _sized(2, negate) + _sized(2, pair) + _number(5, 7) + _number(6, 3)
    alias = b"".join(_sized(1, _sized(1, _varint(out)) + _number(4, 1)) for out in (0, 1))
    return _sized(1, name.encode()) + _sized(2, b"main") + _sized(3, entry) + _number(6, 7) + _sized(8, alias)

