// Values that are needed after they were overwritten (buffer_dumps.md 5.6).
#include "analysis/facts_of.hpp"

#include <hlolint/analysis/schedule/clobbers.hpp>
#include <hlolint/analysis/values/named_values.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string found(std::string_view text) {
  const clobbers all(module_of(text));
  const named_values names(all.ranges().flow());
  std::string out;
  for (const clobber& c : all)
    out += (out.empty() ? "" : "; ") + names.text_of(all.ranges().flow().values()[c.earlier]) + " by " +
           names.text_of(all.ranges().flow().values()[c.later]) + " before " + std::string(c.reader.name()) + " at " +
           std::to_string(c.position);
  return out;
}

const std::string alias = ", input_output_alias={ {0}: (0, {}, may-alias) }";
const std::string p = "  p = f32[4]{0} parameter(0)\n";

}  // namespace

TEST_CASE("an aliased parameter that is read after its output was made") {
  const std::string text = p +
                           "  n = f32[4]{0} negate(p)\n  z = f32[4]{0} sine(p)\n"
                           "  ROOT t = (f32[4]{0}, f32[4]{0}) tuple(n, z)\n";
  CHECK(found(entry_text(text, "", alias)) == "p by n before z at 2");
  CHECK(found(entry_text(text)) == "");
  CHECK(found(entry_text(p + "  z = f32[4]{0} sine(p)\n  n = f32[4]{0} negate(p)\n"
                             "  ROOT t = (f32[4]{0}, f32[4]{0}) tuple(n, z)\n",
                         "", alias)) == "");
}

TEST_CASE("an operand that is read after it was updated in place") {
  const std::string head = p + "  u = f32[1]{0} parameter(1)\n  z = s32[] constant(0)\n  a = f32[4]{0} negate(p)\n";
  const std::string update = "  d = f32[4]{0} dynamic-update-slice(a, u, z)\n", read = "  m = f32[4]{0} abs(a)\n",
                    root = "  ROOT r = f32[4]{0} add(d, m)\n";
  CHECK(found(entry_text(head + update + read + root)) == "a by d before m at 5");
  CHECK(found(entry_text(head + read + update + root)) == "");
  // The first of several readers, under another name too.
  CHECK(found(entry_text(head + update + "  b = f32[4]{0} bitcast(a)\n" + read + root)) == "a by d before b at 5");
  // A second update of the same value overwrites and reads too late itself.
  CHECK(found(entry_text(head + update + "  m = f32[4]{0} dynamic-update-slice(a, u, z)\n" + root)) ==
        "a by d before m at 5; d by m before r at 6");
}

TEST_CASE("a fusion that only passes its operand on overwrites nothing") {
  const auto text_of = [](std::string_view first, std::string_view aliases) {
    const std::string result = "(f32[4]{0}, f32[8]{0})";
    return "HloModule m, is_scheduled=true\n%fused (a: f32[4]) -> (f32[4], f32[8]) {\n  a = f32[4]{0} parameter(0)\n"
           "  n = f32[4]{0} negate(a)\n  g = f32[8]{0} all-gather(a), replica_groups={{0,1}}, dimensions={0}\n  " +
           std::string(first) + "\n}\nENTRY e {\n" + p + "  q = f32[4]{0} sine(p)\n  s = " + result +
           " fusion(q), kind=kCustom, output_to_operand_aliasing={" + std::string(aliases) +
           "}, calls=%fused\n  z = f32[4]{0} cosine(q)\n  ROOT t = (" + result + ", f32[4]{0}) tuple(s, z)\n}\n";
  };
  const std::string pair = "(f32[4]{0}, f32[8]{0}) ",
                    start = "ROOT r = " + pair + "custom-call(g), custom_call_target=";
  CHECK(found(text_of("ROOT r = " + pair + "tuple(n, g)", "{0}: (0, {})")) == "q by s{0} before z at 3");
  CHECK(found(text_of("ROOT r = " + pair + "tuple(a, g)", "{0}: (0, {})")) == "");
  CHECK(found(text_of(start + "\"AsyncCollectiveStart\"", "{0}: (0, {})")) == "");
  CHECK(found(text_of(start + "\"Other\"", "{0}: (0, {})")) == "q by s{0} before z at 3");
  CHECK(found(text_of("ROOT r = " + pair + "custom-call(), custom_call_target=\"AsyncCollectiveStart\"",
                      "{0}: (0, {})")) == "q by s{0} before z at 3");  // damaged
}

