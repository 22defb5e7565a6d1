// The steps of XLA's buffer assigner, each with a module that it decides (assignment.md).
#include "analysis/module_of.hpp"

#include <hlolint/analysis/assignment/buffer_assignment.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// `sizes 256 768; 0: p; 1: v w{1}@256`: the allocations, and the values in each with their offsets.
std::string text_of(const buffer_assignment& made, const buffer_plan& plan) {
  std::string out = "sizes";
  for (const planned_allocation& a : plan.allocations) out += " " + std::to_string(a.size);
  for (std::uint32_t a = 0; a < plan.allocations.size(); ++a) {
    out += "; " + std::to_string(a) + ":";
    for (std::size_t v = 0; v < plan.values.size(); ++v) {
      if (plan.values[v].allocation != a) continue;
      const hlo_value& value = made.flow().values()[v];
      const hlo_instruction i = made.flow().instruction(value);
      out += " " + std::string(i.name());
      if (made.flow().tables().places.is_tuple(i.id(), 0)) out += to_string(made.flow().index(value.defined));
      if (plan.values[v].offset != 0) out += "@" + std::to_string(plan.values[v].offset);
    }
  }
  return out;
}

assignment_rules plain_rules() {
  assignment_rules out = assignment_rules::of(target::unknown);
  out.alignment = 256;
  return out;
}
std::string assigned(std::string_view text, const assignment_rules& rules = plain_rules()) {
  const hlo_module module = module_of(text);
  const buffer_assignment made(module, rules);
  return text_of(made, made.plan());
}

}  // namespace

TEST_CASE("a temporary table of pointers has a slot of its own beside the heap") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[192]{0} parameter(0)
  v0 = f32[192]{0} custom-call(p0), custom_call_target="k"
  t1 = (f32[256]{0}, f32[128]{0}) custom-call(p0), custom_call_target="k2"
  v1 = f32[256]{0} get-tuple-element(t1), index=0
  w1 = f32[128]{0} get-tuple-element(t1), index=1
  ROOT r = (f32[128]{0}, f32[192]{0}) tuple(w1, v0)
}
)") ==
        "sizes 768 768 512 16 1280; "
        "0: v0; "
        "1: p0; "
        "2: t1{1}; "
        "3: r{}; "
        "4: t1{} t1{0}@256");
}

TEST_CASE("a value takes the place of a result until that is made") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[64]{0} parameter(0)
  v0 = f32[64]{0} copy(p0)
  v1 = f32[64]{0} negate(v0)
  ROOT r = f32[64]{0} custom-call(p0), custom_call_target="k"
}
)") ==
        "sizes 256 256; "
        "0: v0 v1 r; "
        "1: p0");
}

TEST_CASE("the allocation of an operand is tried first") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true, input_output_alias={ {2}: (0, {}, may-alias) }

ENTRY e {
  p0 = f32[256]{0} parameter(0)
  p1 = f32[256]{0} parameter(1)
  v0 = f32[256]{0} negate(p0)
  v1 = f32[256]{0} negate(p1)
  v2 = f32[256]{0} negate(v1)
  v3 = f32[256]{0} copy(p1)
  ROOT r = (f32[256]{0}, f32[256]{0}, f32[256]{0}) tuple(p1, v1, v2)
}
)") ==
        "sizes 1024 1024 1024 24 1024; "
        "0: p0 v0 v2; "
        "1: p1; "
        "2: v1; "
        "3: r{}; "
        "4: v3");
}

TEST_CASE("of existing allocations the last one made is tried first") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[256]{0} parameter(0)
  v0 = f32[256]{0} negate(p0)
  v1 = f32[256]{0} copy(p0)
  v2 = f32[256]{0} negate(v0)
  v3 = f32[256]{0} negate(v0)
  ROOT r = (f32[256]{0}, f32[256]{0}) tuple(v2, v3)
}
)") ==
        "sizes 1024 1024 1024 16 1024; "
        "0: v2; "
        "1: v1 v3; "
        "2: p0; "
        "3: r{}; "
        "4: v0");
}

TEST_CASE("a value and what takes its bytes are one piece of the heap") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[64]{0} parameter(0)
  v0 = f32[192]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[192]{0} negate(v0)
  ROOT r = f32[64]{0} custom-call(p0), custom_call_target="k"
}
)") ==
        "sizes 256 256 768; "
        "0: r; "
        "1: p0; "
        "2: v0 v1");
}

