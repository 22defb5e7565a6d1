#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/checks/collectives/empty_overlap_window.hpp>
#include <hlolint/checks/collectives/thin_overlap_window.hpp>

#include "checks/collectives/overlap_fixtures.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::overlap;

TEST_CASE("COL002 catches") {
  SUBCASE("nothing between") {
    const findings found = lint_text<empty_overlap_window>(entry_of(start + "\n" + done));
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == "COL002");
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].message ==
          "all-reduce of 4.00MiB is not overlapped: its done follows its start directly (position 1 of 3 in main); "
          "nothing in "
          "main is independent of it: a chain of dependencies");
    CHECK(found[0].bytes == 4_MiB);
    CHECK(found[0].source_line == 12);
    REQUIRE(found[0].related.size() == 1);
    CHECK(found[0].related[0].instruction == "d");
  }
  SUBCASE("only instructions that take no time") {
    const findings found = lint_text<empty_overlap_window>(
        entry_of(start + "\n  %b = " + shape_text + " bitcast(%p)\n  %t = (" + shape_text + ") tuple(%b)\n" + done));
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.find("the 2 instructions between start and done take no time") != std::string::npos);
  }
  SUBCASE("only other transfers") {
    const findings found =
        lint_text<empty_overlap_window>(entry_of(start + "\n  %t2 = " + shape_text +
                                                 " all-reduce-start(%p), channel_id=2, replica_groups={{0,1}}, "
                                                 "use_global_device_ids=true, to_apply=%add\n  %d2 = " +
                                                 shape_text + " all-reduce-done(%t2)\n" + done));
    // Both are waited for, one after the other: the first while the second waits in the queue.
    REQUIRE(found.size() == 2);
    CHECK(found[0].instruction == "s");
    CHECK(found[1].instruction == "t2");
    REQUIRE(found[1].related.size() == 2);
    CHECK(found[1].related[1].instruction == "s");
    CHECK(found[1].related[1].message == "waits for this transfer first");
  }
  SUBCASE("enough work, but behind another transfer of the queue") {
    std::string body = start + "\n  %t2 = " + shape_text +
                       " all-reduce-start(%p), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, "
                       "to_apply=%add\n";
    const auto dot = [](const std::string& name) {
      return "  %" + name + " = f32[1024,1024]{1,0} dot(%m, %m), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
    };
    body = "  %m = f32[1024,1024]{1,0} bitcast(%p)\n" + body;
    std::size_t shown = 0;
    for (int count = 1; count < 40; ++count) {  // some number of products hides one transfer and not two
      body += dot("d" + std::to_string(count));
      const findings found =
          lint_text<empty_overlap_window>(entry_of(body + "  %e2 = " + shape_text + " all-reduce-done(%t2)\n" + done));
      for (const diagnostic& d : found) {
        const bool enough = d.message.find("although its window is long enough") != std::string::npos;
        shown += enough;
        if (enough) CHECK(d.advice.find("start first what is needed first") != std::string::npos);
        const std::size_t percent = d.message.find(" % of what would hide it");
        if (percent != std::string::npos)
          CHECK(std::stod(d.message.substr(d.message.rfind(' ', percent - 1) + 1)) < 100);
      }
    }
    CHECK(shown > 0);
  }
  SUBCASE("half of the work that would hide two of a queue: the second waits, and is not just hidden") {
    // The second is in flight for as long as the products take, and begins when the first is done.
    std::string body = "  %m = f32[1024,1024]{1,0} bitcast(%p)\n" + start + "\n  %t2 = " + shape_text +
                       " all-reduce-start(%p), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, "
                       "to_apply=%add\n";
    std::size_t waiting = 0;
    for (int count = 1; count < 40; ++count) {
      body += "  %d" + std::to_string(count) +
              " = f32[1024,1024]{1,0} dot(%m, %m), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
      const std::string text = entry_of(body + "  %e2 = " + shape_text + " all-reduce-done(%t2)\n" + done);
      const context dump({.hlo = module_of(text), .target = target::gpu});
      const findings found = lint_text<empty_overlap_window>(text), thin = lint_text<thin_overlap_window>(text);
      const auto names = [](const findings& in, std::string_view instruction) {
        return std::any_of(in.begin(), in.end(), [&](const diagnostic& d) { return d.instruction == instruction; });
      };
      for (const exposed_transfer& t : dump.get<exposed_time>().transfers()) {
        if (t.overlap() != exposure_class::tight || t.exposed_each() <= 0.66 * t.time.seconds()) continue;
        ++waiting;
        CHECK(names(found, t.start.name()));
        CHECK_FALSE(names(thin, t.start.name()));
      }
    }
    CHECK(waiting > 0);
  }
  SUBCASE("copies, as notes") {
    const std::string text = entry_of(
        "  %s = (f32[1048576]{0:S(1)}, f32[1048576]{0}, u32[]) copy-start(%p)\n"
        "  ROOT %d = f32[1048576]{0:S(1)} copy-done(%s)\n");
    CHECK(lint(empty_overlap_window{}, context({.hlo = module_of(text), .target = target::gpu})).empty());
    const auto list = as_catalogue(empty_overlap_window{});
    const findings found = lint(list, context({.hlo = module_of(text), .target = target::gpu}), all_settings(list));
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::note);
  }
}

