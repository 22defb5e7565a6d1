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

std::string sets_of(const row& r) { return facts_of(entry_text(r.instructions, r.computations, r.header)).sets(); }

struct merge_row {
  std::string attributes, instructions;
  bool merges = false;
};

bool merges_any(const alias_sets& sets) { return sets.size() < sets.flow().values().size(); }

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
  const std::string branches =
      "\nl {\n  lp = f32[4]{0} parameter(0)\n  ROOT ln = f32[4]{0} negate(lp)\n}\n"
      "\nr {\n  rp = f32[4]{0} parameter(0)\n  ROOT rn = f32[4]{0} abs(rp)\n}\n";
  const std::string choice =
      "  i = s32[] parameter(0)\n  p = f32[4]{0} parameter(1)\n"
      "  ROOT v = f32[4]{0} conditional(i, p, p), branch_computations={l, r}\n";
  CHECK(facts_of(entry_text(choice, branches)).sets() == "ln rn v");
}

TEST_CASE("alias_sets: other rules hold if they say the same about every instruction") {
  const std::string update = p + "  q = f32[1]{0} parameter(1)\n  z = s32[] parameter(2)\n";
  const auto fusion_of = [&](const std::string& body) {
    return entry_text(
        update + "  ROOT f = f32[4]{0} fusion(p, q, z), kind=kLoop, calls=c\n",
        "\nc {\n  a = f32[4]{0} parameter(0)\n  u = f32[1]{0} parameter(1)\n  i = s32[] parameter(2)\n" + body + "}\n");
  };
  const std::string twice = "  b = f32[4]{0} bitcast(a)\n  d = f32[4]{0} bitcast(b)\n";
  const struct {
    std::string text;
    bool hold;
  } table[] = {
      {entry_text(p + "  ROOT n = f32[4]{0} negate(p)\n"), true},
      {entry_text(update + "  ROOT d = f32[4]{0} dynamic-update-slice(p, q, z)\n"), true},
      {fusion_of("  ROOT d = f32[4]{0} dynamic-update-slice(a, u, i)\n"), true},
      {fusion_of(twice + "  ROOT n = f32[4]{0} negate(d)\n"), true},
      {fusion_of(twice + "  ROOT e = f32[4]{0} dynamic-update-slice(d, u, i)\n"), false},  // through two bitcasts
      {entry_text(p + "  s = ((f32[4]{0}), f32[4]{0}, s32[]) negate-start(p)\n  ROOT d = f32[4]{0} negate-done(s)\n"),
       false},
  };
  const xla_rules before(20240101);
  for (const auto& row : table) {
    CAPTURE(row.text);
    const facts_of newest(row.text), old(row.text, before);
    CHECK(newest.ranges.sets().hold_by(xla_rules()));
    CHECK(newest.ranges.sets().hold_by(before) == row.hold);
    CHECK(newest.ranges.sets().by(before).size() == old.ranges.sets().size());
    CHECK(newest.ranges.sets().by(before).links() == old.ranges.sets().links());
    CHECK(old.ranges.sets().hold_by(xla_rules()) == row.hold);
    if (row.hold) CHECK(newest.sets() == old.sets());
  }
}

TEST_CASE("alias_sets: values of asynchronous operations hold by rules that differ about others") {
  const std::string start =
      p + "  s = ((f32[4]{0}), f32[4]{0}, s32[]) negate-start(p)\n  d = f32[4]{0} negate-done(s)\n";
  const std::string ragged =
      "  i = s64[2]{0} constant({0, 2})\n"
      "  ROOT r = f32[4]{0} ragged-all-to-all(d, p, i, i, i, i), replica_groups={{0,1}}\n";
  const xla_rules before(20241125), after(20250616);
  const facts_of plain(entry_text(start + "  ROOT n = f32[4]{0} negate(d)\n"), after);
  CHECK(plain.ranges.flow().holds_by(before));
  CHECK_FALSE(plain.ranges.flow().holds_by(xla_rules()));
  CHECK(plain.ranges.sets().hold_by(before));
  const facts_of merged(entry_text(start + ragged), after), apart(entry_text(start + ragged), before);
  CHECK_FALSE(merged.ranges.sets().hold_by(before));
  CHECK(merged.ranges.sets().by(before).size() == apart.ranges.sets().size());
  CHECK(merged.ranges.sets().size() < apart.ranges.sets().size());
}

TEST_CASE("may_merge_values: true wherever a set has two values, false for programs of plain operations") {
  const std::string zero = "  %s = s32[] constant(0)\n";
  const merge_row rows[] = {
      {"", "  ROOT %n = f32[8]{0} negate(%p)\n", false},
      {"", "  %b = f32[8]{0} bitcast(%p)\n  ROOT %t = (f32[8]{0}, f32[8]{0}) tuple(%b, %p)\n", false},
      {"", "  ROOT %c = f32[8]{0} custom-call(%p), custom_call_target=\"x\"\n", false},
      {"", "  ROOT %f = f32[8]{0} fusion(%p), kind=kLoop, calls=%plain\n", false},
      {"", "  ROOT %c = f32[8]{0} collective-permute(%p), source_target_pairs={{0,1}}\n", false},
      {", input_output_alias={ {}: (0, {}, may-alias) }", "  ROOT %n = f32[8]{0} negate(%p)\n", true},
      {"", zero + "  ROOT %d = f32[8]{0} dynamic-update-slice(%p, %p, %s)\n", true},
      {"", "  ROOT %f = f32[8]{0} fusion(%p), kind=kLoop, calls=%in_place\n", true},
      {"",
       "  ROOT %c = f32[8]{0} custom-call(%p), custom_call_target=\"x\", output_to_operand_aliasing={{}: (0, {})}\n",
       true},
      {"", "  ROOT %w = f32[8]{0} while(%p), condition=%always, body=%plain\n", true},
  };
  for (const merge_row& r : rows) {
    CAPTURE(r.instructions);
    const hlo_module module =
        module_of("HloModule m" + r.attributes +
                  "\n\n%plain {\n  %q = f32[8]{0} parameter(0)\n  ROOT %e = f32[8]{0} exponential(%q)\n}\n\n" +
                  (r.instructions.find("in_place") == std::string::npos
                       ? ""
                       : "%in_place {\n  %x = f32[8]{0} parameter(0)\n  %i = s32[] constant(0)\n  %u = f32[2]{0} "
                         "constant({1, 2})\n"
                         "  ROOT %y = f32[8]{0} dynamic-update-slice(%x, %u, %i)\n}\n\n") +
                  "%always {\n  %z = f32[8]{0} parameter(0)\n  ROOT %k = pred[] constant(true)\n}\n\nENTRY %main {\n"
                  "  %p = f32[8]{0} parameter(0)\n" +
                  r.instructions + "}\n");
    CHECK(may_merge_values(module) == r.merges);
    if (!may_merge_values(module)) CHECK(!merges_any(alias_sets(module)));
    if (r.merges) CHECK(merges_any(alias_sets(module)));
  }
}
