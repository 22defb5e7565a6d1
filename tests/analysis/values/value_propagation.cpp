// What arrives where control flow meets: loops, conditionals, and phi values (buffer_dumps.md 5.2).
#include <hlolint/analysis/values/value_propagation.hpp>

#include "analysis/facts_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

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

namespace {

struct value_facts {
  std::string value, positions, uses;
};
struct row {
  std::string what;
  std::string instructions;  ///< of the entry
  std::string values;
  std::vector<value_facts> facts;
  std::string computations{};
};

const char* const negates = R"(
f {
  fp = f32[4]{0} parameter(0)
  ROOT fn = f32[4]{0} negate(fp)
}
)";

void check(const row& r, const xla_rules& rules = xla_rules()) {
  CAPTURE(r.what);
  const facts_of facts(entry_text(r.instructions, r.computations), rules);
  CHECK(facts.values() == r.values);
  for (const value_facts& f : r.facts) {
    CAPTURE(f.value);
    CHECK(facts.positions(f.value) == f.positions);
    CHECK(facts.uses(f.value) == f.uses);
  }
}

}  // namespace

TEST_CASE("value_update: an update passes values on once, and most instructions take no part") {
  const hlo_module module = module_of(
      entry_text("  p = f32[4]{0} parameter(0)\n  n = f32[4]{0} negate(p)\n  t = (f32[4]{0}, f32[4]{0}) tuple(n, p)\n"
                 "  ROOT g = f32[4]{0} get-tuple-element(t), index=0\n"));
  const module_tables tables(module);
  detail::value_store store(tables.places);
  detail::value_update update(tables, xla_rules(), store);
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  CHECK_FALSE(update.takes_part(of("n")));
  for (const char* const name : {"p", "t", "g"}) CHECK(update.takes_part(of(name)));
  store.define(of("p").id(), 0), store.define(of("n").id(), 0);
  CHECK_FALSE(update(of("g")));  // nothing is in the tuple yet
  CHECK(update(of("t")));
  CHECK_FALSE(update(of("t")));
  CHECK(update(of("g")));
  CHECK(store.set_at(of("g"), 0) == store.set_at(of("n"), 0));
  CHECK(store.set_at(of("t"), 2) == store.set_at(of("p"), 0));
}