TEST_CASE("COL002: a little work is not enough, and other work could be there") {
  const std::string wide = "  %n = f32[1048576,64]{1,0} broadcast(%p), dimensions={0}\n";
  const findings found = lint_text<empty_overlap_window>(
      entry_of(start + "\n  %l = " + shape_text + " negate(%p)\n  %d = " + shape_text + " all-reduce-done(%s)\n" +
               wide + "  ROOT %t = (" + shape_text + ", f32[1048576,64]{1,0}) tuple(%d, %n)\n"));
  REQUIRE(found.size() == 1);
  CHECK(
      found[0].message ==
      "all-reduce of 4.00MiB is exposed: the work beside it is 18 % of what would hide it on common devices (position "
      "1 of 6 "
      "in main)");
  CHECK(found[0].level == severity::warning);
  REQUIRE(found[0].impact);
  CHECK(found[0].impact->unit == impact_unit::moved_bytes);
  CHECK(found[0].impact->amount == 4194304);
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[1].instruction == "n");
  CHECK(found[0].related[1].message == "independent of it: could run beside it");
  CHECK(found[0].advice.find("--xla_gpu_enable_latency_hiding_scheduler=true") != std::string::npos);
}

TEST_CASE("COL002 names the scheduler by its flag") {
  const hlo_module module = module_of(entry_of(start + "\n  %d = " + shape_text +
                                               " all-reduce-done(%s)\n"
                                               "  %n = f32[1048576,64]{1,0} broadcast(%p), dimensions={0}\n"
                                               "  ROOT %t = (" +
                                               shape_text + ", f32[1048576,64]{1,0}) tuple(%d, %n)\n"));
  const auto advice_with = [&](const char* flag) {
    context::parts parts;
    parts.hlo = module, parts.target = target::gpu, parts.flags = compiler_flags(source(flag));
    const auto list = as_catalogue(empty_overlap_window{});
    const findings found = lint(list, context(std::move(parts)), all_settings(list));
    REQUIRE(found.size() == 1);
    return found[0].advice;
  };
  const std::string off = advice_with("xla_gpu_enable_latency_hiding_scheduler: false"),
                    on = advice_with("xla_gpu_enable_latency_hiding_scheduler: true"), unknown = advice_with("");
  CHECK(off.find("is off (--xla_gpu_enable_latency_hiding_scheduler=false)") != std::string::npos);
  CHECK(on.find("--xla_gpu_memory_limit_slop_factor") != std::string::npos);
  CHECK(on.find("latency_hiding_scheduler=") == std::string::npos);
  CHECK(unknown.find("--xla_gpu_memory_limit_slop_factor") != std::string::npos);
  CHECK(unknown.find("off, as it is by default in older versions of XLA") != std::string::npos);
}

TEST_CASE("COL002 reads no window that has no start, or no done") {
  // A start that another done closes: time knows its end, the windows know none.
  const std::string text =
      "HloModule m, is_scheduled=true, num_partitions=2\n\nENTRY %e {\n  %p = f32[1048576]{0} parameter(0)\n"
      "  %cs = (f32[1048576]{0}, f32[1048576]{0}, u32[]) copy-start(%p)\n"
      "  %cd = f32[1048576]{0} collective-permute-done(%cs)\n"
      "  %ps = (f32[1048576]{0}, f32[1048576]{0}, u32[], u32[]) collective-permute-start(%p), "
      "source_target_pairs={{0,1},{1,0}}\n"
      "  ROOT %pd = f32[1048576]{0} collective-permute-done(%ps)\n}\n";
  const auto list = as_catalogue(empty_overlap_window{});
  const findings found = lint(list, context({.hlo = module_of(text), .target = target::tpu}), all_settings(list));
  REQUIRE(found.size() == 2);
  CHECK(found[0].instruction == "cs");
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].message == "its done");
  CHECK(found[1].instruction == "ps");
}

