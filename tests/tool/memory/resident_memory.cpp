#include <hlolint/tool/memory/resident_memory.hpp>

#include "analysis/dump_of_all_kinds.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("resident_at: what takes the memory at a position, the most first, and its sum is the need") {
  const live_chunks chunks(dump_of_all_kinds());
  const auto at = [&](std::optional<std::int64_t> position) {
    std::string out;
    byte_count sum = 0;
    for (const resident_item& item : resident_at(chunks, position)) {
      out += (item.value ? std::string(chunks.dump().values()[*item.value].name.instruction) : "-") + ":" +
             std::to_string(item.bytes) + " ";
      sum += item.bytes;
    }
    CHECK(sum == 256);
    return out;
  };
  CHECK(at(2) == "p:100 a:64 b:32 r:32 k:16 t:8 x:4 ");
  CHECK(at(4) == "p:100 -:64 b:32 r:32 k:16 t:8 x:4 ");  // a has ended
  CHECK(at(std::nullopt) == "p:100 -:96 r:32 k:16 t:8 x:4 ");
}

TEST_CASE("resident_at: on a TPU only what is in HBM") {
  const buffer_dump dump = dump_of({{", thread-local", {{"inner", 0, 512, 1, 3}}},
                                    {temp, {{"b", 0, 32, 1, 3}}},
                                    {", color 1, preallocated-temp", {{"c", 0, 8, 1, 5}}}});
  const live_chunks chunks(dump);
  const auto items = resident_at(chunks, 2, target::tpu);
  REQUIRE(items.size() == 1);
  CHECK(items[0].bytes == 32);
  CHECK(resident_at(chunks, 2).size() == 3);
}

TEST_CASE("resident_at: a result's memory is listed with the result, not with what is dead then") {
  const buffer_dump dump = dump_of({{", maybe-live-out", {{"early", 0, 16, 1, 2}, {"result", 0, 32, 6, 21}}}});
  const live_chunks chunks(dump);
  const auto shown = [&](std::optional<std::int64_t> position) {
    const auto items = resident_at(chunks, position);
    REQUIRE(items.size() == 1);
    return std::string(dump.values()[items[0].value.value()].name.instruction);
  };
  CHECK(shown(1) == "early");
  CHECK(shown(4) == "result");
  CHECK(shown(std::nullopt) == "result");
}
