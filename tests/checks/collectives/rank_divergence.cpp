#include <hlolint/checks/collectives/rank_divergence.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string program(const std::string& body, const std::string& header = "is_scheduled=true, num_partitions=4") {
  return "HloModule jit_step, " + header +
         "\n\n%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n"
         "  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\nENTRY %main {\n"
         "  %p = f32[1024]{0} parameter(0)\n" +
         body + "  ROOT %end = f32[1024]{0} negate(%p)\n}\n";
}
std::string reduce(const std::string& name, int channel, const std::string& groups = "{{0,1},{2,3}}") {
  return "  %" + name + " = f32[1024]{0} all-reduce(%p), channel_id=" + std::to_string(channel) +
         ", replica_groups=" + groups + ", use_global_device_ids=true, to_apply=%add, metadata={op_name=\"step/psum_" +
         name + "\" source_file=\"train.py\" source_line=" + std::to_string(channel) + "}\n";
}
const std::string gather =
    "  %g = f32[4096]{0} all-gather(%p), channel_id=9, replica_groups={{0,1,2,3}}, dimensions={0}, "
    "use_global_device_ids=true\n";
const std::string usual = reduce("x", 1) + reduce("y", 2) + gather;

/// One program per rank: rank0, rank1, ...
findings lint_ranks(const std::vector<std::string>& programs) {
  context::parts parts;
  for (std::size_t i = 0; i < programs.size(); ++i)
    parts.compared_with.ranks.push_back({{"rank" + std::to_string(i)}, module_of(programs[i])});
  parts.hlo = parts.compared_with.ranks.front().hlo;
  return lint(rank_divergence{}, context(std::move(parts)));
}
std::string message(const std::string& other) {
  const findings found = lint_ranks({program(usual), program(usual), program(other)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::error);
  return found[0].message;
}

}  // namespace

