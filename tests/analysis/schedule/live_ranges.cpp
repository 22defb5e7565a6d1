// From when to when values live (buffer_dumps.md 4).
#include <hlolint/analysis/schedule/live_ranges.hpp>

#include "analysis/facts_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string p = "  p = f32[4]{0} parameter(0)\n";
const std::string callee =
    "\nf {\n  fp = f32[4]{0} parameter(0)\n  fa = f32[4]{0} abs(fp)\n"
    "  ROOT fn = f32[4]{0} negate(fa)\n}\n";

}  // namespace

TEST_CASE("starts and ends") {
  const facts_of facts(entry_text(p + "  a = f32[4]{0} negate(p)\n  q = f32[4]{0} parameter(1)\n"
                                      "  b = f32[4]{0} add(a, q)\n"
                                      "  d = f32[4]{0} abs(b)\n  ROOT r = f32[4]{0} add(a, b)\n"));
  CHECK(facts.range("p") == "0-6");  // the caller's: to the end
  CHECK(facts.range("q") == "0-6");  // from the start of the computation
  CHECK(facts.range("a") == "1-5");
  CHECK(facts.range("b") == "3-5");
  CHECK(facts.range("d") == "4-4");  // no one reads it
  CHECK(facts.range("r") == "5-6");  // the root, to the end of the span
}

TEST_CASE("positions count as uses do") {
  const facts_of facts(entry_text(p + "  a = f32[4]{0} negate(p)\n  n = f32[4]{0} abs(p)\n"
                                      "  b = f32[2,2]{1,0} bitcast(a)\n"
                                      "  t = (f32[2,2]{1,0}) tuple(b)\n  ROOT r = f32[4]{0} negate(n)\n"));
  CHECK(facts.range("a") == "1-4");
  CHECK(facts.range("t{}") == "4-4");
}

TEST_CASE("an aliased parameter ends at its last use") {
  const std::string text = p + "  a = f32[4]{0} negate(p)\n  b = f32[4]{0} abs(p)\n  ROOT r = f32[4]{0} negate(a)\n";
  CHECK(facts_of(entry_text(text)).range("p") == "0-4");
  CHECK(facts_of(entry_text(text, "", ", input_output_alias={ {}: (0, {}, may-alias) }")).range("p") == "0-2");
}

TEST_CASE("calls do not read, what they call does") {
  const facts_of facts(entry_text(p + "  a = f32[4]{0} negate(p)\n  n = f32[4]{0} abs(p)\n"
                                      "  c = f32[4]{0} call(a), to_apply=f\n  m = f32[4]{0} abs(n)\n"
                                      "  ROOT r = f32[4]{0} add(c, m)\n",
                                  callee));
  // p a n fp fa fn c m r
  CHECK(facts.range("a") == "1-4");
  CHECK(facts.range("fa") == "4-5");
  CHECK(facts.range("fn") == "5-8");  // also found at c
  CHECK(facts.range("n") == "2-7");
}

TEST_CASE("a loop reads its input where the body begins") {
  const facts_of facts(entry_text(p + "  a = f32[4]{0} negate(p)\n  t = (f32[4]{0}) tuple(a)\n"
                                      "  w = (f32[4]{0}) while(t), condition=c, body=b\n"
                                      "  ROOT g = f32[4]{0} get-tuple-element(w), index=0\n",
                                  "\nc {\n  cp = (f32[4]{0}) parameter(0)\n  ROOT ct = pred[] constant(false)\n}\n"
                                  "\nb {\n  bp = (f32[4]{0}) parameter(0)\n"
                                  "  x = f32[4]{0} get-tuple-element(bp), index=0\n  y = f32[4]{0} negate(x)\n"
                                  "  ROOT bt = (f32[4]{0}) tuple(y)\n}\n"));
  // p a t cp ct bp x y bt w g
  CHECK(facts.untrimmed("a") == "1-5");
  CHECK(facts.untrimmed("cp{0}") == "3-3");
  CHECK(facts.untrimmed("bp{0}") == "5-7");
  CHECK(facts.untrimmed("y") == "7-9");
  CHECK(facts.untrimmed("w{0}") == "9-11");
  // One after the other: the set is a, cp{0}, bp{0}, y, w{0}.
  CHECK(facts.range("a") == "1-3");
  CHECK(facts.range("cp{0}") == "3-5");
  CHECK(facts.range("bp{0}") == "5-7");
  CHECK(facts.range("y") == "7-9");
  CHECK(facts.range("w{0}") == "9-11");
}

TEST_CASE("what a wrapped computation makes is kept until the done") {
  const facts_of facts(entry_text(p + "  s = ((f32[4]{0}), f32[4]{0}, s32[]) async-start(p), calls=f\n"
                                      "  n = f32[4]{0} negate(p)\n"
                                      "  ROOT d = f32[4]{0} async-done(s)\n",
                                  callee));
  // p fp fa fn s n d
  CHECK(facts.range("fa") == "2-6");
  CHECK(facts.range("fn") == "4-7");  // the root is defined when the async-start runs
  CHECK(facts.range("s{2}") == "4-6");
}

TEST_CASE("two values of one set have at most one position in common, and the last ends latest") {
  const facts_of facts(entry_text(p + "  u = f32[1]{0} parameter(1)\n  z = s32[] constant(0)\n"
                                      "  a = f32[4]{0} negate(p)\n"
                                      "  d = f32[4]{0} dynamic-update-slice(a, u, z)\n  m = f32[4]{0} negate(d)\n"
                                      "  o = f32[4]{0} negate(a)\n  ROOT r = f32[4]{0} add(m, o)\n"));
  CHECK(facts.untrimmed("a") == "3-6");
  CHECK(facts.range("a") == "3-4");
  CHECK(facts.range("d") == "4-6");
}

TEST_CASE("no range where there is no schedule") {
  const facts_of facts(entry_text(p + "  ROOT u = f32[4]{0} fusion(p), kind=kLoop, calls=f\n", callee));
  CHECK(facts.range("fa") == "");
  CHECK(facts.range("u") == "1-2");
}
