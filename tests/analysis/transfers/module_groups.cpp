// The groups of all collectives of a module: shared where they are written alike, and bounded.
#include <hlolint/analysis/transfers/module_groups.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A module with one all-reduce `c.K` for each list of groups.
hlo_module with_groups(const std::vector<std::string>& lists, const std::string& header) {
  std::string text = "HloModule m, " + header +
                     "\n\n%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
                     "  ROOT %ab = f32[] add(%a, %b)\n}\n\nENTRY %main {\n  %x = f32[4]{0} parameter(0)\n";
  for (std::size_t k = 0; k < lists.size(); ++k)
    text +=
        "  %c." + std::to_string(k) + " = f32[4]{0} all-reduce(%x), replica_groups=" + lists[k] + ", to_apply=%sum\n";
  return module_of(text + "  ROOT %end = f32[4]{0} negate(%x)\n}\n");
}

}  // namespace

TEST_CASE("what is written alike is one list, and what is equal has equal keys") {
  const hlo_module module =
      with_groups({"{{0,1},{2,3}}", "[2,2]<=[4]", "{{0,1},{2,3}}", "{}", "{{0,1,2}}"}, "replica_count=4");
  const module_groups groups(module);
  const auto of = [&](const std::string& k) { return groups.of(instruction_of(module, "c." + k)); };
  CHECK(of("0") == of("2"));
  CHECK(of("0") != of("1"));
  CHECK(of("0")->key == of("1")->key);
  CHECK(of("0")->key != of("4")->key);
  CHECK(of("3")->group_count == 0);
  CHECK(of("3")->devices->largest() == 4);
  CHECK(of("4")->id_count == 3);
  CHECK(groups.of(instruction_of(module, "x")) == nullptr);
  CHECK_FALSE(moves_nothing(instruction_of(module, "c.0"), groups));
}

TEST_CASE("faults of lists") {
  const struct {
    std::string list;
    bool empty_group;
    std::optional<std::int64_t> twice, missing;
    std::optional<std::size_t> other_size;
  } cases[] = {
      {"{{0,1},{2,3}}", false, {}, {}, {}}, {"{{0,1},{2}}", false, {}, {}, 1}, {"{{0,1},{}}", true, {}, {}, 0},
      {"{{0,1},{1,2}}", false, 1, {}, {}},  {"{{0,1},{3}}", false, {}, 2, 1},  {"{{5}}", false, {}, 0, {}},
  };
  for (const auto& c : cases) {
    CAPTURE(c.list);
    const hlo_module module = with_groups({c.list}, "replica_count=8");
    const module_groups groups(module);
    const written_groups* const found = groups.of(instruction_of(module, "c.0"));
    REQUIRE(found);
    CHECK(found->faults.has_empty_group == c.empty_group);
    CHECK(found->faults.twice == c.twice);
    CHECK(found->faults.missing == c.missing);
    CHECK(found->other_size == c.other_size);
  }
}

TEST_CASE("a few bytes cannot name more devices than are kept") {
  std::vector<std::string> lists;
  for (int k = 1; k <= 40; ++k)
    lists.push_back("[" + std::to_string(500000 / k) + "," + std::to_string(k) + "]<=[" +
                    std::to_string(500000 / k * k) + "]");
  lists.push_back("[2,4000000]<=[8000000]");  // more than one list may hold
  const hlo_module module = with_groups(lists, "replica_count=500000");
  const module_groups groups(module);
  CHECK(groups.of(instruction_of(module, "c.0")) != nullptr);
  CHECK(groups.of(instruction_of(module, "c.39")) == nullptr);
  CHECK(groups.of(instruction_of(module, "c.40")) == nullptr);
}

TEST_CASE("moves_nothing: groups of one device, and pairs of a device with itself") {
  const hlo_module module = module_of(R"(HloModule m, replica_count=4

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %alone = f32[8]{0} all-reduce(%p), replica_groups={{0},{1},{2},{3}}, to_apply=%sum
  %some = f32[8]{0} all-reduce(%p), replica_groups={{0},{1},{2,3}}, to_apply=%sum
  %everyone = f32[8]{0} all-reduce(%p), replica_groups={}, to_apply=%sum
  %wrong = f32[8]{0} all-reduce(%p), replica_groups={{0,9}}, to_apply=%sum
  %still = f32[8]{0} collective-permute(%p), source_target_pairs={{0,0},{2,2}}
  %none = f32[8]{0} collective-permute(%p), source_target_pairs={}
  ROOT %step = f32[8]{0} collective-permute(%p), source_target_pairs={{0,0},{2,3}}
}
)");
  const module_groups groups(module);
  const auto nothing = [&](const char* name) {
    const hlo_instruction i = instruction_of(module, name);
    return moves_nothing(i, groups);
  };
  CHECK(nothing("alone"));
  CHECK_FALSE(nothing("some"));
  CHECK_FALSE(nothing("everyone"));
  CHECK_FALSE(nothing("wrong"));  // not certain
  CHECK(nothing("still"));
  CHECK(nothing("none"));
  CHECK_FALSE(nothing("step"));
}
