#include <hlolint/checks/collectives/thin_overlap_window.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_window(const std::string& inside, const thin_overlap_window& check = {}, target backend = target::gpu,
                     const std::string& end = {}, const std::optional<device>& on = {}) {
  const std::string text =
      "HloModule m, is_scheduled=true, num_partitions=2\n\n%add (a: f32[], b: f32[]) -> f32[] {\n"
      "  %a = f32[] parameter(0)\n"
      "  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\nENTRY %main {\n"
      "  %p = f32[1048576]{0} parameter(0)\n  %l = f32[1024,1024]{1,0} parameter(1)\n"
      "  %s = f32[1048576]{0} all-reduce-start(%p), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, "
      "to_apply=%add, metadata={op_name=\"psum\" source_file=\"train.py\" source_line=7}" +
      end + "\n" + inside + "  ROOT %d = f32[1048576]{0} all-reduce-done(%s)\n}\n";
  const auto list = as_catalogue(check);
  return lint(list, context({.hlo = module_of(text), .target = backend, .device = on}), all_settings(list));
}

const std::string one = "  %n = f32[1024,1024]{1,0} negate(%l)\n  %g = f32[1048576]{0} bitcast(%n)\n";
// 2 * 1024^3 operations
const std::string dot = "  %x = f32[1024,1024]{1,0} dot(%l, %l), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
const std::string two = one + "  %n2 = f32[1024,1024]{1,0} negate(%n)\n";

std::string negations(int count) {
  std::string out = one;
  for (int i = 2; i <= count; ++i)
    out += "  %n" + std::to_string(i) + " = f32[1024,1024]{1,0} negate(%" +
           (i == 2 ? "n" : "n" + std::to_string(i - 1)) + ")\n";
  return out;
}

}  // namespace

TEST_CASE("COL003 catches work that only just hides a transfer") {
  // 4 MiB to one other device, beside five times 8 MiB of memory traffic
  const std::string five = negations(5);
  const findings found = lint_window(five);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].instruction == "s");
  CHECK(found[0].message.find(
            "all-reduce of 4.00MiB is only just hidden: the work beside it is 89 % of what it takes on common "
            "devices (position 2 of 10 in main)") == 0);
  CHECK(found[0].bytes == 4_MiB);
  CHECK(found[0].source_line == 7);
  REQUIRE(found[0].related.size() == 4);
  CHECK(found[0].related[1].instruction == "n");
  // an option of old configurations
  CHECK(lint_window(five, thin_overlap_window{.max_real = 5}).size() == 1);
  CHECK(lint_window(five, thin_overlap_window{.max_real = 4}).empty());
}

TEST_CASE("COL003 tells a transfer of which a part is exposed") {
  const findings found = lint_window(negations(4));
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("all-reduce of 4.00MiB is hidden only in part: the work beside it is 72 %") == 0);
}

TEST_CASE("COL003 warns where what is not hidden takes a good share of the step") {
  const auto found_in = [](const std::string& evidence) {
    std::string work;
    for (int k = 0; k < 8; ++k)
      work +=
          "  %n" + std::to_string(k) + " = f32[16777216]{0} negate(%" + (k ? "n" + std::to_string(k - 1) : "l") + ")\n";
    const std::string text =
        "HloModule m, is_scheduled=true, num_partitions=2\n\n%add (a: f32[], b: f32[]) -> f32[] {\n"
        "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\nENTRY %main {\n"
        "  %p = f32[33554432]{0} parameter(0)\n  %l = f32[16777216]{0} parameter(1)\n"
        "  %s = f32[33554432]{0} all-reduce-start(%p), channel_id=1, replica_groups={{0,1}}, "
        "use_global_device_ids=true, to_apply=%add\n" +
        work + "  ROOT %d = f32[33554432]{0} all-reduce-done(%s)\n}\n";
    const auto list = as_catalogue(thin_overlap_window{});
    return lint(list,
                context({.hlo = module_of(text),
                         .target = target::gpu,
                         .device = find_device("h100-sxm"),
                         .device_evidence = evidence}),
                all_settings(list));
  };
  const findings found = found_in("");
  REQUIRE(found.size() == 1);
  CHECK(
      found[0].message ==
      "all-reduce of 128.00MiB is hidden only in part: it takes 560 us beside 390 us of work: 160 us of 560 us exposed "
      "(position 2 of 12 in main); nothing more in main is independent of it");
  CHECK(found[0].level == severity::warning);
  const findings guessed = found_in("as the name of the file has it");
  REQUIRE(guessed.size() == 1);
  CHECK(guessed[0].level == severity::note);
}

TEST_CASE("COL003 gives no times of what is hidden") {
  const findings found = lint_window(negations(11), {}, target::gpu, {}, find_device("h100-sxm"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("is only just hidden: it takes") != std::string::npos);
  CHECK(found[0].message.find("exposed") == std::string::npos);
}

TEST_CASE("COL003 as a roofline") {
  thin_overlap_window check;
  check.flops_per_second = 1e12;  // the dot takes 2147us
  check.bytes_per_second = 1e9;   // 4 MiB, half of them sent twice: 4194us
  const findings found = lint_window(dot + two, check);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("it takes 4.2 ms beside 2.1 ms of work") != std::string::npos);
  check.bytes_per_second = 1e10;
  CHECK(lint_window(dot + two, check).empty());
  CHECK(lint_window(one, check).size() == 1);
  check.memory_bytes_per_second = 1e9;  // 8 MiB read and written: 8389us
  CHECK(lint_window(one, check).empty());
  check.bytes_per_second = 1e9, check.memory_bytes_per_second = 0, check.min_ratio = 3;
  CHECK(lint_window(dot, check).empty());
}

TEST_CASE("COL003 does not catch") {
  CHECK(lint_window(two).empty());  // COL002's
  CHECK(lint_window("").empty());
  CHECK(lint_window("  %b = f32[1024,1024,16]{2,1,0} broadcast(%l), dimensions={0,1}\n").empty());  // hidden
  CHECK(lint_window(one, {}, target::cpu).empty());
  CHECK(
      lint_window(one, {}, target::gpu, ", backend_config={\"collective_backend_config\":{\"is_sync\":true}}").empty());
}
