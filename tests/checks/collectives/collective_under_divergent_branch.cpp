#include <hlolint/checks/collectives/collective_under_divergent_branch.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A scheduled program over four devices of these lines of the entry: `%x` is sharded by rows, `%w` replicated.
findings lint_program(const std::string& computations, const std::string& lines) {
  return lint(collective_under_divergent_branch{},
              module_of("HloModule m, is_scheduled=true, num_partitions=4\n\n"
                        "%add {\n%a = f32[] parameter(0)\n%b = f32[] parameter(1)\nROOT %c = f32[] add(%a, %b)\n}\n\n" +
                        computations +
                        "ENTRY %main {\n  %x = f32[8]{0} parameter(0), sharding={devices=[4]<=[4]}\n"
                        "  %w = f32[8]{0} parameter(1), sharding={replicated}\n  %given = pred[] parameter(2)\n"
                        "  %id = u32[] partition-id()\n  %zero = u32[] constant(0)\n  %two = u32[] constant(2)\n"
                        "  %first = pred[] compare(%id, %zero), direction=EQ\n" +
                        lines + "}\n"));
}
/// A conditional on `decides`, which `lines` may make; its branches do `yes` and `no` with their parameter.
findings lint_branches(const std::string& yes, const std::string& no, const std::string& decides = "first",
                       const std::string& lines = {}) {
  const auto branch = [](const std::string& name, const std::string& operation) {
    return "%" + name + " (" + name + "p: f32[8]) -> f32[8] {\n  %" + name + "p = f32[8]{0} parameter(0)\n  ROOT %" +
           name + "r = f32[8]{0} " + operation + "\n}\n\n";
  };
  return lint_program(branch("yes", yes) + branch("no", no),
                      lines + "  ROOT %c = f32[8]{0} conditional(%" + decides +
                          ", %w, %w), true_computation=%yes, false_computation=%no\n");
}
std::string reduced(const std::string& operand, const std::string& groups) {
  return "all-reduce(%" + operand + "), channel_id=1, replica_groups=" + groups +
         ", use_global_device_ids=true, to_apply=%add";
}
/// A loop that carries a counter, its end `end`, the number `row` and an array `of`; its body has `lines` and makes
/// `next`.
findings lint_loop(const std::string& end, const std::string& of, const std::string& lines,
                   const std::string& before = {}, const std::string& computations = {}) {
  const std::string state = "(u32[], u32[], u32[], f32[8]{0})";
  return lint_program(
      computations + "%body {\n  %p = " + state +
          " parameter(0)\n  %k = u32[] get-tuple-element(%p), index=0\n  %e = u32[] get-tuple-element(%p), index=1\n"
          "  %r = u32[] get-tuple-element(%p), index=2\n  %v = f32[8]{0} get-tuple-element(%p), index=3\n"
          "  %one = u32[] constant(1)\n  %more = u32[] add(%k, %one)\n" +
          lines + "  ROOT %t = " + state + " tuple(%more, %e, %r, %next)\n}\n\n%goes {\n  %q = " + state +
          " parameter(0)\n  %i = u32[] get-tuple-element(%q), index=0\n  %l = u32[] get-tuple-element(%q), index=1\n"
          "  ROOT %less = pred[] compare(%i, %l), direction=LT\n}\n\n",
      before + "  %row = u32[] divide(%id, %two)\n  %s = " + state + " tuple(%zero, %" + end + ", %row, %" + of +
          ")\n  %loop = " + state +
          " while(%s), condition=%goes, body=%body\n  ROOT %out = f32[8]{0} get-tuple-element(%loop), index=3\n");
}
std::string permute(const std::string& name) {
  return "collective-permute(%" + name + "p), channel_id=1, source_target_pairs={{0,1},{1,0}}";
}

}  // namespace

TEST_CASE("COL012 catches") {
  const findings found = lint_branches(permute("yes"), "negate(%nop)");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "yesr");
  CHECK(found[0].message ==
        "collective-permute runs only on devices that take this branch of c, which depends on the device's number");
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[0].instruction == "c");
  CHECK(found[0].related[1].instruction == "first");
}

TEST_CASE("COL012 does not catch") {
  CHECK(lint_branches(permute("yes"), permute("no")).empty());            // the same in both
  CHECK(lint_branches(permute("yes"), "negate(%nop)", "given").empty());  // decided by an argument
  CHECK(lint_branches("negate(%yesp)", "abs(%nop)").empty());
  CHECK(lint_branches("collective-permute(%yesp), channel_id=1, source_target_pairs={{0,0}}", "negate(%nop)").empty());
}

TEST_CASE("COL012: groups of devices that decide alike") {
  const std::string by_row = "  %row = u32[] divide(%id, %two)\n  %is = pred[] compare(%row, %zero), direction=EQ\n";
  CHECK(lint_branches(reduced("yesp", "{{0,1},{2,3}}"), "negate(%nop)", "is", by_row).empty());
  CHECK(lint_branches(reduced("yesp", "{{0,2},{1,3}}"), "negate(%nop)", "is", by_row).size() == 1);
  CHECK(lint_branches(reduced("yesp", "{{0,1,2,3}}"), reduced("nop", "[1,4]<=[4]"), "is", by_row).empty());
  const std::string everywhere = "  %many = u32[] constant(8)\n  %is = pred[] compare(%id, %many), direction=LT\n";
  CHECK(lint_branches(reduced("yesp", "{{0,1,2,3}}"), "negate(%nop)", "is", everywhere).empty());
}

