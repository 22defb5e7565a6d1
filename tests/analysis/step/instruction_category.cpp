#include <hlolint/analysis/step/instruction_category.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("categories of work: fusions by what is in them, all else by opcode") {
  const hlo_module module = module_of(R"(HloModule m

%adds {
  %a = f32[8]{0} parameter(0)
  ROOT %an = f32[8]{0} negate(%a)
}

%moves {
  %b = f32[8]{0} parameter(0)
  ROOT %bn = f32[8]{0} reverse(%b), dimensions={0}
}

%multiplies {
  %c = f32[8]{0} parameter(0)
  ROOT %cn = f32[] dot(%c, %c), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}

%outer {
  %d = f32[8]{0} parameter(0)
  ROOT %dn = f32[] fusion(%d), kind=kLoop, calls=%multiplies
}

%convolves {
  %e = f32[1,8,2]{2,1,0} parameter(0)
  %k = f32[2,2,3]{2,1,0} parameter(1)
  ROOT %en = f32[1,7,3]{2,1,0} convolution(%e, %k), window={size=2}, dim_labels=b0f_0io->b0f
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %q = f32[1,8,2]{2,1,0} parameter(1)
  %r = f32[2,2,3]{2,1,0} parameter(2)
  %loop = f32[8]{0} fusion(%p), kind=kLoop, calls=%adds
  %input = f32[8]{0} fusion(%p), kind=kInput, calls=%adds
  %format = f32[8]{0} fusion(%p), kind=kLoop, calls=%moves
  %product = f32[] fusion(%p), kind=kOutput, calls=%outer
  %filter = f32[1,7,3]{2,1,0} fusion(%q, %r), kind=kOutput, calls=%convolves
  %dot = f32[] dot(%p, %p), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  %call = f32[8]{0} custom-call(%p), custom_call_target="x"
  %copy = f32[8]{0} copy(%p)
  %cut = f32[4]{0} slice(%p), slice={[0:4]}
  %neg = f32[8]{0} negate(%p)
  ROOT %many = f32[8]{0} iota(), iota_dimension=0
}
)");
  const auto of = [&](const char* name) { return category_of(instruction_of(module, name)); };
  CHECK(of("loop") == "loop fusion");
  CHECK(of("input") == "input fusion");
  CHECK(of("format") == "data formatting");
  CHECK(of("product") == "matmul fusion");
  CHECK(of("filter") == "convolution fusion");
  CHECK(of("dot") == "matmul");
  CHECK(of("call") == "custom call");
  CHECK(of("copy") == "copy");
  CHECK(of("cut") == "data formatting");
  CHECK(of("neg") == "non-fusion elementwise");
  CHECK(of("many") == "iota");
}

TEST_CASE("categories of transfers") {
  exposed_transfer t;
  t.time.kind = hlo_opcode::all_reduce, t.time.path = transfer_path::fast;
  CHECK(category_of(t) == "all-reduce");
  t.time.kind = hlo_opcode::copy;
  CHECK(category_of(t) == "asynchronous copy");
  t.time.path = transfer_path::host;
  CHECK(category_of(t) == "host transfer");
  t.computes = true;
  CHECK(category_of(t) == "async computation");
}
