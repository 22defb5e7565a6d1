// What arrives where control flow meets: loops, conditionals, and phi values (buffer_dumps.md 5.2).
#include <hlolint/analysis/values/value_propagation.hpp>

#include "analysis/facts_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// Element 0 is passed through, element 1 is counted up.
const char* const loop = R"(
c {
  cp = (f32[4]{0}, s32[]) parameter(0)
  ROOT ct = pred[] constant(false)
}

b {
  bp = (f32[4]{0}, s32[]) parameter(0)
  x = f32[4]{0} get-tuple-element(bp), index=0
  i = s32[] get-tuple-element(bp), index=1
  j = s32[] add(i, i)
  ROOT bt = (f32[4]{0}, s32[]) tuple(x, j)
}
)";
const char* const around_loop = R"(  p = f32[4]{0} parameter(0)
  q = s32[] parameter(1)
  t = (f32[4]{0}, s32[]) tuple(p, q)
  w = (f32[4]{0}, s32[]) while(t), ATTRIBUTES
  ROOT g = f32[4]{0} get-tuple-element(w), index=0
)";

std::string with_attributes(std::string text, const std::string& attributes) {
  const std::string key = "ATTRIBUTES";
  return text.replace(text.find(key), key.size(), attributes);
}

}  // namespace

TEST_CASE("value_propagation: only what is followed has values") {
  const hlo_module module =
      module_of(entry_text("  p = f32[4]{0} parameter(0)\n  ROOT t = (f32[4]{0}) tuple(p)\n",
                           "\nf {\n  fp = f32[4]{0} parameter(0)\n  ROOT fn = f32[4]{0} negate(fp)\n}\n"));
  const module_tables tables(module);
  detail::value_propagation both(tables, xla_rules(), {true, true}), entry_only(tables, xla_rules(), {false, true});
  CHECK(both.is_complete());
  CHECK(entry_only.is_complete());
  CHECK(both.store().values().size() == 4);
  CHECK(entry_only.store().values().size() == 2);
  CHECK(entry_only.store().set_at(instruction_of(module, "fn"), 0) == detail::value_sets::empty);
  CHECK(entry_only.store().set_at(instruction_of(module, "t"), 1) ==
        entry_only.store().set_at(instruction_of(module, "p"), 0));
}

TEST_CASE("a loop makes phi values only of what it changes") {
  for (const char* const attributes : {"condition=c, body=b", "body=b, condition=c"}) {
    CAPTURE(attributes);
    const facts_of facts(entry_text(with_attributes(around_loop, attributes), loop));
    CHECK(facts.positions("p") == "p cp{0} bp{0} x bt{0} t{0} w{0} g");
    CHECK(facts.uses("p") == "bt.0 w.0{0} g.0{0}");
    // The tables and the counter differ from one iteration to the next.
    for (const char* const phi : {"w{}", "w{1}", "bp{}", "bp{1}", "cp{}", "cp{1}"})
      CHECK(facts.flow().values()[facts.value(phi)].phi);
    CHECK_THROWS(facts.value("w{0}"));
    CHECK(facts.positions("bp{1}") == "bp{1} i");
    CHECK(facts.positions("j") == "j bt{1}");
    CHECK(facts.uses("j") == "bt.1");
  }
}

TEST_CASE("a loop that passes everything through is all its input") {
  const facts_of facts(
      entry_text("  p = (f32[4]{0}) parameter(0)\n"
                 "  ROOT w = (f32[4]{0}) while(p), condition=c, body=b\n",
                 "\nc {\n  cp = (f32[4]{0}) parameter(0)\n  ROOT ct = pred[] constant(false)\n}\n"
                 "\nb {\n  ROOT bp = (f32[4]{0}) parameter(0)\n}\n"));
  CHECK(facts.values() == "ct p{} p{0}");
  CHECK(facts.positions("p{0}") == "p{0} cp{0} bp{0} w{0}");
}

TEST_CASE("loops in loops: a value that all of them pass through stays one") {
  std::string computations =
      "\nc0 {\n  cp = (f32[4]{0}) parameter(0)\n  ROOT ct = pred[] constant(false)\n}\n"
      "\nb0 {\n  bp = (f32[4]{0}) parameter(0)\n"
      "  bx = f32[4]{0} get-tuple-element(bp), index=0\n"
      "  ROOT bt = (f32[4]{0}) tuple(bx)\n}\n";
  for (int k = 1; k < 40; ++k) {
    const std::string n = std::to_string(k), before = std::to_string(k - 1);
    computations += "\nb" + n + " {\n  bp" + n + " = (f32[4]{0}) parameter(0)\n  ROOT w" + n +
                    " = (f32[4]{0}) while(bp" + n + "), condition=c" + before + ", body=b" + before + "\n}\n\nc" + n +
                    " {\n  cp" + n + " = (f32[4]{0}) parameter(0)\n  ROOT ct" + n + " = pred[] constant(false)\n}\n";
  }
  const facts_of facts(
      entry_text("  p = (f32[4]{0}) parameter(0)\n"
                 "  ROOT w = (f32[4]{0}) while(p), condition=c39, body=b39\n",
                 computations));
  CHECK(facts.flow().positions(facts.flow().values()[facts.value("p{0}")]).size() == 1 + 3 + 3 * 39 + 2);
  for (const hlo_value& v : facts.flow().values()) CHECK((!v.phi || facts.flow().index(v.defined).empty()));
}

TEST_CASE("a conditional merges what its branches return") {
  const std::string branches =
      "\nl {\n  lp = f32[4]{0} parameter(0)\n  ROOT ln = f32[4]{0} negate(lp)\n}\n"
      "\nr {\n  rp = f32[4]{0} parameter(0)\n  ROOT rn = f32[4]{0} abs(rp)\n}\n"
      "\ns {\n  ROOT sp = f32[4]{0} parameter(0)\n}\n"
      "\nt {\n  ROOT tp = f32[4]{0} parameter(0)\n}\n";
  const std::string head = "  i = s32[] parameter(0)\n  p = f32[4]{0} parameter(1)\n  q = f32[4]{0} parameter(2)\n";
  const facts_of differ(
      entry_text(head + "  ROOT v = f32[4]{0} conditional(i, p, q), branch_computations={l, r}\n", branches));
  CHECK(differ.flow().values()[differ.value("v")].phi);
  CHECK(differ.positions("p") == "p lp");
  CHECK(differ.uses("p") == "v.1 ln.0");
  CHECK(differ.uses("ln") == "");
  const facts_of same(entry_text(head + "  v = f32[4]{0} conditional(i, p, p), branch_computations={s, t}\n"
                                        "  ROOT n = f32[4]{0} negate(v)\n",
                                 branches));
  CHECK_THROWS(same.value("v"));
  CHECK(same.positions("p") == "p sp tp v");
  CHECK(same.uses("p") == "v.1 v.2 n.0");
}
