#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/checks/performance/copy_in_loop.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A loop over a counter and `f32[4194304]` (16 MiB); `body` makes `%new` from the carried `%old`.
hlo_module module_of_body(const std::string& body, const std::string& header = ", is_scheduled=true") {
  const std::string carried = "(s32[], f32[4194304]{0})";
  return module_of(
      "HloModule m" + header +
      "\n\n%body (bp: (s32[], f32[4194304])) -> (s32[], f32[4194304]) {\n"
      "  %bp = " +
      carried +
      " parameter(0)\n  %i = s32[] get-tuple-element(%bp), index=0\n"
      "  %old = f32[4194304]{0} get-tuple-element(%bp), index=1\n" +
      body + "  ROOT %t = " + carried +
      " tuple(%i, %new)\n}\n\n%condition (cp: (s32[], f32[4194304])) -> pred[] {\n"
      "  %cp = " +
      carried +
      " parameter(0)\n  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n"
      "  %p = " +
      carried + " parameter(0)\n  ROOT %w = " + carried +
      " while(%p), condition=%condition, body=%body, backend_config={\"known_trip_count\":{\"n\":\"10\"}}\n}\n");
}
findings lint_body(const std::string& body, const copy_in_loop& check = {},
                   const std::string& header = ", is_scheduled=true") {
  return lint(check, module_of_body(body, header));
}

}  // namespace

