#include <hlolint/checks/budget/memory_contract.hpp>
#include <hlolint/checks/all.hpp>
#include <hlolint/hlolint.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

namespace {

std::string findings_of(const module_contract& agreed) {
  const parsed_file dump =
      parse(source(std::string("BufferAssignment:\n"
                               "allocation 0: size 4096, parameter 0, shape |f32[1024]| at ShapeIndex {}:\n"
                               " value: <0 p @0> (size=4096,offset=0): f32[1024]{0}\n"
                               "allocation 1: size 8192, preallocated-temp:\n"
                               " value: <1 a @0> (size=8192,offset=0): f32[2048]{0}\n\n"
                               "Total bytes used: 12288 (12.0KiB)\n"),
                   "module_0001.jit_step.gpu_after_optimizations-buffer-assignment.txt"));
  REQUIRE(dump.buffers);
  context::parts parts;
  parts.buffers = dump.buffers;
  parts.name = "jit_step.4";
  memory_contract check;
  check.contracts.push_back(agreed);
  std::string out;
  for (const diagnostic& d : lint(check, context(std::move(parts))).diagnostics)
    out += d.message + " (" + std::to_string(d.bytes.value_or(0)) + ")\n";
  return out;
}

}  // namespace

TEST_CASE("BUD009 catches") {
  module_contract agreed;
  agreed.name = "c";
  agreed.module = "jit_step";
  agreed.max_temporaries = 8000;
  CHECK(findings_of(agreed) == "contract 'c': 8.0KiB are temporary, at most 7.8KiB are agreed (192)\n");
  agreed.max_total = 4096;
  CHECK(findings_of(agreed) ==
        "contract 'c': 12.0KiB are allocated, at most 4.0KiB are agreed (8192)\n"
        "contract 'c': 8.0KiB are temporary, at most 7.8KiB are agreed (192)\n");
}

TEST_CASE("BUD009 does not catch") {
  module_contract agreed;
  agreed.name = "c";
  agreed.max_temporaries = 8192;
  agreed.max_total = 12288;
  CHECK(findings_of(agreed) == "");
  agreed.max_total = 1;
  agreed.module = "jit_eval";
  CHECK(findings_of(agreed) == "");
}
