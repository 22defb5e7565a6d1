#include <hlolint/checks/aliasing/missed_donation.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const std::string& body, const std::string& header = {}) {
  return outcome(missed_donation{}, context(module_of("HloModule m, is_scheduled=true" + header +
                                                      "\n\nENTRY %main {\n"
                                                      "  %p = f32[8192,1024]{1,0} parameter(0)\n" +
                                                      body + "}\n")));
}
const std::string shape_text = "f32[8192,1024]{1,0}";

}  // namespace

TEST_CASE("ALI007 catches") {
  CHECK(outcome_of("  ROOT %n = " + shape_text + " negate(%p)\n") ==
        texts{"note: parameter 0 at index {} (f32[8192,1024]{1,0}, 32.00MiB) is read for the last time before output "
              "{} of equal shape begins, "
              "and is not donated to it"});
}

TEST_CASE("ALI007 catches what is worked on in place") {
  CHECK(outcome(missed_donation(), context(module_of(R"(HloModule m, is_scheduled=true

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %s = f32[] add(%x, %y)
}

ENTRY %main {
  %p = f32[8192,1024]{1,0} parameter(0)
  %start = f32[8192,1024]{1,0} all-reduce-start(%p), replica_groups={}, to_apply=%sum
  ROOT %done = f32[8192,1024]{1,0} all-reduce-done(%start)
}
)")))
            .size() == 1);
}

TEST_CASE("ALI007 counts the time of the copy that a donation spares") {
  const auto copies_of = [](const std::string& body, const std::string& computations = {}) {
    const context dump(module_of("HloModule m, is_scheduled=true\n\n" + computations +
                                 "ENTRY %main {\n"
                                 "  %p = f32[8192,1024]{1,0} parameter(0)\n"
                                 "  %u = f32[1,1024]{1,0} parameter(1)\n  %i = s32[] parameter(2)\n" +
                                 body + "}\n"));
    std::vector<finding> found;
    auto keep = [&](finding d) { found.push_back(std::move(d)); };
    missed_donation{}(dump, sink_ref(keep));
    texts names;
    for (const finding& d : found)
      for (const saved_time& saved : d.saves) names.emplace_back(saved.of.name());
    return names;
  };
  CHECK(copies_of("  %copy.1 = " + shape_text + " copy(%p)\n  ROOT %d = " + shape_text +
                  " dynamic-update-slice(%copy.1, %u, %i, %i)\n") == texts{"copy.1"});
  // A TPU moves slices into VMEM, joins them there, and writes them to memory again.
  CHECK(copies_of("  %start.1 = ((f32[8192,1024]{1,0}), f32[8192,1024]{1,0}, s32[]) async-start(%p), calls=%all\n"
                  "  %done.1 = f32[8192,1024]{1,0} async-done(%start.1)\n  %joined = " +
                      shape_text +
                      " custom-call(%done.1), custom_call_target=\"ConcatBitcast\"\n"
                      "  %copy.1 = " +
                      shape_text + " copy(%joined)\n  ROOT %d = " + shape_text +
                      " dynamic-update-slice(%copy.1, %u, %i, %i)\n",
                  "%all {\n  %q = f32[8192,1024]{1,0} parameter(0)\n"
                  "  ROOT %s = f32[8192,1024]{1,0} slice(%q), slice={[0:8192], [0:1024]}\n}\n\n") == texts{"copy.1"});
  const context on_device(
      {.hlo = module_of("HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = " + shape_text +
                        " parameter(0)\n  %u = f32[1,1024]{1,0} parameter(1)\n  %i = s32[] parameter(2)\n"
                        "  %copy.1 = " +
                        shape_text + " copy(%p)\n  ROOT %d = " + shape_text +
                        " dynamic-update-slice(%copy.1, %u, %i, %i)\n}\n"),
       .target = target::gpu,
       .device = find_device("h100-sxm")});
  const missed_donation check;
  const findings found = lint(check, on_device, all_settings(as_catalogue(check)));
  REQUIRE(found.size() == 1);
  CHECK(std::ranges::any_of(found[0].impacts,
                            [](const finding_impact& one) { return one.unit == impact_unit::seconds; }));
  // The output lies elsewhere: the copy is there for another reader.
  CHECK(copies_of("  %copy.1 = " + shape_text + " copy(%p)\n  ROOT %d = " + shape_text + " negate(%copy.1)\n").empty());
}

TEST_CASE("ALI007 does not catch") {
  CHECK(outcome_of("  ROOT %n = " + shape_text + " negate(%p)\n", ", input_output_alias={ {}: (0, {}, may-alias) }")
            .empty());
  CHECK(outcome_of("  ROOT %n = " + shape_text + " negate(%p)\n", ", buffer_donor={ (0, {}) }").empty());  // ALI005
  CHECK(outcome_of("  ROOT %n = f32[1024,8192]{1,0} custom-call(%p), custom_call_target=\"f\"\n").empty());
  // The parameter is read after the output begins.
  CHECK(outcome_of("  %n = " + shape_text + " negate(%p)\n  %s = " + shape_text +
                   " sine(%p)\n  %a = f32[] custom-call(%s), "
                   "custom_call_target=\"f\"\n  ROOT %t = (" +
                   shape_text + ", f32[]) tuple(%n, %a)\n")
            .empty());
  // The output is the parameter.
  CHECK(outcome_of("  ROOT %t = (" + shape_text + ") tuple(%p)\n").empty());
}

TEST_CASE("ALI007 does not promise memory that other values need until the parameter is read") {
  // %early lies where the output does later, and ends where the parameter is read for the last time.
  const std::string text = "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = " + shape_text +
                           " parameter(0)\n  %q = f32[4096,1024]{1,0} parameter(1)\n"
                           "  %early = f32[4096,1024]{1,0} negate(%q)\n"
                           "  %half = f32[4096,1024]{1,0} slice(%p), slice={[0:4096], [0:1024]}\n"
                           "  %s = f32[4096,1024]{1,0} add(%half, %early)\n"
                           "  ROOT %out = " +
                           shape_text + " concatenate(%s, %s), dimensions={0}\n}\n";
  const rule_settings shown = all_settings(as_catalogue(missed_donation{}));
  const auto found_in = [&](const std::string& size, const std::string& place_of_early) {
    const std::string allocations =
        "BufferAssignment:\nallocation 0: size 33554432, parameter 0, shape |f32[8192,1024]| at ShapeIndex {}:\n"
        " value: <0 p @0> (size=33554432,offset=0): f32[8192,1024]{1,0}\n"
        "allocation 1: size 16777216, parameter 1, shape |f32[4096,1024]| at ShapeIndex {}:\n"
        " value: <1 q @0> (size=16777216,offset=0): f32[4096,1024]{1,0}\n"
        "allocation 2: size " +
        size + ", output shape is |f32[8192,1024]|, maybe-live-out:\n" + place_of_early +
        " value: <4 out @0> (size=33554432,offset=0): f32[8192,1024]{1,0}\n"
        "allocation 3: size 33554432, preallocated-temp:\n"
        " value: <3 half @0> (size=16777216,offset=0): f32[4096,1024]{1,0}\n"
        " value: <5 s @0> (size=16777216,offset=16777216): f32[4096,1024]{1,0}\n";
    const findings found = lint(missed_donation{}, context(module_of(text), buffers_of(allocations)), shown);
    return found.empty() ? 0 : found[0].bytes.value_or(0);
  };
  CHECK(lint(missed_donation{}, context(module_of(text)), shown).size() == 1);
  CHECK(found_in("50331648", " value: <2 early @0> (size=16777216,offset=33554432): f32[4096,1024]{1,0}\n") == 32_MiB);
  CHECK(found_in("33554432", " value: <2 early @0> (size=16777216,offset=0): f32[4096,1024]{1,0}\n") == 16_MiB);
}

TEST_CASE("ALI007: the storage of a loop's result begins before the loop") {
  CHECK(outcome(missed_donation(), context(module_of(R"(HloModule m, is_scheduled=true

%c (ct: (s32[], f32[8192,1024], f32[8192,1024])) -> pred[] {
  %ct = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) parameter(0)
  %ci = s32[] get-tuple-element(%ct), index=0
  %n = s32[] constant(4)
  ROOT %less = pred[] compare(%ci, %n), direction=LT
}

%b (t: (s32[], f32[8192,1024], f32[8192,1024])) -> (s32[], f32[8192,1024], f32[8192,1024]) {
  %t = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  %read = f32[8192,1024]{1,0} get-tuple-element(%t), index=1
  %made = f32[8192,1024]{1,0} get-tuple-element(%t), index=2
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %sum = f32[8192,1024]{1,0} add(%read, %made)
  ROOT %r = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) tuple(%next, %read, %sum)
}

ENTRY %main {
  %p = f32[8192,1024]{1,0} parameter(0)
  %begin = f32[8192,1024]{1,0} custom-call(), custom_call_target="AllocateBuffer"
  %zero = s32[] constant(0)
  %state = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) tuple(%zero, %p, %begin)
  %w = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) while(%state), condition=%c, body=%b
  ROOT %out = f32[8192,1024]{1,0} get-tuple-element(%w), index=2
}
)")))
            .empty());
}