TEST_CASE("what instructions make and what they pass on") {
  const row rows[] = {
      {"most make all parts",
       "  p = f32[4]{0} parameter(0)\n  ROOT c = (f32[4]{0}, (f32[4]{0})) custom-call(p), custom_call_target=\"x\"\n",
       "p c{} c{0} c{1} c{1,0}",
       {{"p", "p", "c.0"}, {"c{1,0}", "c{1,0}", ""}}},
      {"bitcast passes on and is a use",
       "  p = f32[4]{0} parameter(0)\n  b = f32[2,2]{1,0} bitcast(p)\n  ROOT n = f32[2,2]{1,0} negate(b)\n",
       "p n",
       {{"p", "p b", "b.0 n.0"}}},
      {"an operand read twice",
       "  p = f32[4]{0} parameter(0)\n  ROOT a = f32[4]{0} add(p, p)\n",
       "p a",
       {{"p", "p", "a.0 a.1"}}},
      {"tuple and its elements",
       "  p = f32[4]{0} parameter(0)\n  q = f32[4]{0} parameter(1)\n  t = (f32[4]{0}, f32[4]{0}) tuple(p, q)\n"
       "  g = f32[4]{0} get-tuple-element(t), index=1\n  ROOT n = f32[4]{0} negate(g)\n",
       "p q t{} n",
       {{"p", "p t{0}", ""}, {"q", "q t{1} g", "n.0"}, {"t{}", "t{}", "g.0{}"}}},
      {"a tuple that is the root is a use",
       "  p = f32[4]{0} parameter(0)\n  ROOT t = (f32[4]{0}) tuple(p)\n",
       "p t{}",
       {{"p", "p t{0}", "t.0"}}},
      {"an element that is the root is a use",
       "  p = (f32[4]{0}, f32[4]{0}) parameter(0)\n  ROOT g = f32[4]{0} get-tuple-element(p), index=0\n",
       "p{} p{0} p{1}",
       {{"p{}", "p{}", "g.0{}"}, {"p{0}", "p{0} g", "g.0{0}"}, {"p{1}", "p{1}", ""}}},
      {"copy of an array", "  p = f32[4]{0} parameter(0)\n  ROOT c = f32[4]{0} copy(p)\n", "p c", {{"p", "p", "c.0"}}},
      {"copy of a tuple copies the table only",
       "  p = (f32[4]{0}) parameter(0)\n  c = (f32[4]{0}) copy(p)\n  ROOT o = (f32[4]{0}) opt-barrier(c)\n",
       "p{} p{0} c{}",
       {{"p{}", "p{}", "c.0{}"}, {"p{0}", "p{0} c{0} o{0}", "o.0{0}"}, {"c{}", "c{} o{}", "o.0{}"}}},
      {"domain passes on and reads nothing",
       "  p = f32[4]{0} parameter(0)\n"
       "  d = f32[4]{0} domain(p), domain={kind=\"sharding\", entry={replicated}, exit={replicated}}\n"
       "  ROOT n = f32[4]{0} negate(d)\n",
       "p n",
       {{"p", "p d", "n.0"}}},
      {"add-dependency",
       "  p = f32[4]{0} parameter(0)\n  k = token[] after-all()\n  d = f32[4]{0} add-dependency(p, k)\n"
       "  ROOT n = f32[4]{0} negate(d)\n",
       "p k n",
       {{"p", "p d", "d.0 n.0"}, {"k", "k", "d.1"}}},
      {"copy-start and copy-done",
       "  p = f32[4]{0} parameter(0)\n  s = (f32[4]{0}, f32[4]{0}, u32[]) copy-start(p)\n"
       "  ROOT d = f32[4]{0} copy-done(s)\n",
       "p s{} s{0} s{2}",
       {{"p", "p s{1}", "s.0 d.0{1}"}, {"s{0}", "s{0} d", "d.0{0}"}}},
      {"all-gather-start and all-gather-done",
       "  p = f32[4]{0} parameter(0)\n"
       "  s = (f32[4]{0}, f32[8]{0}) all-gather-start(p), replica_groups={{0,1}}, dimensions={0}\n"
       "  ROOT d = f32[8]{0} all-gather-done(s)\n",
       "p s{} s{1}",
       {{"p", "p s{0}", "s.0 d.0{0}"}, {"s{1}", "s{1} d", "d.0{1}"}}},
      {"all-gather of two arrays",
       "  p = f32[4]{0} parameter(0)\n  q = f32[4]{0} parameter(1)\n"
       "  s = ((f32[4]{0}, f32[4]{0}), (f32[8]{0}, f32[8]{0})) all-gather-start(p, q), replica_groups={{0,1}}, "
       "dimensions={0}\n"
       "  ROOT d = (f32[8]{0}, f32[8]{0}) all-gather-done(s)\n",
       "p q s{} s{0} s{1} s{1,0} s{1,1} d{}",
       {{"q", "q s{0,1}", "s.1 d.0{0,1}"}, {"s{1,1}", "s{1,1} d{1}", "d.0{1,1}"}}},
      {"all-reduce-start and all-reduce-done",
       "  p = f32[4]{0} parameter(0)\n  s = f32[4]{0} all-reduce-start(p), replica_groups={}, to_apply=add\n"
       "  ROOT d = f32[4]{0} all-reduce-done(s)\n",
       "x y z p s",
       {{"p", "p", "s.0"}, {"s", "s d", "d.0"}},
       "\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = f32[] add(x, y)\n}\n"},
      {"collective-permute-start and -done",
       "  p = f32[4]{0} parameter(0)\n"
       "  s = (f32[4]{0}, f32[4]{0}, u32[], u32[]) collective-permute-start(p), source_target_pairs={{0,1}}\n"
       "  ROOT d = f32[4]{0} collective-permute-done(s)\n",
       "p s{} s{1} s{2} s{3}",
       {{"p", "p s{0}", "s.0 d.0{0}"}, {"s{1}", "s{1} d", "d.0{1}"}}},
      {"collective-permute of two arrays",
       "  p = f32[4]{0} parameter(0)\n  q = f32[4]{0} parameter(1)\n"
       "  s = ((f32[4]{0}, f32[4]{0}), (f32[4]{0}, f32[4]{0})) collective-permute-start(p, q), "
       "source_target_pairs={{0,1}}\n"
       "  ROOT d = (f32[4]{0}, f32[4]{0}) collective-permute-done(s)\n",
       "p q s{} s{1} s{1,0} s{1,1} d{}",
       {{"q", "q s{0,1}", "s.1 d.0{0,1}"}, {"s{1,0}", "s{1,0} d{0}", "d.0{1,0}"}}},
      {"send, recv and their dones",
       "  p = f32[4]{0} parameter(0)\n  k = token[] after-all()\n"
       "  s = (f32[4]{0}, u32[], token[]) send(p, k), channel_id=1\n"
       "  r = (f32[4]{0}, u32[], token[]) recv(k), channel_id=1\n  sd = token[] send-done(s), channel_id=1\n"
       "  ROOT rd = (f32[4]{0}, token[]) recv-done(r), channel_id=1\n",
       "p k s{} s{1} s{2} sd r{} r{0} r{1} r{2} rd{} rd{1}",
       {{"p", "p s{0}", "s.0 sd.0{0}"}, {"r{0}", "r{0} rd{0}", "rd.0{0}"}}},
      {"call",
       "  p = f32[4]{0} parameter(0)\n  c = f32[4]{0} call(p), to_apply=f\n  ROOT n = f32[4]{0} negate(c)\n",
       "fn p n",
       {{"p", "p fp", "c.0 fn.0"}, {"fn", "fn c", "n.0"}},
       negates},
      {"a computation with two callers holds several values at one position",
       "  p = f32[4]{0} parameter(0)\n  q = f32[4]{0} parameter(1)\n  c = f32[4]{0} call(p), to_apply=i\n"
       "  d = f32[4]{0} call(q), to_apply=i\n  ROOT n = f32[4]{0} add(c, d)\n",
       "p q n",
       {{"p", "p ip c d", "c.0 n.0 n.1"}},
       "\ni {\n  ROOT ip = f32[4]{0} parameter(0)\n}\n"},
      {"a fusion keeps its body to itself",
       "  p = f32[4]{0} parameter(0)\n  ROOT c = f32[4]{0} fusion(p), kind=kLoop, calls=f\n",
       "fp fn p c",
       {{"p", "p", "c.0"}, {"fp", "fp", "fn.0"}},
       negates},
  };
  for (const row& r : rows) check(r);
}

