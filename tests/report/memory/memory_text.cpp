#include "memory_fixture.hpp"

#include <hlolint/report/memory/memory_text.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string text_of(const context& module, memory_options options = {}) {
  std::ostringstream out;
  memory_text report(out, options);
  report(module, "dumps/small-buffer-assignment.txt");
  return out.str();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("memory_text: all of a small module") {
  CHECK(text_of(*small_module()) == R"(dumps/small-buffer-assignment.txt: module small
  allocated  6656 bytes (6.5KiB) in 3 allocations
  peak       5120 bytes (5.0KiB) at position 2 (b)
  XLA's peak 4096 bytes (4.0KiB) at position 3 (c), found without padding

  memory space  allocations  bytes  peak  at
  color 0                 2   2048  2048  3 (c)
  color 1                 1   4608  4096  2 (b)

  allocation  kind       color  bytes  bound  at  slack  gaps  repacked
           2  temp           1   4608   4096   2    512   512      4096
           0  parameter      0   1024   1024   0      0     0
           1  live-out       0   1024   1024   3      0     0
  bound: most bytes in use at one position. slack: bytes - bound. gaps: never used by any value.
  repacked: a smaller packing of the same values that was found, or the present size.

  values at position 2 (b), where 5120 bytes (5.0KiB) are in use
  bytes  value  live  allocation  shape
   2048  a       1-2           2  f32[512]{0}
      f.py:7, jit(f)/a
   2048  b       2-3           2  f32[512]{0}
   1024  p       0-4           0  f32[256]{0}

  bytes in use by schedule position
      5.0KiB |                                ################
             |                                ################
             |                                ################################
             |                                ################################
             |                ################################################
             |                ################################################
             |                ################################################################
             |                ################################################################
             |################################################################################
             |################################################################################
          0B +--------------------------------^^^^^^^^^^^^^^^^--------------------------------
              0                                                                              4

)");
}

TEST_CASE("memory_text: where a value comes from is known without the HLO too") {
  const std::string alone = text_of(*module_with(nullptr, small_buffers));
  CHECK(has(alone, "\n      f.py:7, jit(f)/a\n"));
}

TEST_CASE("memory_text: another position, fewer rows, blocks") {
  const std::string text = text_of(*small_module(), {1, 3, true});
  CHECK(has(text, "values at position 3 (c), where 4096 bytes (4.0KiB) are in use\n"));
  CHECK(has(text, "   2048  b       2-3"));
  CHECK_FALSE(has(text, "  p  "));
  CHECK(has(text, "  and 2 more\n  bound:"));
  CHECK(has(text, "  and 2 more\n\n  bytes in use"));
  CHECK(has(text, "\xE2\x96\x88"));
  CHECK_FALSE(has(text, "#"));
}

TEST_CASE("memory_text: sizes alone, and what would give the rest") {
  const std::string untimed = text_of(*module_with(small_hlo, without_live_ranges()));
  CHECK(has(untimed, "allocated  6656 bytes"));
  CHECK(has(untimed, "  color 1                 1   4608\n"));
  CHECK_FALSE(has(untimed, "position"));
  CHECK_FALSE(has(untimed, "4608   4608"));
  CHECK(has(untimed, "-live-range.txt"));
  CHECK(has(untimed, "--xla_dump_buffer_assignment_analysis"));
  const std::string nothing = text_of(*module_with(small_hlo, ""));
  CHECK(has(nothing, "no buffer assignment"));
  CHECK(has(nothing, "--xla_dump_to"));
  CHECK_FALSE(has(nothing, "allocated"));
}
