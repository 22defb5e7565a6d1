// May a value take over the storage of an operand (buffer_dumps.md 5.3)?
#include "analysis/facts_of.hpp"

#include <hlolint/analysis/values/may_share.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

struct row {
  std::string what, instructions, first, second;
  sharing_rule elsewhere, on_gpu;
  std::string computations{};
};

const std::string p = "  p = f32[4]{0} parameter(0)\n  q = f32[4]{0} parameter(1)\n  a = f32[4]{0} abs(p)\n";
constexpr sharing_rule no = sharing_rule::forbidden;

// A fusion `u` of `a` and `q` with this body of `x` and `y`.
row fusion_of(std::string what, std::string kind, std::string body, sharing_rule elsewhere, sharing_rule on_gpu,
              std::string result = "f32[4]{0}", std::string second = "u") {
  return {std::move(what),
          p + "  ROOT u = " + result + " fusion(a, q), kind=" + kind + ", calls=c\n",
          "a",
          std::move(second),
          elsewhere,
          on_gpu,
          "\nc {\n  x = f32[4]{0} parameter(0)\n  y = f32[4]{0} parameter(1)\n" + body + "}\n"};
}

void check(const row& r) {
  CAPTURE(r.what);
  const facts_of facts(entry_text(r.instructions, r.computations));
  const may_share sharing(facts.ranges.sets());
  CHECK(name_of(sharing.rule(facts.value(r.first), facts.value(r.second), target::cpu)) == name_of(r.elsewhere));
  CHECK(name_of(sharing.rule(facts.value(r.first), facts.value(r.second), target::gpu)) == name_of(r.on_gpu));
}

}  // namespace

TEST_CASE("single instructions") {
  using enum sharing_rule;
  const std::string index = "  z = s32[] parameter(2)\n  s = f32[1]{0} parameter(3)\n";
  const row rows[] = {
      {"elementwise", p + "  ROOT u = f32[4]{0} negate(a)\n", "a", "u", elementwise, elementwise},
      {"elementwise, the second operand", p + "  ROOT u = f32[4]{0} subtract(q, a)\n", "a", "u", elementwise,
       elementwise},
      {"a constant is no one's to overwrite",
       "  k = f32[4]{0} constant({1, 2, 3, 4})\n  ROOT u = f32[4]{0} negate(k)\n", "k", "u", no, no},
      {"a copy copies", p + "  ROOT u = f32[4]{0} copy(a)\n", "a", "u", no, no},
      {"another shape", p + "  ROOT u = pred[4]{0} compare(a, q), direction=LT\n", "a", "u", no, no},
      {"another layout", p + "  b = f32[2,2]{1,0} reshape(a)\n  ROOT u = f32[2,2]{0,1} negate(b)\n", "b", "u", no, no},
      {"a layout left out is row-major", p + "  b = f32[2,2] reshape(a)\n  ROOT u = f32[2,2]{1,0} negate(b)\n", "b",
       "u", elementwise, elementwise},
      {"not elementwise", p + "  ROOT u = f32[4]{0} reverse(a), dimensions={0}\n", "a", "u", no, no},
      {"not an operand", p + "  b = f32[4]{0} negate(a)\n  ROOT u = f32[4]{0} negate(b)\n", "a", "u", no, no},
      {"by way of a bitcast", p + "  b = f32[2,2]{1,0} bitcast(a)\n  ROOT u = f32[2,2]{1,0} negate(b)\n", "a", "u",
       elementwise, elementwise},
      {"dynamic-update-slice", p + index + "  ROOT u = f32[4]{0} dynamic-update-slice(a, s, z)\n", "a", "u",
       in_place_pair, in_place_pair},
      {"dynamic-update-slice of itself", p + index + "  ROOT u = f32[4]{0} dynamic-update-slice(q, a, z)\n", "a", "u",
       no, no},
      {"triangular-solve",
       "  m = f32[4,4]{1,0} parameter(0)\n  b = f32[4,4]{1,0} abs(m)\n"
       "  ROOT u = f32[4,4]{1,0} triangular-solve(m, b), left_side=true, lower=true, unit_diagonal=false, "
       "transpose_a=NO_TRANSPOSE\n",
       "b", "u", sole_operand, sole_operand},
      {"all-reduce", p + "  ROOT u = f32[4]{0} all-reduce(a), replica_groups={}, to_apply=add\n", "a", "u", no,
       gpu_collective, "\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT w = f32[] add(x, y)\n}\n"},
      {"custom-call", p + "  ROOT u = f32[4]{0} custom-call(a), custom_call_target=\"x\"\n", "a", "u", no, no},
      {"an annotated custom-call",
       p + "  ROOT u = f32[4]{0} custom-call(a), custom_call_target=\"x\", output_to_operand_aliasing={{}: (0, {})}\n",
       "a", "u", in_place_pair, in_place_pair},
      {"cuBLASLt",
       p + "  ROOT u = (f32[4]{0}, s8[8]{0}) custom-call(p, q, a), custom_call_target=\"__cublas$lt$matmul\", "
           "backend_config={\"gemm_backend_config\":{\"beta\":1}}\n",
       "a", "u{0}", no, gpu_library},
      {"cuBLASLt without bias",
       p + "  ROOT u = (f32[4]{0}, s8[8]{0}) custom-call(p, q, a), custom_call_target=\"__cublas$lt$matmul\", "
           "backend_config={\"gemm_backend_config\":{\"beta\":0}}\n",
       "a", "u{0}", no, no},
      {"sort", p + "  b = f32[4]{0} negate(a)\n  ROOT u = f32[4]{0} sort(b), dimensions={0}, to_apply=less\n", "b", "u",
       sole_operand, sole_operand,
       "\nless {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT l = pred[] compare(x, y), "
       "direction=LT\n}\n"},
      {"sort of what another one reads",
       p + "  u = f32[4]{0} sort(a), dimensions={0}, to_apply=less\n  ROOT v = f32[4]{0} negate(a)\n", "a", "u", no, no,
       "\nless {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT l = pred[] compare(x, y), "
       "direction=LT\n}\n"},
  };
  for (const row& r : rows) check(r);
}

