#include <hlolint/analysis/transfers/wasted_results.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string groups = ", channel_id=1, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true";

/// An entry that gathers and slices at `%at`, which is eight times the device's number.
hlo_module sliced(const std::string& gather, const std::string& slice, const std::string& before = {}) {
  return module_of("HloModule m, is_scheduled=true, num_partitions=2\n\n" + before +
                   "ENTRY %e {\n%p = f32[8]{0} parameter(0)\n%id = u32[] partition-id()\n%i = s32[] convert(%id)\n"
                   "%eight = s32[] constant(8)\n%at = s32[] multiply(%i, %eight)\n" +
                   gather + slice + "}\n");
}

}  // namespace

TEST_CASE("wasted_results: every device keeps a part of its own of what was gathered") {
  const hlo_module module = sliced("%g = f32[16]{0} all-gather(%p)" + groups + "\n",
                                   "ROOT %s = f32[8]{0} dynamic-slice(%g, %at), dynamic_slice_sizes={8}\n");
  const wasted_results results(module);
  const wasted_result* const found = results.of(instruction_of(module, "g"));
  REQUIRE(found);
  CHECK(found->result == instruction_of(module, "g"));
  CHECK(found->bytes == 64);
  CHECK(found->kept == 32);
  CHECK(found->waste() == 32);
  REQUIRE(found->slices.size() == 1);
  CHECK(found->slices[0].name() == "s");
  CHECK(found->before.empty());
  CHECK(results.of(instruction_of(module, "p")) == nullptr);
}

TEST_CASE("wasted_results: through fusions and casts, of starts and dones, and with the all-gathers before") {
  const hlo_module module = sliced("%first = f32[16]{0} all-gather(%p)" + groups +
                                       "\n%gs = (f32[16]{0}, f32[32]{0}) all-gather-start(%first)" + groups +
                                       "\n%gd = f32[32]{0} all-gather-done(%gs)\n%low = bf16[32]{0} convert(%gd)\n",
                                   "ROOT %f = bf16[4]{0} fusion(%low, %at), kind=kLoop, calls=%cut\n",
                                   "%cut {\n%cp = bf16[32]{0} parameter(0)\n%ci = s32[] parameter(1)\n"
                                   "ROOT %cs = bf16[4]{0} dynamic-slice(%cp, %ci), dynamic_slice_sizes={4}\n}\n\n");
  const wasted_results results(module);
  const wasted_result* const found = results.of(instruction_of(module, "gs"));
  REQUIRE(found);
  CHECK(found->result.name() == "gd");
  CHECK(found->bytes == 128);
  CHECK(found->kept == 16);
  REQUIRE(found->before.size() == 1);
  CHECK(found->before[0].name() == "first");
  CHECK(found->moved() == 128 + 64);
  CHECK(results.of(instruction_of(module, "first")) == nullptr);
}

TEST_CASE(
    "wasted_results: none where something reads all of it, where all is kept, or where all devices keep the same") {
  const std::string gather = "%g = f32[16]{0} all-gather(%p)" + groups + "\n",
                    slice = "%s = f32[8]{0} dynamic-slice(%g, %at), dynamic_slice_sizes={8}\n";
  const auto wasted = [](const hlo_module& module) {
    const wasted_results results(module);
    return results.begin() != results.end();
  };
  CHECK(wasted(sliced(gather, slice)));
  // A mean is a sum times one number; each element of another array is a number of its own.
  const std::string factor = "%half = f32[] constant(0.5)\n%halves = f32[16]{0} broadcast(%half), dimensions={}\n",
                    part = "ROOT %s = f32[8]{0} dynamic-slice(%m, %at), dynamic_slice_sizes={8}\n";
  CHECK(wasted(sliced(gather + factor + "%m = f32[16]{0} multiply(%halves, %g)\n", part)));
  CHECK(wasted(sliced(gather + factor + "%m = f32[16]{0} divide(%g, %halves)\n", part)));
  CHECK_FALSE(wasted(sliced(gather + factor + "%m = f32[16]{0} divide(%halves, %g)\n", part)));
  CHECK_FALSE(wasted(sliced(gather + "%q = f32[16]{0} parameter(1)\n%m = f32[16]{0} multiply(%g, %q)\n", part)));
  CHECK_FALSE(wasted(sliced(gather, slice + "ROOT %n = f32[16]{0} negate(%g)\n")));
  CHECK_FALSE(wasted(sliced(gather, "%s = f32[16]{0} dynamic-slice(%g, %at), dynamic_slice_sizes={16}\n")));
  CHECK_FALSE(wasted(sliced(gather, "%s = f32[8]{0} dynamic-slice(%g, %eight), dynamic_slice_sizes={8}\n")));
  CHECK_FALSE(wasted(sliced(gather, "%s = f32[8]{0} slice(%g), slice={[0:8]}\n")));
  CHECK_FALSE(wasted(sliced("%g = f32[16]{0} concatenate(%p, %p), dimensions={0}\n", slice)));
}

