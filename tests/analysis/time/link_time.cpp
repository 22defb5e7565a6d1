#include <hlolint/analysis/device/device_hints.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/link_time.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;

namespace {

struct example {
  const char* device;
  hlo_opcode kind;
  double mebibytes;
  group_extent group;
  double wire, within, between, latency, seconds;  // bytes and us
};

}  // namespace

TEST_CASE("times of collectives by device, kind, size and group") {
  using enum hlo_opcode;
  const example examples[] = {
      {"h100-sxm", all_gather, 768, {8, 1}, 7.046e8, 2042, 0, 35, 2078},
      {"h100-sxm", all_reduce, 256, {8, 1}, 4.698e8, 1362, 0, 49, 1411},
      {"h100-sxm", all_reduce, 256, {16, 2}, 5.033e8, 1459, 746, 80, 1539},
      {"h100-sxm", all_gather, 768, {16, 2}, 7.550e8, 2188, 1118, 66, 2254},
      {"h100-sxm", all_to_all, 768, {16, 2}, 7.550e8, 2188, 8948, 66, 9014},
      {"h100-sxm", reduce_scatter, 768, {64, 8}, 7.927e8, 2298, 1957, 188, 2486},
      {"gb200", all_gather, 1024, {64, 1}, 1.057e9, 1547, 0, 98, 1646},
      {"mi355x", all_reduce, 1024, {8, 1}, 1.879e9, 4271, 0, 98, 4369},
  };
  for (const example& e : examples) {
    CAPTURE(std::string(e.device) + " " + std::string(name_of(e.kind)));
    const transfer_time t = collective_time(find_device(e.device).value(), e.kind, e.mebibytes * 1048576, e.group);
    CHECK(t.wire_bytes == doctest::Approx(e.wire).epsilon(0.01));
    CHECK(t.within * 1e6 == doctest::Approx(e.within).epsilon(0.01));
    CHECK(t.between * 1e6 == doctest::Approx(e.between).epsilon(0.01));
    CHECK(t.latency * 1e6 == doctest::Approx(e.latency).epsilon(0.011));
    CHECK(t.seconds() * 1e6 == doctest::Approx(e.seconds).epsilon(0.01));
    CHECK(t.path == (e.group.domains > 1 ? transfer_path::network : transfer_path::fast));
  }
}

TEST_CASE("a ring of a TPU uses both directions only where the torus is closed") {
  device v6e = find_device("tpu-v6e").value();
  const double bytes = 1002.0 * 1048576;
  const auto microseconds = [&](std::int64_t devices, double directions = 0) {
    return collective_time(v6e, hlo_opcode::all_gather, bytes, {devices, 1}, directions).seconds() * 1e6;
  };
  CHECK(microseconds(8, 2) == doctest::Approx(5111).epsilon(0.01));
  CHECK(microseconds(8) == doctest::Approx(10219).epsilon(0.01));
  CHECK(microseconds(2) == doctest::Approx(5838).epsilon(0.01));  // half of the bytes in one direction
  CHECK(microseconds(128) == doctest::Approx(5853).epsilon(0.01));
  v6e.torus_wraps_from = 1;
  CHECK(microseconds(8) == doctest::Approx(5111).epsilon(0.01));
  CHECK(microseconds(2) == doctest::Approx(5838).epsilon(0.01));
  const device v5e = find_device("tpu-v5e").value();
  const double all_gather = collective_time(v5e, hlo_opcode::all_gather, bytes, {4, 1}).within;
  CHECK(collective_time(v5e, hlo_opcode::all_to_all, bytes, {4, 1}).within == doctest::Approx(all_gather / 4));
  CHECK(collective_time(v5e, hlo_opcode::all_reduce, bytes, {4, 1}).within == doctest::Approx(all_gather * 2));
}

TEST_CASE("the axes of a torus are closed from a number of devices on (time_model.md 3.4, version 4)") {
  struct {
    const char* device;
    std::int64_t open, closed;
  } const rows[] = {{"tpu-v2", 128, 256}, {"tpu-v3", 512, 1024}, {"tpu-v4", 32, 64}, {"tpu-v5e", 64, 128},
                    {"tpu-v5p", 32, 64},  {"tpu-v6e", 64, 128},  {"tpu-7x", 64, 128}};
  for (const auto& row : rows) {
    CAPTURE(row.device);
    device d = find_device(row.device).value();
    CHECK(!has_closed_torus(d, row.open));
    CHECK(has_closed_torus(d, row.closed));
    CHECK(torus_directions(d, 4, row.open) == 1);
    CHECK(torus_directions(d, 4, row.closed) == 2);
    CHECK(torus_directions(d, 2, row.closed) == 1);
    d.domain_size = row.open;  // several slices
    CHECK(!has_closed_torus(d, row.closed));
  }
}

TEST_CASE("times of permutes and copies") {
  const device h100 = find_device("h100-sxm").value();
  const double bytes = 384.0 * 1048576;
  CHECK(pair_time(h100, hlo_opcode::collective_permute, bytes, true, true).seconds() * 1e6 ==
        doctest::Approx(8988).epsilon(0.001));
  CHECK(pair_time(h100, hlo_opcode::collective_permute, 2 * bytes, true, false).seconds() * 1e6 ==
        doctest::Approx(2916).epsilon(0.001));
  const transfer_time nothing = pair_time(h100, hlo_opcode::send, bytes, false, false);
  CHECK(nothing.wire_bytes == 0);
  CHECK(nothing.path == transfer_path::nothing);
  CHECK(nothing.seconds() == doctest::Approx(40e-6));
  CHECK(copy_time(h100, 50e9, true).seconds() == doctest::Approx(1).epsilon(0.001));
  CHECK(copy_time(h100, 3352e9 * 0.85 / 2, false).seconds() == doctest::Approx(1).epsilon(0.001));
}

TEST_CASE("a group of one device moves nothing, and no device divides by nothing") {
  const device h100 = find_device("h100-sxm").value();
  const transfer_time alone = collective_time(h100, hlo_opcode::all_reduce, 1e9, {1, 1});
  CHECK(alone.wire_bytes == 0);
  CHECK(alone.seconds() == h100.kernel_overhead);
  CHECK(collective_time(device{}, hlo_opcode::all_reduce, 1e9, {8, 2}).within == 0);
  CHECK(collective_time(h100, hlo_opcode::all_reduce, 1e9, {2, 9}).group.domains == 9);  // more domains than devices
}

TEST_CASE("presets are found by name, are complete and differ in name") {
  std::size_t count = 0;
  for_each_device_name([&](std::string_view name) {
    CAPTURE(std::string(name));
    const auto found = find_device(name);
    REQUIRE(found);
    ++count;
    CHECK(found->name == name);
    CHECK(found->f16_flops > 0);
    CHECK(found->vector_ops > 0);
    CHECK(found->memory_rate > 0);
    CHECK(found->memory_size > 0);
    CHECK(found->pair_rate > 0);
    CHECK(found->network_rate > 0);
    CHECK(found->host_rate > 0);
    CHECK(found->clock > 0);
    CHECK(found->is_tpu() == name.starts_with("tpu"));
    CHECK(*found == find_device(name));
  });
  CHECK(count == 19);
  CHECK(!find_device("h100"));
  CHECK(!find_device(""));
}

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