TEST_CASE("a loop that only carries a value through overwrites nothing") {
  // The body is given what it carries, %old, and makes %new of it, which may be the same bytes.
  const auto text_of = [](std::string_view new_value) {
    return R"(HloModule m, is_scheduled=true

%pass {
  a = f32[4]{0} parameter(0)
  n = f32[4]{0} negate(a)
  ROOT r = (f32[4]{0}, f32[4]{0}) tuple(n, a)
}

%condition {
  pc = (s32[], f32[4]{0}) parameter(0)
  ROOT go = pred[] constant(false)
}

%body {
  pb = (s32[], f32[4]{0}) parameter(0)
  k = s32[] get-tuple-element(pb), index=0
  old = f32[4]{0} get-tuple-element(pb), index=1
  )" + std::string(new_value) +
           R"(
  ROOT t = (s32[], f32[4]{0}) tuple(k, new)
}

ENTRY e {
  p = f32[4]{0} parameter(0)
  c = f32[4]{0} copy(p)
  zero = s32[] constant(0)
  init = (s32[], f32[4]{0}) tuple(zero, c)
  w = (s32[], f32[4]{0}) while(init), condition=%condition, body=%body
  late = f32[4]{0} negate(c)
  out = f32[4]{0} get-tuple-element(w), index=1
  ROOT s = f32[4]{0} add(late, out)
}
)";
  };
  const std::string fusion =
                        "f = (f32[4]{0}, f32[4]{0}) fusion(old), kind=kLoop, calls=%pass, "
                        "output_to_operand_aliasing={{",
                    element = "  new = f32[4]{0} get-tuple-element(f), index=";
  CHECK(found(text_of("new = f32[4]{0} bitcast(old)")) == "");
  CHECK(found(text_of(fusion + "1}: (0, {})}\n" + element + "1")) == "");
  CHECK(found(text_of("new = f32[4]{0} sine(old)")).find("before late") != std::string::npos);
  CHECK(found(text_of(fusion + "0}: (0, {})}\n" + element + "0")).find("before late") != std::string::npos);
}

TEST_CASE("tuples and calls only pass on, outputs of one instruction are made together") {
  const std::string head = p + "  u = f32[1]{0} parameter(1)\n  z = s32[] constant(0)\n  a = f32[4]{0} negate(p)\n";
  CHECK(found(entry_text(head + "  d = f32[4]{0} dynamic-update-slice(a, u, z)\n"
                                "  t = (f32[4]{0}, f32[4]{0}) tuple(a, d)\n"
                                "  ROOT e = f32[4]{0} get-tuple-element(t), index=1\n")) == "");
  CHECK(found(entry_text(head + "  ROOT c = (f32[4]{0}, f32[4]{0}) custom-call(a), custom_call_target=\"x\", "
                                "output_to_operand_aliasing={{0}: (0, {}), {1}: (0, {})}\n")) == "");
}

TEST_CASE("an asynchronous computation that overwrites its own operand") {
  const std::string wrapped =
      "async (ap: f32[4], au: f32[1], az: s32[]) -> f32[4] {\n  ap = f32[4]{0} parameter(0)\n"
      "  au = f32[1]{0} parameter(1)\n  az = s32[] parameter(2)\n"
      "  ROOT ad = f32[4]{0} dynamic-update-slice(ap, au, az)\n}\n";
  const std::string head =
      p +
      "  u = f32[1]{0} parameter(1)\n  z = s32[] constant(0)\n  a = f32[4]{0} negate(p)\n"
      "  s = ((f32[4]{0}, f32[1]{0}, s32[]), f32[4]{0}, u32[]) async-start(a, u, z), calls=async\n";
  const std::string done = "  d = f32[4]{0} async-done(s)\n";
  CHECK(found(entry_text(head + "  ROOT" + done.substr(1), wrapped)) == "");
  // Somebody else reads it too late.
  CHECK(found(entry_text(head + done + "  m = f32[4]{0} abs(a)\n  ROOT r = f32[4]{0} add(d, m)\n", wrapped)) ==
        "a by ad before m at 10");
}

TEST_CASE("many values in one set") {
  std::string text = p + "  u = f32[1]{0} parameter(1)\n  z = s32[] constant(0)\n  a0 = f32[4]{0} negate(p)\n";
  constexpr int count = 30'000;
  for (int k = 1; k < count; ++k)
    text += "  a" + std::to_string(k) + " = f32[4]{0} dynamic-update-slice(a" + std::to_string(k - 1) + ", u, z)\n";
  CHECK(found(entry_text(text + "  ROOT r = f32[4]{0} negate(a" + std::to_string(count - 1) + ")\n")) == "");
  CHECK(found(entry_text(text + "  ROOT r = f32[4]{0} negate(a7)\n")) == "a7 by a8 before r at 30003");
}

TEST_CASE("of two branches of a conditional only one runs") {
  const std::string branches =
      "\nb0 {\n  x0 = (f32[4]{0}) parameter(0)\n  e0 = f32[4]{0} get-tuple-element(x0), index=0\n"
      "  ROOT n0 = f32[4]{0} negate(e0)\n}\n"
      "\nb1 {\n  x1 = (f32[4]{0}) parameter(0)\n  e1 = f32[4]{0} get-tuple-element(x1), index=0\n"
      "  ROOT n1 = f32[4]{0} sine(e1)\n}\n";
  const std::string text = p +
                           "  i = s32[] parameter(1)\n  t = (f32[4]{0}) tuple(p)\n"
                           "  c = f32[4]{0} conditional(i, t, t), branch_computations={b0, b1}\n";
  CHECK(found(entry_text(text + "  ROOT r = (f32[4]{0}) tuple(c)\n", branches, alias)) == "");
  // What runs after the conditional reads what both branches have overwritten.
  CHECK(found(entry_text(text + "  z = f32[4]{0} sine(p)\n  ROOT r = (f32[4]{0}, f32[4]{0}) tuple(c, z)\n", branches,
                         alias)) != "");
}

