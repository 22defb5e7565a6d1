#include <hlolint/analysis/assignment/assignment_rules.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("assignment_rules: what differs between back-ends, and over the years") {
  const assignment_rules cpu = assignment_rules::of(target::cpu), gpu = assignment_rules::of(target::gpu),
                         tpu = assignment_rules::of(target::tpu), any = assignment_rules::of(target::unknown);
  CHECK(cpu.alignment == 64);
  CHECK(gpu.alignment == 256);
  CHECK(tpu.alignment == 16384);
  CHECK(any.alignment == 64);
  CHECK(assignment_rules::of(target::gpu, 20250616).alignment == 128);
  CHECK(assignment_rules::of(target::gpu, 20250617).alignment == 256);
  CHECK(cpu.sizes == size_rule::plain_dynamic);
  CHECK(tpu.sizes == size_rule::tpu_tiled);
  CHECK(any.sizes == size_rule::plain);
  CHECK(gpu.sharing == target::gpu);
  CHECK(tpu.sharing == target::tpu);
  CHECK(assignment_rules::of(target::tpu, 20260731).is_libtpu());
  CHECK_FALSE(gpu.is_libtpu());
  CHECK_FALSE(assignment_rules::of(target::tpu, 20260731).temporaries_apart);
  CHECK(tpu.temporaries_apart);  // its sharing follows the rules of the others
  CHECK(assignment_rules::of(target::cpu, 20260731).only_last_position);
  CHECK_FALSE(cpu.only_last_position);
  CHECK(assignment_rules::of(target::cpu, 20260811).values.async_update_owns_context == false);
}
