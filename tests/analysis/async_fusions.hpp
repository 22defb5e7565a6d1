// Fusions as the TPU compiler writes a transfer: one starts it, one carries it on, one ends it.
#pragma once

namespace hlolint::testing {

inline constexpr const char* async_fusions_text = R"(HloModule m, is_scheduled=true, num_partitions=2

%begin {
  %bp = f32[4]{0} parameter(0)
  %g1 = f32[8]{0} all-gather(%bp), channel_id=4, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true,
    frontend_attributes={chain_id="7"}
  ROOT %c1 = (f32[4]{0}, f32[8]{0}) custom-call(%g1), custom_call_target="AsyncCollectiveStart"
}

%middle {
  %mp = f32[4]{0} parameter(0)
  %g2 = f32[8]{0} all-gather(%mp), channel_id=4, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true,
    frontend_attributes={chain_id="7"}
  ROOT %mt = (f32[4]{0}, f32[8]{0}) tuple(%mp, %g2)
}

%end {
  %dp = f32[4]{0} parameter(0)
  %g3 = f32[8]{0} all-gather(%dp), channel_id=4, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true,
    frontend_attributes={chain_id="7"}
  ROOT %c2 = f32[8]{0} custom-call(%g3), custom_call_target="AsyncCollectiveDone"
}

%plain {
  %pp = f32[4]{0} parameter(0)
  ROOT %pn = f32[4]{0} negate(%pp)
}

ENTRY %main {
  %p = f32[4]{0} parameter(0)
  %s = (f32[4]{0}, f32[8]{0}) fusion(%p), kind=kCustom, calls=%begin
  %t0 = f32[4]{0} get-tuple-element(%s), index=0
  %f = (f32[4]{0}, f32[8]{0}) fusion(%t0), kind=kOutput, calls=%middle
  %f1 = f32[4]{0} get-tuple-element(%f), index=0
  %n = f32[4]{0} fusion(%p), kind=kLoop, calls=%plain
  ROOT %d = f32[8]{0} fusion(%f1), kind=kCustom, calls=%end
}
)";

}  // namespace hlolint::testing
