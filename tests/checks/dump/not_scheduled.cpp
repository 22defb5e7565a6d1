#include <hlolint/checks/dump/not_scheduled.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const auto module_with = [](const std::string& header) {
  return module_of("HloModule m" + header + "\n\nENTRY %main {\n  ROOT %p = f32[16]{0} parameter(0)\n}\n");
};
const auto some_buffers = [] {
  return assignment_of("allocation 0: size 64, maybe-live-out:\n value: <0 p @0> (size=64,offset=0): f32[16]{0}\n");
};

}  // namespace

TEST_CASE("DMP003 catches") {
  CHECK(outcome(not_scheduled{}, context(module_with(""), some_buffers())) ==
        texts{"warning: the module has buffers but no schedule (is_scheduled=true is missing)"});
  CHECK(outcome(not_scheduled{}, context(module_with(""))) == texts{"note: the module is not scheduled"});
  CHECK(lint(not_scheduled{}, context(module_with(""))).empty());  // a note that no one asked for
}

TEST_CASE("DMP003 only notes what XLA for CPUs wrote until early 2024") {
  const auto dump_with = [](const std::string& used) {
    return buffers_of(
        "BufferAssignment:\nallocation 0: size 64, maybe-live-out:\n value: <0 p @0> (size=64,offset=0): f32[16]{0}\n\n"
        "Total bytes used: 64 (64B)\n\nUsed values:\n" +
        used +
        "HloLiveRange (max 1):\n  InstructionSequence:\n    0:p\n  BufferLiveRange:\n    p{}:0-1\n"
        "  Live ranges at 0 (peak):\n    p: 64 bytes\n");
  };
  const std::string value = "<0 p @0>\n positions:\n  p\n uses:\n from instruction:";
  const std::string of_2023 = value + "%p = f32[16]{0} parameter(0)\n\n\n",
                    of_2024 = value +
                              " %p = f32[16]{0} parameter(0)<1 q @0>\n positions:\n  q\n uses:\n"
                              " from instruction: %q = f32[16]{0} parameter(1)\n\n",
                    of_2025 = value + " %p = f32[16]{0} parameter(0)\n\n\n";
  const auto found = [&](const std::string& used, target backend) {
    return outcome(not_scheduled{}, context({.hlo = module_with(""), .buffers = dump_with(used), .target = backend}));
  };
  const texts note{
      "note: the module has buffers but no schedule (is_scheduled=true is missing), as XLA for CPUs wrote it until "
      "early "
      "2024"};
  const texts warning{"warning: the module has buffers but no schedule (is_scheduled=true is missing)"};
  CHECK(found(of_2023, target::cpu) == note);
  CHECK(found(of_2024, target::cpu) == note);
  CHECK(found(of_2025, target::cpu) == warning);
  CHECK(found(of_2024, target::gpu) == warning);
}

TEST_CASE("DMP003 does not catch") {
  CHECK(outcome(not_scheduled{}, context(module_with(", is_scheduled=true"), some_buffers())).empty());
  CHECK(outcome(not_scheduled{}, context(module_with(", is_scheduled=true"))).empty());
  CHECK(outcome(not_scheduled{}, context(some_buffers())).empty());
  const parsed_file some = parse_hlo(source("%x = f32[16]{0} negate(%y)\n"), hlo_extent::instruction_list);
  CHECK(outcome(not_scheduled{}, context(some.modules()[0], some_buffers())).empty());
}
