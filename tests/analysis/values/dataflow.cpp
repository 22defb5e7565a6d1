// Values as the analysis gives them: which of them get storage, and by which shapes.
#include <hlolint/analysis/values/dataflow.hpp>

#include "analysis/facts_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const char* const negates = R"(
f {
  fp = f32[4]{0} parameter(0)
  ROOT fn = f32[4]{0} negate(fp)
}
)";

}  // namespace

TEST_CASE("which values get storage") {
  const facts_of facts(entry_text(
      "  p = f32[4]{0} parameter(0)\n  z = f32[] constant(0)\n  u = f32[4]{0} fusion(p), kind=kLoop, calls=f\n"
      "  ROOT m = f32[] reduce(u, z), dimensions={0}, to_apply=add\n",
      std::string(negates) + "\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT a = f32[] add(x, y)\n"
                             "}\n"
                             "\nunused {\n  ROOT up = f32[] parameter(0)\n}\n"));
  std::string allocated;
  for (const hlo_value& v : facts.flow().values())
    if (facts.flow().is_allocated(v)) allocated += facts.names.text_of(v) + " ";
  CHECK(allocated == "x y a p u z m ");
}

TEST_CASE("shapes that XLA makes itself, and shapes that follow") {
  const facts_of facts(
      entry_text("  p = (f32[4]{0}, s32[]) parameter(0)\n  k = token[] after-all()\n"
                 "  g = get-tuple-element(p), index=0\n"
                 "  n = negate(g)\n  t = tuple(n, g)\n  w = while(t), condition=c, body=b\n"
                 "  l = compare(g, n), direction=LT\n"
                 "  ROOT s = (f32[8]{0}, u32[], token[]) send(n, k), channel_id=1\n",
                 "\nc {\n  cp = (f32[4]{0}, f32[4]{0}) parameter(0)\n"
                 "  ROOT ct = pred[] constant(false)\n}\n"
                 "\nb {\n  ROOT bp = (f32[4]{0}, f32[4]{0}) parameter(0)\n}\n"));
  CHECK(facts.positions("n") == "n cp{0} bp{0} t{0} w{0} s{0}");
  const auto shape = [&](std::string_view of) {
    return *facts.flow().shape_of({instruction_of(facts.flow().module(), of).id(), 0});
  };
  CHECK(shape("w") == shape_of("(f32[4]{0}, f32[4]{0})"));
  CHECK(shape("l") == shape_of("pred[4]{0}"));
  CHECK(shape("s") == shape_of("(f32[4]{0}, u32[], token[])"));
}