TEST_CASE("COL002 names other transfers inside only where they are big, and once") {
  const auto pair = [](const std::string& name, const std::string& shape) {
    return std::pair("  %begin" + name + " = " + shape + " all-reduce-start(%p" + name +
                         "), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add\n",
                     "  %end" + name + " = " + shape + " all-reduce-done(%begin" + name + ")\n");
  };
  const auto [small_start, small_done] = pair("8", "f32[64]{0}");
  const auto [big_start, big_done] = pair("9", "f32[2097152]{0}");
  const findings found = lint_text<empty_overlap_window>(
      entry_of("  %p8 = f32[64]{0} parameter(1)\n  %p9 = f32[2097152]{0} parameter(2)\n" + start + "\n" + small_start +
               big_start + done + small_done + big_done));
  REQUIRE(found.size() >= 1);
  REQUIRE(found[0].instruction == "s");
  std::size_t inside = 0;
  for (const related_place& other : found[0].related)
    if (other.message == "another transfer, inside") {
      ++inside;
      CHECK(other.instruction == "begin9");
    }
  CHECK(inside == 1);
}

TEST_CASE("COL002's advice follows how much work there is") {
  // A loop that sums 64 MiB; `work` is independent of the sum, `needs` reads it.
  const auto found_in = [](const std::string& work, const std::string& needs, bool in_loop = true) {
    const std::string carried = "(f32[16777216], f32[1048576], f32[16777216])";
    const std::string text =
        "HloModule m, is_scheduled=true, num_partitions=2\n\n%add (a: f32[], b: f32[]) -> f32[] {\n"
        "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
        "%body (bp: " +
        carried + ") -> " + carried + " {\n  %bp = " + carried +
        " parameter(0)\n"
        "  %x = f32[16777216]{0} get-tuple-element(%bp), index=0\n"
        "  %y = f32[1048576]{0} get-tuple-element(%bp), index=1\n"
        "  %v = f32[16777216]{0} get-tuple-element(%bp), index=2\n"
        "  %s = f32[16777216]{0} all-reduce-start(%x)" +
        attributes + "\n" + "  %d = f32[16777216]{0} all-reduce-done(%s)\n" + work + needs + "  ROOT %t = " + carried +
        " tuple(%e, %z, %w)\n}\n\n"
        "%condition (cp: " +
        carried + ") -> pred[] {\n  %cp = " + carried +
        " parameter(0)\n"
        "  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n  %p = " +
        carried + " parameter(0)\n  ROOT %r = " + carried +
        (in_loop ? " while(%p), condition=%condition, body=%body, "
                   "backend_config={\"known_trip_count\":{\"n\":\"8\"}}"
                 : " call(%p), to_apply=%body") +
        "\n}\n";
    const findings found =
        lint(empty_overlap_window{},
             context({.hlo = module_of(text), .target = target::gpu, .device = find_device("h100-sxm")}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "s");
    return found[0].message + "|" + found[0].advice;
  };
  const std::string little = "  %z = f32[1048576]{0} negate(%y)\n  %w = f32[16777216]{0} bitcast(%v)\n";
  const std::string much =
      "  %z = f32[1048576]{0} negate(%y)\n  %m = f32[16777216,64]{1,0} broadcast(%v), "
      "dimensions={0}\n  %part = f32[16777216,1]{1,0} slice(%m), slice={[0:16777216], [0:1]}\n  %w = f32[16777216]{0} "
      "bitcast(%part)\n";
  const std::string light = "  %e = f32[16777216]{0} bitcast(%d)\n";
  const std::string heavy =
      "  %k = f32[16777216,64]{1,0} broadcast(%d), dimensions={0}\n"
      "  %cut = f32[16777216,1]{1,0} slice(%k), slice={[0:16777216], [0:1]}\n"
      "  %e = f32[16777216]{0} bitcast(%cut)\n";
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has(found_in(much, light), "|There is independent work"));
  const std::string pipelined = found_in(little, heavy);
  CHECK(has(pipelined, "; work in body that does not depend on it could hide 1.7 % of that|"));
  CHECK(has(pipelined, "|Moving work beside it hides at most 1.7 % of what is exposed"));
  CHECK(has(pipelined, "Pipeline the loop"));
  CHECK(has(found_in(little, heavy, false), "Cut the operand into parts"));
  CHECK(has(found_in(little, light), "There is too little work to hide it at all: send narrower elements"));
}

