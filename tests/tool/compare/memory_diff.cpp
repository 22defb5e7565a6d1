#include <hlolint/parse.hpp>
#include <hlolint/tool/compare/module_diff.hpp>
#include <hlolint/tool/compare/module_summary_of.hpp>

#include "analysis/module_of.hpp"
#include "diff_fixture.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::compare;
using namespace hlolint::testing;

namespace {

/// A temporary of so many elements between a parameter and a result of 4 MiB.
std::string with_temporary(const std::string& elements) {
  return "HloModule jit_step, is_scheduled=true\n\nENTRY %main {\n  %p = f32[1048576]{0} parameter(0)\n"
         "  %big.1 = f32[" +
         elements +
         "]{0} custom-call(%p), custom_call_target=\"grow\", metadata={op_name=\"grow\" "
         "source_file=\"train.py\" source_line=5}\n"
         "  ROOT %small.1 = f32[1048576]{0} custom-call(%big.1), custom_call_target=\"shrink\"\n}\n";
}

// Without a target XLA's rules are not known, so that there is only an estimate.
module_summary summary_of(const std::string& hlo, const std::string& buffers = {}, target on = target::unknown) {
  context::parts parts;
  parts.hlo = module_of(hlo);
  if (!buffers.empty()) parts.buffers = buffers_of(buffers);
  parts.target = on;
  module_summary out = module_summary_of(context(std::move(parts)));
  out.time.reset();
  return out;
}

}  // namespace

TEST_CASE("diff: memory from the HLO alone, with the line that takes it") {
  const module_summary small = summary_of(with_temporary("2097152")), big = summary_of(with_temporary("8388608"));
  CHECK(small.memory_is_estimated);
  CHECK(small.memory.total == 16_MiB);
  CHECK(big.memory.total == 40_MiB);
  const std::vector<module_change> found = diff(small, big);
  REQUIRE(found.size() == 1);
  CHECK(found[0].verdict == change_verdict::worse);
  CHECK(found[0].text == "peak grew (estimated from the HLO)");
  CHECK(numbers_of(found[0]) ==
        "peak: 16.00MiB -> 40.00MiB\nneed: 16.00MiB -> 40.00MiB\ntemporaries: 8.00MiB -> 32.00MiB\n"
        "train.py:5: 8.00MiB -> 32.00MiB\ncustom-call in all: 12.00MiB -> 36.00MiB\n");
  CHECK(diff(big, small)[0].verdict == change_verdict::better);
  const module_summary known = summary_of(with_temporary("2097152"), {}, target::gpu);
  CHECK_FALSE(known.memory_is_estimated);
  CHECK(diff(known, summary_of(with_temporary("8388608"), {}, target::gpu))[0].text == "peak grew");
  CHECK(diff(small, small).empty());
}

TEST_CASE("diff: a dump against an estimate, which is named") {
  const dumped good = good_step();
  const module_summary dumped_one = summary_of(good.hlo, good.buffers, target::gpu),
                       estimated = summary_of(bad_step().hlo);
  CHECK_FALSE(dumped_one.memory_is_estimated);
  const std::vector<module_change> found = diff(dumped_one, estimated);
  REQUIRE_FALSE(found.empty());
  CHECK(found[0].kind == change_kind::memory);
  CHECK(found[0].text == "peak grew (the new one is estimated from the HLO)");
  CHECK(numbers_of(found[0]) ==
        "peak: 36.00MiB -> 40.00MiB\nneed: 40.00MiB -> 40.00MiB\nmultiply in all: 0B -> 4.00MiB\n"
        "parameter in all: 20.00MiB -> 20.00MiB\nadd in all: 0B -> 4B\n");
}

TEST_CASE("diff: on a TPU the need is that of HBM, and what the compiler keeps on the chip is no change") {
  const std::string hlo = with_temporary("2097152");
  const auto buffers = [](const std::string& hbm, const std::string& vmem) {
    return "BufferAssignment:\nallocation 0: size " + hbm + ", preallocated-temp:\nallocation 1: size " + vmem +
           ", color 1, preallocated-temp:\n";
  };
  const module_summary before = summary_of(hlo, buffers("8388608", "1048576"), target::tpu);
  CHECK(before.memory.total == 8_MiB);
  CHECK(before.memory.temp == 8_MiB);
  CHECK(diff(before, summary_of(hlo, buffers("8388608", "67108864"), target::tpu)).empty());
  const std::vector<module_change> found = diff(before, summary_of(hlo, buffers("4194304", "67108864"), target::tpu));
  REQUIRE(found.size() == 1);
  CHECK(found[0].verdict == change_verdict::better);
  CHECK(numbers_of(found[0]) == "need: 8.00MiB -> 4.00MiB\ntemporaries: 8.00MiB -> 4.00MiB\n");
}
