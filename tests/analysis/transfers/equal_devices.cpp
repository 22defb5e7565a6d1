#include <hlolint/analysis/transfers/equal_devices.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string replicated = "{replicated}", sharded = "{devices=[4,1]<=[4]}",
                  along_x = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}";

/// A program over four devices of `x`, `y` and these lines, of which one is called `of`.
hlo_module program(const std::string& lines, const std::string& x, const std::string& y,
                   const std::string& before = {}) {
  return module_of("HloModule m, is_scheduled=true, num_partitions=4\n\n" + before +
                   "ENTRY %e {\n%x = f32[8,8]{1,0} parameter(0), sharding=" + x +
                   "\n%y = f32[8,8]{1,0} parameter(1), sharding=" + y + "\n" + lines + "ROOT %r = () tuple()\n}\n");
}
std::size_t same(const hlo_module& module, const std::string& name = "of") {
  return equal_devices(module, nullptr, module_groups(module)).computing_same(instruction_of(module, name));
}
const std::string negate_of = "%of = f32[8,8]{1,0} negate(%g)\n";

}  // namespace

TEST_CASE("equal_devices: what differs in one operand differs in the result") {
  const std::string add = "%of = f32[8,8]{1,0} add(%x, %y)\n";
  CHECK(same(program(add, replicated, replicated)) == 4);
  CHECK(same(program(add, replicated, sharded)) == 1);
  CHECK(same(program(add, replicated, along_x)) == 2);
  CHECK(same(program(add, along_x, along_x)) == 2);
  CHECK(same(program(add, along_x, "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}")) == 1);  // along y
  CHECK(same(program(add, replicated, "{mesh['x'=2,'y'=2], [{'x'}, {}]}")) == 2);
  CHECK(same(module_of("HloModule m, num_partitions=4\n\nENTRY %e {\n%x = f32[8]{0} parameter(0)\n"
                       "ROOT %of = f32[8]{0} negate(%x)\n}\n")) == 1);  // nothing is known of x
  CHECK(same(module_of("HloModule m\n\nENTRY %e {\n%x = f32[8]{0} constant({...})\n"
                       "ROOT %of = f32[8]{0} negate(%x)\n}\n")) == 1);  // there is one device
}

