// Work that is moved beside transfers, and the time that no order hides.
#include "tool/advise/fixtures.hpp"

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/tool/advise/hiding_search.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// Two transfers one after the other, then a product that is independent of both; `last` reads both, and `more`.
std::string two_transfers(const std::string& product_of = "%r") {
  const auto gather = [](const std::string& n, const std::string& from) {
    return "  %start" + n + " = (f32[4096,4096]{1,0}, f32[32768,4096]{1,0}) all-gather-start(" + from +
           "), channel_id=" + n + ", replica_groups={{0,1,2,3,4,5,6,7}}, dimensions={0}, use_global_device_ids=true\n" +
           "  %done" + n + " = f32[32768,4096]{1,0} all-gather-done(%start" + n + ")\n";
  };
  return "HloModule two, is_scheduled=true, num_partitions=8\n\nENTRY %main {\n"
         "  %p = f32[4096,4096]{1,0} parameter(0)\n  %q = f32[4096,4096]{1,0} parameter(1)\n"
         "  %r = f32[4096,4096]{1,0} parameter(2)\n" +
         gather("1", "%p") + gather("2", "%q") +
         "  %part = f32[4096,4096]{1,0} slice(%done2), slice={[0:4096], [0:4096]}\n" +
         "  %product = f32[4096,4096]{1,0} dot(" + product_of +
         ", %r), lhs_contracting_dims={1}, "
         "rhs_contracting_dims={0}\n"
         "  ROOT %last = (f32[32768,4096]{1,0}, f32[32768,4096]{1,0}, f32[4096,4096]{1,0}, f32[4096,4096]{1,0}) "
         "tuple(%done1, %done2, %product, %part)\n}\n";
}
advise::schedule_advice found_in(const std::string& text) {
  advise::advice_options how = on_gpu();
  how.on = find_device("h100-sxm");
  return advise::advise_time(module_of(text), how);
}

}  // namespace

TEST_CASE("work that neither transfer needs runs beside one of them, and no order hides more") {
  const advise::schedule_advice found = found_in(two_transfers());
  REQUIRE(found.edits.size() == 1);
  CHECK(found.edits[0].chief == "product");
  CHECK(found.exposed_after < found.exposed);
  CHECK(*found.step_after < *found.step);
  // The product could run beside either transfer, but hides only one.
  CHECK(found.least_exposed == doctest::Approx(found.exposed_after).epsilon(0.02));
}

TEST_CASE("work that needs what a transfer brings stays behind it") {
  const advise::schedule_advice found = found_in(two_transfers("%part"));
  CHECK(found.edits.empty());
  CHECK(found.least_exposed == doctest::Approx(found.exposed));
}
