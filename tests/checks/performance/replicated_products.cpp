#include <hlolint/checks/performance/replicated_products.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string replicated = "{replicated}", sharded = "{devices=[8,1]<=[8]}";

hlo_module product(const std::string& x, const std::string& w, const std::string& header = {}) {
  return module_of(
      "HloModule m, is_scheduled=true, num_partitions=8" + header +
      "\n\nENTRY %e {\n%x = bf16[1024,2048]{1,0} parameter(0), sharding=" + x +
      ", metadata={op_name=\"batch\"}\n%w = bf16[2048,1024]{1,0} parameter(1), sharding=" + w +
      "\nROOT %y = bf16[1024,1024]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
}
findings lint_product(const hlo_module& module, const replicated_products& check = {}) {
  return lint(check, context({.hlo = module, .target = target::tpu}));
}

}  // namespace

TEST_CASE("PRF019 catches") {
  const findings found = lint_product(product(replicated, replicated));
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "y");
  CHECK(found[0].message ==
        "all 8 devices compute the same matrix products, whose operands are equal on them: 88 % of the operations of "
        "all products, in 1 instruction, are repeated");
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[0].instruction == "x");
  CHECK(found[0].related[0].message == "is replicated: 4.00MiB, batch");
  // Along one axis of the mesh.
  const findings along = lint_product(product("{devices=[4,1,2]<=[8] last_tile_dim_replicate}", replicated));
  REQUIRE(along.size() == 1);
  CHECK(along[0].message.find("groups of 2 of the 8 devices compute") == 0);
  CHECK(along[0].message.find(": 50 % of") != along[0].message.npos);
  // The weights are donated: they are not what should be sharded.
  const findings donated =
      lint_product(product(replicated, replicated, ", input_output_alias={ {}: (1, {}, may-alias) }"));
  REQUIRE(donated.size() == 1);
  CHECK(donated[0].related.size() == 1);
}

TEST_CASE("PRF019 names what was gathered, as by a contrastive loss") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true, num_partitions=8\n\nENTRY %e {\n"
      "%x = bf16[128,2048]{1,0} parameter(0), sharding={devices=[8,1]<=[8]}\n"
      "%s = (bf16[128,2048]{1,0}, bf16[1024,2048]{1,0}) all-gather-start(%x), channel_id=1, dimensions={0}, "
      "replica_groups={{0,1,2,3,4,5,6,7}}, use_global_device_ids=true\n"
      "%all = bf16[1024,2048]{1,0} all-gather-done(%s)\n"
      "ROOT %y = bf16[1024,1024]{1,0} dot(%all, %all), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n}\n");
  const findings found = lint_product(module);
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "y");
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "s");
  CHECK(found[0].advice.find("Every device multiplies all that was gathered.") == 0);
  // The time of the all-gather, which is not needed then, counts too.
  std::vector<finding> facts;
  auto keep = [&](finding d) { facts.push_back(std::move(d)); };
  replicated_products{}(context({.hlo = module, .target = target::tpu}), sink_ref(keep));
  REQUIRE(facts.size() == 1);
  CHECK(facts[0].saves.back() == saved_time{module.instruction(1)});
}

TEST_CASE("PRF019: shardings stand in the module before optimizations") {
  const hlo_module before = product(replicated, replicated);
  std::string text(before.text().text());
  for (std::size_t at = 0; (at = text.find(", sharding={replicated}")) != text.npos;) text.erase(at, 23);
  const hlo_module final = module_of(text);
  CHECK(lint_product(final).empty());
  CHECK(
      lint(replicated_products{}, context({.hlo = final, .target = target::tpu, .compared_with = {.earlier = before}}))
          .size() == 1);
}

TEST_CASE("PRF019 does not catch") {
  CHECK(lint_product(product(sharded, replicated)).empty());
  CHECK(lint_product(product(replicated, "{devices=[1,8]<=[8]}")).empty());
  CHECK(lint_product(product(replicated, replicated), {.min_percent = 90}).empty());
  CHECK(lint_product(product(replicated, replicated), {.min_gflop = 4}).empty());
  CHECK_FALSE(lint_product(product(replicated, replicated), {.min_gflop = 3}).empty());
}