TEST_CASE("equal_devices: what collectives make equal or different") {
  const std::string add =
      "%add {\n%a = f32[] parameter(0)\n%b = f32[] parameter(1)\nROOT %c = f32[] add(%a, %b)\n}\n\n";
  const auto made = [&](const std::string& collective, const std::string& x) {
    const std::string result = collective.substr(0, collective.find(' '));
    return same(program("%g = " + collective + "\n%of = " + result + " negate(%g)\n", x, replicated, add));
  };
  const std::string all = ", channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true",
                    pairs = ", channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true";
  CHECK(made("f32[32,8]{1,0} all-gather(%x), dimensions={0}" + all, sharded) == 4);
  CHECK(made("f32[16,8]{1,0} all-gather(%x), dimensions={0}" + pairs, sharded) == 2);
  CHECK(made("f32[16,8]{1,0} all-gather(%x), dimensions={0}" + pairs, along_x) == 2);
  CHECK(made("f32[8,8]{1,0} all-reduce(%x), to_apply=%add" + all, sharded) == 4);
  CHECK(made("f32[2,8]{1,0} reduce-scatter(%x), dimensions={0}, to_apply=%add" + all, replicated) == 1);
  CHECK(made("f32[4,8]{1,0} reduce-scatter(%x), dimensions={0}, to_apply=%add" + pairs, replicated) == 2);
  CHECK(made("f32[8,8]{1,0} all-to-all(%x), dimensions={0}, channel_id=1, replica_groups={{0,1,2,3}}", replicated) ==
        1);
  CHECK(made("f32[8,8]{1,0} collective-permute(%x), source_target_pairs={{0,1},{1,2},{2,3},{3,0}}", replicated) == 4);
  CHECK(made("f32[8,8]{1,0} collective-permute(%x), source_target_pairs={{0,2},{1,3}}", replicated) == 2);  // or zeros
  CHECK(made("f32[8,8]{1,0} custom-call(%x), custom_call_target=\"mine\"", replicated) == 1);
  CHECK(made("f32[8,8]{1,0} custom-call(%x), custom_call_target=\"__cublas$gemm\"", replicated) == 4);
  // Started and done.
  CHECK(same(program("%s = (f32[8,8]{1,0}, f32[32,8]{1,0}) all-gather-start(%x), dimensions={0}" + all +
                         "\n%g = f32[32,8]{1,0} all-gather-done(%s)\n%of = f32[32,8]{1,0} negate(%g)\n",
                     sharded, replicated)) == 4);
  // By fusions of a TPU: one starts the gather, one ends it.
  const auto in_fusion = [&](const std::string& root, const std::string& shape) {
    return "%" + root + " {\n%p." + root + " = f32[8,8]{1,0} parameter(0)\n%g." + root +
           " = f32[32,8]{1,0} all-gather(%p." + root + "), dimensions={0}" + all + "\nROOT %c." + root + " = " + shape +
           " custom-call(%g." + root + "), custom_call_target=\"" + root + "\"\n}\n\n";
  };
  const std::string start_shape = "(f32[8,8]{1,0}, f32[32,8]{1,0}, u32[])";
  const std::string fusions =
      in_fusion("AsyncCollectiveStart", start_shape) + in_fusion("AsyncCollectiveDone", "f32[32,8]{1,0}");
  const std::string gathered =
      "%s = " + start_shape +
      " fusion(%x), kind=kCustom, calls=%AsyncCollectiveStart\n"
      "%part0 = f32[8,8]{1,0} get-tuple-element(%s), index=0\n%part1 = f32[32,8]{1,0} get-tuple-element(%s), index=1\n"
      "%g = f32[32,8]{1,0} fusion(%part0), kind=kCustom, calls=%AsyncCollectiveDone\n";
  CHECK(same(program(gathered + "%of = f32[32,8]{1,0} negate(%g)\n", sharded, replicated, fusions)) == 4);
  CHECK(same(program(gathered + "%of = f32[32,8]{1,0} negate(%part1)\n", sharded, replicated, fusions)) == 4);
  CHECK(same(program(gathered + "%of = f32[8,8]{1,0} negate(%part0)\n", sharded, replicated, fusions)) == 1);
  const std::string id = "%id = u32[] partition-id()\n%of = u32[] negate(%id)\n";
  CHECK(same(program(id, replicated, replicated)) == 1);
}