TEST_CASE("wasted_results: rows that a TopK or a sort works on alone") {
  const std::string wide =
                        "%wide = f32[8,32]{1,0} broadcast(%p), dimensions={0}\n"
                        "%g = f32[16,32]{1,0} all-gather(%wide)" +
                        groups + "\n%zero = s32[] constant(0)\n",
                    top =
                        "%t = (f32[16,4]{1,0}, s32[16,4]{1,0}) custom-call(%g), custom_call_target=\"TopK\"\n"
                        "%v = f32[16,4]{1,0} get-tuple-element(%t), index=0\n"
                        "%n = s32[16,4]{1,0} get-tuple-element(%t), index=1\n",
                    sorts = "%v = f32[16,32]{1,0} sort(%g), dimensions={1}, to_apply=%less\n",
                    less =
                        "%less {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\n"
                        "ROOT %l = pred[] compare(%x, %y), direction=LT\n}\n\n";
  const auto slice = [](const char* type, const char* of, const char* name, const char* size) {
    return std::string("%") + name + " = " + type + "[" + size + "]{1,0} dynamic-slice(%" + of +
           ", %at, %zero), dynamic_slice_sizes={" + size + "}\n";
  };
  {
    const hlo_module module = sliced(wide + top, slice("f32", "v", "s", "8,4") + slice("s32", "n", "o", "8,4"));
    const wasted_results results(module);
    const wasted_result* const found = results.of(instruction_of(module, "g"));
    REQUIRE(found);
    CHECK(found->by_rows.name() == "t");
    CHECK(found->slices.size() == 2);
    CHECK(found->bytes == 16 * 32 * 4);
    CHECK(found->kept == 8 * 32 * 4);
  }
  const hlo_module sorted = sliced(wide + sorts, slice("f32", "v", "s", "8,32"), less);
  REQUIRE(wasted_results(sorted).of(instruction_of(sorted, "g")));
  // A part of each row, and a whole result that is read.
  const hlo_module columns = sliced(wide + sorts, slice("f32", "v", "s", "8,16"), less);
  CHECK(wasted_results(columns).of(instruction_of(columns, "g")) == nullptr);
  const hlo_module whole = sliced(wide + top, slice("f32", "v", "s", "8,4") + "%m = s32[16,4]{1,0} negate(%n)\n");
  CHECK(wasted_results(whole).of(instruction_of(whole, "g")) == nullptr);
  const hlo_module plain = sliced(wide + "%v = f32[16,32]{1,0} negate(%g)\n", slice("f32", "v", "s", "8,32"));
  CHECK(wasted_results(plain).of(instruction_of(plain, "g")) == nullptr);
}

TEST_CASE("wasted_results: what several fusions keep alike counts once") {
  const auto fused = [](const std::string& name, const std::string& offset) {
    return "%" + name + " {\n%p0" + name + " = f32[16]{0} parameter(0)\n%p1" + name + " = s32[] parameter(1)\n" + "%c" +
           name + " = s32[] constant(" + offset + ")\n%a" + name + " = s32[] add(%p1" + name + ", %c" + name +
           ")\nROOT %s" + name + " = f32[4]{0} dynamic-slice(%p0" + name + ", %a" + name +
           "), dynamic_slice_sizes={4}\n}\n\n";
  };
  const auto kept = [&](const std::string& other_offset) {
    const hlo_module module = sliced("%g = f32[16]{0} all-gather(%p)" + groups + "\n",
                                     "%f = f32[4]{0} fusion(%g, %at), kind=kLoop, calls=%one\n"
                                     "%f2 = f32[4]{0} fusion(%g, %at), kind=kLoop, calls=%two\n"
                                     "%s3 = f32[4]{0} dynamic-slice(%g, %at), dynamic_slice_sizes={4}\n"
                                     "ROOT %t = (f32[4]{0}, f32[4]{0}, f32[4]{0}) tuple(%f, %f2, %s3)\n",
                                     fused("one", "0") + fused("two", other_offset));
    const wasted_results results(module);
    const wasted_result* const found = results.of(instruction_of(module, "g"));
    REQUIRE(found);
    CHECK(found->slices.size() == 3);
    return found->kept;
  };
  CHECK(kept("0") == 32);  // %s3 adds nothing to its offset, which looks different
  CHECK(kept("4") == 48);
}