TEST_CASE("COL002 with a device gives milliseconds") {
  context::parts parts;
  parts.hlo = module_of(entry_of(start + "\n" + done));
  parts.target = target::gpu;
  parts.device = find_device("h100-sxm");
  const auto list = as_catalogue(empty_overlap_window{.min_exposed_us = 40});
  const findings found = lint(list, context(parts));
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("its done follows its start directly: 47 us of 47 us exposed (position") !=
        std::string::npos);
  REQUIRE(found[0].impact);
  CHECK(found[0].impact->unit == impact_unit::seconds);
  CHECK(found[0].impact->amount == nearly(47.4e-6).epsilon(0.01));
  CHECK(lint(empty_overlap_window{}, context(parts)).empty());  // below 50 us
}

TEST_CASE("a module that only brings arrays to other devices is a note") {
  const std::string text = entry_of(start + "\n" + done);
  const std::string renamed = "HloModule jit__identity_fn" + text.substr(text.find(','));
  CHECK(lint(empty_overlap_window{}, context({.hlo = module_of(renamed), .target = target::gpu})).empty());
  const auto list = as_catalogue(empty_overlap_window{});
  const findings found = lint(list, context({.hlo = module_of(renamed), .target = target::gpu}), all_settings(list));
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].advice.find("out_shardings") != std::string::npos);
}

