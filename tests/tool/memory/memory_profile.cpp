#include <hlolint/tool/memory/memory_profile.hpp>

#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

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

TEST_CASE("the bytes in use are those of HBM on a TPU, and of all memory spaces elsewhere") {
  const memory_profile facts(
      dump_of({{temp, {{"b", 0, 32, 1, 3}}}, {", color 1, preallocated-temp", {{"c", 0, 8, 1, 5}}}}));
  CHECK(main_curve(facts.in_use, target::tpu).peak() == 32);
  CHECK(main_curve(facts.in_use, target::gpu).peak() == 40);
}

TEST_CASE("the memory of the host is not in use on a GPU") {
  const memory_profile facts(dump_of({{temp, {{"b", 0, 32, 1, 3}}},
                                      {", color 1, preallocated-temp", {{"c", 0, 8, 1, 5}}},
                                      {", color 5, preallocated-temp", {{"h", 0, 64, 4, 6}}}}));
  const occupancy_curve on_gpu = main_curve(facts.in_use, target::gpu);
  CHECK(on_gpu.peak() == 40);
  CHECK(on_gpu.at(6) == 0);
  CHECK(main_curve(facts.in_use, target::cpu).peak() == 72);
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
  const buffer_dump local = dump_of({{", thread-local", {{"inner", 0, 512, 1, 3}}}, {temp, {{"b", 0, 32, 1, 3}}}});
  CHECK(memory_space_sizes(local).front().bytes == 544);
  CHECK(memory_space_sizes(local, target::tpu).front().bytes == 32);
}
