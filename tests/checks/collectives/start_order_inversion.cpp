#include <hlolint/checks/collectives/start_order_inversion.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_dones(const std::string& first_done, const std::string& second_done, const std::string& queue = "0",
                    target backend = target::gpu) {
  const auto start = [](const std::string& name, const std::string& stream) {
    return "  %" + name +
           " = f32[8]{0} all-reduce-start(%p), replica_groups={}, to_apply=%add, "
           "backend_config={\"operation_queue_id\":\"" +
           stream + "\"}\n";
  };
  const auto done = [](const std::string& name) {
    return "  %" + name + "d = f32[8]{0} all-reduce-done(%" + name + ")\n";
  };
  const auto list = as_catalogue(start_order_inversion{});
  return lint(
      list,
      context({.hlo = module_of("HloModule m, is_scheduled=true\n\n%add (x: f32[], y: f32[]) -> f32[] {\n"
                                "  %x = f32[] parameter(0)\n"
                                "  %y = f32[] parameter(1)\n  ROOT %sum = f32[] add(%x, %y)\n}\n\nENTRY %main {\n"
                                "  %p = f32[8]{0} parameter(0)\n" +
                                start("a", "0") + start("b", queue) + done(first_done) + done(second_done) +
                                "  ROOT %r = f32[8]{0} add(%ad, %bd)\n}\n"),
               .target = backend}),
      all_settings(list));
}

}  // namespace

TEST_CASE("COL018 catches") {
  const findings found = lint_dones("b", "a");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].instruction == "b");
  CHECK(found[0].message == "all-reduce of 32B starts after a and is waited for before it (position 2 of 6 in main)");
  CHECK(found[0].related[0].instruction == "a");
  CHECK(found[0].advice.find("different streams") != std::string::npos);
  const findings on_tpu = lint_dones("b", "a", "0", target::tpu);
  REQUIRE(on_tpu.size() == 1);
  CHECK(on_tpu[0].advice == "Start first what is needed first.");
}

TEST_CASE("COL018 does not catch") {
  CHECK(lint_dones("a", "b").empty());
  CHECK(lint_dones("b", "a", "1").empty());  // another stream
  CHECK(lint_dones("b", "a", "0", target::cpu).empty());
}
