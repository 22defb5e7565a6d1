#include <hlolint/tool/compare/rank_digest.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::compare;

namespace {

module_digest module_of(std::string name, std::vector<std::uint32_t> steps) {
  module_digest m;
  m.name = std::move(name);
  m.scheduled = true;
  m.kinds = {{1, "all-reduce"}, {2, "all-gather"}, {3, "reduce-scatter"}};
  m.steps = std::move(steps);
  for (const std::uint32_t s : m.steps) m.fingerprint = m.fingerprint * 31 + s + 1;
  m.without_channels = m.fingerprint;
  return m;
}
rank_digest rank_of(const std::string& name, std::vector<module_digest> modules) {
  rank_digest out;
  out.ranks.push_back({name, {}, true});
  for (std::size_t i = 0; i < modules.size(); ++i) out.ranks[0].modules.push_back(i);
  out.modules = std::move(modules);
  return out;
}

}  // namespace

TEST_CASE("digests merge to the same in any order and grouping") {
  const module_digest f = module_of("f", {0, 1}), g = module_of("g", {2}), other = module_of("f", {1, 0});
  std::vector<rank_digest> parts{rank_of("rank10", {f, g}), rank_of("rank2", {g, f}), rank_of("rank0", {other}),
                                 rank_of("rank0", {g})};
  const rank_digest whole = merged(parts);
  CHECK(whole.modules.size() == 3);
  REQUIRE(whole.ranks.size() == 3);
  CHECK(whole.ranks[0].name == "rank0");
  CHECK(whole.ranks[0].modules.size() == 2);  // of both parts
  CHECK(whole.ranks[1].name == "rank2");
  CHECK(whole.ranks[1].modules == whole.ranks[2].modules);
  std::vector<std::size_t> order{0, 1, 2, 3};
  do {
    std::vector<rank_digest> again;
    for (const std::size_t i : order) again.push_back(parts[i]);
    CHECK(merged(again) == whole);
    CHECK(merged({merged({again[0], again[1]}), merged({again[2], again[3]})}) == whole);
    CHECK(merged({again[0], merged({again[1], merged({again[2], again[3]})})}) == whole);
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(merged({}) == rank_digest{});
}

TEST_CASE("the first difference of two digests") {
  const auto text = [](const module_digest& usual, const module_digest& other) {
    return difference_of(usual, "A", other, "B").text;
  };
  const module_digest f = module_of("f", {0, 1, 2});
  CHECK(text(f, module_of("f", {0, 2, 1})) == "collective 2 of 3 on B is reduce-scatter, but on A all-gather");
  CHECK(text(f, module_of("f", {0, 1})) == "collective 3 of 3 on A is missing on B (2 in all): reduce-scatter");
  CHECK(text(f, module_of("f", {0, 1, 2, 0})) == "collective 4 of 4 on B is not on A (3 in all): all-reduce");
  module_digest same_text = module_of("f", {0, 1, 2});
  same_text.kinds[1] = {9, "all-gather"}, same_text.fingerprint += 1, same_text.without_channels += 1;
  CHECK(text(f, same_text).find("collective 2 of 3 on B is all-gather, and on A one of the same text with other") == 0);
  module_digest channels = f;
  channels.fingerprint += 1;
  CHECK(text(f, channels) == "the channels of otherwise equal collectives have other numbers on B than on A");
  CHECK_FALSE(difference_of(f, "A", channels, "B").certain);
  module_digest devices = module_of("f", {1});
  devices.partitions = 8;
  CHECK(text(f, devices) ==
        "on B the module is for replica_count=1, num_partitions=8, on A for replica_count=1, "
        "num_partitions=1: not compared");
}

TEST_CASE("names in the order of their numbers") {
  CHECK(name_before("rank2", "rank10"));
  CHECK(name_before("a2b3", "a2b10"));
  CHECK_FALSE(name_before("rank10", "rank2"));
  CHECK_FALSE(name_before("rank2", "rank2"));
}
