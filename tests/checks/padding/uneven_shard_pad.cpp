#include <hlolint/checks/padding/uneven_shard_pad.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string cut = ", sharding={devices=[1,4]<=[4]}";

/// Nine columns become twelve, and then what `rest` makes of `%pad`.
struct padded {
  std::string rest = "  ROOT %c = f32[1048576,12]{1,0} copy(%pad)\n";
  std::string padding = "0_0x0_3", shape = "f32[1048576,12]{1,0}", op_name = "jit(f)/reshard", sharding = cut,
              header = ", num_partitions=4";
  hlo_module module() const {
    const std::string metadata = op_name.empty() ? "" : ", metadata={op_name=\"" + op_name + "\"}";
    return module_of("HloModule m, is_scheduled=true" + header +
                     "\n\nENTRY %main {\n  %p = f32[1048576,9]{1,0} parameter(0)" + sharding +
                     "\n  %z = f32[] constant(0)\n  %pad = " + shape + " pad(%p, %z), padding=" + padding + metadata +
                     "\n" + rest + "}\n");
  }
};
/// Before partitioning, with one operation of the name.
hlo_module unpartitioned(const std::string& operation = "copy(%p)", const std::string& op_name = "jit(f)/reshard",
                         const std::string& sharding = {}) {
  const std::string result = operation.starts_with("pad") ? "f32[1048576,12]{1,0}" : "f32[1048576,9]{1,0}";
  return module_of("HloModule m, num_partitions=4\n\nENTRY %main {\n  %p = f32[1048576,9]{1,0} parameter(0)" +
                   sharding + "\n  %z = f32[] constant(0)\n  ROOT %o = " + result + " " + operation +
                   (op_name.empty() ? "" : ", metadata={op_name=\"" + op_name + "\"}") + "\n}\n");
}

template <class Check = uneven_shard_pad>
texts outcome_of(const hlo_module& after, const hlo_module& before = unpartitioned(), const Check& check = {}) {
  context::parts parts;
  parts.hlo = after;
  parts.compared_with.earlier = before;
  return outcome(check, context(std::move(parts)));
}

}  // namespace

TEST_CASE("PAD008 catches") {
  const texts found{
      "note: dimension 1 of f32[1048576,9]{1,0} is padded from 9 to 12 to be cut into 4 equal parts: 12.00MiB of "
      "48.00MiB are "
      "padding, on every device"};
  CHECK(outcome_of(padded{}.module()) == found);
  // The parts are known from the earlier module, from a mesh, or from one side of a grid.
  CHECK(outcome_of(padded{.sharding = ""}.module(), unpartitioned("copy(%p)", "jit(f)/reshard", cut)) == found);
  CHECK(outcome_of(padded{.sharding = ", sharding={mesh['x'=2,'y'=4], [{}, {'y'}]}", .header = ", num_partitions=8"}
                       .module()) == found);
  CHECK(outcome_of(padded{.sharding = ", sharding={devices=[2,4,2]<=[16] last_tile_dim_replicate}",
                          .header = ", num_partitions=16"}
                       .module()) == found);
  // Without metadata, where the program pads nothing itself.
  CHECK(outcome_of(padded{.op_name = ""}.module()) == found);
  // Before each device takes its part.
  CHECK(outcome_of(
            padded{"  %i = s32[] constant(0)\n"
                   "  ROOT %d = f32[1048576,3]{1,0} dynamic-slice(%pad, %i, %i), dynamic_slice_sizes={1048576,3}\n"}
                .module()) == found);
}

TEST_CASE("PAD008 looks into fusions") {
  const auto fused = [](const std::string& inside, const std::string& result, const std::string& outside) {
    return module_of(
        "HloModule m, is_scheduled=true, num_partitions=4\n\n%fused {\n"
        "  %q = f32[1048576,9]{1,0} parameter(0)\n  %z = f32[] constant(0)\n"
        "  %pad = f32[1048576,12]{1,0} pad(%q, %z), padding=0_0x0_3, metadata={op_name=\"jit(f)/reshard\"}\n" +
        inside + "}\n\nENTRY %main {\n  %p = f32[1048576,9]{1,0} parameter(0)" + cut + "\n  %f = " + result +
        " fusion(%p), kind=kLoop, calls=%fused\n" + outside + "}\n");
  };
  const std::string turned = "  ROOT %t = f32[12,1048576]{1,0} transpose(%pad), dimensions={1,0}\n";
  CHECK(outcome_of(fused(turned, "f32[12,1048576]{1,0}", "  ROOT %c = f32[12,1048576]{1,0} negate(%f)\n")).size() == 1);
  // A halo, seen from the user of the fusion.
  CHECK(outcome_of(fused(turned, "f32[12,1048576]{1,0}",
                         "  %d = f32[1,1048576]{1,0} constant({...})\n"
                         "  ROOT %c = f32[13,1048576]{1,0} concatenate(%f, %d), dimensions={0}\n"))
            .empty());
  // Never in memory as a whole.
  CHECK(
      outcome_of(fused("  %i = s32[] constant(0)\n"
                       "  ROOT %d = f32[1048576,3]{1,0} dynamic-slice(%pad, %i, %i), dynamic_slice_sizes={1048576,3}\n",
                       "f32[1048576,3]{1,0}", "  ROOT %c = f32[1048576,3]{1,0} negate(%f)\n"))
          .empty());
}