TEST_CASE("COL011 catches") {
  SUBCASE("an exchanged order, with both places") {
    const findings found =
        lint_ranks({program(usual), program(usual), program(reduce("x", 1) + gather + reduce("y", 2))});
    REQUIRE(found.size() == 1);
    const diagnostic& d = found[0];
    CHECK(d.rule == "COL011");
    CHECK(d.level == severity::error);
    CHECK(d.module == "jit_step");
    CHECK(d.instruction == "g");
    CHECK(d.message ==
          "collective 2 of 3 on rank2 is all-gather of 16.0KiB over {{0,1,2,3}}, channel_id=9 (g), but on rank0 and "
          "rank1 "
          "all-reduce of 4.0KiB over {{0,1},{2,3}}, channel_id=2 (y), which on rank2 is collective 3");
    REQUIRE(d.related.size() == 2);
    CHECK(d.related[0].instruction == "y");
    CHECK(d.related[1].instruction == "y");
    CHECK_FALSE(d.related[0].where.in.same_as(d.related[1].where.in));
  }
  SUBCASE("collectives that look alike in another order") {
    CHECK(message(reduce("y", 2) + reduce("x", 1) + gather).find("which on rank2 is collective 2") !=
          std::string::npos);
  }
  SUBCASE("one that is missing: reported where the others have it") {
    const findings found = lint_ranks({program(usual), program(reduce("x", 1) + gather), program(usual)});
    REQUIRE(found.size() == 1);
    CHECK(found[0].message ==
          "collective 2 of 3 on rank0 and rank2 is missing on rank1 (2 in all): all-reduce of 4.0KiB over "
          "{{0,1},{2,3}}, channel_id=2 (y)");
    CHECK(found[0].instruction == "y");
    CHECK(found[0].source_file == "train.py");
    CHECK(found[0].source_line == 2);
    CHECK(found[0].op_name == "step/psum_y");
    REQUIRE(found[0].related.size() == 1);
    CHECK(found[0].related[0].instruction == "g");
  }
  SUBCASE("the last one missing, and all of them") {
    CHECK(message(reduce("x", 1) + reduce("y", 2)).find("collective 3 of 3 on rank0 and rank1 is missing on rank2") ==
          0);
    CHECK(message("").find("collective 1 of 3 on rank0 and rank1 is missing on rank2 (0 in all)") == 0);
    CHECK(message("").find("; from there on 3 are only on rank0 and rank1 and 0 only on rank2") != std::string::npos);
  }
  SUBCASE("one more") {
    CHECK(message(reduce("x", 1) + reduce("new", 7) + reduce("y", 2) + gather) ==
          "collective 2 of 4 on rank2 is not on rank0 and rank1 (3 in all): all-reduce of 4.0KiB over {{0,1},{2,3}}, "
          "channel_id=7 (new)");
  }
  SUBCASE("other groups") {
    CHECK(message(reduce("x", 1) + reduce("y", 2, "{{0,2},{1,3}}") + gather) ==
          "collective 2 of 3 on rank2, all-reduce of 4.0KiB (y), runs over {{0,2},{1,3}} (flattened_id), but on rank0 "
          "and "
          "rank1 over {{0,1},{2,3}} (flattened_id)");
  }
  SUBCASE("another size") {
    CHECK(message(reduce("x", 1) + reduce("y", 2) +
                  "  %g = f32[4096]{0} all-gather-start(%p), channel_id=9, replica_groups={{0,1,2,3}}, dimensions={0}, "
                  "use_global_device_ids=true\n")
              .find("gives an unknown shape from 4.0KiB, but on rank0 and rank1 f32[4096]{0} from 4.0KiB") !=
          std::string::npos);
  }
  SUBCASE("channels numbered otherwise: only a warning") {
    const findings found = lint_ranks({program(usual), program(reduce("x", 2) + reduce("y", 3) + gather)});
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].message ==
          "the channels of otherwise equal collectives have other numbers on rank1 than on rank0, at first "
          "channel_id=2 instead of channel_id=1: all-reduce of 4.0KiB (x)");
  }
  SUBCASE("each sequence once, against that of most ranks") {
    std::vector<std::string> programs(10, program(usual));
    programs[0] = programs[4] = programs[6] = programs[7] = program(reduce("x", 1) + gather);
    programs[9] = program(usual + reduce("z", 12));
    const findings found = lint_ranks(programs);
    REQUIRE(found.size() == 2);
    CHECK(found[0].message.find("on rank1-3, rank5 and rank8 is missing on rank0, rank4 and 2 others (2 in all)") !=
          std::string::npos);
    CHECK(found[1].message.find("collective 4 of 4 on rank9 is not on rank1-3, rank5 and rank8") == 0);
  }
  SUBCASE("modules for other devices, or of other stages, as a whole") {
    const findings devices = lint_ranks({program(usual), program(usual, "is_scheduled=true, num_partitions=8")});
    REQUIRE(devices.size() == 1);
    CHECK(devices[0].level == severity::warning);
    CHECK(devices[0].message ==
          "on rank1 the module is for replica_count=1, num_partitions=8, on rank0 for replica_count=1, "
          "num_partitions=4: not compared");
    const findings stages = lint_ranks({program(usual), program(usual, "num_partitions=4")});
    REQUIRE(stages.size() == 1);
    CHECK(stages[0].level == severity::warning);
  }
  SUBCASE("the same once more, but another number of times") {
    const auto twice = [](const std::string& count) {
      const std::string loop =
          " while(%p), condition=%condition, body=%body, backend_config={\"known_trip_count\":{\"n\":\"";
      const std::string text =
          program("  %one = f32[1024]{0}" + loop + "9\"}}\n  %two = f32[1024]{0}" + loop + count + "\"}}\n");
      const std::size_t entry = text.find("ENTRY");
      return text.substr(0, entry) +
             "%condition (c: f32[1024]) -> pred[] {\n  %c = f32[1024]{0} parameter(0)\n"
             "  ROOT %t = pred[] constant(true)\n}\n\n"
             "%body (d: f32[1024]) -> f32[1024] {\n  %d = f32[1024]{0} parameter(0)\n"
             "  ROOT %ar = f32[1024]{0} all-reduce(%d), channel_id=1, replica_groups={{0,1,2,3}}, "
             "use_global_device_ids=true, to_apply=%add\n}\n\n" +
             text.substr(entry);
    };
    const findings found = lint_ranks({twice("5"), twice("5"), twice("6")});
    REQUIRE(found.size() == 1);
    CHECK(found[0].message ==
          "collective 2 of 2 on rank2, another call of body (two), runs 6 times in loops, but on rank0 and rank1 5 "
          "times in loops");
  }
  SUBCASE("an order that no one has decided on yet is a warning") {
    const findings found = lint_ranks(
        {program(usual, "num_partitions=4"), program(reduce("x", 1) + gather + reduce("y", 2), "num_partitions=4")});
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
  }
}

TEST_CASE("COL011 does not catch") {
  CHECK(lint_ranks({program(usual)}).empty());
  CHECK(lint_ranks({program(usual), program(usual), program(usual)}).empty());
  CHECK(lint_ranks({program(""), program("", "is_scheduled=true, num_partitions=8")}).empty());  // nothing to wait for
  // other names, other work in between, groups written otherwise, asynchronous on one rank
  CHECK(lint_ranks({program(usual),
                    program("  %fusion.7 = f32[1024]{0} exponential(%p)\n" + reduce("all-reduce.90", 1, "[2,2]<=[4]") +
                            "  %s = f32[1024]{0} all-reduce-start(%p), channel_id=2, replica_groups={{2,3},{0,1}}, "
                            "use_global_device_ids=true, to_apply=%add\n  %d = f32[1024]{0} all-reduce-done(%s)\n" +
                            gather)})
            .empty());

  const findings alone = lint(rank_divergence{}, module_of(program(usual)));
  CHECK(alone.empty());
  REQUIRE(alone.skipped.size() == 1);
  CHECK(alone.skipped[0].reason == "no dumps of several ranks; see `hlolint ranks`");
}
