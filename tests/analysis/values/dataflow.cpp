#include <hlolint/analysis/schedule/clobbers.hpp>
#include <hlolint/analysis/values/dataflow.hpp>

#include "analysis/facts_of.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

namespace {

// A loop whose body updates its array in a fusion, and reads the old one after that.
const std::string_view program =
    "HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }\n\n"
    "%update {\n  %x = f32[8]{0} parameter(0)\n  %i = s32[] parameter(1)\n  %u = f32[2]{0} constant({1, 2})\n"
    "  %b = f32[8]{0} bitcast(%x)\n  ROOT %d = f32[8]{0} dynamic-update-slice(%b, %u, %i)\n}\n\n"
    "%body {\n  %s = (s32[], f32[8]{0}) parameter(0)\n  %k = s32[] get-tuple-element(%s), index=0\n"
    "  %a = f32[8]{0} get-tuple-element(%s), index=1\n"
    "  %f = f32[8]{0} fusion(%a, %k), kind=kLoop, calls=%update\n  %late = f32[8]{0} sine(%a)\n"
    "  %g = f32[8]{0} add(%f, %late)\n  ROOT %t = (s32[], f32[8]{0}) tuple(%k, %g)\n}\n\n"
    "%condition {\n  %c = (s32[], f32[8]{0}) parameter(0)\n  ROOT %true = pred[] constant(true)\n}\n\n"
    "%pick {\n  %q = f32[8]{0} parameter(0)\n  ROOT %n = f32[8]{0} negate(%q)\n}\n\n"
    "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %zero = s32[] constant(0)\n"
    "  %called = f32[8]{0} call(%p), to_apply=%pick\n  %in = (s32[], f32[8]{0}) tuple(%zero, %called)\n"
    "  %w = (s32[], f32[8]{0}) while(%in), condition=%condition, body=%body\n"
    "  ROOT %r = f32[8]{0} get-tuple-element(%w), index=1\n}\n";

struct scoped {
  explicit scoped(const hlo_module& module, value_scope scope)
      : ranges(alias_sets(dataflow(module, xla_rules(), scope)), {}), names(ranges.flow()) {}
  /// Of each value outside of fusions: where it is, who reads it, its alias set and its live range.
  std::vector<std::string> facts() const {
    const dataflow& flow = ranges.flow();
    std::vector<std::string> out;
    for (std::size_t v = 0; v < flow.values().size(); ++v) {
      const hlo_value& value = flow.values()[v];
      if (!flow.is_allocated(value)) continue;
      std::string text = names.text_of(value) + " at";
      for (const hlo_position p : flow.positions(value))
        text += " " + std::string(flow.module().instruction(p.instruction).name()) + to_string(flow.index(p));
      text += " read by";
      for (const hlo_use& use : flow.uses(value))
        text += " " + std::string(flow.module().instruction(use.user).name()) + std::to_string(use.operand);
      text += " with";
      for (const std::uint32_t other : ranges.sets().values(ranges.sets().set_of(v)))
        text += " " + names.text_of(flow.values()[other]);
      const auto& span = ranges.of(v);
      text += span ? " " + std::to_string(span->start) + "-" + std::to_string(span->end) : " never";
      out.push_back(std::move(text));
    }
    return out;
  }
  live_ranges ranges;
  named_values names;
};

}  // namespace

TEST_CASE("value_scope: what runs step by step has the same values without those in fusions") {
  const hlo_module module = module_of(program);
  const scoped all(module, value_scope::everything), some(module, value_scope::scheduled);
  CHECK(some.facts() == all.facts());
  CHECK(some.ranges.flow().values().size() == some.facts().size());
  CHECK(all.ranges.flow().values().size() == some.facts().size() + 4);  // x, i, u, d; b is x
  CHECK(all.ranges.flow().is_followed(module.find_computation("update")));
  CHECK(!some.ranges.flow().is_followed(module.find_computation("update")));
  CHECK(some.ranges.flow().is_followed(module.find_computation("body")));
}

TEST_CASE("value_scope: values that are read too late are found in the narrow scope") {
  const hlo_module module = module_of(program);
  const clobbers narrow(module), whole(std::make_shared<const live_ranges>(module));
  REQUIRE(narrow.size() == 1);
  REQUIRE(whole.size() == 1);
  CHECK(narrow.begin()->reader == whole.begin()->reader);
  CHECK(narrow.begin()->reader.name() == "late");
  CHECK(narrow.begin()->position == whole.begin()->position);
}

TEST_CASE("value_scope: a body that a loop and a fusion share is followed") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\n%both {\n  %x = f32[8]{0} parameter(0)\n  ROOT %n = f32[8]{0} "
      "negate(%x)\n}\n\n"
      "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %c = f32[8]{0} call(%p), to_apply=%both\n"
      "  ROOT %f = f32[8]{0} fusion(%c), kind=kLoop, calls=%both\n}\n");
  const scoped all(module, value_scope::everything), some(module, value_scope::scheduled);
  CHECK(some.ranges.flow().is_followed(module.find_computation("both")));
  CHECK(some.ranges.flow().values().size() == all.ranges.flow().values().size());
}
