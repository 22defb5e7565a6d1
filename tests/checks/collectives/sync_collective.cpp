#include <hlolint/checks/collectives/empty_overlap_window.hpp>
#include <hlolint/checks/collectives/sync_collective.hpp>

#include "checks/collectives/overlap_fixtures.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::overlap;

TEST_CASE("COL001 catches") {
  SUBCASE("a plain collective") {
    const findings found = lint_text<sync_collective>(
        entry_of("  %n = " + shape_text + " negate(%p)\n  %r = " + shape_text + " all-reduce(%n)" + attributes +
                 metadata + "\n  ROOT %x = " + shape_text + " abs(%r)\n"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == "COL001");
    CHECK(found[0].level == severity::note);  // no schedule hides it
    CHECK(found[0].instruction == "r");
    CHECK(found[0].computation == "main");
    CHECK(found[0].bytes == 4_MiB);
    CHECK(found[0].message ==
          "all-reduce of 4.00MiB is synchronous (position 2 of 4 in main); nothing in main is independent of it: a "
          "chain of "
          "dependencies");
    CHECK(found[0].source_file == "train.py");
    CHECK(found[0].source_line == 12);
    CHECK(found[0].op_name == "step/psum");
    REQUIRE(found[0].related.size() == 2);
    CHECK(found[0].related[0].instruction == "n");
    CHECK(found[0].related[1].instruction == "x");
  }
  SUBCASE("one that no schedule hides is a warning where it takes much of the step, alone or with others") {
    const auto level_after = [](int products, int transfers = 1) {
      std::string body = "  %m0 = f32[1024,1024]{1,0} bitcast(%p)\n", last = "m0";
      for (int k = 1; k <= products; ++k) {
        const std::string name = "m" + std::to_string(k);
        body += "  %" + name + " = f32[1024,1024]{1,0} dot(%" + last + ", %" + last +
                "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
        last = name;
      }
      body += "  %r0 = " + shape_text + " bitcast(%" + last + ")\n";
      for (int k = 1; k <= transfers; ++k)
        body += "  %r" + std::to_string(k) + " = " + shape_text + " all-reduce(%r" + std::to_string(k - 1) + ")" +
                attributes + "\n";
      body += "  ROOT %x = " + shape_text + " abs(%r" + std::to_string(transfers) + ")\n";
      const auto list = as_catalogue(sync_collective{.min_exposed_us = 1});
      const findings found = lint(
          list, context({.hlo = module_of(entry_of(body)), .target = target::gpu, .device = find_device("h100-sxm")}),
          all_settings(list));
      REQUIRE(found.size() == static_cast<std::size_t>(transfers));
      CHECK(found[0].message.find("a chain of dependencies") != std::string::npos);
      return found[0].level;
    };
    CHECK(level_after(1) == severity::warning);
    CHECK(level_after(40) == severity::note);
    CHECK(level_after(40, 5) == severity::warning);
    CHECK(level_after(400, 5) == severity::note);  // too little together
  }
  SUBCASE("one beside work that could hide it: a warning") {
    const std::string body = "  %w = " + shape_text + " sine(%p)\n  %n = " + shape_text +
                             " negate(%p)\n  %r = " + shape_text + " all-reduce(%n)" + attributes +
                             "\n  ROOT %x = " + shape_text + " add(%r, %w)\n";
    const findings found = lint_text<sync_collective>(entry_of(body));
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.find("a chain of") == std::string::npos);
    CHECK(found[0].level == severity::warning);
  }
  SUBCASE("a pair that XLA marked, once and with its reason") {
    const std::string text = entry_of(start + is_sync + "\n" + done);
    const findings found = lint_text<sync_collective>(text);
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "s");
    CHECK(found[0].message.find("is_sync=true") != std::string::npos);
    CHECK(found[0].related[0].instruction == "d");
    CHECK(lint_text<empty_overlap_window>(text).empty());
  }
  SUBCASE("a pair that a kernel of XLA's own moves, which is not marked") {
    const findings found = lint_text<sync_collective>(
        entry_of(start +
                 ", backend_config={\"collective_backend_config\":{\"is_sync\":false,\"kernel_strategy\":"
                 "\"KERNEL_STRATEGY_ONE_SHOT\"}}\n" +
                 done));
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.find("is_sync") == std::string::npos);
    CHECK(found[0].message.find("a kernel of XLA's own moves it") != std::string::npos);
  }
  SUBCASE("an all-to-all in an async-start that XLA marked") {
    const findings found = lint_text<sync_collective>(
        entry_of("  %s = ((f32[1048576]{0}), f32[1048576]{0}) async-start(%p), calls=%exchange" + is_sync +
                 "\n  ROOT %d = f32[1048576]{0} async-done(%s)\n"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == "COL001");
    CHECK(found[0].instruction == "s");
    CHECK(found[0].message.find("all-to-all") != std::string::npos);
  }
  SUBCASE("one that was asynchronous, on TPU and elsewhere") {
    const std::string text = entry_of("  ROOT %r = " + shape_text + " all-reduce(%p)" + attributes +
                                      ", frontend_attributes={async_collective_name=\"all-reduce-start\"}\n");
    for (const target backend : {target::tpu, target::gpu}) {
      const findings found = lint_text<sync_collective>(text, backend);
      REQUIRE(found.size() == 1);
      CHECK(found[0].message.find("async_collective_name=\"all-reduce-start\"") != std::string::npos);
    }
  }
  SUBCASE("transfers take nearly all of a step, which only without matrix products does nothing else") {
    const auto advice = [](const std::string& product) {
      const findings found = lint_text<sync_collective>(entry_of(
          "  %c = f32[] constant(1)\n  %m = f32[64,64]{1,0} broadcast(%c), dimensions={}\n  %d = f32[64,64]{1,0} " +
          product + "\n  %r = " + shape_text + " all-reduce(%p)" + attributes + "\n  ROOT %x = (" + shape_text +
          ", f32[64,64]{1,0}) tuple(%r, %d)\n"));
      REQUIRE(found.size() == 1);
      return found[0].advice;
    };
    const std::string moves = "The module only moves data";
    CHECK(advice("copy(%m)").starts_with(moves));
    CHECK_FALSE(advice("dot(%m, %m), lhs_contracting_dims={1}, rhs_contracting_dims={0}").starts_with(moves));
    CHECK_FALSE(advice("custom-call(%m), custom_call_target=\"__cublas$gemm\"").starts_with(moves));
    CHECK(advice("custom-call(%m), custom_call_target=\"Sharding\"").starts_with(moves));
  }
  SUBCASE("an all-gather of what is only returned") {
    const auto advice = [](const std::string& readers) {
      const std::string whole = "f32[2097152]{0}";
      const findings found = lint_text<sync_collective>(entry_of(
          "  %c = f32[64,64]{1,0} constant({...})\n  %d = f32[64,64]{1,0} dot(%c, %c), lhs_contracting_dims={1}, "
          "rhs_contracting_dims={0}\n  %n = " +
          shape_text + " negate(%p)\n  %r = " + whole + " all-gather(%n), replica_groups={{0,1}}, dimensions={0}\n" +
          readers));
      REQUIRE(found.size() == 1);
      return found[0].advice;
    };
    const std::string returned = "What arrives is only a result of the program";
    CHECK(advice("  %y = f32[2097152]{0} copy(%r)\n  ROOT %x = (f32[2097152]{0}, f32[64,64]{1,0}) tuple(%y, %d)\n")
              .starts_with(returned));
    CHECK_FALSE(advice("  ROOT %x = f32[2097152]{0} negate(%r)\n").starts_with(returned));
    CHECK_FALSE(
        advice("  %y = f32[2097152]{0} negate(%r)\n  ROOT %x = (f32[2097152]{0}, f32[2097152]{0}) tuple(%y, %r)\n")
            .starts_with(returned));
  }
  SUBCASE("one in a while body") {
    const std::string loop =
        "HloModule m, is_scheduled=true, replica_count=2\n\n%add (a: f32[], b: f32[]) -> f32[] {\n"
        "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
        "%body (bp: f32[1048576]) -> f32[1048576] {\n  %bp = f32[1048576]{0} parameter(0)\n"
        "  ROOT %r = f32[1048576]{0} all-reduce(%bp), replica_groups={}, to_apply=%add\n}\n\n"
        "%condition (cp: f32[1048576]) -> pred[] {\n  %cp = f32[1048576]{0} parameter(0)\n"
        "  ROOT %t = pred[] constant(true)\n}\n\n"
        "ENTRY %main {\n  %p = f32[1048576]{0} parameter(0)\n"
        "  ROOT %w = f32[1048576]{0} while(%p), condition=%condition, body=%body\n}\n";
    const findings found = lint_text<sync_collective>(loop);
    REQUIRE(found.size() == 1);
    CHECK(found[0].computation == "body");
    CHECK(found[0].instruction == "r");
  }
}

