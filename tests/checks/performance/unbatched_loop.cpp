#include <hlolint/checks/performance/unbatched_loop.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A loop that multiplies one block of rows of `%xs` with the same `%w` of 32 MiB in each iteration.
findings lint_loop(const std::string& rows, const std::string& used, const std::string& next_w = "%w",
                   const std::string& trips = "512", const std::string& metadata = {}) {
  const std::string state = "(s32[], bf16[16384,4096]{1,0}, bf16[16384,4096]{1,0}, bf16[4096,4096]{1,0})";
  const hlo_module module =
      module_of("HloModule m, is_scheduled=true\n\n%c {\n  %t = " + state +
                " parameter(0)\n  %i = s32[] get-tuple-element(%t), index=0\n  %n = s32[] constant(" + trips +
                ")\n  ROOT %l = pred[] compare(%i, %n), direction=LT\n}\n\n%b {\n  %t = " + state +
                " parameter(0)\n  %i = s32[] get-tuple-element(%t), index=0\n"
                "  %xs = bf16[16384,4096]{1,0} get-tuple-element(%t), index=1\n"
                "  %ys = bf16[16384,4096]{1,0} get-tuple-element(%t), index=2\n"
                "  %w = bf16[4096,4096]{1,0} get-tuple-element(%t), index=3\n"
                "  %one = s32[] constant(1)\n  %z = s32[] constant(0)\n  %next = s32[] add(%i, %one)\n"
                "  %x = bf16[" +
                rows + ",4096]{1,0} dynamic-slice(%xs, %i, %z), dynamic_slice_sizes={" + rows + ",4096}\n" + used +
                "  %y = bf16[" + rows +
                ",4096]{1,0} dot(%u, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                "  %s = bf16[16384,4096]{1,0} dynamic-update-slice(%ys, %y, %i, %z)\n" +
                (next_w == "%w" ? "" : "  " + next_w + " = bf16[4096,4096]{1,0} negate(%w)\n") +
                "  ROOT %r = " + state + " tuple(%next, %xs, %s, " + next_w +
                ")\n}\n\nENTRY %main {\n  %xs = bf16[16384,4096]{1,0} parameter(0)\n"
                "  %w = bf16[4096,4096]{1,0} parameter(1)\n  %z = s32[] constant(0)\n"
                "  %begin = bf16[16384,4096]{1,0} custom-call(), custom_call_target=\"AllocateBuffer\"\n"
                "  %state = " +
                state + " tuple(%z, %xs, %begin, %w)\n  %loop = " + state +
                " while(%state), condition=%c, body=%b, backend_config={\"known_trip_count\":{\"n\":\"" + trips +
                "\"}}" + metadata +
                "\n"
                "  ROOT %out = bf16[16384,4096]{1,0} get-tuple-element(%loop), index=2\n}\n");
  return lint(unbatched_loop{},
              context({.hlo = module, .target = target::gpu, .device = find_device("h100-sxm").value()}));
}
const std::string row = "  %u = bf16[1,4096]{1,0} copy(%x)\n";

}  // namespace

TEST_CASE("PRF020 catches a product of each row by itself") {
  const findings found = lint_loop("1", row);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "loop");
  CHECK(found[0].message ==
        "the iterations of the loop do not depend on each other, and each reads 32.00MiB that stay the same x 512 "
        "iterations");
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "y");
}