TEST_CASE("COL012: replicas") {
  const auto by = [](const std::string& id, const std::string& groups) {
    return lint(collective_under_divergent_branch{},
                module_of("HloModule m, replica_count=2, num_partitions=2\n\n"
                          "%add {\n%a = f32[] parameter(0)\n%b = f32[] parameter(1)\nROOT %c = f32[] add(%a, %b)\n}\n\n"
                          "%yes {\n%y = f32[8]{0} parameter(0)\nROOT %yr = f32[8]{0} " +
                          reduced("y", groups) +
                          "\n}\n\n%no {\n%n = f32[8]{0} parameter(0)\nROOT %nr = f32[8]{0} copy(%n)\n}\n\n"
                          "ENTRY %main {\n%w = f32[8]{0} parameter(0)\n%id = u32[] " +
                          id +
                          "()\n%zero = u32[] constant(0)\n%first = pred[] compare(%id, %zero), direction=EQ\n"
                          "ROOT %c = f32[8]{0} conditional(%first, %w, %w), true_computation=%yes, "
                          "false_computation=%no\n}\n"));
  };
  CHECK(by("replica-id", "{{0,1},{2,3}}").empty());  // groups of the partitions of one replica
  CHECK(by("replica-id", "{{0,2},{1,3}}").size() == 1);
  CHECK(by("partition-id", "{{0,1},{2,3}}").size() == 1);
  CHECK(by("partition-id", "{{0,2},{1,3}}").empty());
}

TEST_CASE("COL012: collectives of other sizes or types") {
  const auto both = [](const std::string& shape) {
    return lint_program("%yes {\n%y = f32[8]{0} parameter(0)\nROOT %yr = f32[8]{0} " + reduced("y", "{{0,1,2,3}}") +
                            "\n}\n\n%no {\n%n = f32[8]{0} parameter(0)\n%o = " + shape + " constant({...})\n%nr = " +
                            shape + " " + reduced("o", "{{0,1,2,3}}") + "\nROOT %nn = f32[8]{0} copy(%n)\n}\n\n",
                        "ROOT %c = f32[8]{0} conditional(%first, %w, %w), true_computation=%yes, "
                        "false_computation=%no\n");
  };
  CHECK(both("f32[8]{0}").empty());
  CHECK(both("f32[2,4]{1,0}").empty());  // as many bytes
  CHECK(both("f32[4]{0}").size() == 1);
  CHECK(both("bf16[16]{0}").size() == 1);
}

TEST_CASE("COL012: what decides is a part of an argument") {
  const std::string sum =
      "  %n = f32[] constant(0)\n  %sum = f32[] reduce(%x, %n), dimensions={0}, to_apply=%add\n"
      "  %all = f32[] all-reduce(%sum), channel_id=7, replica_groups={{0,1,2,3}}, use_global_device_ids=true, "
      "to_apply=%add\n  %pairs = f32[] all-reduce(%sum), channel_id=7, replica_groups={{0,1},{2,3}}, "
      "use_global_device_ids=true, to_apply=%add\n  %mine = f32[] custom-call(%sum), custom_call_target=\"mine\"\n";
  const auto by = [&](const std::string& what, const std::string& groups) {
    return lint_branches(reduced("yesp", groups), "negate(%nop)", "is",
                         sum + "  %is = pred[] compare(%" + what + ", %n), direction=GT\n");
  };
  const findings found = by("sum", "{{0,1,2,3}}");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].message ==
        "all-reduce runs only on devices that take this branch of c, which depends on the device's own part of an "
        "argument");
  CHECK(by("all", "{{0,1,2,3}}").empty());
  CHECK(by("pairs", "{{0,1},{2,3}}").empty());
  CHECK(by("pairs", "{{0,2},{1,3}}").size() == 1);
  CHECK(by("mine", "{{0,1,2,3}}").empty());  // it may well make them equal
}

TEST_CASE("COL012: loops that devices repeat differently often") {
  const std::string all = "  %next = f32[8]{0} " + reduced("v", "{{0,1,2,3}}") + "\n";
  const findings found = lint_loop("id", "w", all);
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "next");
  CHECK(found[0].message ==
        "all-reduce runs as often as the device repeats loop, which depends on the device's number");
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[0].instruction == "loop");
  CHECK(found[0].related[1].instruction == "less");
  CHECK(lint_loop("two", "x", all).empty());
  const std::string given = "  %end = u32[] custom-call(), custom_call_target=\"mine\"\n";
  CHECK(lint_loop("end", "x", all, given).empty());  // nothing is known of it
  CHECK(lint_loop("half", "w", "  %next = f32[8]{0} " + reduced("v", "{{0,1},{2,3}}") + "\n",
                  "  %half = u32[] divide(%id, %two)\n")
            .empty());
  CHECK(lint_loop("id", "w", "  %next = f32[8]{0} negate(%v)\n").empty());
}

TEST_CASE("COL012: conditionals in loops, by what the loops carry") {
  const std::string branches = "%yes {\n%y = f32[8]{0} parameter(0)\nROOT %yr = f32[8]{0} " +
                               reduced("y", "{{0,2},{1,3}}") +
                               "\n}\n\n%no {\n%n = f32[8]{0} parameter(0)\nROOT %nr = f32[8]{0} copy(%n)\n}\n\n";
  const auto by = [&](const std::string& what, const std::string& end) {
    return lint_loop(end, "w",
                     "  %is = pred[] compare(%" + what +
                         ", %one), direction=EQ\n  %next = f32[8]{0} conditional(%is, %v, %v), true_computation=%yes, "
                         "false_computation=%no\n",
                     {}, branches);
  };
  CHECK(by("r", "two").size() == 1);
  CHECK(by("k", "two").empty());
  CHECK(by("k", "id").size() == 1);  // the loop: devices in one iteration count alike
}