TEST_CASE("fusions") {
  using enum sharing_rule;
  const row rows[] = {
      fusion_of("elementwise uses", "kLoop", "  n = f32[4]{0} negate(x)\n  ROOT r = f32[4]{0} add(n, y)\n", fused_uses,
                gpu_fusion),
      fusion_of("a use that is not", "kLoop",
                "  v = f32[4]{0} reverse(x), dimensions={0}\n  ROOT r = f32[4]{0} add(v, x)\n", no, no),
      fusion_of(
          "a use behind an elementwise one", "kLoop",
          "  n = f32[4]{0} negate(x)\n  v = f32[4]{0} reverse(n), dimensions={0}\n  ROOT r = f32[4]{0} add(v, x)\n", no,
          no),
      fusion_of("what the other operand goes through", "kLoop",
                "  v = f32[4]{0} reverse(y), dimensions={0}\n  ROOT r = f32[4]{0} add(v, x)\n", fused_uses, gpu_fusion),
      fusion_of("a bitcast", "kLoop", "  v = f32[4]{0} bitcast(x)\n  ROOT r = f32[4]{0} add(v, y)\n", no, gpu_fusion),
      fusion_of("another shape of as many elements", "kLoop",
                "  v = f32[2,2]{1,0} bitcast(x)\n"
                "  ROOT r = f32[2,2]{1,0} negate(v)\n",
                no, gpu_fusion, "f32[2,2]{1,0}"),
      fusion_of("fewer elements", "kLoop", "  ROOT r = f32[2]{0} slice(x), slice={[0:2]}\n", no, no, "f32[2]{0}"),
      fusion_of("an output that it does not reach", "kLoop",
                "  n = f32[4]{0} negate(x)\n  m = f32[4]{0} negate(y)\n  ROOT r = (f32[4]{0}, f32[4]{0}) tuple(n, m)\n",
                fused_uses, no, "(f32[4]{0}, f32[4]{0})", "u{1}"),
      fusion_of("one that it does", "kLoop",
                "  n = f32[4]{0} negate(x)\n  m = f32[4]{0} negate(y)\n  ROOT r = (f32[4]{0}, f32[4]{0}) tuple(n, m)\n",
                fused_uses, gpu_fusion, "(f32[4]{0}, f32[4]{0})", "u{0}"),
      fusion_of("of no kind that is known", "kCustom", "  ROOT r = f32[4]{0} add(x, y)\n", no, gpu_fusion),
      fusion_of("of a library of the CPU", "kCustom, backend_config={\"fusion_config\":{\"kind\":\"__ynn_fusion\"}}",
                "  ROOT r = f32[4]{0} add(x, y)\n", elementwise, gpu_fusion),
      fusion_of("the bias of an output fusion", "kOutput",
                "  k = f32[4]{0} dot(y, y), lhs_batch_dims={0}, lhs_contracting_dims={}, rhs_batch_dims={0}, "
                "rhs_contracting_dims={}\n  ROOT r = f32[4]{0} "
                "add(k, x)\n",
                fused_bias, gpu_fusion),
      fusion_of("not the bias", "kOutput",
                "  k = f32[4]{0} dot(x, y), lhs_batch_dims={0}, lhs_contracting_dims={}, rhs_batch_dims={0}, "
                "rhs_contracting_dims={}\n  ROOT r = f32[4]{0} "
                "add(k, x)\n",
                no, no),
  };
  for (const row& r : rows) check(r);
  row nested = fusion_of("a loop fusion in it", "kLoop",
                         "  g = f32[4]{0} fusion(x), kind=kLoop, calls=inner\n"
                         "  ROOT r = f32[4]{0} add(g, y)\n",
                         fused_uses, gpu_fusion);
  const std::string before = nested.computations;
  nested.computations = "\ninner {\n  ix = f32[4]{0} parameter(0)\n  ROOT in = f32[4]{0} negate(ix)\n}\n" + before;
  check(nested);
  nested.computations =
      "\ninner {\n  ix = f32[4]{0} parameter(0)\n  ROOT in = f32[4]{0} reverse(ix), dimensions={0}\n}\n" + before;
  nested.elsewhere = nested.on_gpu = no;
  check(nested);
}

