#include <hlolint/checks/aliasing/donation_defeated.hpp>

#include "checks/paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr byte_count size = 32_MiB;
// Positions: p 0, c 1, n 2, s 3, t 4.
std::string module_text(const std::string& header, const std::string& second = "copy(%p)",
                        const std::string& third = "negate(%p)") {
  const std::string big = "f32[8192,1024]{1,0}";
  return "HloModule m, is_scheduled=true" + header + "\n\nENTRY %main {\n  %p = " + big +
         " parameter(0)\n  %c = " + big + " " + second + "\n  %n = " + big + " " + third +
         "\n  %s = f32[] custom-call(%c), custom_call_target=\"f\"\n  ROOT %t = (" + big +
         ", f32[]) tuple(%n, %s)\n}\n";
}
const std::string donated = ", input_output_alias={ {0}: (0, {}, may-alias) }";
const std::vector<allocation_rows> buffers{{", parameter 0, shape |f32[8192,1024]| at ShapeIndex {}, maybe-live-out",
                                            {{"p", 0, size, 0, 2, {1, 2}}, {"n", 0, size, 2, 5, {}}}},
                                           {", preallocated-temp", {{"c", 0, size, 1, 3, {3}}}}};

}  // namespace

TEST_CASE("ALI006 catches") {
  CHECK(
      paired_outcome(donation_defeated{}, module_text(donated), buffers) ==
      texts{
          "warning: c: parameter 0 at index {} is donated to output {0}, but copied into temporary memory (32.00MiB)"});
  CHECK(paired_outcome(donation_defeated{}, module_text(donated, "sine(%p)", "copy(%c)"), buffers) ==
        texts{"warning: n: output {0} is aliased to parameter 0 at index {}, but made in temporary memory and copied "
              "over (32.00MiB)"});
  const hlo_module module = module_of(module_text(donated));
  const findings found = lint(donation_defeated{}, context(module, paired_dump(module, buffers)));
  REQUIRE(found.size() == 1);
  CHECK(found[0].bytes == size);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "s");
}

TEST_CASE("ALI006 does not catch") {
  CHECK(paired_outcome(donation_defeated{}, module_text(""), buffers).empty());
  CHECK(paired_outcome(donation_defeated{}, module_text(donated, "sine(%p)"), buffers).empty());  // no copy
  CHECK(paired_outcome(donation_defeated{.min_bytes = 64_MiB}, module_text(donated), buffers).empty());
}
