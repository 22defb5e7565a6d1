#include <hlolint/checks/dump/missing_companion.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string hlo = "HloModule m, is_scheduled=true\n\nENTRY %main {\n  ROOT %p = f32[16]{0} parameter(0)\n}\n";
const std::string allocations =
    "BufferAssignment:\nallocation 0: size 64, maybe-live-out:\n"
    " value: <0 p @0> (size=64,offset=0): f32[16]{0}\n";
const std::string values =
    "\nTotal bytes used: 64 (64B)\n\nUsed values:\n<0 p @0>\n positions:\n  p\n uses:\n"
    " from instruction: %p = f32[16]{0} parameter(0)\n";
const std::string ranges =
    "\n\nHloLiveRange (max 1):\n  InstructionSequence:\n    0:p\n  BufferLiveRange:\n"
    "    p{}:0-1\n"
    "  Live ranges at 0 (peak):\n    p: 64 bytes\n";

texts outcome_of(const std::string& module, const std::string& buffers) {
  context::parts parts;
  if (!module.empty())
    parts.hlo = module_of(module),
    parts.files.push_back({"d/module_0001.f.cpu_after_optimizations.txt", input_kind::hlo});
  if (!buffers.empty()) {
    parts.buffers = buffers_of(buffers);
    parts.files.push_back(
        {"d/module_0001.f.cpu_after_optimizations-buffer-assignment.txt", input_kind::buffer_assignment});
  }
  return outcome(missing_companion{}, context(std::move(parts)));
}

}  // namespace

TEST_CASE("DMP004 catches") {
  CHECK(outcome_of(hlo, "") == texts{"note: no buffer assignment of this module: "
                                     "module_0001.f.cpu_after_optimizations-buffer-assignment.txt was not found"});
  CHECK(outcome_of("", allocations + values + ranges) ==
        texts{"note: no HLO of this buffer assignment: module_0001.f.cpu_after_optimizations.txt was not found"});
  context::parts apart;
  apart.buffers = buffers_of(allocations + values + ranges);
  apart.files.push_back(
      {"d/module_0001.f.cpu_after_optimizations-buffer-assignment.txt", input_kind::buffer_assignment});
  apart.unpaired = "d/module_0002.f.cpu_after_optimizations.txt";
  CHECK(outcome(missing_companion{}, context(std::move(apart))) ==
        texts{"note: no HLO of this buffer assignment: module_0001.f.cpu_after_optimizations.txt was not found; "
              "d/module_0002.f.cpu_after_optimizations.txt has the same instructions, but the name of another module"});
  CHECK(outcome_of(hlo, allocations + values) ==
        texts{"note: no live ranges of this buffer assignment: module_0001.f.cpu_after_optimizations-live-range.txt "
              "was not found"});
  CHECK(outcome_of(hlo, allocations + ranges) ==
        texts{"note: no used values of this buffer assignment: "
              "module_0001.f.cpu_after_optimizations-buffer-assignment-values.txt was not found"});
}

TEST_CASE("DMP004 names the buffers of a TPU's code as libtpu does") {
  context::parts parts;
  parts.hlo = module_of(hlo);
  parts.files.push_back({"d/module_0001.f.cl_1.after_codegen.txt", input_kind::hlo});
  CHECK(outcome(missing_companion{}, context(std::move(parts))) ==
        texts{"note: no buffer assignment of this module: "
              "module_0001.f.cl_1.after_optimizations-buffer-assignment.txt was not found"});
}

TEST_CASE("DMP004 does not catch") {
  CHECK(outcome_of(hlo, allocations + values + ranges).empty());
  // Before the last pass there are no buffers.
  CHECK(outcome_of("HloModule m\n\nENTRY %main {\n  ROOT %p = f32[16]{0} parameter(0)\n}\n", "").empty());
}

TEST_CASE("DMP004 does not call a file missing that is there and could not be read") {
  context::parts parts;
  parts.hlo = module_of(hlo);
  parts.files.push_back({"d/module_0001.f.cpu_after_optimizations.txt", input_kind::hlo});
  parts.files.push_back({"d/module_0001.f.cpu_after_optimizations-buffer-assignment.txt", input_kind::unknown});
  CHECK(outcome(missing_companion{}, context(parts)).empty());
  parts.buffers = buffers_of(allocations);
  parts.files.push_back({"d/module_0001.f.cpu_after_optimizations-live-range.txt", input_kind::unknown});
  parts.files.push_back({"d/module_0001.g.cpu_after_optimizations-buffer-assignment-values.txt", input_kind::unknown});
  CHECK(outcome(missing_companion{}, context(parts)) ==
        texts{"note: no used values of this buffer assignment: "
              "module_0001.f.cpu_after_optimizations-buffer-assignment-values.txt was not found"});
  parts.hlo.reset();
  parts.files.push_back({"d/module_0001.f.cpu_after_optimizations-buffer-assignment-values.txt", input_kind::unknown});
  CHECK(outcome(missing_companion{}, context(parts)).empty());

  context::parts alone;
  alone.buffers = buffers_of(allocations + values + ranges);
  alone.files.push_back({"d/f.txt", input_kind::buffer_assignment});
  CHECK(outcome(missing_companion{}, context(alone)) ==
        texts{"note: no HLO of this buffer assignment: f.txt was not found"});
  alone.files.back() = {"d/f-buffer-assignment.txt", input_kind::buffer_assignment};
  alone.files.push_back({"d/f.txt", input_kind::unknown});
  CHECK(outcome(missing_companion{}, context(alone)).empty());
}
