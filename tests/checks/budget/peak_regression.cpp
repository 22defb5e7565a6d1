#include <hlolint/checks/budget/peak_regression.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>

using namespace hlolint;

namespace {

// Two values of 4 MiB and 2 MiB that live together at position 1.
const std::string dump_text =
    "BufferAssignment:\nallocation 0: size 6291456, preallocated-temp:\n"
    " value: <0 a @0> (size=4194304,offset=0): f32[1048576]{0}\n"
    " value: <1 b @0> (size=2097152,offset=4194304): f32[524288]{0}\n\nTotal bytes used: 6291456 (6.00MiB)\n\n"
    "Used values:\n\n"
    "HloLiveRange (max 3):\n  InstructionSequence:\n    0:a\n    1:b\n    2:c\n  BufferLiveRange:\n    a{}:0-1\n"
    "    b{}:1-2\n"
    "  Live ranges at 1 (peak):\n    a{}: 4194304 bytes\n    b{}: 2097152 bytes\n";

context::parts parts_with(std::optional<memory_summary> agreed) {
  context::parts parts;
  parts.buffers = parse(dump_text).buffers;
  parts.name = "jit_f.2";
  parts.compared_with.agreed = std::move(agreed);
  return parts;
}

std::string findings_of(std::optional<memory_summary> agreed) {
  std::string out;
  for (const diagnostic& d : lint(peak_regression{}, context(parts_with(std::move(agreed))))) out += d.message + "\n";
  return out;
}

}  // namespace

TEST_CASE("BUD002: what a module takes") {
  CHECK(memory_summary_of(context(parts_with({}))) == memory_summary{"jit_f", 6291456, 6291456, 6291456});
}

TEST_CASE("BUD002: growth against the baseline, beyond the tolerance") {
  CHECK(findings_of({}) == "");
  CHECK(findings_of(memory_summary{"jit_f", 6291456, 6291456, 6291456}) == "");
  CHECK(findings_of(memory_summary{"jit_f", 6291456, 6291456, 6291456 - 1_MiB + 1}) == "");
  CHECK(findings_of(memory_summary{"jit_f", 6291456, 6291456, 4_MiB}) ==
        "peak of jit_f.2: 6.00MiB, was 4.00MiB in the baseline (+50.0 %)\n");
  CHECK(findings_of(memory_summary{"jit_f", 4_MiB, 7_MiB, 0}) ==
        "total of jit_f.2: 6.00MiB, was 4.00MiB in the baseline (+50.0 %)\n");
}
