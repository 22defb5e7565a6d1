#include <hlolint/analysis/time/estimated_work.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("work is estimated from shapes") {
  const hlo_module module = module_of(R"(HloModule m

%fused (fp: f32[64,32], fq: f32[32,16]) -> f32[64,16] {
  %fp = f32[64,32]{1,0} parameter(0)
  %fq = f32[32,16]{1,0} parameter(1)
  %fd = f32[64,16]{1,0} dot(%fp, %fq), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %fn = f32[64,16]{1,0} negate(%fd)
}

%body (bp: f32[64,32]) -> f32[64,32] {
  %bp = f32[64,32]{1,0} parameter(0)
  ROOT %bn = f32[64,32]{1,0} negate(%bp)
}

%condition (cp: f32[64,32]) -> pred[] {
  %cp = f32[64,32]{1,0} parameter(0)
  ROOT %go = pred[] constant(true)
}

ENTRY %main {
  %p = f32[64,32]{1,0} parameter(0)
  %q = f32[32,16]{1,0} parameter(1)
  %f = f32[64,16]{1,0} fusion(%p, %q), kind=kOutput, calls=%fused
  %g = (f32[64,16]{1,0}, s8[1024]{0}) custom-call(%p, %q), custom_call_target="__cublas$gemm"
  %w = f32[64,32]{1,0} while(%p), condition=%condition, body=%body, backend_config={"known_trip_count":{"n":"10"}}
  %image = f32[1,8,8,4]{3,2,1,0} parameter(2)
  %kernel = f32[3,3,4,16]{3,2,1,0} parameter(3)
  %c = f32[1,8,8,16]{3,2,1,0} convolution(%image, %kernel), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  ROOT %b = f32[2048]{0} bitcast(%p)
}
)");
  const work_estimates estimates(module);
  const auto of = [&](const char* name) { return estimates.of(instruction_of(module, name)); };
  const double product = 2.0 * 64 * 32 * 16;
  CHECK(of("fd") == work_estimate{product, 4.0 * (64 * 32 + 32 * 16 + 64 * 16)});
  CHECK(of("f") == work_estimate{product + 64 * 16, 4.0 * (64 * 32 + 32 * 16 + 64 * 16)});
  CHECK(of("g").flops == doctest::Approx(product));
  CHECK(of("w") == work_estimate{10.0 * 64 * 32, 10.0 * 2 * 4 * 64 * 32});
  CHECK(of("c").flops == 2.0 * 8 * 8 * 16 * 3 * 3 * 4);
  CHECK(of("b") == work_estimate{});
}

TEST_CASE("of an operand that is only sliced, the slice counts") {
  const hlo_module module = module_of(R"(HloModule m

%sliced (sp: f32[8,1024], si: s32[]) -> f32[1,1024] {
  %sp = f32[8,1024]{1,0} parameter(0)
  %si = s32[] parameter(1)
  %z = s32[] constant(0)
  ROOT %sd = f32[1,1024]{1,0} dynamic-slice(%sp, %si, %z), dynamic_slice_sizes={1,1024}
}

ENTRY %main {
  %p = f32[8,1024]{1,0} parameter(0)
  %i = s32[] parameter(1)
  %z = s32[] constant(0)
  %f = f32[1,1024]{1,0} fusion(%p, %i), kind=kLoop, calls=%sliced
  ROOT %d = f32[1,1024]{1,0} dynamic-slice(%p, %i, %z), dynamic_slice_sizes={1,1024}
}
)");
  const work_estimates estimates(module);
  CHECK(estimates.of(instruction_of(module, "d")).bytes == 2 * 4096);
  CHECK(estimates.of(instruction_of(module, "f")).bytes == 2 * 4096 + 4);
}
