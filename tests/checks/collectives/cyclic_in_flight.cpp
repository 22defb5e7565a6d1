#include <hlolint/checks/collectives/cyclic_in_flight.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// Two all-reduces over the given groups; `together`: the second starts before the first is done.
/// `in_kernel`: as kernels of their own, which XLA's GPU compiler makes of small ones.
findings lint_groups(const std::string& first, const std::string& second, bool together = true,
                     target backend = target::gpu, bool in_kernel = false) {
  const auto start = [](const std::string& name, const std::string& channel, const std::string& groups) {
    return "  %" + name + " = f32[8]{0} all-reduce-start(%p), channel_id=" + channel + ", replica_groups=" + groups +
           ", use_global_device_ids=true, to_apply=%add\n";
  };
  const auto body = [](const std::string& name, const std::string& channel, const std::string& groups) {
    return "%" + name +
           " (q: f32[8]) -> f32[8] {\n  %q = f32[8]{0} parameter(0)\n  ROOT %r = f32[8]{0} all-reduce(%q), " +
           "channel_id=" + channel + ", replica_groups=" + groups +
           ", use_global_device_ids=true, to_apply=%add\n}\n\n";
  };
  std::string a = start("a", "1", first), b = start("b", "2", second), bodies;
  std::string done = "all-reduce-done";
  if (in_kernel) {
    bodies = body("fused_b", "2", second);
    b = "  %b = ((f32[8]{0}), f32[8]{0}) fusion-start(%p), kind=kCustom, calls=%fused_b\n";
    done = "fusion-done";
  }
  const std::string a_done = "  %ad = f32[8]{0} all-reduce-done(%a)\n";
  return lint(
      cyclic_in_flight{},
      context({.hlo = module_of(
                   "HloModule m, is_scheduled=true, num_partitions=4\n\n%add (x: f32[], y: f32[]) -> f32[] {\n"
                   "  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %sum = f32[] add(%x, %y)\n}\n\n" +
                   bodies + "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n" + a +
                   (together ? b + a_done : a_done + b) + "  ROOT %bd = f32[8]{0} " + done + "(%b)\n}\n"),
               .target = backend}));
}

}  // namespace

TEST_CASE("COL005 catches") {
  const findings found = lint_groups("{{0,1,2,3}}", "{{0,1},{2,3}}");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "b");
  CHECK(found[0].message.find(
            "all-reduce of 32B starts while a is in flight, and they share 2 devices between a group of 4 and one "
            "of 2 (position 2 of 5 in main)") == 0);
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[0].instruction == "a");
  CHECK(found[0].related[1].instruction == "ad");
}

TEST_CASE("COL005 does not catch") {
  CHECK(lint_groups("{{0,1},{2,3}}", "{{0,1},{2,3}}").empty());
  CHECK(lint_groups("{{0,1},{2,3}}", "{{3,2},{1,0}}").empty());  // the same sets
  CHECK(lint_groups("{{0,1},{2,3}}", "{{0,2},{1,3}}").empty());  // one device in common
  CHECK(lint_groups("{{0,1,2,3}}", "{{0,1},{2,3}}", false).empty());
  CHECK(lint_groups("{{0,1,2,3}}", "{{0,1},{2,3}}", true, target::gpu, true).empty());
  CHECK(lint_groups("{{0,1,2,3}}", "{{0,1},{2,3}}", true, target::tpu).empty());
  CHECK(lint_groups("{{0,1,2,3}}", "{{0,1},{2,3}}", true, target::unknown).skipped.size() == 1);
}
