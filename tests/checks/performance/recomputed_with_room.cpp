#include <hlolint/checks/performance/recomputed_with_room.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/text/number_text.hpp>

#include "all_settings.hpp"
#include "analysis/checkpointed.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_on(byte_count memory, const std::string& evidence = "", const recomputed_with_room& check = {}) {
  context::parts parts;
  parts.hlo = module_of(checkpointed_text());
  parts.target = target::gpu;
  parts.device = find_device("h100-sxm").value();
  parts.device->memory_size = memory, parts.device->memory_share = 1;
  parts.device_evidence = evidence;
  const auto list = as_catalogue(check);
  return lint(list, context(std::move(parts)), all_settings(list));
}

}  // namespace

TEST_CASE("PRF018 catches what is computed again beside free memory") {
  const findings found = lint_on(80_GiB);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].message.find("of h100-sxm stay free: one result, 256.00MiB, could be kept") != std::string::npos);
  // Its impact is what the message promises: less what writing and reading the result takes.
  REQUIRE(found[0].impact);
  const std::string saves = "which saves ~" + estimate_text(found[0].impact->amount);
  CHECK_MESSAGE(found[0].message.find(saves) != std::string::npos, found[0].message);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].message.find("for 256.00MiB: tanh at model.py:8, 8 x bf16[4096,4096]") !=
        std::string::npos);
  CHECK(found[0].advice.find("save_only_these_names(\"kept\")") != std::string::npos);
  const findings guessed = lint_on(80_GiB, "the name of the file");
  REQUIRE(guessed.size() == 1);
  CHECK(guessed[0].level == severity::note);
}

TEST_CASE("PRF018 does not catch") {
  SUBCASE("a device whose memory the program needs") { CHECK(lint_on(300_MiB).empty()); }
  SUBCASE("a small part of the step") {
    recomputed_with_room check;
    check.min_percent = 90;
    CHECK(lint_on(80_GiB, "", check).empty());
  }
  SUBCASE("little that would be saved") {
    recomputed_with_room check;
    check.min_saved_percent = 90;
    CHECK(lint_on(80_GiB, "", check).empty());
  }
}
