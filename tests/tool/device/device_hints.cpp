#include <hlolint/tool/device/device_hints.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;

TEST_CASE("file names give the compute capability, not the model") {
  struct {
    const char* file;
    target kind;
    const char* device;
  } const cases[] = {
      {"dumps/module_0001.jit_f.sm_9.0a_gpu_after_optimizations.txt", target::gpu, "h100-sxm"},
      {"m.sm_8.0_gpu_after_optimizations.txt", target::gpu, "a100-80"},
      {"m.gfx942_gpu_after_optimizations.txt", target::gpu, "mi300x"},
      {"m.txt", target::tpu, "tpu-v5e"},
      {"m.sm_7.0_gpu_after_optimizations.txt", target::gpu, "v100"},
      {"sm_9.0/m.txt", target::gpu, ""},  // a folder is no file name
      {"m.txt", target::gpu, ""},
      {"m.cpu_after_optimizations.txt", target::cpu, ""},
  };
  for (const auto& c : cases) {
    CAPTURE(c.file);
    const auto assumed = assume_device(c.file, c.kind);
    CHECK((assumed ? assumed->name : std::string_view{}) == c.device);
    if (assumed) CHECK(find_device(assumed->name));
  }
}

TEST_CASE("a device is only guessed if it can run the program") {
  const auto guess = [](const char* file, target kind, device_needs needs) {
    return std::string(assume_device(file, kind, needs)->name);
  };
  const byte_count gib = byte_count{1} << 30;
  CHECK(guess("m.txt", target::tpu, {15 * gib, false}) == "tpu-v5e");
  CHECK(guess("m.txt", target::tpu, {0, true}) == "tpu-v6e");  // v5e has no SparseCore
  CHECK(guess("m.txt", target::tpu, {26 * gib, false}) == "tpu-v6e");
  CHECK(guess("m.txt", target::tpu, {40 * gib, true}) == "tpu-v5p");
  CHECK(guess("m.txt", target::tpu, {1000 * gib, true}) == "tpu-7x");  // none can: the largest
  CHECK(guess("m.sm_9.0_gpu.txt", target::gpu, {90 * gib, false}) == "h200");
  CHECK(guess("m.sm_9.0_gpu.txt", target::gpu, {70 * gib, false}) == "h100-sxm");
  // v5e does 131,333 operations in a cycle, v6e and 7x about 524,000, v5p 262,000.
  CHECK(guess("m.txt", target::tpu, {0, false, 130e3}) == "tpu-v5e");
  CHECK(guess("m.txt", target::tpu, {0, false, 267e3}) == "tpu-v6e");
  CHECK(guess("m.txt", target::tpu, {40 * gib, false, 267e3}) == "tpu-v5p");
  CHECK(guess("m.txt", target::tpu, {40 * gib, false, 400e3}) == "tpu-7x");
  CHECK(guess("m.sm_10.0_gpu.txt", target::gpu, {0, false, 2000e12}) == "b200");
  CHECK(assume_device("m.txt", target::tpu, {0, false, 267e3})->evidence ==
        "a TPU of a generation that the dump does not name, with too many operations in the printed cycles for a "
        "tpu-v5e");
  CHECK(assume_device("m.txt", target::tpu, {26 * gib, true})->evidence ==
        "a TPU of a generation that the dump does not name, with a SparseCore, for at least 26.00GiB of memory");
}
