#include <hlolint/checks/dump/version_skew.hpp>
#include <hlolint/ir/join_buffers.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string assignment(const std::string& page = {}) {
  return "BufferAssignment:\nallocation 0: size 32" + page +
         ", maybe-live-out:\n value: <0 a @0> (size=32,offset=0): f32[8]{0}\n";
}
std::string ranges(const std::string& peak_line) {
  return "HloLiveRange (max 1):\n  InstructionSequence:\n    0:a\n  BufferLiveRange:\n    a{}:0-1\n"
         "  Live ranges at 0 (peak):\n    " +
         peak_line + "\n";
}
const std::string old_line = "a: 32 bytes", new_line = "a{}: 32 bytes (cumulative: 32 bytes)";
const std::string by_space =
    "Memory Space: default (color=0)\nTotal bytes: 32 (32B)\n"
    "  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
    "  ------------------------------------------------------------\n"
    "        32B(100%);        32B;            0;                1; f32[8]\n\n\n";
texts outcome_of(const std::vector<std::string>& files) {
  std::vector<buffer_dump> parts;
  for (const std::string& text : files) parts.push_back(buffers_of(text));
  return outcome(version_skew{}, join(parts));
}

}  // namespace

TEST_CASE("DMP009 catches") {
  CHECK(outcome_of({assignment() + "\n\n" + ranges(old_line), by_space}) ==
        texts{"note: an XLA of 2026-03-10 or later wrote this file, but one of 2025-04-13 or earlier wrote another one "
              "of the module"});
  CHECK(outcome_of({assignment(", page 0"), ranges(old_line)}).size() == 1);
}

TEST_CASE("DMP009 does not catch") {
  CHECK(outcome_of({assignment() + "\n\n" + ranges(new_line), by_space}).empty());
  CHECK(outcome_of({assignment(), ranges(new_line), by_space}).empty());
  CHECK(outcome_of({assignment(", page 0"), ranges(new_line), by_space}).empty());
  CHECK(outcome_of({assignment() + "\n\n" + ranges(old_line)}).empty());
}
