// Aliases of the header, loops and conditionals (buffer_dumps.md 5.1); what works in place is in in_place_pairs.cpp.
#include <hlolint/analysis/values/alias_sets.hpp>

#include "analysis/facts_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string p = "  p = f32[4]{0} parameter(0)\n";
const std::string q = "  q = f32[4]{0} parameter(1)\n";

struct row {
  std::string what, instructions, sets, computations{}, header{};
};

std::string sets_of(const row& r) {
  return facts_of(entry_text(r.instructions, r.computations, r.header)).sets();
}

}  // namespace

TEST_CASE("aliases of the header") {
  const std::string text = p + q +
                           "  n = f32[4]{0} negate(p)\n  m = f32[4]{0} negate(q)\n"
                           "  ROOT t = (f32[4]{0}, f32[4]{0}) tuple(n, m)\n";
  CHECK(sets_of({"", text, ""}) == "");
  CHECK(sets_of({"", text, "", "", ", input_output_alias={ {1}: (0, {}, may-alias) }"}) == "p m");
  CHECK(sets_of({"", text, "", "", ", input_output_alias={ {1}: (0, {}, must-alias), {0}: (1, {}, may-alias) }"}) ==
        "p m | n q");
}

TEST_CASE("loops and conditionals") {
  const std::string loop =
      "\nc {\n  cp = (f32[4]{0}) parameter(0)\n  ROOT ct = pred[] constant(false)\n}\n"
      "\nb {\n  bp = (f32[4]{0}) parameter(0)\n  x = f32[4]{0} get-tuple-element(bp), index=0\n"
      "  y = f32[4]{0} negate(x)\n  ROOT bt = (f32[4]{0}) tuple(y)\n}\n";
  CHECK(facts_of(
            entry_text(p + "  t = (f32[4]{0}) tuple(p)\n  ROOT w = (f32[4]{0}) while(t), condition=c, body=b\n", loop))
            .sets() == "y p cp{0} bp{0} w{0} | bt{} t{} cp{} bp{} w{}");
  const std::string branches = "\nl {\n  lp = f32[4]{0} parameter(0)\n  ROOT ln = f32[4]{0} negate(lp)\n}\n"
                               "\nr {\n  rp = f32[4]{0} parameter(0)\n  ROOT rn = f32[4]{0} abs(rp)\n}\n";
  const std::string choice =
      "  i = s32[] parameter(0)\n  p = f32[4]{0} parameter(1)\n"
      "  ROOT v = f32[4]{0} conditional(i, p, p), branch_computations={l, r}\n";
  CHECK(facts_of(entry_text(choice, branches)).sets() == "ln rn v");
}
