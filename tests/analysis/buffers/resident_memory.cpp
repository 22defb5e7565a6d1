#include <hlolint/analysis/buffers/resident_memory.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

buffer_dump resident_dump() {
  return dump_of({{", parameter 0, shape |u8[100]| at ShapeIndex {}", {{"p", 0, 100, 0, 21}}},
                  {temp, {{"a", 0, 64, 1, 3, {3}}, {"b", 64, 32, 2, 5, {5}}}},
                  {", maybe-live-out", {{"r", 0, 32, 6, 21}}},
                  {", constant", {value_row{"k", 0, 16, 0, 0, {}, {}, {}, {}, false}}},
                  {", thread-local", {value_row{"x", 0, 4, 0, 0, {}, {}, {}, {}, false}}},
                  {"", {{"t", 0, 8, 6, 21}}}});
}

}  // namespace

TEST_CASE("memory_need: allocations in the terms of JAX") {
  const memory_need need(resident_dump());
  CHECK(need.arguments == 100);
  CHECK(need.outputs == 32);
  CHECK(need.aliased == 0);
  CHECK(need.temporaries == 96);
  CHECK(need.constants == 16);
  CHECK(need.thread_local_storage == 4);
  CHECK(need.tuple_tables == 8);
  CHECK(need.total == need.arguments + need.outputs - need.aliased + need.temporaries + need.constants +
                          need.thread_local_storage + need.tuple_tables);
  const memory_need donated(
      dump_of({{", parameter 0, shape |u8[64]| at ShapeIndex {}, maybe-live-out", {{"p", 0, 64, 0, 21}}}}));
  CHECK(donated.aliased == 64);
  CHECK(donated.total == 64);
  CHECK(memory_need(buffer_dump{}) == memory_need{});
}

TEST_CASE("resident_at: what takes the memory at a position, the most first, and its sum is the need") {
  const live_chunks chunks(resident_dump());
  const auto at = [&](optional<std::int64_t> position) {
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
