#include <hlolint/analysis/values/in_place_pairs.hpp>

#include "analysis/facts_of.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string p = "  p = f32[4]{0} parameter(0)\n";
const std::string q = "  q = f32[4]{0} parameter(1)\n";

struct row {
  std::string what, instructions, sets, computations{};
};

std::string sets_of(const row& r, const xla_rules& rules = xla_rules()) {
  return facts_of(entry_text(r.instructions, r.computations), rules).sets();
}

// A fusion `f` of `p` (and `q`, an update, and `z`, an index) with this body.
row fusion_of(std::string what, std::string body, std::string sets, std::string result = "f32[4]{0}",
              std::string attributes = {}) {
  return {
      std::move(what),
      p + "  q = f32[1]{0} parameter(1)\n  z = s32[] parameter(2)\n  ROOT f = " + result +
          " fusion(p, q, z), kind=kLoop, calls=c" + attributes + "\n",
      std::move(sets),
      "\nc {\n  a = f32[4]{0} parameter(0)\n  u = f32[1]{0} parameter(1)\n  i = s32[] parameter(2)\n" + body + "}\n"};
}

}  // namespace

TEST_CASE("in_place_pairs: operand, part of it and part of the result") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY e {\n  p = (f32[4]{0}, f32[4]{0}) parameter(0)\n  q = f32[4]{0} parameter(1)\n"
      "  u = f32[1]{0} parameter(2)\n  z = s32[] constant(0)\n"
      "  d = f32[4]{0} dynamic-update-slice(q, u, z)\n"
      "  c = (f32[4]{0}, f32[4]{0}) custom-call(q, p), custom_call_target=\"x\", "
      "output_to_operand_aliasing={{1}: (1, {0}), {0}: (0, {})}\n"
      "  plain = f32[4]{0} custom-call(q), custom_call_target=\"x\"\n  ROOT n = f32[4]{0} negate(q)\n}\n");
  const module_tables tables(module);
  const in_place_pairs pairs(tables, xla_rules{});
  const auto of = [&](const char* name) { return pairs.of(instruction_of(module, name)); };
  const auto can = [&](const char* name) { return in_place_pairs::can_have(instruction_of(module, name)); };
  CHECK(of("d") == std::vector<in_place_pair>{{0, {}, {}}});
  CHECK(of("c") == std::vector<in_place_pair>{{1, {0}, {1}}, {0, {}, {0}}});
  CHECK(of("plain").empty());
  CHECK(of("n").empty());
  CHECK(can("d"));
  CHECK(can("c"));
  CHECK_FALSE(can("plain"));
  CHECK_FALSE(can("n"));
}