TEST_CASE("PRF004 catches") {
  SUBCASE("a copy of what is carried") {
    const findings found = lint_body(
        "  %copy = f32[4194304]{0} copy(%old)\n  %r = f32[4194304]{0} negate(%old)\n"
        "  %new = f32[4194304]{0} add(%copy, %r)\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "copy");
    CHECK(found[0].bytes == 16_MiB);  // of one run
    CHECK(found[0].message ==
          "the loop copies 16.00MiB that it carries in element 1 x 10 iterations (position 3 of 7 in body)");
    REQUIRE(found[0].related.size() == 2);
    CHECK(found[0].related[0].instruction == "w");
    CHECK(found[0].related[1].instruction == "r");
  }
  SUBCASE("a copy into what is carried") {
    const findings found = lint_body("  %r = f32[4194304]{0} negate(%old)\n  %new = f32[4194304]{0} copy(%r)\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "new");
  }
}

TEST_CASE("PRF004 does not catch a copy that takes less than a thousandth of the step") {
  const std::string copy = "  %copy = f32[4194304]{0} copy(%old)\n  %new = f32[4194304]{0} add(%copy, %old)\n";
  const std::string work =
      "  %k = f32[] constant(1)\n  %m = f32[32768,32768]{1,0} broadcast(%k), dimensions={}\n"
      "  %d = f32[32768,32768]{1,0} dot(%m, %m), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
  CHECK(lint_body(copy).size() == 1);
  CHECK(lint_body(work + copy).empty());
  CHECK(lint_body(work + copy, copy_in_loop{.min_percent = 0}).size() == 1);
}

TEST_CASE("PRF004 reports an array once") {
  const findings found = lint_body(
      "  %copy = f32[4194304]{0} copy(%old)\n  %r = f32[4194304]{0} add(%copy, %old)\n"
      "  %new = f32[4194304]{0} copy(%r)\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "copy");
  CHECK(found[0].message.find("that it carries in element 1 twice, before and after it is updated x 10 iterations") !=
        std::string::npos);
  CHECK(found[0].bytes == 32_MiB);  // of one run
  REQUIRE(found[0].impact);
  CHECK(found[0].impact->amount == 320.0 * 1048576);
  CHECK(found[0].related[0].instruction == "new");
  CHECK(found[0].advice.find("before the first update") != std::string::npos);
}

TEST_CASE("PRF004 knows a value that the loop carries twice") {
  const std::string array = "f32[4194304]{0}", carried = "(" + array + ", " + array + ")";
  const findings found = lint(
      copy_in_loop{},
      module_of("HloModule m, is_scheduled=true\n\n%body (bp: (f32[4194304], f32[4194304])) -> (f32[4194304], "
                "f32[4194304]) {\n  %bp = " +
                carried + " parameter(0)\n  %a = " + array + " get-tuple-element(%bp), index=0\n  %b = " + array +
                " get-tuple-element(%bp), index=1\n  %new = " + array + " add(%a, %b)\n  %copy = " + array +
                " copy(%new)\n  ROOT %t = " + carried +
                " tuple(%copy, %new)\n}\n\n%condition (cp: (f32[4194304], f32[4194304])) -> pred[] {\n  %cp = " +
                carried + " parameter(0)\n  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n  %p = " + carried +
                " parameter(0)\n  ROOT %w = " + carried + " while(%p), condition=%condition, body=%body\n}\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("in element 0, and that element 1 carries too,") != std::string::npos);
  CHECK(found[0].advice.find("Carry it once") != std::string::npos);
}

TEST_CASE("PRF004 does not catch") {
  const std::string copies = "  %copy = f32[4194304]{0} copy(%old)\n  %new = f32[4194304]{0} negate(%copy)\n";
  CHECK(lint_body(copies).size() == 1);
  CHECK(lint_body(copies, copy_in_loop{.min_bytes = 17_MiB}).empty());
  CHECK(lint_body(copies, {}, "").skipped.size() == 1);
  // of something made in the iteration, for use in the iteration
  CHECK(lint_body("  %r = f32[4194304]{0} negate(%old)\n  %copy = f32[4194304]{0} copy(%r)\n"
                  "  %new = f32[4194304]{0} negate(%copy)\n")
            .empty());
  // to another memory space
  CHECK(lint_body("  %copy = f32[4194304]{0:S(1)} copy(%old)\n  %new = f32[4194304]{0} negate(%copy)\n").empty());
  CHECK(lint_body("  %new = f32[4194304]{0} negate(%old)\n").empty());
}

TEST_CASE("PRF004 catches small arrays that are copied often enough to matter") {
  const std::string body =
      "  %copy = f32[4194304]{0} copy(%old)\n  %r = f32[4194304]{0} negate(%old)\n"
      "  %new = f32[4194304]{0} add(%copy, %r)\n";
  const findings on_nothing = lint_body(body, {.min_bytes = 32_MiB});
  CHECK(on_nothing.empty());  // times of no device in particular
  std::string text(module_of_body(body).text().text());
  const auto found_on = [&](const copy_in_loop& limits) {
    return lint(limits, context({.hlo = module_of(text), .target = target::gpu, .device = find_device("h100-sxm")}))
        .size();
  };
  CHECK(found_on({.min_bytes = 32_MiB}) == 1);
  CHECK(found_on({.min_bytes = 32_MiB, .much_percent = 90}) == 0);
  text.replace(text.find("{\"n\":\"10\"}"), 10, "{\"n\":\"1\"}");
  CHECK(found_on({.min_bytes = 32_MiB}) == 0);  // less than 50 us in all
}

TEST_CASE("PRF004 catches what a TPU copies to VMEM in each iteration, if it takes a good part of the step") {
  hlo_module module = module_of_body(
      "  %copy = f32[4194304]{0:S(1)} copy(%old)\n  %r = f32[4194304]{0:S(1)} negate(%copy)\n"
      "  %new = f32[4194304]{0} add(%r, %r)\n");
  const auto found_on = [&](target on, const char* device, const copy_in_loop& limits = {}) {
    return lint(limits, context({.hlo = module, .target = on, .device = find_device(device)}));
  };
  const findings found = found_on(target::tpu, "tpu-v6e");
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find(
            "the loop copies 16.00MiB that it carries in element 1 from HBM to VMEM x 10 iterations (") == 0);
  CHECK(found[0].advice.find("Unroll the loop") != std::string::npos);
  CHECK(found_on(target::tpu, "tpu-v6e", {.much_percent = 90}).empty());  // kept near the units for the rest of it
  CHECK(found_on(target::gpu, "h100-sxm").empty());                       // memory for collectives
  // Several readers would have to read HBM instead.
  module = module_of_body(
      "  %copy = f32[4194304]{0:S(1)} copy(%old)\n  %r = f32[4194304]{0:S(1)} negate(%copy)\n"
      "  %new = f32[4194304]{0} add(%copy, %r)\n");
  CHECK(found_on(target::tpu, "tpu-v6e").empty());
}

namespace {

/// A loop over a cache of two layers, `f32[2,1024,4096]` (32 MiB); `body` makes `%new` from the carried `%old` and from
/// `%row`, the new row of a layer.
findings lint_layers(const std::string& computations, const std::string& body) {
  const std::string carried = "(s32[], f32[2,1024,4096]{2,1,0}, f32[1,4096]{1,0})";
  return lint(
      copy_in_loop{},
      module_of("HloModule m, is_scheduled=true\n\n" + computations + "%body {\n  %bp = " + carried +
                " parameter(0)\n  %i = s32[] get-tuple-element(%bp), index=0\n"
                "  %old = f32[2,1024,4096]{2,1,0} get-tuple-element(%bp), index=1\n"
                "  %row = f32[1,4096]{1,0} get-tuple-element(%bp), index=2\n  %zero = s32[] constant(0)\n" +
                body + "  ROOT %t = " + carried + " tuple(%i, %new, %row)\n}\n\n%condition {\n  %cp = " + carried +
                " parameter(0)\n  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n  %p = " + carried +
                " parameter(0)\n  ROOT %w = " + carried +
                " while(%p), condition=%condition, body=%body, "
                "backend_config={\"known_trip_count\":{\"n\":\"10\"}}\n}\n"));
}

/// The two layers as slices of `%old`, each updated in one row.
std::string two_layers(const std::string& of_first = "[0:1]", const std::string& of_second = "[1:2]") {
  const auto layer = [](const std::string& k, const std::string& range) {
    return "  %part." + k + " = f32[1,1024,4096]{2,1,0} slice(%old), slice={" + range + ", [0:1024], [0:4096]}\n  %b" +
           k + " = f32[1024,4096]{1,0} bitcast(%part." + k + ")\n  %updated." + k +
           " = f32[1024,4096]{1,0} dynamic-update-slice(%b" + k + ", %row, %i, %zero)\n  %l" + k +
           " = f32[1,1024,4096]{2,1,0} bitcast(%updated." + k + ")\n";
  };
  return layer("0", of_first) + layer("1", of_second);
}

}  // namespace

TEST_CASE("PRF004 catches an array that the loop takes apart and puts together") {
  const std::string message =
      "the loop takes 32.00MiB that it carries in element 1 apart into 2 slices and puts them together again x 10 "
      "iterations";
  SUBCASE("by a concatenate") {
    const findings found =
        lint_layers("", two_layers() + "  %new = f32[2,1024,4096]{2,1,0} concatenate(%l0, %l1), dimensions={0}\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "new");
    CHECK(found[0].message.starts_with(message));
    CHECK(found[0].bytes == 32_MiB);
    CHECK(found[0].related[0].instruction == "w");
  }
  SUBCASE("by updates of an empty array, in fusions, as libtpu does") {
    const std::string fused = R"(%slices {
  %fp = f32[2,1024,4096]{2,1,0} parameter(0)
  %fs0 = f32[1,1024,4096]{2,1,0} slice(%fp), slice={[0:1], [0:1024], [0:4096]}
  %fb0 = f32[1024,4096]{1,0} bitcast(%fs0)
  %fs1 = f32[1,1024,4096]{2,1,0} slice(%fp), slice={[1:2], [0:1024], [0:4096]}
  %fb1 = f32[1024,4096]{1,0} bitcast(%fs1)
  ROOT %ft = (f32[1024,4096]{1,0}, f32[1024,4096]{1,0}) tuple(%fb0, %fb1)
}

%first {
  %gp = f32[1024,4096]{1,0} parameter(0)
  %gb = f32[1,1024,4096]{2,1,0} bitcast(%gp)
  %ge = f32[2,1024,4096]{2,1,0} custom-call(), custom_call_target="AllocateBuffer"
  %gz = s32[] constant(0)
  ROOT %gu = f32[2,1024,4096]{2,1,0} dynamic-update-slice(%ge, %gb, %gz, %gz, %gz)
}

%second {
  %hw = f32[2,1024,4096]{2,1,0} parameter(0)
  %hp = f32[1024,4096]{1,0} parameter(1)
  %hb = f32[1,1024,4096]{2,1,0} bitcast(%hp)
  %ho = s32[] constant(1)
  %hz = s32[] constant(0)
  ROOT %hu = f32[2,1024,4096]{2,1,0} dynamic-update-slice(%hw, %hb, %ho, %hz, %hz)
}

)";
    const findings found = lint_layers(fused, R"(
  %apart = (f32[1024,4096]{1,0}, f32[1024,4096]{1,0}) fusion(%old), kind=kLoop, calls=%slices
  %l0 = f32[1024,4096]{1,0} get-tuple-element(%apart), index=0
  %l1 = f32[1024,4096]{1,0} get-tuple-element(%apart), index=1
  %updated.0 = f32[1024,4096]{1,0} dynamic-update-slice(%l0, %row, %i, %zero)
  %w0 = f32[2,1024,4096]{2,1,0} fusion(%updated.0), kind=kLoop, calls=%first
  %new = f32[2,1024,4096]{2,1,0} fusion(%w0, %l1), kind=kLoop, calls=%second
)");
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "new");
    CHECK(found[0].message.starts_with(message));
  }
}

TEST_CASE("PRF004 does not catch slices of a carried array") {
  const std::string together = "  %new = f32[2,1024,4096]{2,1,0} concatenate(%l0, %l1), dimensions={0}\n";
  SUBCASE("of which one is computed") {
    CHECK(lint_layers("", two_layers() + "  %n1 = f32[1,1024,4096]{2,1,0} negate(%l1)\n"
                                         "  %new = f32[2,1024,4096]{2,1,0} concatenate(%l0, %n1), dimensions={0}\n")
              .empty());
  }
  SUBCASE("of which one is new") {
    CHECK(lint_layers("", two_layers() + "  %n1 = f32[1,1024,4096]{2,1,0} broadcast(%row), dimensions={0,2}\n"
                                         "  %new = f32[2,1024,4096]{2,1,0} concatenate(%l0, %n1), dimensions={0}\n")
              .empty());
  }
  SUBCASE("that change places") { CHECK(lint_layers("", two_layers("[1:2]", "[0:1]") + together).empty()); }
}
