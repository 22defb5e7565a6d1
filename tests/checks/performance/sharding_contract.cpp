#include <hlolint/checks/performance/sharding_contract.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hlolint;
using hlolint::testing::module_of;

namespace {

/// What is found where a parameter has these attributes.
std::string findings_of(const module_contract& agreed, const std::string& attributes,
                        const std::string& shape = "f32[8,8]{1,0}") {
  const hlo_module module = module_of("HloModule jit_step.3, num_partitions=8\n\nENTRY %main {\n  %Arg_0.7 = " + shape +
                                      " parameter(0)" + attributes + "\n  ROOT %c = f32[] constant(1)\n}\n");
  sharding_contract check;
  check.contracts.push_back(agreed);
  std::string out;
  for (const diagnostic& d : lint(check, module)) out += d.instruction + ": " + d.message + "\n";
  return out;
}

module_contract asks(std::string sharding, std::string parameter = "Arg_0") {
  module_contract out;
  out.name = "c";
  out.parameter = std::move(parameter);
  out.sharding = std::move(sharding);
  return out;
}

}  // namespace

TEST_CASE("PRF016 catches") {
  CHECK(findings_of(asks("{devices=[8,1]<=[8]}"), ", sharding={devices=[1,8]<=[8]}") ==
        "Arg_0.7: contract 'c': parameter Arg_0.7 has the sharding {devices=[1,8]<=[8]}, agreed is "
        "{devices=[8,1]<=[8]}\n");
  CHECK(findings_of(asks("not-replicated"), ", sharding={replicated}") ==
        "Arg_0.7: contract 'c': parameter Arg_0.7 has the sharding {replicated}, agreed is not-replicated\n");
  CHECK(findings_of(asks("not-replicated"), ", sharding={devices=[1,1,8]<=[8] last_tile_dim_replicate}") != "");
  CHECK(findings_of(asks("not-replicated"), "") ==
        "Arg_0.7: contract 'c': parameter Arg_0.7 has no sharding, so every device holds all of it, agreed is "
        "not-replicated\n");
  CHECK(findings_of(asks("{devices=[8,1]<=[8]}"), "") != "");
  CHECK(findings_of(asks("replicated"), ", sharding={devices=[8,1]<=[8]}") != "");
  CHECK(findings_of(asks("{devices=[8,1]<=[4]}"), "") == ": contract 'c': '{devices=[8,1]<=[4]}' is no sharding\n");
  CHECK(findings_of(asks("replicated", "params*"),
                    ", sharding={devices=[8,1]<=[8]}, metadata={op_name=\"params['w']\"}") != "");
  CHECK(findings_of(asks("{devices=[8]<=[8]}"), ", sharding={{devices=[8]<=[8]}, {replicated}}", "(f32[8], f32[8])") ==
        "Arg_0.7: contract 'c': parameter Arg_0.7 has in its leaf 1 the sharding {replicated}, agreed is "
        "{devices=[8]<=[8]}\n");
}

TEST_CASE("PRF016 does not catch") {
  CHECK(findings_of(asks("{ devices=[8, 1] <= [8] }"), ", sharding={devices=[8,1]0,1,2,3,4,5,6,7}") == "");
  CHECK(findings_of(asks("{devices=[8,1]<=[8]}"), ", sharding={mesh['x'=8], [{'x'}, {}]}") == "");
  CHECK(findings_of(asks("replicated"), ", sharding={replicated}") == "");
  CHECK(findings_of(asks("replicated"), "") == "");
  CHECK(findings_of(asks("not-replicated"), ", sharding={devices=[8,1]<=[8]}") == "");
  CHECK(findings_of(asks("replicated", "Arg_1*"), ", sharding={devices=[8,1]<=[8]}") == "");
  CHECK(findings_of(asks("{{devices=[8]<=[8]},{replicated}}"), ", sharding={{devices=[8]<=[8]}, {replicated}}",
                    "(f32[8], f32[8])") == "");
  module_contract other = asks("not-replicated");
  other.module = "jit_eval*";
  CHECK(findings_of(other, "") == "");
}

TEST_CASE("PRF016 goes by the module before optimizations where the final one has no shardings") {
  const auto found_in = [](const module_contract& agreed, const std::string& sharding_of_first,
                           const std::string& shape_of_second, bool with_earlier = true) {
    context::parts parts;
    parts.hlo = module_of(
        "HloModule jit_step, is_scheduled=true, num_partitions=4\n\nENTRY %main {\n"
        "  %param = f32[8,2]{1,0} parameter(0)\n  %param.1 = " +
        shape_of_second + " parameter(1)\n  ROOT %c = f32[] constant(1)\n}\n");
    if (with_earlier)
      parts.compared_with.earlier =
          module_of("HloModule jit_step, num_partitions=4\n\nENTRY %main {\n  %p = f32[8,8]{1,0} parameter(0)" +
                    sharding_of_first + "\n  %q = f32[8]{0} parameter(1)\n  ROOT %c = f32[] constant(1)\n}\n");
    sharding_contract check;
    check.contracts.push_back(agreed);
    std::string out;
    for (const diagnostic& d : lint(check, context(std::move(parts)))) out += d.instruction + ": " + d.message + "\n";
    return out;
  };
  const std::string by_columns = ", sharding={mesh['x'=4], [{}, {'x'}]}";
  CHECK(found_in(asks("not-replicated", "param"), by_columns, "f32[2]{0}") == "");
  CHECK(found_in(asks("{devices=[1,4]<=[4]}", "param"), by_columns, "f32[2]{0}") == "");
  CHECK(found_in(asks("replicated", "param"), by_columns, "f32[8]{0}") ==
        "param: contract 'c': parameter param has the sharding {mesh['x'=4], [{}, {'x'}]}, agreed is replicated\n");
  CHECK(found_in(asks("not-replicated", "param.1"), by_columns, "f32[8]{0}") ==
        "param.1: contract 'c': parameter param.1 has the sharding {replicated}, agreed is not-replicated\n");
  CHECK(
      found_in(asks("replicated", "param.1"), by_columns, "f32[2]{0}") ==
      "param.1: contract 'c': parameter param.1 is cut into parts, though it has no sharding, agreed is replicated\n");
  // Neither has any: nothing is known.
  CHECK(found_in(asks("not-replicated", "param"), "", "f32[2]{0}") == "");
  CHECK(found_in(asks("replicated", "param"), "", "f32[2]{0}") == "");
  CHECK(found_in(asks("not-replicated", "param"), by_columns, "f32[2]{0}", false) == "");
}

TEST_CASE("PRF016: no contract, no finding; one without sharding is for other rules") {
  module_contract counts;
  counts.max_count = 0;
  CHECK(findings_of(counts, "") == "");
  CHECK(lint(sharding_contract{}, module_of("HloModule m\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n")).empty());
}