TEST_CASE("a slice of what the fusion updates at the same place") {
  using enum sharing_rule;
  for (const std::string start : {"i", "j"})
    check({"",
           "  p = f32[4]{0} parameter(0)\n  z = s32[] parameter(1)\n  y = s32[] parameter(2)\n"
           "  a = f32[4]{0} abs(p)\n  ROOT u = f32[4]{0} fusion(a, z, y), kind=kCustom, calls=c\n",
           "a", "u", in_place_pair, in_place_pair,
           "\nc {\n  x = f32[4]{0} parameter(0)\n  i = s32[] parameter(1)\n  j = s32[] parameter(2)\n  s = f32[2]{0} "
           "dynamic-slice(x, " +
               start +
               "), dynamic_slice_sizes={2}\n  n = f32[2]{0} negate(s)\n  ROOT d = f32[4]{0} dynamic-update-slice(x, n, "
               "i)\n}\n"});
}

TEST_CASE("who reads whom") {
  const facts_of facts(entry_text(p + "  t = (f32[4]{0}) tuple(a)\n  g = f32[4]{0} get-tuple-element(t), index=0\n"
                                      "  u = f32[4]{0} negate(g)\n  ROOT v = f32[4]{0} negate(u)\n"));
  const may_share sharing(facts.ranges.sets());
  CHECK(sharing.reads(facts.value("u"), facts.value("a")));
  CHECK(!sharing.reads(facts.value("v"), facts.value("a")));
  CHECK(!sharing.reads(facts.value("a"), facts.value("u")));
}