TEST_CASE("in-place operations") {
  const row rows[] = {
      {"most write elsewhere", p + "  ROOT n = f32[4]{0} negate(p)\n", ""},
      {"dynamic-update-slice",
       p + "  u = f32[1]{0} parameter(1)\n  z = s32[] constant(0)\n  ROOT d = f32[4]{0} dynamic-update-slice(p, u, "
           "z)\n",
       "p d"},
      {"a pair is of what is found there",
       p + "  u = f32[1]{0} parameter(1)\n  z = s32[] constant(0)\n  b = f32[4]{0} bitcast(p)\n"
           "  ROOT d = f32[4]{0} dynamic-update-slice(b, u, z)\n",
       "p d"},
      {"scatter",
       p + "  i = s32[1,1]{1,0} parameter(1)\n  u = f32[1]{0} parameter(2)\n"
           "  ROOT d = f32[4]{0} scatter(p, i, u), update_window_dims={}, inserted_window_dims={0}, "
           "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n",
       "p d", "\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] add(x, y)\n}\n"},
      {"scatter of two",
       p + q +
           "  i = s32[1,1]{1,0} parameter(2)\n  u = f32[1]{0} parameter(3)\n"
           "  ROOT d = (f32[4]{0}, f32[4]{0}) scatter(p, q, i, u, u), update_window_dims={}, inserted_window_dims={0}, "
           "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=two\n",
       "p d{0} | q d{1}",
       "\ntwo {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  v = f32[] parameter(2)\n  w = f32[] "
       "parameter(3)\n  ROOT s = (f32[], f32[]) tuple(x, y)\n}\n"},
      {"all-reduce-start",
       p + "  s = f32[4]{0} all-reduce-start(p), replica_groups={}, to_apply=add\n  ROOT d = f32[4]{0} "
           "all-reduce-done(s)\n",
       "p s", "\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT a = f32[] add(x, y)\n}\n"},
      {"all-reduce-start of two",
       p + q +
           "  s = (f32[4]{0}, f32[4]{0}) all-reduce-start(p, q), replica_groups={}, to_apply=add\n  ROOT d = "
           "(f32[4]{0}, f32[4]{0}) all-reduce-done(s)\n",
       "p s{0} | q s{1}",
       "\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT a = f32[] add(x, y)\n}\n"},
      {"collective-permute in place",
       p + q +
           "  i = (s32[]) parameter(2)\n  ROOT c = f32[4]{0} collective-permute(p, q, i, i), "
           "source_target_pairs={{0,1}}, slice_sizes={{1}}\n",
       "q c"},
      {"collective-permute of four, not in place",
       p + q +
           "  ROOT c = (f32[4]{0}, f32[4]{0}, f32[4]{0}, f32[4]{0}) collective-permute(p, q, p, q), "
           "source_target_pairs={{0,1}}\n",
       ""},
      {"collective-permute-start in place",
       p + q +
           "  i = (s32[]) parameter(2)\n"
           "  s = (f32[4]{0}, f32[4]{0}, u32[], u32[]) collective-permute-start(p, q, i, i), "
           "source_target_pairs={{0,1}}, slice_sizes={{1}}\n"
           "  ROOT c = f32[4]{0} collective-permute-done(s)\n",
       "q s{1}"},
      {"custom-call",
       p + q +
           "  ROOT c = (f32[4]{0}, f32[4]{0}) custom-call(p, q), custom_call_target=\"x\", "
           "output_to_operand_aliasing={{1}: (0, {})}\n",
       "p c{1}"},
      {"an index that is not there",
       p + "  ROOT c = f32[4]{0} custom-call(p), custom_call_target=\"x\", output_to_operand_aliasing={{3}: (7, "
           "{2})}\n",
       ""},
      {"set-dimension-size",
       p + "  z = s32[] constant(2)\n  ROOT d = f32[<=4]{0} set-dimension-size(p, z), dimensions={0}\n", "p d"},
      {"ragged-all-to-all",
       p + q +
           "  i = s32[1]{0} parameter(2)\n  ROOT r = f32[4]{0} ragged-all-to-all(p, q, i, i, i, i), "
           "replica_groups={{0}}\n",
       "q r"},
  };
  for (const row& r : rows) {
    CAPTURE(r.what);
    CHECK(sets_of(r) == r.sets);
  }
  CHECK(sets_of(rows[8], xla_rules(20260420)) != "");
  CHECK(sets_of(rows[13], xla_rules(20241125)) == "");
}

TEST_CASE("fusions") {
  const std::string update = "  d = f32[4]{0} dynamic-update-slice(a, u, i)\n";
  const row rows[] = {
      fusion_of("no in-place operation", "  ROOT n = f32[4]{0} negate(a)\n", ""),
      fusion_of("the root works in place", "  ROOT d = f32[4]{0} dynamic-update-slice(a, u, i)\n", "p f"),
      fusion_of("not on a parameter", "  n = f32[4]{0} negate(a)\n  ROOT d = f32[4]{0} dynamic-update-slice(n, u, i)\n",
                ""),
      fusion_of("an element of a tuple",
                update + "  n = f32[4]{0} negate(a)\n  ROOT t = (f32[4]{0}, f32[4]{0}) tuple(n, d)\n", "p f{1}",
                "(f32[4]{0}, f32[4]{0})"),
      fusion_of("through tuples and elements",
                update + "  t = (f32[4]{0}) tuple(d)\n  g = f32[4]{0} get-tuple-element(t), index=0\n  ROOT b = "
                         "f32[4]{0} bitcast(g)\n",
                ""),
      fusion_of("bitcasts on both sides",
                "  b = f32[4]{0} bitcast(a)\n  c1 = f32[4]{0} bitcast(b)\n  d = f32[4]{0} dynamic-update-slice(c1, u, "
                "i)\n  ROOT e1 = f32[2,2]{1,0} bitcast(d)\n",
                "p f", "f32[2,2]{1,0}"),
      fusion_of("what is annotated", "  ROOT n = f32[4]{0} negate(a)\n", "p f", "f32[4]{0}",
                ", output_to_operand_aliasing={{}: (0, {})}"),
      fusion_of("a reshape is no bitcast",
                "  b = f32[2,2]{1,0} reshape(a)\n  c1 = f32[4]{0} reshape(b)\n  ROOT d = f32[4]{0} "
                "dynamic-update-slice(c1, u, i)\n",
                ""),
  };
  for (const row& r : rows) {
    CAPTURE(r.what);
    CHECK(sets_of(r) == r.sets);
  }
  // Before June 2026 only one bitcast was stepped over, directly behind the parameter.
  const xla_rules before(20260602);
  CHECK(sets_of(rows[5], before) == "");
  CHECK(sets_of(fusion_of("one bitcast",
                          "  b = f32[4]{0} bitcast(a)\n  ROOT d = f32[4]{0} dynamic-update-slice(b, u, i)\n", ""),
                before) == "p f");
  CHECK(sets_of(fusion_of("two bitcasts",
                          "  b = f32[4]{0} bitcast(a)\n  c1 = f32[4]{0} bitcast(b)\n  ROOT d = f32[4]{0} "
                          "dynamic-update-slice(c1, u, i)\n",
                          ""),
                before) == "");
  xla_rules gpu;
  gpu.reshape_is_bitcast = true;
  CHECK(sets_of(rows[7], gpu) == "p f");
}