TEST_CASE("COL001 does not catch") {
  const std::string plain = entry_of("  ROOT %r = " + shape_text + " all-reduce(%p)" + attributes + "\n");
  CHECK(lint_text<sync_collective>(plain, target::cpu).empty());
  // Without a target it may be a CPU's: it is not checked, and named as such.
  const findings of_unknown = lint_text<sync_collective>(plain, target::unknown);
  CHECK(of_unknown.empty());
  REQUIRE(of_unknown.skipped.size() == 1);
  CHECK(of_unknown.skipped[0].rule == "COL001");
  // not scheduled
  const findings unscheduled = lint_text<sync_collective>(
      entry_of("  ROOT %r = " + shape_text + " all-reduce(%p)" + attributes + "\n", "num_partitions=2"));
  CHECK(unscheduled.empty());
  CHECK(unscheduled.skipped.size() == 1);
  // small
  CHECK(lint_text(plain, target::gpu, sync_collective{.min_bytes = 5_MiB}).empty());
  // groups of one device, a permutation onto itself
  CHECK(lint_text<sync_collective>(entry_of("  ROOT %r = " + shape_text +
                                            " all-reduce(%p), channel_id=1, "
                                            "replica_groups={{0},{1}}, use_global_device_ids=true, to_apply=%add\n"))
            .empty());
  CHECK(lint_text<sync_collective>(entry_of("  ROOT %r = " + shape_text +
                                            " collective-permute(%p), channel_id=1, "
                                            "source_target_pairs={{0,0},{1,1}}\n"))
            .empty());
  // wrapped and asynchronous
  CHECK(lint_text<sync_collective>(
            entry_of("  %s = ((f32[1048576]{0}), f32[1048576]{0}) async-start(%p), calls=%exchange\n"
                     "  ROOT %d = f32[1048576]{0} async-done(%s)\n"))
            .empty());
  CHECK(lint_text<sync_collective>(entry_of(start + "\n" + done)).empty());
}

