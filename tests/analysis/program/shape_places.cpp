#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/ir/text/shape_text.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* places_text = R"(HloModule m

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %c = s32[] parameter(1)
  %bare = custom-call(%p), custom_call_target="f"
  %t = ((f32[8]{0}, f32[8]{0}), s32[]) parameter(2)
  %pair = (f32[8]{0}, (s32[])) parameter(3)
  ROOT %other = ((f32[8]{0}), s32[]) parameter(4)
}
)";

}  // namespace

TEST_CASE("shape_places: parts of results by number and by index, tuples before their elements") {
  const hlo_module module = module_of(places_text);
  const shape_places places(module);
  const id p = instruction_of(module, "p").id(), t = instruction_of(module, "t").id();
  CHECK(places.count(p) == 1);
  CHECK(places.count(t) == 5);  // ((a, b), c)
  CHECK(places.first(p) == 0);
  CHECK(places.first(t) == 3);
  CHECK(places.size() == 16);  // one without a shape has a place as well
  CHECK(places.is_tuple(t, 0));
  CHECK(places.is_tuple(t, 1));
  CHECK_FALSE(places.is_tuple(t, 2));
  CHECK(places.element_count(t, 1) == 2);
  CHECK(places.element_count(t, 4) == 0);
  CHECK(places.element(t, 0, 1) == 4);
  CHECK(places.element(t, 1, 1) == 3);
  CHECK(places.element(t, 0, 2) == none);
  CHECK(places.end(t, 1) == 4);
  CHECK(places.find(t, {0, 1}) == 3);
  CHECK(places.find(t, {}) == 0);
  CHECK(places.find(t, {1, 0}) == none);
  CHECK(places.part(t, 4)->type == element_type::s32);
  for (std::uint32_t n = 0; n < places.count(t); ++n) CHECK(places.find(t, places.index(t, n)) == n);
  CHECK(places.index(t, 3) == shape_index{0, 1});
  CHECK(places.first_step(t, 3) == 0);
  CHECK(places.first_step(t, 4) == 1);
  CHECK(places.first_step(t, 0) == none);
  const id bare = instruction_of(module, "bare").id();
  CHECK(places.part(bare, 0) == nullptr);
  CHECK(places.count(bare) == 1);
}

TEST_CASE("shape_places: common parts end where tuples differ in their number of elements") {
  const hlo_module module = module_of(places_text);
  const shape_places places(module);
  const auto common = [&](const char* a, std::uint32_t n, const char* b, std::uint32_t m) {
    std::string out;
    places.for_each_common(
        instruction_of(module, a).id(), n, instruction_of(module, b).id(), m,
        [&](std::uint32_t x, std::uint32_t y) { out += std::to_string(x) + "=" + std::to_string(y) + " "; });
    return out;
  };
  CHECK(common("t", 0, "t", 0) == "0=0 1=1 2=2 3=3 4=4 ");
  CHECK(common("t", 1, "pair", 0) == "1=0 2=1 3=2 ");   // an array beside a tuple: no further
  CHECK(common("t", 0, "pair", 0) == "0=0 1=1 4=2 ");   // a pair beside an array
  CHECK(common("t", 0, "other", 0) == "0=0 1=1 4=3 ");  // two elements beside one
}

namespace {

/// As XLA prints it; empty if it is not known.
std::string text_in(const hlo_module& module, const result_shapes& shapes, const char* name) {
  const shape* const s = shapes.of(instruction_of(module, name));
  return s ? to_string(*s) : std::string();
}

}  // namespace

TEST_CASE("result_shapes: those of sends, receives and their dones are XLA's, whatever is written") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %t = token[] after-all()
  %s = (f32[4]{0}, u32[], token[]) send(%p, %t), channel_id=1
  %sd = f32[4]{0} send-done(%s), channel_id=1
  %h = (f32[8]{0}, u32[]{:T(128)S(2)}, token[]) send(%p, %t), channel_id=3, is_host_transfer=true
  %r = (f32[8]{0}, f32[2]{0}) recv(%t), channel_id=2
  ROOT %rd = f32[4]{0} recv-done(%r), channel_id=2
}
)");
  const result_shapes shapes(module);
  CHECK(text_in(module, shapes, "s") == "(f32[8]{0}, u32[], token[])");
  CHECK(text_in(module, shapes, "h") == "(f32[8]{0}, u32[]{:T(128)S(2)}, token[])");
  CHECK(text_in(module, shapes, "sd") == "token[]");
  CHECK(text_in(module, shapes, "r") == "(f32[8]{0}, u32[], token[])");
  CHECK(text_in(module, shapes, "rd") == "(f32[8]{0}, token[])");
  CHECK(text_in(module, shapes, "p") == "f32[8]{0}");
}