TEST_CASE("ALI007 catches an array that a loop takes and stacks again") {
  const std::string in_place = "  %stacked = f32[8192,1024]{1,0} dynamic-update-slice(%ys, %y, %i, %zero)\n";
  const auto outcome_with = [](const std::string& stacked, const std::string& more) {
    return outcome(missed_donation(), context(module_of(R"(HloModule m, is_scheduled=true

%c (ct: (s32[], f32[8192,1024], f32[8192,1024])) -> pred[] {
  %ct = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) parameter(0)
  %ci = s32[] get-tuple-element(%ct), index=0
  %n = s32[] constant(8192)
  ROOT %less = pred[] compare(%ci, %n), direction=LT
}

%f {
  %fs = f32[8192,1024]{1,0} parameter(0)
  %fy = f32[1,1024]{1,0} parameter(1)
  %fi = s32[] parameter(2)
  %fz = s32[] constant(0)
  ROOT %fr = f32[8192,1024]{1,0} dynamic-update-slice(%fs, %fy, %fi, %fz)
}

%g {
  %gs = f32[8192,1024]{1,0} parameter(0)
  %gy = f32[1,1024]{1,0} parameter(1)
  %gi = s32[] parameter(2)
  ROOT %gr = f32[8192,1024]{1,0} fusion(%gs, %gy, %gi), kind=kLoop, calls=%f
}

%b (t: (s32[], f32[8192,1024], f32[8192,1024])) -> (s32[], f32[8192,1024], f32[8192,1024]) {
  %t = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  %xs = f32[8192,1024]{1,0} get-tuple-element(%t), index=1
  %ys = f32[8192,1024]{1,0} get-tuple-element(%t), index=2
  %one = s32[] constant(1)
  %zero = s32[] constant(0)
  %next = s32[] add(%i, %one)
  %x = f32[1,1024]{1,0} dynamic-slice(%xs, %i, %zero), dynamic_slice_sizes={1,1024}
  %y = f32[1,1024]{1,0} negate(%x)
)" + stacked + R"(  ROOT %r = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) tuple(%next, %xs, %stacked)
}

ENTRY %main {
  %p = f32[8192,1024]{1,0} parameter(0)
  %begin = f32[8192,1024]{1,0} custom-call(), custom_call_target="AllocateBuffer"
  %start = s32[] constant(0)
  %state = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) tuple(%start, %p, %begin)
  %w = (s32[], f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) while(%state), condition=%c, body=%b
)" + more + "}\n")));
  };
  const texts found = outcome_with(in_place, "  ROOT %out = f32[8192,1024]{1,0} get-tuple-element(%w), index=2\n");
  CHECK(found == texts{"note: parameter 0 at index {} (f32[8192,1024]{1,0}, 32.00MiB) is read by the loop w, which "
                       "stacks output {} of equal shape, and is not donated to it"});
  CHECK(outcome_with("  %st = ((f32[8192,1024]{1,0}, f32[1,1024]{1,0}, s32[]), f32[8192,1024]{1,0}, u32[]) "
                     "async-start(%ys, %y, %i), calls=%g\n"
                     "  %stacked = f32[8192,1024]{1,0} async-done(%st), calls=%g\n",
                     "  ROOT %out = f32[8192,1024]{1,0} get-tuple-element(%w), index=2\n") == found);
  CHECK(outcome_with(in_place,
                     "  %o = f32[8192,1024]{1,0} get-tuple-element(%w), index=2\n"
                     "  %n = f32[8192,1024]{1,0} negate(%p)\n  %s = f32[] custom-call(%n), custom_call_target=\"f\"\n"
                     "  ROOT %out = (f32[8192,1024]{1,0}, f32[]) tuple(%o, %s)\n")
            .empty());
}

