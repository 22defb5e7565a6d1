#include <hlolint/checks/aliasing/shared_buffer_split.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string at(int offset, const std::string& name, int size = 32) {
  return " value: <0 " + name + " @0> (size=" + std::to_string(size) + ",offset=" + std::to_string(offset) +
         "): f32[8]{0}\n";
}
texts outcome_of(const std::string& hlo, const std::string& values, target backend = target::gpu) {
  const std::string allocation = "allocation 0: size 256, preallocated-temp:\n";
  return outcome(
      shared_buffer_split{},
      context({.hlo = module_of(hlo), .buffers = assignment_of(numbered(allocation + values)), .target = backend}));
}

const std::string loop =
    "HloModule m, is_scheduled=true\n\n"
    "%c {\n  %i = (f32[8]{0}) parameter(0)\n  ROOT %more = pred[] custom-call(%i), custom_call_target=\"more\"\n}\n\n"
    "%b {\n  %j = (f32[8]{0}) parameter(0)\n  %g = f32[8]{0} get-tuple-element(%j), index=0\n"
    "  %next = f32[8]{0} negate(%g)\n  ROOT %r = (f32[8]{0}) tuple(%next)\n}\n\n"
    "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %first = f32[8]{0} sine(%p)\n  %t = (f32[8]{0}) tuple(%first)\n"
    "  ROOT %w = (f32[8]{0}) while(%t), condition=%c, body=%b\n}\n";
const std::string conditional =
    "HloModule m, is_scheduled=true\n\n"
    "%x {\n  %i = f32[8]{0} parameter(0)\n  ROOT %n = f32[8]{0} negate(%i)\n}\n\n"
    "%y {\n  %j = f32[8]{0} parameter(0)\n  ROOT %s = f32[8]{0} sine(%j)\n}\n\n"
    "ENTRY %main {\n  %b = pred[] parameter(0)\n  %p = f32[8]{0} parameter(1)\n"
    "  ROOT %c = f32[8]{0} conditional(%b, %p, %p), true_computation=%x, false_computation=%y\n}\n";

std::string entry(const std::string& operation, const std::string& computations = {}, const std::string& header = {}) {
  return "HloModule m, is_scheduled=true" + header + "\n\n" + computations +
         "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %i = s32[] parameter(1)\n  %u = f32[1]{0} parameter(2)\n"
         "  %a = f32[8]{0} negate(%p)\n  ROOT %o = f32[8]{0} " +
         operation + "\n}\n";
}
const std::string update = entry("dynamic-update-slice(%a, %u, %i)");
const std::string declared =
    entry("custom-call(%a), custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {})}");
const std::string fused =
    entry("fusion(%a, %u, %i), kind=kLoop, calls=%f",
          "%f {\n  %x = f32[8]{0} parameter(0)\n  %y = f32[1]{0} parameter(1)\n  %z = s32[] parameter(2)\n"
          "  ROOT %d = f32[8]{0} dynamic-update-slice(%x, %y, %z)\n}\n\n");

}  // namespace

TEST_CASE("ALI013 catches values of loops") {
  const std::string others = at(0, "w{0} (phi)");
  CHECK(outcome_of(loop, others + at(0, "first") + at(64, "next")) ==
        texts{"error: next lies at offset 64 of allocation 0, but must share the buffer of w{0} at offset 0 of "
              "allocation 0: the loop w passes one on as the other"});
  CHECK(outcome_of(loop, others + at(0, "next") + at(32, "first")) ==
        texts{"error: first lies at offset 32 of allocation 0, but must share the buffer of w{0} at offset 0 of "
              "allocation 0: the loop w passes one on as the other"});
  CHECK(
      outcome_of(loop, others + at(0, "next") + at(0, "first", 64)) ==
      texts{"error: first lies at offset 0 of allocation 0 with 64 bytes, but must share the buffer of w{0} at offset "
            "0 of allocation 0 with 32 bytes: the loop w passes one on as the other"});
  // Each value by itself.
  CHECK(outcome_of(loop, others + at(64, "next") + at(128, "first")).size() == 2);
  CHECK(outcome_of(loop, at(0, "first") + at(0, "next") + at(64, "w{0} (phi)")).size() == 1);
}

TEST_CASE("ALI013 catches values of conditionals") {
  CHECK(outcome_of(conditional,
                   at(0, "c (phi)") + at(0, "s") + "allocation 1: size 32, maybe-live-out:\n" + at(0, "n")) ==
        texts{"error: n lies at offset 0 of allocation 1, but must share the buffer of c at offset 0 of allocation 0: "
              "one is a branch's result, which c returns"});
}

TEST_CASE("ALI013 catches results of in-place operations") {
  CHECK(outcome_of(update, at(0, "a") + at(64, "o")) ==
        texts{"error: o lies at offset 64 of allocation 0, but must share the buffer of a at offset 0 of allocation 0: "
              "o updates its operand in place"});
  CHECK(outcome_of(declared, at(0, "a") + at(64, "o")) ==
        texts{"error: o lies at offset 64 of allocation 0, but must share the buffer of a at offset 0 of allocation 0: "
              "output_to_operand_aliasing of o joins them"});
  CHECK(outcome_of(fused, at(0, "a") + at(64, "o")).size() == 1);
  // Libtpu may know better.
  const texts on_tpu = outcome_of(fused, at(0, "a") + at(64, "o"), target::tpu);
  REQUIRE(on_tpu.size() == 1);
  CHECK(on_tpu.front().rfind("warning: ", 0) == 0);
}

TEST_CASE("ALI013 does not catch") {
  CHECK(outcome_of(loop, at(0, "w{0} (phi)") + at(0, "first") + at(0, "next")).empty());
  CHECK(outcome_of(loop, at(0, "first") + at(0, "next")).empty());  // MEM013: the loop's value has no place
  CHECK(outcome_of(conditional, at(0, "c (phi)") + at(0, "s") + at(0, "n")).empty());
  for (const std::string& hlo : {update, declared, fused}) CHECK(outcome_of(hlo, at(0, "a") + at(0, "o")).empty());
  CHECK(outcome_of(entry("sine(%a)"), at(0, "a") + at(64, "o")).empty());  // may share, need not
  // An alias of the header is ALI008.
  CHECK(outcome_of(entry("sine(%a)", {}, ", input_output_alias={ {}: (0, {}, may-alias) }"), at(0, "p") + at(64, "o"))
            .empty());
  // Names that the HLO does not have: DMP001.
  CHECK(outcome_of(update, at(0, "a") + at(64, "o") + at(128, "other")).empty());
}
