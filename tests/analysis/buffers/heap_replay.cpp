#include "report/memory/memory_fixture.hpp"

#include <hlolint/analysis/buffers/heap_replay.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string changed(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("heap_replay: what starts is counted before what ends goes") {
  // p, a and b at position 2: 1024 + 2048 + 2048.
  const heap_replay replay(module_of(small_hlo), buffers_of(small_buffers));
  CHECK(replay.least() == 5120);
  CHECK(replay.fragmentation() == 6656 - 5120);
}

TEST_CASE("heap_replay: a value that may take over a dying operand is not counted twice") {
  const std::string hlo = changed(small_hlo, R"(custom-call(%a), custom_call_target="f")", "negate(%a)");
  CHECK(heap_replay(module_of(hlo), buffers_of(small_buffers)).least() == 4096);  // p, b and c at position 3
  // Not if the operand is read later on.
  const std::string later = changed(hlo, "custom-call(%b)", "custom-call(%b, %a)");
  CHECK(heap_replay(module_of(later), buffers_of(small_buffers)).least() == 6144);  // p, a, b and c
}

TEST_CASE("heap_replay: no line where the sum is more than all allocations") {
  const std::string smaller = changed(small_buffers, "allocation 2: size 4608", "allocation 2: size 2048");
  CHECK_FALSE(heap_replay(module_of(small_hlo), buffers_of(smaller)).fragmentation());
}
