// In which order instructions run, called computations included (buffer_dumps.md 4, "Flattening").
#include "analysis/facts_of.hpp"

#include <hlolint/analysis/schedule/flat_schedule.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string sequence(const flat_schedule& schedule, const hlo_module& module) {
  const instruction_names names(module);
  std::string out;
  for (const id i : schedule.sequence()) out += (out.empty() ? "" : " ") + std::string(names.of(module.instruction(i)));
  return out;
}
std::string sequence_of(std::string_view text) {
  const hlo_module module = module_of(text);
  return sequence(flat_schedule(module), module);
}

const std::string loop =
    "\nc {\n  cp = s32[] parameter(0)\n  ROOT ct = pred[] constant(false)\n}\n"
    "\nb {\n  bp = s32[] parameter(0)\n  ROOT bn = s32[] negate(bp)\n}\n";
const std::string callee = "\nf {\n  fp = s32[] parameter(0)\n  ROOT fn = s32[] negate(fp)\n}\n";

}  // namespace

TEST_CASE("called computations run just before their first caller") {
  CHECK(sequence_of(entry_text("  p = s32[] parameter(0)\n  a = s32[] call(p), to_apply=f\n"
                               "  ROOT r = s32[] call(a), to_apply=f\n",
                               callee)) == "p fp fn a r");
  // The condition runs before the body, whichever is written first.
  for (const char* const attributes : {"condition=c, body=b", "body=b, condition=c"})
    CHECK(sequence_of(entry_text(
              "  p = s32[] parameter(0)\n  ROOT w = s32[] while(p), " + std::string(attributes) + "\n", loop)) ==
          "p cp ct bp bn w");
  CHECK(sequence_of(entry_text("  p = s32[] parameter(0)\n"
                               "  ROOT v = s32[] conditional(p, p, p), branch_computations={b, f}\n",
                               loop + callee)) == "p bp bn fp fn v");
  CHECK(sequence_of(entry_text("  p = s32[] parameter(0)\n  s = ((s32[]), s32[], s32[]) async-start(p), calls=f\n"
                               "  n = s32[] negate(p)\n"
                               "  ROOT d = s32[] async-done(s)\n",
                               callee)) == "p fp fn s n d");
}

TEST_CASE("what is part of an instruction has no position, nor what no one calls") {
  const std::string text =
      entry_text("  p = s32[] parameter(0)\n  ROOT u = s32[] fusion(p), kind=kLoop, calls=f\n", callee + loop);
  CHECK(sequence_of(text) == "p u");
  const hlo_module module = module_of(text);
  const flat_schedule schedule(module);
  CHECK(schedule.size() == 2);
  CHECK(schedule.position_of(instruction_of(module, "u")) == 1);
  CHECK(!schedule.position_of(instruction_of(module, "fn")));
  CHECK(!schedule.span_of(module.find_computation("f")));
  CHECK(!schedule.end_of(instruction_of(module, "fn")));
}

TEST_CASE("spans, and the end of a root") {
  const hlo_module module =
      module_of(entry_text("  p = s32[] parameter(0)\n  a = s32[] call(p), to_apply=f\n"
                           "  ROOT r = s32[] negate(a)\n",
                           callee));
  const flat_schedule schedule(module);
  CHECK(schedule.span_of(module.find_computation("f"))->begin == 1);
  CHECK(schedule.span_of(module.find_computation("f"))->end == 3);
  CHECK(schedule.end_of(instruction_of(module, "fn")) == 3);
  CHECK(schedule.end_of(instruction_of(module, "a")) == 3);
  CHECK(schedule.end_of(instruction_of(module, "r")) == 5);
}

TEST_CASE("a chain whose operands are bound late runs where the last one is") {
  CHECK(sequence_of(entry_text("  p = f32[4]{0} parameter(0)\n  q = f32[8]{0} parameter(1)\n"
                               "  s = ((f32[4]{0}), (), s32[]) async-start(p), calls=w\n"
                               "  n = f32[4]{0} negate(p)\n"
                               "  u = ((f32[4]{0}, f32[8]{0}), f32[8]{0}, s32[]) async-update(s, q)\n"
                               "  ROOT d = f32[8]{0} async-done(u)\n",
                               "\nw {\n  wp = f32[4]{0} parameter(0)\n  wq = f32[8]{0} parameter(1)\n"
                               "  ROOT wn = f32[8]{0} negate(wq)\n}\n")) == "p q s n wp wq wn u d");
}

TEST_CASE("an order from elsewhere, for a module that is not scheduled") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY e {\n  p = s32[] parameter(0)\n  a = s32[] negate(p)\n"
      "  b = s32[] abs(p)\n  ROOT r = s32[] add(a, b)\n}\n");
  CHECK(sequence(flat_schedule(module), module) == "p a b r");
  CHECK(sequence(flat_schedule(module_tables(module), {"p", "b", "a", "r"}), module) == "p b a r");
  const buffer_dump dump = buffers_of(
      "HloLiveRange (max 4):\n  InstructionSequence:\n    0:p\n    1:b\n    2:a\n"
      "    3:r\n  BufferLiveRange:\n    p{}:0-4\n  Live ranges at 0 (peak):\n"
      "    p: 4 bytes\n");
  CHECK(sequence(flat_schedule(module, dump), module) == "p b a r");
  // A scheduled module knows better.
  const hlo_module scheduled = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY e {\n  p = s32[] parameter(0)\n"
      "  a = s32[] negate(p)\n  b = s32[] abs(p)\n  ROOT r = s32[] add(a, b)\n}\n");
  CHECK(sequence(flat_schedule(scheduled, dump), scheduled) == "p a b r");
}

TEST_CASE("calls as deep as a program may have them") {
  std::string computations = callee;
  for (int k = 1; k < 50'000; ++k) {
    const std::string n = std::to_string(k);
    computations += "\nfn" + n + " {\n  q" + n + " = s32[] parameter(0)\n  ROOT r" + n + " = s32[] call(q" + n +
                    "), to_apply=f" + (k == 1 ? "" : "n" + std::to_string(k - 1)) + "\n}\n";
  }
  const facts_of facts(
      entry_text("  p = s32[] parameter(0)\n  ROOT e1 = s32[] call(p), to_apply=fn49999\n", computations));
  CHECK(facts.ranges.schedule().size() == 100'002);
  CHECK(facts.flow().positions(facts.flow().values()[facts.value("p")]).size() == 50'001);
  CHECK(facts.range("p") == "0-100002");
}

TEST_CASE("names as XLA makes them unique") {
  const hlo_module module =
      module_of(entry_text("  x = s32[] parameter(0)\n  x.1 = s32[] negate(x)\n"
                           "  y.0 = s32[] negate(x.1)\n  ROOT y = s32[] negate(y.0)\n",
                           "\nf {\n  x = s32[] parameter(0)\n  ROOT x.3 = s32[] negate(x)\n}\n\n"
                           "g {\n  x = s32[] parameter(0)\n  ROOT x.03 = s32[] negate(x)\n}\n"));
  const instruction_names names(module);
  std::string out;
  for (const hlo_instruction i : module.instructions()) out += std::string(names.of(i)) + " ";
  CHECK(out == "x x.3 x.1 x.2 x.4 x.5 y.0 y.1 ");
  CHECK(names.find("x.4") == module.entry().instruction(0));
  CHECK(names.find("x") == module.computation(0).instruction(0));
  CHECK(!names.find("x.03"));
}