TEST_CASE("what depends on the device's number") {
  const hlo_module module = module_of(R"(HloModule m

%add (a: u32[], b: u32[]) -> u32[] {
  %a = u32[] parameter(0)
  %b = u32[] parameter(1)
  ROOT %s = u32[] add(%a, %b)
}

%fused (fp: u32[], fq: u32[]) -> u32[] {
  %fp = u32[] parameter(0)
  %fq = u32[] parameter(1)
  ROOT %fm = u32[] multiply(%fp, %fq)
}

ENTRY %main {
  %p = u32[] parameter(0)
  %id = u32[] partition-id()
  %n = u32[] negate(%id)
  %f = u32[] fusion(%n, %p), kind=kLoop, calls=%fused
  %uniform = u32[] all-reduce(%f), replica_groups={}, to_apply=%add
  %t = token[] after-all()
  %in = (u32[], token[]) infeed(%t)
  ROOT %read = u32[] get-tuple-element(%in), index=0
}
)");
  const device_dependence dependence(module);
  for (const char* const name : {"id", "n", "f", "fp", "fm"})
    CHECK(dependence.on_device_id(instruction_of(module, name)));
  for (const char* const name : {"p", "fq", "uniform", "in", "read"})
    CHECK_FALSE(dependence.on_device_id(instruction_of(module, name)));
}

TEST_CASE("a device's number that a fusion asks for itself") {
  const hlo_module module = module_of(R"(HloModule m

%idle (ip: u32[]) -> u32[] {
  %ip = u32[] parameter(0)
  ROOT %im = u32[] negate(%ip)
}

%asks (ap: u32[]) -> u32[] {
  %ap = u32[] parameter(0)
  %own = u32[] partition-id()
  ROOT %am = u32[] multiply(%own, %ap)
}

%takes (tp: u32[], tq: u32[]) -> u32[] {
  %tp = u32[] parameter(0)
  %tq = u32[] parameter(1)
  ROOT %tm = u32[] negate(%tq)
}

ENTRY %main {
  %p = u32[] parameter(0)
  %i = u32[] fusion(%p), kind=kLoop, calls=%idle
  %id = u32[] partition-id()
  ROOT %t = u32[] fusion(%p, %id), kind=kLoop, calls=%takes
}
)");
  const device_dependence dependence(module);
  for (const char* const name : {"own", "am", "tq", "tm", "id", "t"})
    CHECK(dependence.on_device_id(instruction_of(module, name)));
  for (const char* const name : {"ip", "im", "ap", "tp", "p", "i"})
    CHECK_FALSE(dependence.on_device_id(instruction_of(module, name)));
}

TEST_CASE("wasted_results: of a start that wraps the all-gather") {
  const hlo_module module =
      sliced("%gs = ((f32[8]{0}), f32[16]{0}) async-start(%p), calls=%wrapped\n%gd = f32[16]{0} async-done(%gs)\n",
             "ROOT %s = f32[8]{0} dynamic-slice(%gd, %at), dynamic_slice_sizes={8}\n",
             "%wrapped {\n%wp = f32[8]{0} parameter(0)\nROOT %wg = f32[16]{0} all-gather(%wp)" + groups + "\n}\n\n");
  const wasted_results results(module);
  const wasted_result* const found = results.of(instruction_of(module, "gs"));
  REQUIRE(found);
  CHECK(found->result == instruction_of(module, "gd"));
  CHECK(found->waste() == 32);
}
