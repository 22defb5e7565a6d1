#include <hlolint/checks/dump/totals_disagree.hpp>
#include <hlolint/ir/join_buffers.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string allocations =
    "allocation 0: size 64, maybe-live-out:\n"
    " value: <0 a @0> (size=64,offset=0): f32[16]{0}\n"
    "allocation 1: size 32, color 1, preallocated-temp:\n"
    " value: <1 b @1> (size=32,offset=0): f32[8]{0}\n";
const std::string value_a =
    "<0 a @0>\n positions:\n  a\n uses:\n  b, operand 0\n from instruction: %a = f32[16]{0} parameter(0)\n";
const std::string value_b =
    "<1 b @1>\n positions:\n  b\n uses:\n  (none)\n from instruction: %b = f32[8]{0} slice(%a), slice={[0:8]}\n";
texts with_total(int bytes) {
  const std::string values = "Total bytes used: " + std::to_string(bytes) + " (" + std::to_string(bytes) +
                             "B)\n\nUsed values:\n" + value_a + value_b;
  return outcome(totals_disagree{}, join({assignment_of(allocations), buffers_of(values)}));
}
texts with_values(const std::string& values) {
  return outcome(totals_disagree{}, join({assignment_of(allocations),
                                          buffers_of("Total bytes used: 96 (96B)\n\nUsed values:\n" + values)}));
}
const std::string table =
    "  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
    "  ------------------------------------------------------------\n";
std::string report_text(int first, int second) {
  const auto size = [](int bytes) { return std::to_string(bytes) + " (" + std::to_string(bytes) + "B)\n"; };
  return "Memory Space: default (color=0)\nTotal bytes: " + size(first) + table +
         "        64B(100%);        64B;            0;                1; f32[16]\n\n\nMemory Space: vmem (color=1)\n"
         "Total bytes: " +
         size(second) + table + "        32B(100%);        32B;            0;                1; f32[8]\n\n\n";
}
texts with_report(int first, int second) {
  return outcome(totals_disagree{}, join({assignment_of(allocations), buffers_of(report_text(first, second))}));
}

}  // namespace

TEST_CASE("DMP002 catches") {
  CHECK(with_total(95) == texts{"error: the printed total is 95 bytes, but the allocations add up to 96"});
  CHECK(with_report(64, 31) == texts{"error: the total of memory space vmem in the memory usage report is 31 bytes, "
                                     "but the allocations add up to 32"});
  CHECK(with_report(1, 2).size() == 2);
  CHECK(outcome(totals_disagree{}, assignment_of("allocation 0: size 9223372036854775807, maybe-live-out:\n"
                                                 "allocation 1: size 1, preallocated-temp:\n")) ==
        texts{"error: the sizes of all allocations add up to more than 2^63 bytes"});
}

TEST_CASE("DMP002 does not catch") {
  CHECK(with_total(96).empty());
  CHECK(outcome(totals_disagree{}, assignment_of(allocations)).empty());
  CHECK(with_report(64, 32).empty());
  // Something of the dump could not be read.
  const auto size_of = [](bool is_read_in_part) {
    return outcome(totals_disagree{},
                   context({.buffers = buffers_of(report_text(1, 2) + "\n" + "BufferAssignment:\n" + allocations),
                            .is_read_in_part = is_read_in_part}))
        .size();
  };
  CHECK(size_of(false) > 0);
  CHECK(size_of(true) == 0);
}

TEST_CASE("sizes that add up to too much are reported at the allocation that is too many") {
  const buffer_dump dump = assignment_of(
      "allocation 0: size 9223372036854775807, preallocated-temp:\nallocation 1: size 1, preallocated-temp:\n"
      "allocation 2: size 1, preallocated-temp:\n");
  const findings found = lint(totals_disagree{}, dump);
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.text().find("allocation 1:") == 0);
}

TEST_CASE("DMP002 compares the used values with those of the allocations") {
  const std::string missing = " values of the allocations are missing among the used values; the first is ";
  CHECK(with_values(value_a + value_b).empty());
  CHECK(with_values(value_a) == texts{"error: 1 of 2" + missing + "b"});
  CHECK(with_values("") == texts{"error: 2 of 2" + missing + "a"});
  CHECK(with_values(value_a + value_b +
                    "<2 c @0>\n positions:\n  c\n uses:\n  (none)\n from instruction: %c = f32[] "
                    "constant(1)\n") ==
        texts{"error: 1 of 3 used values are missing in the allocations; the first is c"});
  // A file that ends before the first.
  const auto without_values = [](input_kind kind) {
    return outcome(totals_disagree{},
                   context({.buffers = join({assignment_of(allocations), buffers_of("\nTotal bytes used: 96 (96B)\n")}),
                            .files = {{"d/m-buffer-assignment-values.txt", kind}}}));
  };
  CHECK(without_values(input_kind::buffer_values) == texts{"error: 2 of 2" + missing + "a"});
  CHECK(without_values(input_kind::unknown).empty());
}