TEST_CASE("PRF020 catches what loops inside the loop read again") {
  // Each row is multiplied four times.
  const std::string inner = "(s32[], bf16[1,4096]{1,0}, bf16[4096,4096]{1,0})";
  const auto lint_inner = [&](const std::string& next_w) {
    const std::string state = "(s32[], bf16[16384,4096]{1,0}, bf16[16384,4096]{1,0}, bf16[4096,4096]{1,0})";
    const auto below = [](const std::string& name, const std::string& of, const std::string& trips) {
      return "%" + name + " {\n  %t." + name + " = " + of + " parameter(0)\n  %i." + name +
             " = s32[] get-tuple-element(%t." + name + "), index=0\n  %n." + name + " = s32[] constant(" + trips +
             ")\n  ROOT %l." + name + " = pred[] compare(%i." + name + ", %n." + name + "), direction=LT\n}\n\n";
    };
    const hlo_module module = module_of(
        "HloModule m, is_scheduled=true\n\n" + below("c4", inner, "4") + below("c512", state, "512") +
        "%steps {\n  %t = " + inner +
        " parameter(0)\n  %i = s32[] get-tuple-element(%t), index=0\n"
        "  %x = bf16[1,4096]{1,0} get-tuple-element(%t), index=1\n"
        "  %w = bf16[4096,4096]{1,0} get-tuple-element(%t), index=2\n"
        "  %one = s32[] constant(1)\n  %next = s32[] add(%i, %one)\n"
        "  %y = bf16[1,4096]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n" +
        (next_w == "%w" ? "" : "  %v = bf16[4096,4096]{1,0} negate(%w)\n") + "  ROOT %r = " + inner +
        " tuple(%next, %y, " + next_w + ")\n}\n\n%b {\n  %t.b = " + state +
        " parameter(0)\n  %i.b = s32[] get-tuple-element(%t.b), index=0\n"
        "  %xs = bf16[16384,4096]{1,0} get-tuple-element(%t.b), index=1\n"
        "  %ys = bf16[16384,4096]{1,0} get-tuple-element(%t.b), index=2\n"
        "  %w.b = bf16[4096,4096]{1,0} get-tuple-element(%t.b), index=3\n"
        "  %one.b = s32[] constant(1)\n  %z.b = s32[] constant(0)\n  %next.b = s32[] add(%i.b, %one.b)\n"
        "  %x.b = bf16[1,4096]{1,0} dynamic-slice(%xs, %i.b, %z.b), dynamic_slice_sizes={1,4096}\n  %from = " +
        inner + " tuple(%z.b, %x.b, %w.b)\n  %four = " + inner +
        " while(%from), condition=%c4, body=%steps, backend_config={\"known_trip_count\":{\"n\":\"4\"}}\n"
        "  %y.b = bf16[1,4096]{1,0} get-tuple-element(%four), index=1\n"
        "  %s = bf16[16384,4096]{1,0} dynamic-update-slice(%ys, %y.b, %i.b, %z.b)\n  ROOT %r.b = " +
        state +
        " tuple(%next.b, %xs, %s, %w.b)\n}\n\nENTRY %main {\n  %p = bf16[16384,4096]{1,0} parameter(0)\n"
        "  %q = bf16[4096,4096]{1,0} parameter(1)\n  %z = s32[] constant(0)\n"
        "  %begin = bf16[16384,4096]{1,0} custom-call(), custom_call_target=\"AllocateBuffer\"\n  %state = " +
        state + " tuple(%z, %p, %begin, %q)\n  %loop = " + state +
        " while(%state), condition=%c512, body=%b, backend_config={\"known_trip_count\":{\"n\":\"512\"}}\n"
        "  ROOT %out = bf16[16384,4096]{1,0} get-tuple-element(%loop), index=2\n}\n");
    return lint(unbatched_loop{},
                context({.hlo = module, .target = target::gpu, .device = find_device("h100-sxm").value()}));
  };
  const findings found = lint_inner("%w");
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "loop");
  CHECK(found[0].message.find("each reads 128.00MiB that stay the same") != std::string::npos);
  CHECK(lint_inner("%v").empty());
}

TEST_CASE("PRF020 on a loop that XLA makes of a gather") {
  const findings found = lint_loop("1", row, "%w", "512", ", metadata={op_name=\"jit(f)/vmap()/gather\"}");
  REQUIRE(found.size() == 1);
  CHECK(found[0].advice ==
        "XLA makes this loop of one operation, gather, which it cannot run for all indices at once. A product with a "
        "one-hot matrix (jax.nn.one_hot), or indices that choose whole rows, can.");
}

TEST_CASE("PRF020 does not catch") {
  // Each block has enough work for what it reads.
  CHECK(lint_loop("2048", "  %u = bf16[2048,4096]{1,0} copy(%x)\n").empty());
  // An iteration reads what an earlier one wrote.
  CHECK(lint_loop("1",
                  "  %p = bf16[1,4096]{1,0} dynamic-slice(%ys, %i, %z), dynamic_slice_sizes={1,4096}\n"
                  "  %u = bf16[1,4096]{1,0} add(%x, %p)\n")
            .empty());
  // The array changes.
  CHECK(lint_loop("1", row, "%v").empty());
  // Few iterations.
  CHECK(lint_loop("1", row, "%w", "8").empty());
}
