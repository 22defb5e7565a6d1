#include <hlolint/tool/report/time/time_curve.hpp>

#include "analysis/checkpointed.hpp"
#include "analysis/timed.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::testing;

TEST_CASE("time_curve: what could be kept, the program as it is, and what needs less") {
  const hlo_module module = module_of(checkpointed_text());
  const exposed_time time(module, round_device());
  const recomputation again(module, time);
  REQUIRE(again.keeps().size() == 1);
  advise::schedule_advice advice;
  advice.need = 1_GiB, advice.after = 896_MiB;
  advice.step = 0.010, advice.step_after = 0.0101;
  advice.trades.push_back({0.1, 512_MiB, 0.001, 1, 0});
  const std::vector<curve_point> curve = time_curve_of(advice, again, 1_GiB + 1);
  REQUIRE(curve.size() == 4);
  CHECK(curve[0].by == curve_step::keep);
  CHECK(curve[0].bytes == 1_GiB + 256_MiB + 32_MiB);  // one more while the loop stacks them
  CHECK(curve[0].seconds == doctest::Approx(0.010 - again.keeps()[0].seconds));
  CHECK_FALSE(curve[0].fits);
  CHECK(curve[1].by == curve_step::present);
  CHECK(curve[2].by == curve_step::edits);
  CHECK(curve[2].seconds == 0.0101);
  CHECK(curve[3].by == curve_step::trade);
  CHECK(curve[3].bytes == 512_MiB);
  std::ostringstream out;
  write_curve_table(out, curve, 100);
  CHECK(out.str().find("(too much)  keep tanh at model.py:8, 8 x bf16[4096,4096]") != std::string::npos);
  CHECK(out.str().find("at most 1.28GiB") != std::string::npos);
  CHECK(out.str().find("10.00  =           the program as it is") != std::string::npos);
  advice.in_fast_memory = 64_MiB;
  CHECK(time_curve_of(advice, again, 0)[0].bytes == 1_GiB + 256_MiB + 32_MiB + 64_MiB);
  CHECK(time_curve_of(advice, again, 0)[1].bytes == 1_GiB);
  advice.after = advice.need, advice.trades.clear();
  CHECK(time_curve_of(advice,
                      recomputation(module_of("HloModule m, is_scheduled=true\n\nENTRY %e {\n  ROOT %p = f32[8]{0} "
                                              "parameter(0)\n}\n"),
                                    time),
                      0)
            .empty());
}