TEST_CASE("ALI007 catches many small ones together") {
  missed_donation check;
  const auto outcome_with = [&](byte_count least) {
    check.min_bytes = least;
    return outcome(check,
                   context(module_of("HloModule m, is_scheduled=true\n\nENTRY %main {\n"
                                     "  %p = f32[8192,1024]{1,0} parameter(0)\n"
                                     "  %q = f32[8192,1024]{1,0} parameter(1)\n"
                                     "  %n = f32[8192,1024]{1,0} negate(%p)\n"
                                     "  %s = f32[8192,1024]{1,0} sine(%q)\n"
                                     "  ROOT %t = (f32[8192,1024]{1,0}, f32[8192,1024]{1,0}) tuple(%n, %s)\n}\n")));
  };
  CHECK(outcome_with(48_MiB) ==
        texts{"note: 2 parameters of less than 48.00MiB each, 64.00MiB together, are read for the last time before "
              "outputs of equal shapes begin, and are not donated to them"});
  CHECK(outcome_with(128_MiB).empty());
}

TEST_CASE("ALI007 warns of a step that returns what it is given, with nothing donated") {
  const auto outcome_with = [](byte_count least, const std::string& header) {
    return outcome(
        missed_donation{.min_forgotten = least},
        context(module_of("HloModule m, is_scheduled=true" + header +
                          "\n\nENTRY %main {\n"
                          "  %p = f32[8192,1024]{1,0} parameter(0)\n"
                          "  %q = f32[8192,512]{1,0} parameter(1)\n"
                          "  %x = f32[4096,1024]{1,0} parameter(2)\n"
                          "  %n = f32[8192,1024]{1,0} negate(%p)\n"
                          "  %s = f32[8192,512]{1,0} sine(%q)\n"
                          "  %y = f32[] custom-call(%x), custom_call_target=\"f\"\n"
                          "  ROOT %t = (f32[8192,1024]{1,0}, f32[8192,512]{1,0}, f32[]) tuple(%n, %s, %y)\n}\n")));
  };
  CHECK(outcome_with(48_MiB, "") ==
        texts{"warning: nothing is donated, although 2 parameters, 48.00MiB of 64.00MiB, are read for the last time "
              "before outputs of equal shapes begin"});
  const texts one_by_one = outcome_with(49_MiB, "");
  REQUIRE(one_by_one.size() == 2);
  CHECK(one_by_one[0].find("note: parameter 0") == 0);
  // Somebody thought of donation.
  const texts other = outcome_with(1_MiB, ", buffer_donor={ (1, {}) }");
  REQUIRE(other.size() == 1);
  CHECK(other[0].find("note: ") == 0);
}