TEST_CASE("PAD008 distinguishes pads of one size") {
  // What is made of both is a result, but only the second is a halo too.
  CHECK(
      outcome_of(
          padded{"  %q = f32[1048576,9]{1,0} negate(%p)\n"
                 "  %other = f32[1048576,12]{1,0} pad(%q, %z), padding=0_0x0_3, metadata={op_name=\"jit(f)/reshard\"}\n"
                 "  %s = f32[1048576,2]{1,0} slice(%other), slice={[0:1048576], [0:2]}\n"
                 "  ROOT %c = f32[1048576,12]{1,0} add(%pad, %other)\n"}
              .module())
          .size() == 1);
  CHECK(
      outcome_of(
          padded{"  %q = f32[1048576,9]{1,0} negate(%p)\n"
                 "  %other = f32[1048576,12]{1,0} pad(%q, %z), padding=0_0x0_3, metadata={op_name=\"jit(f)/reshard\"}\n"
                 "  %c = f32[1048576,12]{1,0} add(%pad, %other)\n"
                 "  ROOT %s = f32[1048576,2]{1,0} slice(%c), slice={[0:1048576], [0:2]}\n"}
              .module())
          .empty());
}

TEST_CASE("PAD008 does not catch") {
  // The program's own pads, and what becomes of its windows and concatenations.
  CHECK(outcome_of(padded{}.module(), unpartitioned("pad(%p, %z), padding=0_0x0_3")).empty());
  CHECK(outcome_of(padded{.op_name = "jit(f)/jit(g)/reshard"}.module(),
                   unpartitioned("pad(%p, %z), padding=0_0x0_3", "jit(g)/reshard"))
            .empty());
  CHECK(outcome_of(padded{.op_name = ""}.module(), unpartitioned("pad(%p, %z), padding=0_0x0_3")).empty());
  CHECK(outcome_of(padded{}.module(), unpartitioned("concatenate(%p), dimensions={0}")).empty());
  // Not the padding of parts of one size: at the front, between elements, to another multiple, for one device.
  CHECK(outcome_of(padded{.padding = "0_0x3_0"}.module()).empty());
  CHECK(outcome_of(padded{.rest = "  ROOT %c = f32[1048576,17]{1,0} copy(%pad)\n",
                          .padding = "0_0x0_0_1",
                          .shape = "f32[1048576,17]{1,0}"}
                       .module())
            .empty());
  CHECK(outcome_of(padded{.rest = "  ROOT %c = f32[1048576,13]{1,0} copy(%pad)\n",
                          .padding = "0_0x0_4",
                          .shape = "f32[1048576,13]{1,0}"}
                       .module())
            .empty());
  CHECK(outcome_of(padded{.rest = "  ROOT %c = f32[1048576,16]{1,0} copy(%pad)\n",
                          .padding = "0_0x0_7",
                          .shape = "f32[1048576,16]{1,0}"}
                       .module())
            .empty());
  CHECK(outcome_of(padded{.sharding = ""}.module()).empty());
  CHECK(outcome_of(padded{.sharding = "", .header = ""}.module()).empty());
  CHECK(outcome_of(padded{.header = ""}.module()).empty());
  // Halos.
  CHECK(outcome_of(padded{"  %b = f32[12582912]{0} bitcast(%pad)\n  %d = f32[1]{0} constant(0)\n"
                          "  ROOT %c = f32[12582913]{0} concatenate(%b, %d), dimensions={0}\n"}
                       .module())
            .empty());
  CHECK(
      outcome_of(padded{"  ROOT %c = f32[1048576,2]{1,0} slice(%pad), slice={[0:1048576], [0:2]}\n"}.module()).empty());
  // Not worth a word.
  CHECK(outcome_of(padded{}.module(), unpartitioned(), uneven_shard_pad{.min_bytes = 13_MiB}).empty());
  CHECK(outcome_of(padded{}.module(), unpartitioned(), uneven_shard_pad{.min_ratio = 1.5}).empty());
}
