#include <hlolint/checks/budget/over_budget.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const auto dump = [] {
  return assignment_of(
      "allocation 0: size 2048, maybe-live-out:\n value: <0 a @0> (size=2048,offset=0): f32[512]{0}\n"
      "allocation 1: size 1024, preallocated-temp:\n"
      " value: <1 b @0> (size=1024,offset=0): f32[256]{0}\n"
      "allocation 2: size 64, color 1, preallocated-temp:\n"
      " value: <2 c @1> (size=64,offset=0): f32[16]{0}\n");
};

}  // namespace

TEST_CASE("BUD001 catches") {
  CHECK(outcome(over_budget{.capacity = 2_KiB}, dump()) ==
        texts{"error: allocations of color 0 take 3.0KiB, 1.0KiB more than the budget of 2.0KiB"});
  CHECK(outcome(over_budget{.capacity = 3_KiB, .margin = 0.1}, dump()).size() == 1);
  CHECK(outcome(over_budget{.capacity = 63, .color = 1}, dump()) ==
        texts{"error: allocations of color 1 take 64B, 1B more than the budget of 63B"});
  const findings found = lint(over_budget{.capacity = 2_KiB}, dump());
  REQUIRE(found.size() == 1);
  CHECK(found[0].bytes == 1024);
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[0].instruction == "a");
}

TEST_CASE("BUD001 knows how much the device has") {
  const auto on = [](byte_count memory, over_budget check = {}) {
    context::parts parts;
    parts.buffers = dump();
    device small;
    small.name = "small";
    small.memory_size = memory;
    parts.device = small;
    return outcome(check, context(std::move(parts)));
  };
  CHECK(on(2_KiB) == texts{"error: allocations of color 0 take 3.0KiB, 1.0KiB more than the memory of small, 2.0KiB"});
  CHECK(on(3_KiB).empty());
  CHECK(on(3_KiB, {.margin = 0.5}) ==
        texts{"error: allocations of color 0 take 3.0KiB, 1.5KiB more than the budget of 1.5KiB"});
  CHECK(on(2_KiB, {.capacity = 4_KiB}).empty());  // what was given counts more
  CHECK(on(1, {.color = 1}).empty());
}

TEST_CASE("BUD001 reports what the compiler itself refused") {
  const auto on = [](byte_count memory) {
    context::parts parts;
    parts.buffers = dump();
    parts.is_out_of_memory = true;
    if (memory > 0) parts.device.emplace().name = "small", parts.device->memory_size = memory;
    return outcome(over_budget{}, context(std::move(parts)));
  };
  CHECK(on(2_KiB) == texts{"error: allocations of color 0 take 3.0KiB, 1.0KiB more than the memory of small, 2.0KiB; "
                           "the compilation failed"});
  CHECK(on(4_KiB) == texts{"error: allocations of color 0 take 3.0KiB; the compilation failed although small has "
                           "4.0KiB: its code, and what is reserved, take some of it"});
  CHECK(on(0) == texts{"error: allocations of color 0 take 3.0KiB; the compilation failed: the device has less"});
}

TEST_CASE("BUD001: what XLA leaves by default is no error") {
  const auto on = [](byte_count memory, over_budget check = {}) {
    context::parts parts;
    parts.buffers = dump();
    parts.device = *find_device("h100-sxm");
    parts.device->memory_size = memory;
    return outcome(check, context(std::move(parts)));
  };
  CHECK(on(4_KiB).empty());
  CHECK(on(4_KiB - 4) == texts{"warning: allocations of color 0 take 3.0KiB, 3B more than the 3.0KiB that XLA takes by "
                               "default of the 4.0KiB of h100-sxm"});
  CHECK(on(3_KiB).at(0).starts_with("warning: "));
  CHECK(on(3_KiB - 1) ==
        texts{"error: allocations of color 0 take 3.0KiB, 1B more than the memory of h100-sxm, 3.0KiB"});
  CHECK(on(3_KiB, {.margin = 0}).empty());
  CHECK(on(3_KiB, {.margin = 0.08}).at(0).starts_with("error: "));
  CHECK(on(2_KiB, {.capacity = 3_KiB}).empty());
  CHECK(find_device("tpu-v5e")->memory_share == 1);  // its capacity is what programs can have
}

TEST_CASE("BUD001: thread-local storage of a TPU takes no memory") {
  const auto on = [](target backend) {
    context::parts parts;
    parts.buffers = buffers_of(
        "BufferAssignment:\nallocation 0: size 4096, thread-local:\n"
        "allocation 1: size 64, preallocated-temp:\n");
    parts.target = backend;
    return outcome(over_budget{.capacity = 1_KiB}, context(std::move(parts)));
  };
  CHECK(on(target::tpu).empty());
  CHECK(on(target::gpu).size() == 1);
}

TEST_CASE("BUD001 does not catch") {
  CHECK(outcome(over_budget{}, dump()).empty());  // how much there is is not known there is
  CHECK(outcome(over_budget{.capacity = 3_KiB}, dump()).empty());
  CHECK(outcome(over_budget{.capacity = 4_KiB, .margin = 0.25}, dump()).empty());
}