TEST_CASE("ALI007 warns of arrays that are not donated, though others of their shapes are") {
  const std::string big = "f32[8192,8192]{1,0}";  // 256 MiB
  const auto step = [&](const std::string& aliases, const std::string& extra = {}, const std::string& header = {}) {
    const auto line = [&](const std::string& name, const std::string& does) {
      return "  %" + name + " = " + big + " " + does + "\n";
    };
    return outcome(missed_donation{},
                   context(module_of("HloModule m, is_scheduled=true, input_output_alias={ " + aliases + " }" + header +
                                     "\n\nENTRY %main {\n" + line("p", "parameter(0)") + line("m", "parameter(1)") +
                                     line("v", "parameter(2)") + extra + line("mm", "negate(%m)") +
                                     line("vv", "add(%v, %mm)") + line("pp", "subtract(%p, %vv)") + "  ROOT %r = (" +
                                     big + ", " + big + ", " + big + ") tuple(%pp, %mm, %vv)\n}\n")));
  };
  CHECK(step("{0}: (0, {}, may-alias)") ==
        texts{"warning: arrays of equal shapes are donated, but not 2 parameters, 512.00MiB of 768.00MiB, although "
              "outputs of these shapes begin after the last use"});
  CHECK(step("{0}: (0, {}, may-alias), {1}: (1, {}, may-alias)") ==
        texts{"warning: arrays of equal shapes are donated, but not 1 parameter, 256.00MiB of 768.00MiB, although "
              "outputs of these shapes begin after the last use"});
  // Donated to no output by name; each array counts once.
  CHECK(step("", {}, ", buffer_donor={ (0, {}) }") ==
        texts{"warning: arrays of equal shapes are donated, but not 2 parameters, 512.00MiB of 768.00MiB, although "
              "outputs of these shapes begin after the last use"});
  // Little of all that is given.
  CHECK(step("{0}: (0, {}, may-alias), {1}: (1, {}, may-alias)", "  %x = f32[8192,16384]{1,0} parameter(3)\n") ==
        texts{"note: parameter 2 at index {} (f32[8192,8192]{1,0}, 256.00MiB) is read for the last time before output "
              "{2} of equal shape begins, and is not donated to it"});
  CHECK(step("{0}: (0, {}, may-alias), {1}: (1, {}, may-alias), {2}: (2, {}, may-alias)").empty());
}
