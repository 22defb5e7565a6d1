// Arguments whose memory a result could take; the reported need is that of the text with the alias.
#include "advise/fixtures.hpp"

#include <hlolint/advise/schedule_advice.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr byte_count whole = 1048576 * 4;

// A program with a result `next` of the argument's shape: `made` is its definition, `more` the lines after it.
std::string step(std::string_view made, std::string_view more = "", std::string_view header = "") {
  return "HloModule m, is_scheduled=true" + std::string(header) +
         "\n\nENTRY %main {\n"
         "  %p = f32[1048576]{0} parameter(0), metadata={op_name=\"state\"}\n"
         "  %q = f32[1024]{0} parameter(1)\n"
         "  %small = f32[1024]{0} slice(%p), slice={[0:1024]}\n"
         "  %next = f32[1048576]{0} " +
         std::string(made) + "\n" + std::string(more) +
         "  ROOT %r = (f32[1048576]{0}, f32[1024]{0}) tuple(%next, %small)\n}\n";
}
std::optional<advise::donation_advice> found_in(const std::string& text, bool looked_for = true) {
  advise::advice_options how = on_gpu();
  how.donations = looked_for;
  return advise::advise_memory(module_of(text), how).donation;
}
const std::string made = "custom-call(%small), custom_call_target=\"__cublas$gemm\"";

}  // namespace

TEST_CASE("a result that begins after the argument was read could lie in it") {
  const auto found = found_in(step(made));
  REQUIRE(found);
  REQUIRE(found->arguments.size() == 1);
  const advise::donated_argument& one = found->arguments[0];
  CHECK(one.parameter == 0);
  CHECK(to_string(one.index) == "{}");
  CHECK(to_string(one.output) == "{0}");
  CHECK(one.source == "state");
  CHECK(one.shape == "f32[1048576]{0}");
  CHECK(one.bytes == whole);
  CHECK(found->need_after == found->need_before - whole);
  CHECK(found->text.find("input_output_alias={ {0}: (0, {}, may-alias) }") != std::string::npos);
  const hlo_module given = module_of(found->text);
  CHECK(advise::need_of(buffer_assignment(given, on_gpu().rules).plan()) == found->need_after);
  CHECK_FALSE(found_in(found->text));  // no more
  CHECK_FALSE(found_in(step(made), false));
}

TEST_CASE("what reads the argument last may make the result only if it can do so in place") {
  CHECK(found_in(step("negate(%p)")));
  CHECK_FALSE(found_in(step("custom-call(%p), custom_call_target=\"__cublas$gemm\"")));
}

TEST_CASE("an argument that is read once the result is there keeps its bytes") {
  CHECK_FALSE(found_in(step(made, "  %late = f32[1024]{0} custom-call(%p), custom_call_target=\"writes_a_file\"\n")));
}

TEST_CASE("an alias that is there stays, and its result is taken") {
  const auto both = found_in(step(made, "", ", input_output_alias={ {1}: (1, {}, may-alias) }"));
  REQUIRE(both);
  CHECK(both->text.find("input_output_alias={ {1}: (1, {}, may-alias), {0}: (0, {}, may-alias) }") !=
        std::string::npos);
  CHECK_FALSE(found_in(step(made, "", ", input_output_alias={ {0}: (0, {}, may-alias) }")));
  CHECK_FALSE(found_in(step(made, "", ", buffer_donor={ (0, {}) }")));
}
