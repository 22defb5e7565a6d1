#include <hlolint/analysis/time/arithmetic_work.hpp>

#include "analysis/work_of_text.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("arithmetic by opcode: what is weighted, multiplied by windows, or not counted") {
  const hlo_module module = module_of(R"(HloModule m

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

ENTRY %e {
  %p = f32[64,32]{1,0} parameter(0)
  %z = f32[] constant(0)
  %i = s32[4,1]{1,0} parameter(1)
  %u = f32[4,32]{1,0} parameter(2)
  %m = f32[64,64]{1,0} parameter(3)
  %tanh = f32[64,32]{1,0} tanh(%p)
  %less = pred[64,32]{1,0} compare(%p, %p), direction=LT
  %copy = f32[64,32]{0,1} copy(%p)
  %turn = f32[32,64]{1,0} transpose(%p), dimensions={1,0}
  %rows = f32[64]{0} reduce(%p, %z), dimensions={1}, to_apply=%sum
  %pool = f32[32,16]{1,0} reduce-window(%p, %z), window={size=2x2 stride=2x2}, to_apply=%sum
  %put = f32[64,32]{1,0} scatter(%p, %i, %u), update_window_dims={1}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%sum
  %root = f32[64,64]{1,0} cholesky(%m), lower=true
  ROOT %product = f32[32,32]{1,0} dot(%p, %p), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}
)");
  const device d = find_device("h100-sxm").value();
  const auto of = [&](const char* name) { return arithmetic_of(d, instruction_of(module, name)); };
  CHECK(of("tanh").vector_ops == 10 * 64 * 32);
  CHECK(of("less").vector_ops == 64 * 32);
  CHECK(of("copy") == work{});
  CHECK(of("turn") == work{});
  CHECK(of("rows").vector_ops == 64 * 32);
  CHECK(of("pool").vector_ops == 32 * 16 * 4);
  CHECK(of("put").vector_ops == 4 * 32);
  CHECK(of("root").flops == nearly(64.0 * 64 * 64 / 3));
  CHECK(of("root").unknown);
  CHECK(of("product").flops == 2.0 * 32 * 32 * 64);
  CHECK(of("product").type == element_type::f32);
  CHECK(of("product").bytes() == 0);
}