TEST_CASE("COL001: small transfers that take a good share of the step together") {
  const auto step = [](std::string_view trips, std::string_view products) {
    const std::string block = "f32[2048,2048]{1,0}";
    std::string work = "  %m0 = " + block + " bitcast(%p)\n";
    for (int k = 0; k < std::stoi(std::string(products)); ++k)
      work += "  %m" + std::to_string(k + 1) + " = " + block + " dot(%m" + std::to_string(k) +
              ", %p2), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
    const std::string text =
        "HloModule m, is_scheduled=true, num_partitions=4\n\n"
        "%body (bp: (f32[128], f32[128])) -> (f32[128], f32[128]) {\n"
        "  %bp = (f32[128]{0}, f32[128]{0}) parameter(0)\n"
        "  %x = f32[128]{0} get-tuple-element(%bp), index=0\n  %y = f32[128]{0} get-tuple-element(%bp), index=1\n"
        "  %left = f32[128]{0} collective-permute(%x), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3}}\n"
        "  %right = f32[128]{0} collective-permute(%left), channel_id=2, source_target_pairs={{1,0},{2,1},{3,2}}\n"
        "  ROOT %t = (f32[128]{0}, f32[128]{0}) tuple(%left, %right)\n}\n\n"
        "%condition (cp: (f32[128], f32[128])) -> pred[] {\n  %cp = (f32[128]{0}, f32[128]{0}) parameter(0)\n"
        "  ROOT %go = pred[] constant(true)\n}\n\n"
        "ENTRY %main {\n  %p = f32[4194304]{0} parameter(0)\n  %p2 = " +
        block + " parameter(1)\n  %q = (f32[128]{0}, f32[128]{0}) parameter(2)\n" + work +
        "  ROOT %w = (f32[128]{0}, f32[128]{0}) while(%q), condition=%condition, body=%body, "
        "backend_config={\"known_trip_count\":{\"n\":\"" +
        std::string(trips) + "\"}}\n}\n";
    const auto list = as_catalogue(sync_collective{});
    return lint(list, context({.hlo = module_of(text), .target = target::gpu, .device = find_device("h100-sxm")}),
                all_settings(list));
  };
  const findings found = step("10", "2");
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "left");
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].message.starts_with(
      "collective-permute of 512B is synchronous: 40 us exposed x 10 iterations, 400 us in a step; with 1 other of its "
      "kind 800 us, "));
  CHECK(found[0].message.ends_with("nothing in body is independent of it: a chain of dependencies"));
  CHECK(found[0].advice.find("Most of its time is latency, whatever its size: send less often") != std::string::npos);
  REQUIRE(found[0].related.size() >= 1);
  CHECK(found[0].related[0].instruction == "right");
  CHECK(step("1", "0").empty());      // a step of less than 100 us
  CHECK(step("10", "1000").empty());  // less than 5 %
  const findings some = step("10", "50");
  REQUIRE(some.size() == 1);
  CHECK(some[0].level == severity::note);  // of a chain, less than 30 %
}