TEST_CASE("fusions in fusions") {
  const std::string inner =
      "\ninner {\n  ia = f32[4]{0} parameter(0)\n  iu = f32[1]{0} parameter(1)\n"
      "  ii = s32[] parameter(2)\n"
      "  ROOT id = f32[4]{0} dynamic-update-slice(ia, iu, ii)\n}\n";
  row r = fusion_of("", "  ROOT g = f32[4]{0} fusion(a, u, i), kind=kLoop, calls=inner\n", "");
  r.computations = inner + r.computations;
  CHECK(sets_of(r) == "p f");
  // An in-place operation on the result of a fusion that works in place itself.
  row twice = fusion_of("",
                        "  g = f32[4]{0} fusion(a, u, i), kind=kLoop, calls=inner\n"
                        "  ROOT d = f32[4]{0} dynamic-update-slice(g, u, i)\n",
                        "");
  twice.computations = inner + twice.computations;
  CHECK(sets_of(twice) == "p f");
  // The annotation of an inner fusion is nothing to the outer one, since June 2026.
  row annotated = fusion_of(
      "", "  ROOT g = f32[4]{0} fusion(a), kind=kLoop, calls=copies, output_to_operand_aliasing={{}: (0, {})}\n", "");
  annotated.computations =
      "\ncopies {\n  ca = f32[4]{0} parameter(0)\n  ROOT cc = f32[4]{0} copy(ca)\n}\n" + annotated.computations;
  CHECK(sets_of(annotated) == "");
  CHECK(sets_of(annotated, xla_rules(20260602)) == "p f");
}

TEST_CASE("asynchronous operations") {
  const std::string shape = "((f32[4]{0}), (f32[4]{0}, f32[4]{0}), s32[])";
  const std::string body =
      "\nw {\n  wp = f32[4]{0} parameter(0)\n  ROOT wc = (f32[4]{0}, f32[4]{0}) custom-call(wp), "
      "custom_call_target=\"x\"\n}\n";
  const row start{
      "",
      p + "  s = " + shape +
          " async-start(p), calls=w, output_to_operand_aliasing={{1,0}: (0, {})}\n"
          "  d = (f32[4]{0}, f32[4]{0}) async-done(s)\n  ROOT g = f32[4]{0} get-tuple-element(d), index=1\n",
      "", body};
  CHECK(sets_of(start) == "wc{0} p");
  CHECK(sets_of(start, xla_rules(20260107)) == "");
  // Sugar of a custom-call: the annotation is about what is wrapped.
  const row sugar{"",
                  p + "  s = ((f32[4]{0}), f32[4]{0}, s32[]) custom-call-start(p), custom_call_target=\"x\", "
                      "output_to_operand_aliasing={{}: (0, {})}\n"
                      "  ROOT d = f32[4]{0} custom-call-done(s)\n",
                  ""};
  CHECK(sets_of(sugar) == "custom-call p");
  CHECK(sets_of(sugar, xla_rules(20250101)) == "custom-call p");
}

TEST_CASE("an operand that an update binds late") {
  const std::string body =
      "\nw {\n  wp = f32[4]{0} parameter(0)\n  wq = f32[8]{0} parameter(1)\n"
      "  ROOT wc = f32[8]{0} custom-call(wp, wq), custom_call_target=\"x\"\n}\n";
  const row late{
      "",
      p + "  q = f32[8]{0} parameter(1)\n  s = ((f32[4]{0}), (), s32[]) async-start(p), calls=w, "
          "output_to_operand_aliasing={{1}: (1, {})}\n"
          "  u = ((f32[4]{0}, f32[8]{0}), f32[8]{0}, s32[]) async-update(s, q)\n  ROOT d = f32[8]{0} async-done(u)\n",
      "", body};
  const facts_of facts(entry_text(late.instructions, late.computations));
  CHECK(facts.sets() == "wc q");
  CHECK(facts.positions("q") == "q wq u{0,1}");
  CHECK(sets_of(late, xla_rules(20260712)) == "");
}
