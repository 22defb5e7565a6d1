#include <hlolint/analysis/buffers/memory_need.hpp>

#include "analysis/dump_of_all_kinds.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("memory_need: allocations in the terms of JAX") {
  const memory_need need(dump_of_all_kinds());
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

TEST_CASE("memory_need: of a GPU's need the host's memory is no part") {
  const buffer_dump dump = dump_of({{temp, {{"b", 0, 32, 1, 3}}},
                                    {", color 1, preallocated-temp", {{"c", 0, 8, 1, 5}}},
                                    {", color 5, preallocated-temp", {{"h", 0, 64, 4, 6}}}});
  CHECK(memory_need(dump, target::gpu).total == 40);
  CHECK(memory_need(dump, target::gpu).temporaries == 40);
  CHECK(memory_need(dump, target::cpu).total == 104);
  CHECK(memory_need(dump).total == 104);
}

TEST_CASE("on a TPU thread-local storage takes no memory") {
  const buffer_dump dump = dump_of({{", thread-local", {{"inner", 0, 512, 1, 3}}},
                                    {temp, {{"b", 0, 32, 1, 3}}},
                                    {", color 1, preallocated-temp", {{"c", 0, 8, 1, 5}}}});
  CHECK(bytes_in_space(dump, 0) == 544);
  CHECK(bytes_in_space(dump, 0, target::tpu) == 32);
  CHECK(bytes_in_space(dump, 1, target::tpu) == 8);
}