TEST_CASE("asynchronous computations") {
  const std::string started =
      "  p = f32[4]{0} parameter(0)\n"
      "  s = ((f32[4]{0}), f32[4]{0}, s32[]) async-start(p), calls=f\n";
  const std::string updated = started +
                              "  u = ((f32[4]{0}), f32[4]{0}, s32[]) async-update(s)\n"
                              "  ROOT d = f32[4]{0} async-done(u)\n";
  check({"start and done",
         started + "  ROOT d = f32[4]{0} async-done(s)\n",
         "fn p s{} s{0} s{2}",
         {{"p", "p fp s{0,0}", "s.0 fn.0 d.0{0,0}"}, {"fn", "fn s{1} d", "d.0{1}"}},
         negates});
  check({"an update has a context of its own",
         updated,
         "fn p s{} s{0} s{2} u{} u{0} u{2}",
         {{"fn", "fn s{1} u{1} d", "u.0{1} d.0{1}"}},
         negates});
  check({"before 2026-08-12 it did not",
         updated,
         "fn p s{} s{0} s{2} u{} u{0}",
         {{"s{2}", "s{2} u{2}", "u.0{2} d.0{2}"}},
         negates},
        xla_rules(20260811));
  check({"written as sugar",
         "  p = f32[4]{0} parameter(0)\n  s = ((f32[4]{0}), f32[4]{0}, s32[]) negate-start(p)\n"
         "  ROOT d = f32[4]{0} negate-done(s)\n",
         "negate p s{} s{0} s{2}",
         {{"negate", "negate s{1} d", "d.0{1}"}, {"p", "p async_param s{0,0}", "s.0 negate.0 d.0{0,0}"}}});
  const row token{"tokens",
                  "  k = token[] after-all()\n  s = ((token[]), token[], s32[]) async-start(k), calls=g\n"
                  "  ROOT d = token[] async-done(s)\n",
                  "gk k s{} s{0} s{2}",
                  {{"gk", "gk s{1} d", "d.0{1}"}},
                  "\ng {\n  gp = token[] parameter(0)\n"
                  "  ROOT gk = token[] after-all(gp)\n}\n"};
  check(token);
  const facts_of before(entry_text(token.instructions, token.computations), xla_rules(20260502));
  CHECK(before.positions("gk") == "gk");
  const row update{"dynamic-update-slice",
                   "  p = f32[4]{0} parameter(0)\n  q = f32[1]{0} parameter(1)\n"
                   "  z = s32[] constant(0)\n"
                   "  s = ((f32[4]{0}, f32[1]{0}, s32[]), f32[4]{0}, s32[]) dynamic-update-slice-start(p, q, z)\n"
                   "  ROOT d = f32[4]{0} dynamic-update-slice-done(s)\n",
                   "dynamic-update-slice p q z s{} s{0} s{2}",
                   {{"p", "p async_param s{0,0} s{1}", "s.0 dynamic-update-slice.0 d.0{0,0} d.0{1}"}}};
  check(update);
  const facts_of old(entry_text(update.instructions), xla_rules(20260802));
  CHECK(old.positions("dynamic-update-slice") == "dynamic-update-slice s{1} d");
}

TEST_CASE("a chain that comes out of a loop is not followed back to its start") {
  const facts_of facts(entry_text(
      "  s = ((f32[4]{0}), f32[4]{0}, s32[]) parameter(0)\n  ROOT d = f32[4]{0} async-done(s), calls=f\n", negates));
  CHECK(facts.positions("s{1}") == "s{1} d");
  CHECK(facts.uses("s{1}") == "d.0{1}");
}