TEST_CASE("the heap counts events, not positions of the schedule") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[1024]{0} parameter(0)
  v0 = f32[192]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[192]{0} negate(v0)
  v2 = f32[192]{0} negate(v0)
  v3 = f32[1024]{0} custom-call(p0), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  v4 = f32[1024]{0} bitcast(p0)
  v5 = f32[192]{0} copy(v0)
  v6 = f32[192]{0} negate(v5)
  v7 = f32[256]{0} custom-call(v2), custom_call_target="k"
  ROOT r = (f32[192]{0}, f32[1024]{0}) tuple(v1, v4)
}
)") ==
        "sizes 4096 768 16 2304; "
        "0: p0 v3; "
        "1: v1; "
        "2: r{}; "
        "3: v0@1536 v5@768 v6@768 v2 v7@768");
}

TEST_CASE("of values that end together the first to begin is freed first") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[512]{0} parameter(0)
  p1 = f32[64]{0} parameter(1)
  v0 = f32[512]{0} negate(p0)
  v1 = f32[512]{0} negate(p0)
  v2 = f32[192]{0} custom-call(v1, v0), custom_call_target="k"
  ROOT r = (f32[64]{0}, f32[192]{0}) tuple(p1, v2)
}
)") ==
        "sizes 2048 768 256 16 4096; "
        "0: p0; "
        "1: v2; "
        "2: p1; "
        "3: r{}; "
        "4: v1 v0@2048");
}

TEST_CASE("of equal sizes the first value of a piece decides, not all of it") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[192]{0} parameter(0)
  p1 = f32[64]{0} parameter(1)
  v0 = f32[64]{0} copy(p1)
  v1 = f32[192]{0} negate(p0)
  v2 = f32[192]{0} bitcast(p0)
  v3 = f32[128]{0} custom-call(v0), custom_call_target="k"
  v4 = f32[192]{0} custom-call(v1), custom_call_target="k"
  t5 = (f32[256]{0}, f32[64]{0}) custom-call(v4), custom_call_target="k2"
  v5 = f32[256]{0} get-tuple-element(t5), index=0
  w5 = f32[64]{0} get-tuple-element(t5), index=1
  v6 = f32[256]{0} copy(v5)
  v7 = f32[256]{0} negate(v6)
  ROOT r = (f32[64]{0}, f32[192]{0}) tuple(w5, p0)
}
)") ==
        "sizes 768 256 256 16 2304; "
        "0: p0; "
        "1: v0 t5{1}; "
        "2: p1; "
        "3: r{}; "
        "4: v3@1024 v1@256 v4@1280 t5{} t5{0}@256 v6@1280 v7@1280");
}

TEST_CASE("the smallest gap that fits is taken") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (1, {}, may-alias) }

ENTRY e {
  p0 = f32[512]{0} parameter(0)
  p1 = f32[192]{0} parameter(1)
  v0 = f32[1024]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[512]{0} negate(p0)
  v2 = f32[128]{0} custom-call(v0, p0), custom_call_target="k"
  v3 = f32[512]{0} negate(p0)
  v4 = f32[192]{0} custom-call(p1), custom_call_target="k"
  v5 = f32[192]{0} negate(p1)
  v6 = f32[128]{0} copy(v2)
  v7 = f32[512]{0} custom-call(v4, v2), custom_call_target="k"
  ROOT r = (f32[192]{0}, f32[512]{0}, f32[512]{0}) tuple(v5, v3, p0)
}
)") ==
        "sizes 2048 2048 768 24 4608; "
        "0: p0; "
        "1: v1 v3; "
        "2: p1 v5; "
        "3: r{}; "
        "4: v0 v2@4096 v6@2816 v4@2048 v7");
}

TEST_CASE("the longest first is taken where that is smaller") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[1024]{0} parameter(0)
  v0 = f32[192]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[192]{0} negate(v0)
  v2 = f32[192]{0} negate(v0)
  v3 = f32[1024]{0} custom-call(p0), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  v4 = f32[1024]{0} bitcast(p0)
  v5 = f32[192]{0} copy(v0)
  v6 = f32[192]{0} negate(v5)
  v7 = f32[256]{0} custom-call(v2), custom_call_target="k"
  ROOT r = (f32[192]{0}, f32[1024]{0}) tuple(v1, v4)
}
)") ==
        "sizes 4096 768 16 2304; "
        "0: p0 v3; "
        "1: v1; "
        "2: r{}; "
        "3: v0@1536 v5@768 v6@768 v2 v7@768");
}