TEST_CASE("equal_devices: through tuples, fusions, loops and branches") {
  const std::string take =
      "%t = (f32[8,8]{1,0}, f32[8,8]{1,0}) tuple(%x, %y)\n%g = f32[8,8]{1,0} get-tuple-element(%t), index=";
  CHECK(same(program(take + "0\n" + negate_of, replicated, sharded)) == 4);
  CHECK(same(program(take + "1\n" + negate_of, replicated, sharded)) == 1);

  const std::string fused =
      "%f {\n%p = f32[8,8]{1,0} parameter(0)\n%q = f32[8,8]{1,0} parameter(1)\n"
      "%in = f32[8,8]{1,0} negate(%p)\nROOT %s = f32[8,8]{1,0} add(%in, %q)\n}\n\n";
  const hlo_module fusion =
      program("%g = f32[8,8]{1,0} fusion(%x, %y), kind=kLoop, calls=%f\n" + negate_of, replicated, sharded, fused);
  CHECK(same(fusion) == 1);
  CHECK(same(fusion, "in") == 4);  // inside, each operation has its own operands

  // Each iteration hands the second value on to the first.
  const std::string loop =
      "%body {\n%p = (f32[8,8]{1,0}, f32[8,8]{1,0}) parameter(0)\n%a = f32[8,8]{1,0} get-tuple-element(%p), index=0\n"
      "%b = f32[8,8]{1,0} get-tuple-element(%p), index=1\n%in = f32[8,8]{1,0} negate(%a)\n"
      "ROOT %n = (f32[8,8]{1,0}, f32[8,8]{1,0}) tuple(%b, %b)\n}\n\n"
      "%goes {\n%p.1 = (f32[8,8]{1,0}, f32[8,8]{1,0}) parameter(0)\nROOT %c = pred[] constant(false)\n}\n\n";
  const std::string run =
      "%t = (f32[8,8]{1,0}, f32[8,8]{1,0}) tuple(%x, %y)\n"
      "%w = (f32[8,8]{1,0}, f32[8,8]{1,0}) while(%t), condition=%goes, body=%body\n"
      "%g = f32[8,8]{1,0} get-tuple-element(%w), index=0\n" +
      negate_of;
  CHECK(same(program(run, replicated, replicated, loop)) == 4);
  CHECK(same(program(run, replicated, sharded, loop)) == 1);
  CHECK(same(program(run, replicated, sharded, loop), "in") == 1);  // from the second iteration on
  CHECK(same(program(run, sharded, replicated, loop), "in") == 1);  // in the first iteration

  const std::string branches =
      "%yes {\n%p = f32[8,8]{1,0} parameter(0)\nROOT %a = f32[8,8]{1,0} negate(%p)\n}\n\n"
      "%no {\n%p.1 = f32[8,8]{1,0} parameter(0)\nROOT %b = f32[8,8]{1,0} copy(%p.1)\n}\n\n";
  const std::string choose =
      "%one = u32[] constant(1)\n%q = pred[] compare(%id, %one), direction=EQ\n"
      "%g = f32[8,8]{1,0} conditional(%q, %x, %x), true_computation=%yes, false_computation=%no\n" +
      negate_of;
  CHECK(same(program("%id = u32[] constant(1)\n" + choose, replicated, replicated, branches)) == 4);
  CHECK(same(program("%id = u32[] partition-id()\n" + choose, replicated, replicated, branches)) == 1);
}

TEST_CASE("equal_devices: what makes them differ, and where it does not") {
  const std::string lines =
      "%id = u32[] partition-id()\n%two = u32[] constant(2)\n%four = u32[] constant(4)\n"
      "%row = u32[] divide(%id, %two)\n%column = u32[] remainder(%id, %two)\n%f = f32[] convert(%row)\n"
      "%is = pred[] compare(%id, %four), direction=LT\n%n = s32[] constant(3)\n%t = (s32[], u32[]) tuple(%n, %row)\n"
      "%w = (s32[], u32[]) while(%t), condition=%goes, body=%body\n%count = s32[] get-tuple-element(%w), index=0\n"
      "%kept = u32[] get-tuple-element(%w), index=1\n%s = f32[8,8]{1,0} sine(%x)\n"
      "%r1 = f32[8,8]{1,0} custom-call(%s), custom_call_target=\"mine\"\n";
  const std::string loop =
      "%body {\n%p = (s32[], u32[]) parameter(0)\n%k = s32[] get-tuple-element(%p), index=0\n"
      "%b = u32[] get-tuple-element(%p), index=1\n%in = s32[] add(%k, %k)\nROOT %o = (s32[], u32[]) tuple(%in, "
      "%b)\n}\n\n"
      "%goes {\n%q = (s32[], u32[]) parameter(0)\n%l = u32[] get-tuple-element(%q), index=1\n%z = u32[] constant(1)\n"
      "ROOT %c = pred[] compare(%l, %z), direction=LT\n}\n\n";
  const hlo_module module = program(lines, sharded, replicated, loop);
  const equal_devices equal(module, nullptr, module_groups(module));
  const auto classes = [&](const char* name) { return equal.classes_of(instruction_of(module, name)); };
  const auto between = [&](const char* name) { return equal.between_classes_of(instruction_of(module, name)); };
  const std::vector<id> one{0, 0, 0, 0}, rows{0, 0, 1, 1}, columns{0, 1, 0, 1}, each{0, 1, 2, 3};
  CHECK(classes("id") == each);
  for (const char* const name : {"row", "f", "kept", "l", "c", "count"}) {
    CHECK(classes(name) == rows);
    CHECK(between(name) == difference::device_id);
  }
  CHECK(classes("column") == columns);
  for (const char* const name : {"is", "in", "k"}) {  // all are below 4; in the loop all count alike
    CHECK(classes(name) == one);
    CHECK(between(name) == difference{});
  }
  CHECK(between("s") == difference::shard);
  CHECK(between("r1") == difference::unknown);
}

