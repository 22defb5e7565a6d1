#include "checks/memory/memory_outcome.hpp"
#include "checks/paired_fixtures.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::memory;

TEST_CASE("MEM003 alone: values that meet and share only some bytes") {
  const auto list = as_catalogue(partial_overlap_in_place{});
  const auto found = [&](const std::vector<value_row>& values) {
    return lint(list, context({.buffers = dump_of({{temp, values}}), .target = target::gpu}), all_settings(list))
        .size();
  };
  CHECK(found({{"a", 0, 64, 1, 6, {6}}, {"b", 0, 64, 5, 9, {9}}}) == 0);
  CHECK(found({{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}}}) == 0);
  CHECK(found({{"a", 0, 64, 1, 5, {5}}, {"b", 32, 64, 5, 9, {9}}}) == 1);
  CHECK(found({{"a", 0, 64, 1, 4, {4}}, {"b", 0, 64, 5, 9, {9}}}) == 0);
}

TEST_CASE("without HLO and used values it may be a join of parts in alternate memory") {
  const std::string text =
      dump_text({{", color 1, preallocated-temp", {{"a", 32, 32, 1, 5, {5}}, {"b", 0, 64, 5, 9, {9}}}}});
  CHECK(outcome(*parse(text).buffers, target::tpu) == "MEM003 warning");
  const std::size_t used = text.find("\nUsed values:"), ranges = text.find("\nHloLiveRange");
  REQUIRE(used < ranges);
  CHECK(outcome(*parse(text.substr(0, used) + text.substr(ranges)).buffers, target::tpu) == "MEM003 note");
}

TEST_CASE("without printed ranges those of the HLO count") {
  const hlo_module module = module_of(small_module());
  const auto found = [&](const hlo_module& with, const std::string& flags, const value_row& m, const value_row& k,
                         target backend) {
    const std::string text = dump_text({{flags, {m, k}}});
    return outcome(
        context({.hlo = with, .buffers = buffers_of(text.substr(0, text.find("\nUsed values"))), .target = backend}));
  };
  const value_row m{"m", 0, 32, 2, 3, {3}};
  for (const target backend : {target::cpu, target::gpu, target::tpu}) {
    CHECK(found(module, temp, m, {"k", 16, 32, 3, 4, {4}}, backend) == "MEM003 error");
    CHECK(found(module, temp, m, {"k", 0, 32, 3, 4, {4}}, backend) == "");
    CHECK(found(module, temp, m, {"k", 32, 32, 3, 4, {4}}, backend) == "");
    CHECK(found(module, temp, m, {"x", 16, 32, 3, 4, {4}}, backend) == "");  // not of this program
  }
  // A kernel reads while it writes; a custom call may be a join of parts.
  const std::string vmem = ", color 1, preallocated-temp";
  CHECK(found(module, vmem, m, {"k", 16, 32, 3, 4, {4}}, target::tpu) == "MEM003 error");
  std::string called = small_module();
  called.replace(called.find("cosine(%m)"), 10, "custom-call(%m), custom_call_target=\"x\"");
  CHECK(found(module_of(called), vmem, m, {"k", 16, 32, 3, 4, {4}}, target::tpu) == "MEM003 warning");
  CHECK(found(module_of(called), temp, m, {"k", 16, 32, 3, 4, {4}}, target::tpu) == "MEM003 error");
}