TEST_CASE("an async-update that binds the operands runs its computation") {
  const std::string called =
      "\nf {\n  a = f32[4]{0} parameter(0)\n  ROOT w = f32[4]{0} custom-call(a), custom_call_target=\"k\"\n}\n";
  CHECK(found(entry_text(
            p + "  q = f32[4]{0} negate(p)\n  s = ((f32[4]{0}), (), s32[]) async-start(p), calls=f\n"
                "  u = ((f32[4]{0}), f32[4]{0}, s32[]) async-update(s, q), output_to_operand_aliasing={{1}: (1, {})}\n"
                "  ROOT d = f32[4]{0} async-done(u)\n",
            called)) == "");
}

TEST_CASE("an operand in flight is read until the operation ends") {
  const std::string head = p + "  u = f32[1]{0} parameter(1)\n  z = s32[] constant(0)\n  a = f32[4]{0} negate(p)\n",
                    start = "  s = (f32[4]{0}, f32[4]{0}, u32[]) copy-start(a)\n",
                    update = "  d = f32[4]{0} dynamic-update-slice(a, u, z)\n", done = "  e = f32[4]{0} copy-done(s)\n",
                    root = "  ROOT r = f32[4]{0} add(d, e)\n";
  CHECK(found(entry_text(head + start + update + done + root)) == "a by d before s at 6");
  CHECK(found(entry_text(head + start + done + update + root)) == "");
  // A start that writes into its own operand.
  CHECK(found(entry_text(
            head + "  s = f32[4]{0} all-reduce-start(a), to_apply=add\n  e = f32[4]{0} all-reduce-done(s)\n"
                   "  ROOT r = f32[4]{0} negate(e)\n",
            "add {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT w = f32[] add(x, y)\n}\n")) == "");
}

TEST_CASE("a result is needed until its computation ends") {
  const std::string head = p +
                           "  u = f32[1]{0} parameter(1)\n  z = s32[] constant(0)\n  a = f32[4]{0} negate(p)\n"
                           "  d = f32[4]{0} dynamic-update-slice(a, u, z)\n";
  CHECK(found(entry_text(head + "  m = f32[4]{0} sine(d)\n  ROOT t = (f32[4]{0}, f32[4]{0}) tuple(a, m)\n")) ==
        "a by d before t at 7");
  CHECK(found(entry_text(head + "  m = f32[4]{0} sine(d)\n  ROOT t = (f32[4]{0}, f32[4]{0}) tuple(d, m)\n")) == "");
}

TEST_CASE("a loop reads what it begins with, and a parameter or a constant has to last") {
  const auto computations = [](const std::string& k) {
    return "condition" + k + " {\n  pc" + k + " = (f32[4]{0}) parameter(0)\n  ROOT go" + k +
           " = pred[] constant(false)\n}\n\nbody" + k + " {\n  pb" + k + " = (f32[4]{0}) parameter(0)\n  x" + k +
           " = f32[4]{0} get-tuple-element(pb" + k + "), index=0\n  y" + k + " = f32[4]{0} negate(x" + k +
           ")\n  ROOT t" + k + " = (f32[4]{0}) tuple(y" + k + ")\n}\n\n";
  };
  const std::string first =
      "  w = (f32[4]{0}) while(i), condition=condition1, body=body1\n"
      "  o = f32[4]{0} get-tuple-element(w), index=0\n";
  const auto begins_with = [&](const std::string& begin, const std::string& after = "  ROOT r = f32[4]{0} sine(o)\n") {
    return found(
        entry_text(p + begin + "  i = (f32[4]{0}) tuple(n)\n" + first + after, computations("1") + computations("2")));
  };
  const std::string second =
      "  v = (f32[4]{0}) while(i), condition=condition2, body=body2\n"
      "  q = f32[4]{0} get-tuple-element(v), index=0\n  ROOT r = f32[4]{0} add(o, q)\n";
  CHECK(begins_with("  n = f32[4]{0} negate(p)\n") == "");
  CHECK(begins_with("  n = f32[4]{0} negate(p)\n", second).find("n by ") == 0);  // the first loop has overwritten it
  for (const std::string begin : {"  n = f32[4]{0} constant({1, 2, 3, 4})\n", "  n = f32[4]{0} bitcast(p)\n"}) {
    CHECK(begins_with(begin) == "");  // as one writes it by hand, without copies
    const auto ranges = std::make_shared<const live_ranges>(module_of(entry_text(
        p + begin + "  i = (f32[4]{0}) tuple(n)\n" + first + "  ROOT r = f32[4]{0} sine(o)\n", computations("1"))));
    CHECK(clobbers(ranges, true).size() == 1);
  }
  // A token has no bytes.
  CHECK(found(entry_text("  o = token[] parameter(0)\n  ROOT k = token[] custom-call(o), custom_call_target=\"k\", "
                         "output_to_operand_aliasing={{}: (0, {})}\n")) == "");
}
