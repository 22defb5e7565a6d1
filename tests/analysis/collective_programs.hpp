// Programs with collectives, for tests of their sequences.
#pragma once

#include <string>

namespace hlolint::testing {

inline const std::string reducers =
    "%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
    "  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
    "%max (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
    "  ROOT %larger = f32[] maximum(%a, %b)\n}\n\n";

/// A scheduled entry with a parameter `%p` and these instructions.
inline std::string collectives_in(const std::string& body,
                                  const std::string& header = "is_scheduled=true, num_partitions=4") {
  return "HloModule m, " + header + "\n\n" + reducers + "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n" + body +
         "  ROOT %end = f32[8]{0} negate(%p)\n}\n";
}

/// An all-reduce of `%p`.
inline std::string all_reduce_of_p(const std::string& name, const std::string& channel,
                                   const std::string& groups = "{{0,1},{2,3}}", const std::string& type = "f32[8]{0}",
                                   const std::string& by = "add") {
  return "  %" + name + " = " + type + " all-reduce(%p), channel_id=" + channel + ", replica_groups=" + groups +
         ", use_global_device_ids=true, to_apply=%" + by + "\n";
}
/// Collectives in a loop, an async computation, a branch, a fusion and a computation that is called twice.
inline constexpr const char* nested_text = R"(HloModule m, is_scheduled=true, num_partitions=4

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

%condition (cp: f32[8]) -> pred[] {
  %cp = f32[8]{0} parameter(0)
  ROOT %t = pred[] constant(true)
}

%body (bp: f32[8]) -> f32[8] {
  %bp = f32[8]{0} parameter(0)
  ROOT %in_loop = f32[8]{0} all-reduce(%bp), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true,
      to_apply=%add
}

%exchange (ep: f32[8]) -> f32[8] {
  %ep = f32[8]{0} parameter(0)
  ROOT %ex = f32[8]{0} all-to-all(%ep), channel_id=2, replica_groups={{0,1,2,3}}, dimensions={0}
}

%left (lp: f32[8]) -> f32[8] {
  %lp = f32[8]{0} parameter(0)
  ROOT %in_left = f32[8]{0} collective-permute(%lp), channel_id=3, source_target_pairs={{1,0},{0,1}}
}

%right (rp: f32[8]) -> f32[8] {
  ROOT %rp = f32[8]{0} parameter(0)
}

%fused (fp: f32[8]) -> f32[2] {
  %fp = f32[8]{0} parameter(0)
  ROOT %inside = f32[2]{0} reduce-scatter(%fp), channel_id=4, replica_groups=[1,4]<=[4], dimensions={0},
      use_global_device_ids=true, to_apply=%add
}

%called (dp: f32[8]) -> f32[8] {
  %dp = f32[8]{0} parameter(0)
  ROOT %in_call = f32[8]{0} all-reduce(%dp), channel_id=5, replica_groups={{0,1,2,3}}, use_global_device_ids=true,
      to_apply=%add
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %q = pred[] parameter(1)
  %ar = f32[8]{0} all-reduce-start(%p), channel_id=6, replica_groups={{0,1,2,3}}, use_global_device_ids=true,
      to_apply=%add
  %ard = f32[8]{0} all-reduce-done(%ar)
  %w = f32[8]{0} while(%ard), condition=%condition, body=%body, backend_config={"known_trip_count":{"n":"12"}}
  %x = ((f32[8]{0}), f32[8]{0}) async-start(%w), calls=%exchange
  %xd = f32[8]{0} async-done(%x)
  %c = f32[8]{0} conditional(%q, %xd, %xd), true_computation=%left, false_computation=%right
  %f = f32[2]{0} fusion(%c), kind=kCustom, calls=%fused
  %c1 = f32[8]{0} call(%c), to_apply=%called
  %c2 = f32[8]{0} call(%c1), to_apply=%called
  %s = (f32[8]{0}, f32[8]{0}) all-gather-start(%c2), channel_id=7, replica_groups={{0},{1},{2},{3}}, dimensions={0},
      use_global_device_ids=true
  %sd = f32[8]{0} all-gather-done(%s)
  %tok = token[] after-all()
  %h = (f32[8]{0}, u32[], token[]) send(%sd, %tok), channel_id=8, is_host_transfer=true
  %hd = token[] send-done(%h), channel_id=8, is_host_transfer=true
  ROOT %n = f32[8]{0} negate(%sd)
}
)";

}  // namespace hlolint::testing