TEST_CASE("the largest first") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[256]{0} parameter(0)
  p1 = f32[128]{0} parameter(1)
  v0 = f32[192]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[1024]{0} custom-call(p0), custom_call_target="k"
  v2 = f32[1024]{0} custom-call(v0), custom_call_target="k"
  v3 = f32[256]{0} custom-call(p1, v2), custom_call_target="k"
  ROOT r = f32[128]{0} custom-call(p1), custom_call_target="k"
}
)") ==
        "sizes 1024 512 512 5120; "
        "0: p0; "
        "1: r; "
        "2: p1; "
        "3: v1 v0@4096 v2 v3@4096");
}

TEST_CASE("until August 2026 only the last position of a value may be taken over") {
  assignment_rules rules = plain_rules();
  const std::string_view text = R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[256]{0} parameter(0)
  p1 = f32[256]{0} parameter(1)
  v0 = f32[256]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[256]{0} bitcast(v0)
  v2 = f32[256]{0} negate(v0)
  ROOT r = (f32[256]{0}, f32[256]{0}, f32[256]{0}) tuple(p1, p0, v2)
}
)";
  CHECK(assigned(text, rules) ==
        "sizes 1024 1024 1024 24; "
        "0: p0; "
        "1: p1; "
        "2: v0 v2; "
        "3: r{}");
  rules.only_last_position = true;
  CHECK(assigned(text, rules) ==
        "sizes 1024 1024 1024 24 1024; "
        "0: p0; "
        "1: p1; "
        "2: v2; "
        "3: r{}; "
        "4: v0");
}

TEST_CASE("temporary tables trade places with what follows them") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY e {
  p0 = f32[256]{0} parameter(0)
  z = f32[] constant(0)
  t1 = (f32[128]{0}, f32[64]{0}, f32[64]{0}) custom-call(p0), custom_call_target="k3"
  v1 = f32[128]{0} get-tuple-element(t1), index=0
  t2 = (f32[256]{0}, f32[64]{0}) custom-call(v1), custom_call_target="k2"
  v2 = f32[256]{0} get-tuple-element(t2), index=0
  ROOT r = f32[] reduce(v2, z), dimensions={0}, to_apply=sum
}
)") ==
        "sizes 1024 4 4 4 4 4 2072; "
        "0: p0; "
        "1: c; "
        "2: b; "
        "3: r; "
        "4: z; "
        "5: a; "
        "6: t1{}@2048 t1{0}@1024 t1{1} t1{2}@256 t2{}@1792 t2{0} t2{1}@1536");
}

TEST_CASE("a result takes an existing allocation only of its own size") {
  // The parameter is given away for a result that is not there, so that its bytes are free at the end.
  const parsed_file file = parse(
      std::string(R"(HloModule m, is_scheduled=true, input_output_alias={ {1}: (0, {}, may-alias) }

ENTRY e {
  p0 = f32[256]{0} parameter(0)
  v0 = f32[64]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[64]{0} custom-call(v0), custom_call_target="k"
  ROOT r = (f32[64]{0}) tuple(v1)
}
)"));
  REQUIRE(file.modules().size() == 1);
  const buffer_assignment made(file.modules()[0], plain_rules());
  CHECK(text_of(made, made.plan()) ==
        "sizes 1024 256 8 256; "
        "0: p0; "
        "1: v1; "
        "2: r{}; "
        "3: v0");
}

TEST_CASE("of equal sets the one whose slot comes first goes first") {
  // t{0} is moved to the slot of p, x and y, which has more values when w joins them: t{1} comes before it.
  CHECK(assigned(R"(HloModule m, is_scheduled=true, input_output_alias={ {1}: (0, {}, may-alias) }

ENTRY e {
  p = f32[64]{0} parameter(0)
  q = f32[64]{0} parameter(1)
  t = (f32[64]{0}, f32[64]{0}) custom-call(q), custom_call_target="k"
  v = f32[64]{0} get-tuple-element(t), index=0
  z = f32[64]{0} get-tuple-element(t), index=1
  x = f32[64]{0} custom-call(p), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  y = f32[64]{0} custom-call(x), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  w = f32[64]{0} custom-call(v, y), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  ROOT r = (f32[64]{0}, f32[64]{0}) tuple(z, w)
}
)") ==
        "sizes 256 256 256 16 16; "
        "0: t{1}; "
        "1: t{0} p x y w; "
        "2: q; "
        "3: r{}; "
        "4: t{}");
}

TEST_CASE("of equal sizes the first in post order goes first") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }

