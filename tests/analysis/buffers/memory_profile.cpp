#include <hlolint/analysis/buffers/memory_profile.hpp>

#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("memory_profile: bytes over time, their bound and a packing, of the same chunks") {
  const memory_profile profile(
      dump_of({{temp, {{"a", 0, 64, 1, 3, {3}}, {"b", 64, 64, 3, 5, {5}}, {"c", 128, 64, 5, 7, {7}}}}}));
  CHECK(profile.chunks.chunks().size() == 3);
  CHECK(profile.in_use.total().peak() == 128);
  REQUIRE(profile.packing.of_allocation(0));
  CHECK(profile.packing.of_allocation(0)->size == 192);
  CHECK(profile.packing.of_allocation(0)->bound == 128);
  REQUIRE(profile.packed.of_allocation(0));
  CHECK(profile.packed.of_allocation(0)->size == 128);
}

TEST_CASE("memory_profile: with the HLO values of one place are apart, of which the dump alone does not know it") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = u8[64]{0} parameter(0)\n"
      "  %a = u8[64]{0} custom-call(%p), custom_call_target=\"k\"\n"
      "  %w = u8[64]{0} custom-call(%a), custom_call_target=\"k\"\n"
      "  %b = u8[64]{0} custom-call(%w), custom_call_target=\"k\"\n"
      "  ROOT %r = u8[64]{0} custom-call(%b), custom_call_target=\"k\"\n}\n");
  const buffer_dump dump =
      dump_of({{", parameter 0, shape |u8[64]| at ShapeIndex {}", {{"p", 0, 64, 0, 5, {1}}}},
               {temp, {{"a", 0, 64, 1, 2, {2}}, {"w", 64, 64, 2, 3, {3}}, {"b", 0, 64, 3, 4, {4}, " (phi)"}}},
               {", maybe-live-out", {{"r", 0, 64, 4, 5}}}},
              4);
  CHECK(memory_profile(dump).chunks.of_allocation(1).size() == 2);
  CHECK(memory_profile(module, dump).chunks.of_allocation(1).size() == 3);
}

TEST_CASE("memory_space_sizes: allocations by memory space, and no sum that does not fit") {
  const std::vector<memory_space_size> sizes =
      memory_space_sizes(dump_of({{", color 1, preallocated-temp", {{"a", 0, 64, 1, 3}}},
                                  {temp, {{"b", 0, 32, 1, 3}}},
                                  {", color 1, preallocated-temp", {{"c", 0, 8, 1, 3}}}}));
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0].color == 0);
  CHECK(sizes[0].allocations == 1);
  CHECK(sizes[0].bytes == 32);
  CHECK(sizes[1].color == 1);
  CHECK(sizes[1].allocations == 2);
  CHECK(sizes[1].bytes == 72);
  const std::vector<memory_space_size> huge =
      memory_space_sizes(buffers_of("BufferAssignment:\nallocation 0: size 6000000000000000000, preallocated-temp:\n"
                                    "allocation 1: size 6000000000000000000, preallocated-temp:\n"));
  REQUIRE(huge.size() == 1);
  CHECK_FALSE(huge[0].bytes);
}

TEST_CASE("on a TPU thread-local storage takes no memory, and the need is of HBM alone") {
  const buffer_dump dump = dump_of({{", thread-local", {{"inner", 0, 512, 1, 3}}},
                                    {temp, {{"b", 0, 32, 1, 3}}},
                                    {", color 1, preallocated-temp", {{"c", 0, 8, 1, 5}}}});
  CHECK(bytes_in_space(dump, 0) == 544);
  CHECK(bytes_in_space(dump, 0, target::tpu) == 32);
  CHECK(bytes_in_space(dump, 1, target::tpu) == 8);
  CHECK(memory_space_sizes(dump).front().bytes == 544);
  CHECK(memory_space_sizes(dump, target::tpu).front().bytes == 32);
  CHECK(memory_space_sizes(dump, target::tpu).size() == 2);
  const memory_profile facts(dump);
  const auto items = resident_at(facts.chunks, 2, target::tpu);
  REQUIRE(items.size() == 1);
  CHECK(items[0].bytes == 32);
  CHECK(resident_at(facts.chunks, 2).size() == 3);
}

TEST_CASE("the bytes in use are those of HBM on a TPU, and of all memory spaces elsewhere") {
  const memory_profile facts(
      dump_of({{temp, {{"b", 0, 32, 1, 3}}}, {", color 1, preallocated-temp", {{"c", 0, 8, 1, 5}}}}));
  CHECK(main_curve(facts.in_use, target::tpu).peak() == 32);
  CHECK(main_curve(facts.in_use, target::gpu).peak() == 40);
}

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
