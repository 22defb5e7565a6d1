#include <hlolint/analysis/values/owned_arrays.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("owned_arrays: where storage begins, apart from what is passed on or written in place") {
  const hlo_module module = module_of(R"(HloModule m

%in_place {
  %a = f32[4]{0} parameter(0)
  %u = f32[1]{0} parameter(1)
  %z = s32[] constant(0)
  %d = f32[4]{0} dynamic-update-slice(%a, %u, %z)
  %b = f32[4]{0} bitcast(%d)
  %n = f32[4]{0} negate(%a)
  ROOT %t = (f32[4]{0}, f32[4]{0}, f32[4]{0}) tuple(%b, %n, %a)
}

%body {
  ROOT %bp = f32[4]{0} parameter(0)
}

ENTRY %e {
  %p = (f32[4]{0}, (s32[], token[])) parameter(0)
  %q = f32[4]{0} parameter(1)
  %v = f32[1]{0} parameter(2)
  %neg = f32[4]{0} negate(%q)
  %tup = (f32[4]{0}, f32[4]{0}) tuple(%q, %neg)
  %cs = (f32[4]{0:S(1)}, f32[4]{0}, u32[]) copy-start(%q)
  %cd = f32[4]{0:S(1)} copy-done(%cs)
  %gs = (f32[4]{0}, f32[8]{0}) all-gather-start(%q), replica_groups={{0,1}}, dimensions={0}
  %gd = f32[8]{0} all-gather-done(%gs)
  %f = (f32[4]{0}, f32[4]{0}, f32[4]{0}) fusion(%q, %v), kind=kLoop, calls=%in_place
  %call = f32[4]{0} call(%q), to_apply=%body
  %alias = (f32[4]{0}, (f32[4]{0})) custom-call(%q), custom_call_target="x", output_to_operand_aliasing={{1}: (0, {})}
  ROOT %copy = f32[4]{0} copy(%q)
}
)");
  const auto owned = [&](const char* name) {
    std::string out;
    for_each_owned_array(instruction_of(module, name), [&](const shape_index& index, const shape& array) {
      CHECK(array.is_array());
      out += to_string(index) + " ";
    });
    return out;
  };
  CHECK(owned("p") == "{0} {1,0} ");
  CHECK(owned("bp").empty());
  CHECK(owned("neg") == "{} ");
  CHECK(owned("copy") == "{} ");
  CHECK(owned("tup").empty());
  CHECK(owned("cs") == "{0} ");
  CHECK(owned("cd").empty());
  CHECK(owned("gs") == "{1} ");
  CHECK(owned("gd").empty());
  CHECK(owned("f") == "{1} ");
  CHECK(owned("call").empty());
  CHECK(owned("alias") == "{0} ");
}