ENTRY e {
  p0 = f32[64]{0} parameter(0)
  v0 = f32[64]{0} negate(p0)
  v1 = f32[64]{0} custom-call(v0, p0), custom_call_target="k"
  v2 = f32[64]{0} copy(p0)
  v3 = f32[64]{0} custom-call(v2), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  ROOT r = (f32[64]{0}, f32[64]{0}, f32[64]{0}) tuple(v3, v0, p0)
}
)") ==
        "sizes 256 256 24 256; "
        "0: p0 v2 v3; "
        "1: v0; "
        "2: r{}; "
        "3: v1");
}

TEST_CASE("between the values of a set its bytes are free") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

left {
  a = f32[64]{0} parameter(0)
  ROOT b = f32[64]{0} custom-call(a), custom_call_target="k"
}

right {
  c = f32[64]{0} parameter(0)
  d = f32[64]{0} custom-call(c), custom_call_target="k"
  f = f32[1]{0} custom-call(d), custom_call_target="k"
  ROOT g = f32[64]{0} custom-call(f), custom_call_target="k"
}

ENTRY e {
  p = f32[64]{0} parameter(0)
  q = pred[] parameter(1)
  h = f32[64]{0} conditional(q, p, p), true_computation=left, false_computation=right
  ROOT r = f32[1]{0} custom-call(h), custom_call_target="k"
}
)") ==
        "sizes 256 4 1 256; "
        "0: p; "
        "1: f r; "
        "2: q; "
        "3: b d g h");
}

TEST_CASE("of two orders that need the same the largest first is taken") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[128]{0} parameter(0)
  v0 = f32[128]{0} negate(p0)
  v1 = f32[192]{0} custom-call(v0), custom_call_target="k"
  ROOT r = f32[128]{0} custom-call(v0), custom_call_target="k"
}
)") ==
        "sizes 512 512 1280; "
        "0: r; "
        "1: p0; "
        "2: v0@768 v1");
}

TEST_CASE("a GPU fusion of several outputs takes no bytes that another output reads in another order") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

body {
  a = f32[64,64]{1,0} parameter(0)
  b = f32[64,64]{1,0} parameter(1)
  n = f32[64,64]{1,0} negate(a)
  t = f32[64,64]{1,0} transpose(b), dimensions={1,0}
  s = f32[64,64]{1,0} add(n, t)
  ROOT o = (f32[64,64]{1,0}, f32[64,64]{1,0}) tuple(n, s)
}

ENTRY e {
  p = f32[64,64]{1,0} parameter(0)
  v = f32[64,64]{1,0} custom-call(p), custom_call_target="k"
  f = (f32[64,64]{1,0}, f32[64,64]{1,0}) fusion(v, p), kind=kInput, calls=body
  g = f32[64,64]{1,0} get-tuple-element(f), index=0
  h = f32[64,64]{1,0} get-tuple-element(f), index=1
  ROOT r = f32[] custom-call(g, h), custom_call_target="k"
}
)",
                 assignment_rules::of(target::gpu, 20250501)) ==
        "sizes 16384 4 49280; "
        "0: p; "
        "1: r; "
        "2: v@128 f{} f{0}@16512 f{1}@32896");
}

TEST_CASE("a plan below a limit is the plan, or none") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

ENTRY e {
  p = f32[64]{0} parameter(0)
  a = f32[64]{0} custom-call(p), custom_call_target="a"
  b = f32[128]{0} custom-call(a), custom_call_target="b"
  ROOT r = f32[64]{0} custom-call(b, a), custom_call_target="c"
}
)");
  const buffer_assignment made(module, plain_rules());
  const buffer_plan whole = made.plan();
  REQUIRE(whole.temporaries == 768);
  const buffer_plan below = made.plan_below(769);
  CHECK(below.total == whole.total);
  CHECK(text_of(made, below) == text_of(made, whole));
  CHECK(made.plan_below(768).total == std::numeric_limits<byte_count>::max());
  CHECK(made.plan_below(1).total == std::numeric_limits<byte_count>::max());
}

TEST_CASE("each memory space has a heap of its own") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p = f32[64]{0} parameter(0)
  a = f32[64]{0:S(1)} custom-call(p), custom_call_target="a"
  b = f32[64]{0} custom-call(a), custom_call_target="b"
  ROOT r = f32[64]{0} custom-call(b, a), custom_call_target="c"
}
)") == "sizes 256 256 256 256; 0: r; 1: p; 2: b; 3: a");
}
