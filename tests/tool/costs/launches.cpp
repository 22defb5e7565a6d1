#include <hlolint/tool/costs/launches.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("launches: what starting kernels takes, and the kernels that run shorter") {
  const std::string lines = "%m" + timed_matmul +
                            "%s = f32[8]{0} slice(%a), slice={[0:8]}\n%n = f32[8]{0} negate(%s)\n"
                            "ROOT %r = (bf16[8192,8192]{1,0}, f32[8]{0}) tuple(%m, %n)\n";
  const timed t = time_of("ENTRY %e {\n" + timed_inputs + lines + "}\n", find_device("h100-sxm").value());
  const launches found(t.module, *t.time);
  CHECK(found.kernels == 3);
  CHECK(found.start_seconds == nearly(3 * 2e-6 + 3e-6));  // a product takes more
  CHECK(found.short_kernels == 2);
  CHECK(found.short_seconds == nearly(4e-6).epsilon(0.01));
  CHECK(found.busiest.name() == "e");
}

TEST_CASE("launches: a product that works for less than it takes to start is a launch; a TPU has none") {
  const std::string small =
      "ENTRY %e {\n%w = bf16[16,16]{1,0} parameter(0)\n"
      "ROOT %m = bf16[16,16]{1,0} dot(%w, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n";
  const timed t = time_of(small, find_device("h100-sxm").value());
  CHECK(t.time->work().of(instruction_of(t.module, "m")).bound == work_bound::launch);
  CHECK(launches(t.module, *t.time).short_kernels == 1);
  const timed on_tpu = time_of(small, find_device("tpu-v5e").value());
  CHECK(launches(on_tpu.module, *on_tpu.time).kernels == 0);
}

TEST_CASE("launches: a kernel of an asynchronous computation starts beside the others") {
  const timed t = time_of(
      "%other {\n%q = f32[8]{0} parameter(0)\nROOT %n = f32[8]{0} negate(%q)\n}\n\n"
      "ENTRY %e {\n%p = f32[8]{0} parameter(0)\n%s = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(%p), calls=%other\n"
      "%d = f32[8]{0} async-done(%s)\nROOT %c = f32[8]{0} cosine(%d)\n}\n",
      find_device("h100-sxm").value());
  CHECK(launches(t.module, *t.time).kernels == 1);
}
