#include "checks/memory/memory_outcome.hpp"

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
