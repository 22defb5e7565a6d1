// The steps of XLA's buffer assigner, each with a module that it decides (assignment.md).
#include <hlolint/analysis/assignment/buffer_assignment.hpp>

#include "analysis/assigned_text.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

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
)") == "sizes 768 768 512 16 1280; "
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
)") == "sizes 256 256; "
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
)") == "sizes 1024 1024 1024 24 1024; "
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
)") == "sizes 1024 1024 1024 16 1024; "
       "0: v2; "
       "1: v1 v3; "
       "2: p0; "
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
)") == "sizes 1024 4 4 4 4 4 2072; "
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
  const parsed_file file =
      parse(std::string(R"(HloModule m, is_scheduled=true, input_output_alias={ {1}: (0, {}, may-alias) }

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

TEST_CASE(
    "of libtpu the contexts of a computation share bytes, and temporary tables are laid in the order of the program") {
  const std::string_view text = R"(HloModule m, is_scheduled=true

s {
  sp = f32[64]{0} parameter(0)
  ROOT sr = f32[64]{0} custom-call(sp), custom_call_target="k"
}, execution_thread="sparsecore"

u {
  up = f32[64]{0} parameter(0)
  ROOT ur = f32[64]{0} custom-call(up), custom_call_target="k"
}, execution_thread="sparsecore"

ENTRY e {
  p = f32[64]{0} parameter(0)
  a = ((f32[64]{0}), f32[64]{0}, (s32[256]{0})) async-start(p), calls=s, async_execution_thread="sparsecore"
  b = ((f32[64]{0}), f32[64]{0}, (s32[128]{0})) async-start(p), calls=u, async_execution_thread="sparsecore"
  c = f32[64]{0} async-done(a)
  d = f32[64]{0} async-done(b)
  ROOT r = f32[64]{0} custom-call(c, d), custom_call_target="k"
}
)";
  CHECK(assigned(text, assignment_rules::of(target::tpu)) ==
        "sizes 4096 4096 135168; "
        "0: r; "
        "1: p; "
        "2: sr@114688 ur@131072 a{}@16384 a{0}@32768 a{2}@49152 a{2,0} b{}@65536 b{0}@81920 b{2}@98304 b{2,0}");
}

TEST_CASE("of older libtpu temporary values lie in results") {
  const std::string_view text = R"(HloModule m, is_scheduled=true

ENTRY e {
  p = f32[64]{0} parameter(0)
  a = f32[64]{0} custom-call(p), custom_call_target="k"
  b = f32[64]{0} custom-call(a), custom_call_target="k"
  ROOT r = f32[64]{0} custom-call(b), custom_call_target="k"
}
)";
  CHECK(assigned(text, assignment_rules::of(target::tpu)) == "sizes 4096 4096 20480; 0: r; 1: p; 2: a b@16384");
  CHECK(assigned(text, assignment_rules::of(target::tpu, 20260731)) == "sizes 4096 4096 4096; 0: a r; 1: p; 2: b");
}

TEST_CASE("aligned_plan: the plan by rules that only align in another way") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

ENTRY e {
  p = f32[100]{0} parameter(0)
  a = f32[100]{0} custom-call(p), custom_call_target="k"
  b = f32[100]{0} custom-call(a, p), custom_call_target="k"
  ROOT r = f32[10]{0} custom-call(a, b), custom_call_target="k"
}
)");
  assignment_rules rules = assignment_rules::of(target::gpu, 20250616);
  const buffer_assignment made(module, rules);
  const byte_count own = made.plan().total;
  rules.alignment = 1024;
  const buffer_plan other = buffer_assignment(module, rules).plan(), aligned = made.aligned_plan(1024);
  CHECK(aligned.total == other.total);
  CHECK(aligned.total > own);
  REQUIRE(aligned.values.size() == other.values.size());
  for (std::size_t v = 0; v < other.values.size(); ++v) CHECK(aligned.values[v].offset == other.values[v].offset);
  CHECK(made.plan().total == own);
}