TEST_CASE("result_shapes: what is not written follows from operands and called computations") {
  const hlo_module module = module_of(R"(HloModule m

%callee {
  %cp = f32[8]{0} parameter(0)
  ROOT %cs = f32[2]{0} slice(%cp), slice={[0:2]}
}

%sum_of {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %s = f32[] add(%x, %y)
}

%sums_of {
  %xa = f32[] parameter(0)
  %xb = f32[] parameter(1)
  %ya = f32[] parameter(2)
  %yb = f32[] parameter(3)
  %sa = f32[] add(%xa, %ya)
  %sb = f32[] add(%xb, %yb)
  ROOT %ss = (f32[], f32[]) tuple(%sa, %sb)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %q = s32[] parameter(1)
  %t = tuple(%p, %q)
  %g = get-tuple-element(%t), index=1
  %less = compare(%p, %p), direction=LT
  %sum = add(%p, %p)
  %c = call(%p), to_apply=%callee
  %f = fusion(%p), kind=kLoop, calls=%callee
  %barrier = opt-barrier(%t)
  %product = dot(%p, %p), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  %beyond = get-tuple-element(%t), index=2
  %half = slice(%p), slice={[0:4]}
  %pairs = complex(%half, %half)
  %imaginary = imag(%pairs)
  %zero = f32[] constant(0)
  %limited = clamp(%zero, %p, %zero)
  %added = reduce(%p, %zero), dimensions={0}, to_apply=%sum_of
  %both = reduce(%p, %p, %zero, %zero), dimensions={0}, to_apply=%sums_of
  %foreign = custom-call(%p), custom_call_target="f"
  ROOT %above = negate(%product)
}
)");
  const result_shapes shapes(module);
  const auto text = [&](const char* name) { return text_in(module, shapes, name); };
  CHECK(text("t") == "(f32[8]{0}, s32[])");
  CHECK(text("g") == "s32[]");
  CHECK(text("less") == "pred[8]{0}");
  CHECK(text("sum") == "f32[8]{0}");
  CHECK(text("c") == "f32[2]{0}");
  CHECK(text("f") == "f32[2]{0}");
  CHECK(text("barrier") == "(f32[8]{0}, s32[])");
  CHECK(text("product") == "f32[]");
  CHECK(text("above") == "f32[]");
  CHECK(text("half") == "f32[4]");
  CHECK(text("pairs") == "c64[4]");
  CHECK(text("imaginary") == "f32[4]");
  CHECK(text("limited") == "f32[8]{0}");
  CHECK(text("added") == "f32[]");
  for (const char* const unknown : {"beyond", "both", "foreign"}) CHECK(text(unknown).empty());
}

TEST_CASE("result_shapes: of async sugar the last op gives what its computation returns") {
  const hlo_module module = module_of(R"(HloModule m

%body {
  %b = f32[8]{0} parameter(0)
  ROOT %bn = f32[8]{0:T(256)} negate(%b)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %s = ((f32[8]{0}), f32[8]{0}, u32[]) all-gather-start(%p), replica_groups={{0,1}}, dimensions={0}
  %u = ((f32[8]{0}), (), u32[]) exponential-start(%p)
  %ud = f32[16]{0} exponential-done(%u)
  %c = ((f32[8]{0}), f32[8]{0}, u32[]) call-start(%p), to_apply=%body
  ROOT %cd = f32[8]{0} call-done(%c)
}
)");
  const result_shapes shapes(module);
  const auto wrapped = [&](const char* start) {
    return to_string(*shapes.of(instruction_of(module, start).called_computation(0).root()));
  };
  CHECK(wrapped("u") == "f32[16]{0}");
  CHECK(wrapped("c") == "f32[8]{0:T(256)}");
}

TEST_CASE("result_shapes: shapes that are not written have a limit of depth and of parts in all") {
  std::string deep = "HloModule m\n\nENTRY %e {\n  %t0 = f32[] parameter(0)\n", wide = deep;
  for (std::size_t k = 1; k <= 2 * result_shapes::most_depth; ++k)
    deep += "  %t" + std::to_string(k) + " = tuple(%t" + std::to_string(k - 1) + ")\n";
  for (int k = 1; k <= 40; ++k) {  // each has twice the parts of the one before
    const std::string before = "%t" + std::to_string(k - 1);
    wide += "  %t" + std::to_string(k) + " = tuple(" + before + ", " + before + ")\n";
  }
  const hlo_module nested = module_of(deep + "}\n"), doubled = module_of(wide + "}\n");
  const auto known = [](const hlo_module& m) {
    const result_shapes shapes(m);
    std::size_t out = 0;
    for (const hlo_instruction i : m.instructions()) out += shapes.of(i) != nullptr;
    return out;
  };
  CHECK(known(nested) == result_shapes::most_depth);
  CHECK(known(doubled) == 17);  // 2^18 parts are all that there may be, and the next tuple has 2^18 - 1
}