TEST_CASE("equal_devices: integers that are computed from the device's number") {
  const auto classes = [](const std::string& lines) {
    const hlo_module module = program(
        "%id = u32[] partition-id()\n%one = u32[] constant(1)\n%three = u32[] constant(3)\n" + lines, sharded, sharded);
    return equal_devices(module, nullptr, module_groups(module)).classes_of(instruction_of(module, "of"));
  };
  const std::vector<id> one{0, 0, 0, 0}, rows{0, 0, 1, 1}, columns{0, 1, 0, 1}, each{0, 1, 2, 3};
  CHECK(classes("%of = u32[] shift-right-logical(%id, %one)\n") == rows);
  CHECK(classes("%of = u32[] and(%id, %one)\n") == columns);
  CHECK(classes("%of = u32[] xor(%id, %one)\n") == each);
  CHECK(classes("%of = u32[] maximum(%id, %three)\n") == one);
  CHECK(classes("%b = u32[1]{0} reshape(%id)\n%c = u32[1]{0} reshape(%three)\n%of = u32[1]{0} divide(%b, %c)\n") ==
        std::vector<id>{0, 0, 0, 1});
  // 0 - 2 is a great number without a sign, and -2 with one.
  const std::string less = "%two = u32[] constant(2)\n%m = u32[] subtract(%id, %two)\n";
  CHECK(classes(less + "%of = pred[] compare(%m, %three), direction=GT\n") == rows);
  CHECK(classes(less + "%t = s32[] bitcast(%m)\n%c = s32[] constant(3)\n"
                       "%of = pred[] compare(%t, %c), direction=GT\n") == one);
  CHECK(classes(
            "%q = pred[] compare(%id, %one), direction=LE\n%n = pred[] not(%q)\n%of = u32[] select(%n, %id, %one)\n") ==
        std::vector<id>{0, 0, 1, 2});
  CHECK(classes("%f = f32[] convert(%id)\n%of = pred[] compare(%f, %f), direction=EQ\n") == each);  // no integers
}

TEST_CASE("equal_devices: programs that no compiler writes end") {
  std::string nested;
  for (int k = 0; k < 200; ++k)
    nested += "%c" + std::to_string(k) + " {\n%p" + std::to_string(k) + " = f32[8,8]{1,0} parameter(0)\nROOT %r" +
              std::to_string(k) + " = f32[8,8]{1,0} " +
              (k == 0 ? "negate(%p0)" : "call(%p" + std::to_string(k) + "), to_apply=%c" + std::to_string(k - 1)) +
              "\n}\n\n";
  CHECK(same(program("%g = f32[8,8]{1,0} call(%x), to_apply=%c199\n" + negate_of, replicated, replicated, nested)) ==
        1);
  const hlo_module many = module_of(
      "HloModule m, num_partitions=1000000000\n\nENTRY %e {\n%x = f32[8]{0} constant({...})\n"
      "ROOT %of = f32[8]{0} negate(%x)\n}\n");
  CHECK(same(many) == 1);
}
