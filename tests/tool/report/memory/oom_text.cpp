#include <hlolint/tool/parse_log.hpp>
#include <hlolint/tool/report/memory/oom_text.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace hlolint;

namespace {

std::string written(const std::string& log) {
  const parsed_file file = parse_log(source(log, "job.log"));
  REQUIRE(file.buffers);
  REQUIRE(file.buffers->oom());
  std::ostringstream out;
  report::write_oom(out, *file.buffers->oom(), 5);
  return out.str();
}
bool holds(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("out of memory, as text: every number of the log, and no question mark for those it does not have") {
  const std::string cores = written(
      "RESOURCE_EXHAUSTED: TPU TensorCore Hbm usage: 34.82G, SparseCore Hbm usage 174.10G, exceeding available bytes: "
      "95.74G\n");
  for (const char* const part :
       {"208.92GiB are needed", "95.74GiB", "113.18GiB too much", "TensorCore", "34.82GiB", "SparseCore", "174.10GiB"})
    CHECK_MESSAGE(holds(cores, part), cores);
  const std::string placed = written(
      "RESOURCE_EXHAUSTED: Allocation (size=3145728) would exceed memory (size=1048576) :: #allocation7 [shape = "
      "'u8[3145728]{0}', space=smem, size = 0x300000, scoped, tag = 'prefetched operand 0'] :: kernel.5\n");
  for (const char* const part :
       {"3.00MiB", "1.00MiB", "2.00MiB too much", "u8[3145728]{0}", "prefetched operand 0", "for kernel.5"})
    CHECK_MESSAGE(holds(placed, part), placed);
  const std::string rows = written(
      "Ran out of memory in memory space hbm. Used 2.00G of 1.00G hbm. Exceeded hbm capacity by 1.00G.\n\n"
      "Total hbm usage >= 2.25G:\n    reserved        256.00M \n    program           2.00G \n    arguments       "
      "unknown size \n");
  for (const char* const part : {"arguments", "unknown", "256.00MiB"}) CHECK_MESSAGE(holds(rows, part), rows);
  for (const std::string* const text : {&cores, &placed, &rows}) CHECK_MESSAGE(!holds(*text, "?"), *text);
}