// A step that reads weights from the host's memory, as a copy or as a slice in an async computation.
TEST_CASE("COL002: waiting for the host's memory is no note, unless it takes little or is all there is") {
  const std::string here = "bf16[4096,4096]{1,0:T(8,128)(2,1)}", host = "bf16[4096,4096]{1,0:T(8,128)(2,1)S(5)}";
  const std::string many = "bf16[8,4096,4096]{2,1,0:T(8,128)(2,1)S(5)}",
                    slice = "bf16[1,4096,4096]{2,1,0:T(8,128)(2,1)}";
  const auto found_in = [](const std::string& text) {
    context::parts parts;
    parts.hlo = module_of("HloModule jit_step, is_scheduled=true\n\n" + text), parts.target = target::tpu;
    parts.device = find_device("tpu-v5e");
    const auto list = as_catalogue(empty_overlap_window{});
    return lint(list, context(std::move(parts)), all_settings(list));
  };
  const auto step = [&](const std::string& work, const std::string& read) {
    return "ENTRY %main {\n  %x = " + here + " parameter(0)\n  %w = " + host + " parameter(1)\n" + work + "  %s = (" +
           here + ", " + host + ", u32[]) copy-start(%w)\n  %d = " + here + " copy-done(%s)\n  ROOT %y = " + here +
           " " + read + "\n}\n";
  };
  const auto dot = [&](const std::string& name, const std::string& of) {
    return "  %" + name + " = " + here + " dot(" + of + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
  };
  const findings waits = found_in(step("", "dot(%x, %d), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
  REQUIRE(waits.size() == 1);
  CHECK(waits[0].level == severity::warning);
  CHECK(waits[0].message.find("copy of 32.00MiB between host and device is not overlapped: its done follows its start "
                              "directly: 2.2 ms of 2.2 ms exposed") == 0);
  CHECK(waits[0].advice.find("start the copy earlier") != std::string::npos);

  const findings alone = found_in(step("", "bitcast(%d)"));
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].level == severity::note);

  std::string much;
  std::string last = "x";
  for (int k = 0; k < 80; ++k) much += dot("m" + std::to_string(k), "%x, %" + last), last = "m" + std::to_string(k);
  const findings little =
      found_in(step(much, "dot(%" + last + ", %d), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
  REQUIRE(little.size() == 1);
  CHECK(little[0].level == severity::note);

  const findings sliced = found_in(
      "%moves {\n  %all = " + many + " parameter(0)\n  %at = s32[] parameter(1)\n  %zero = s32[] parameter(2)\n" +
      "  ROOT %part = " + slice + " dynamic-slice(%all, %at, %zero, %zero), dynamic_slice_sizes={1,4096,4096}\n}\n\n" +
      "ENTRY %main {\n  %x = " + here + " parameter(0)\n  %ws = " + many +
      " parameter(1)\n  %at = s32[] parameter(2)\n  %zero = s32[] parameter(3)\n  %s = ((" + many +
      ", s32[], s32[]), " + slice + ", u32[]) async-start(%ws, %at, %zero), calls=%moves\n  %d = " + slice +
      " async-done(%s)\n  %w = " + here + " bitcast(%d)\n  ROOT %y = " + here +
      " dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
  REQUIRE(sliced.size() == 1);
  CHECK(sliced[0].level == severity::warning);
  CHECK(sliced[0].message.find("copy of 32.00MiB between host and device is not overlapped") == 0);
}

TEST_CASE("COL002 leaves what a callback sends and receives to PRF012") {
  const auto sent = [](const std::string& op) {
    const std::string host = ", channel_id=1, is_host_transfer=true, metadata={op_name=\"jit(f)/" + op + "\"}\n";
    return lint_text<empty_overlap_window>(
        entry_of("  %t = token[] after-all()\n  %s = (f32[1048576]{0}, u32[], token[]) send(%p, %t)" + host +
                 "  ROOT %d = token[] send-done(%s)" + host));
  };
  CHECK(sent("outside").size() == 1);
  CHECK(sent("pure_callback").empty());
}

TEST_CASE("COL002 does not catch") {
  CHECK(lint_text<empty_overlap_window>(
            entry_of(start + "\n  %n = f32[1048576,16]{1,0} broadcast(%p), dimensions={0}\n" + done))
            .empty());
  CHECK(lint_text<empty_overlap_window>(entry_of(start + "\n" + done), target::cpu).empty());
  CHECK(lint_text(entry_of(start + "\n" + done), target::gpu, empty_overlap_window{.min_bytes = 5_MiB}).empty());
  CHECK(lint_text<empty_overlap_window>(entry_of(start + "\n" + done, "num_partitions=2")).empty());
  CHECK(lint_text<empty_overlap_window>(entry_of(start + "\n  ROOT %n = " + shape_text + " negate(%p)\n")).empty());
}

TEST_CASE("COL002: small transfers that take a good share of the step together") {
  const auto found_in = [](int transfers, const std::string& evidence = {}) {
    std::string body = "  %a0 = f32[16]{0} slice(%p), slice={[0:16]}\n";
    for (int k = 1; k <= transfers; ++k) {
      const std::string own = std::to_string(k), last = std::to_string(k - 1);
      body += "  %start" + own + " = f32[16]{0} all-reduce-start(%a" + last + "), channel_id=" + own +
              ", replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add\n  %d" + own +
              " = f32[16]{0} all-reduce-done(%start" + own + ")\n  %a" + own + " = f32[16]{0} negate(%d" + own + ")\n";
    }
    const std::string text = entry_of(body + "  ROOT %r = f32[16]{0} abs(%a" + std::to_string(transfers) + ")\n");
    const auto list = as_catalogue(empty_overlap_window{});
    return lint(list,
                context({.hlo = module_of(text),
                         .target = target::gpu,
                         .device = find_device("h100-sxm"),
                         .device_evidence = evidence}),
                all_settings(list));
  };
  CHECK(found_in(2).empty());
  const findings guessed = found_in(20, "as the name of the file has it");
  REQUIRE(guessed.size() == 1);
  CHECK(guessed[0].level == severity::note);
  const findings found = found_in(20);
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "start1");
  CHECK(found[0].message.starts_with("all-reduce of 64B is not overlapped: its done follows its start directly: "));
  CHECK(found[0].message.find("; with 19 others of its kind ") != std::string::npos);
  CHECK(found[0].related.size() == 4);  // its done and some of the others
  CHECK(found[0].advice.find("send less often, or join it with other transfers.") != std::string::npos);
}

TEST_CASE("COL002: small copies that take a good share of the step together are a note") {
  const auto found_in = [](const std::string& of_start) {
    std::string body;
    for (int k = 0; k < 6; ++k) {
      const std::string own = std::to_string(k);
      body += "  %p" + own + "x = f32[4096,512]{1,0:T(8,128)} parameter(" + std::to_string(k + 1) + ")\n";
    }
    for (int k = 0; k < 6; ++k) {
      const std::string own = std::to_string(k);
      body += "  %start" + own +
              " = (f32[4096,512]{1,0:T(8,128)S(1)}, f32[4096,512]{1,0:T(8,128)}, u32[]{:S(2)}) "
              "copy-start(%p" +
              own + "x)" + of_start + "\n  %d" + own + " = f32[4096,512]{1,0:T(8,128)S(1)} copy-done(%start" + own +
              ")\n  %n" + own + " = f32[4096,512]{1,0:T(8,128)} negate(%d" + own + ")\n";
    }
    const auto list = as_catalogue(empty_overlap_window{});
    return lint(list,
                context({.hlo = module_of(entry_of(body + "  ROOT %r = f32[4096,512]{1,0:T(8,128)} abs(%n5)\n")),
                         .target = target::tpu,
                         .device = find_device("tpu-v5e")}),
                all_settings(list));
  };
  const findings found = found_in("");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].message ==
        "copy of 8.00MiB is not overlapped: its done follows its start directly: 12 us of 12 us exposed; with 5 others "
        "of "
        "its kind 73 us, 44 % of the step (position 7 of 26 in main)");
  CHECK(found_in(", cross_program_prefetch_index=0").empty());
}
