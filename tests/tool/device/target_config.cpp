#include <hlolint/tool/device/target_config.hpp>

#include "nearly.hpp"

#include <hlolint/analysis/device/memory_space.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string units(const char* kind, int key, double clock, int count, int ops) {
  return std::string("  ") + kind + " {\n    rate_infos {\n      key: " + std::to_string(key) +
         "\n      value {\n        clock_rate_ghz: " + std::to_string(clock) +
         "\n        units_per_core: " + std::to_string(count) + "\n        ops_per_clock: " + std::to_string(ops) +
         "\n      }\n    }\n  }\n";
}

std::string config(const std::string& name, const std::string& more) {
  return "gpu_device_info {\n  core_count: 100\n  memory_bandwidth: 3000000000000\n  clock_rate_ghz: 2\n"
         "  device_memory_size: 90000000000\n  cuda_compute_capability { major: 9 }\n" +
         more + "  name: \"" + name + "\"\n}\nplatform_name: \"CUDA\"\n";
}

}  // namespace

TEST_CASE("rates come from the file, links from the preset of the model") {
  const auto d = read_target_config(config(
      "NVIDIA H100 80GB HBM3",
      units("matrix_unit_description", 16, 1.5, 4, 512) + units("matrix_unit_description", 11, 1.5, 4, 256) +
          units("scalar_unit_description", 11, 2, 128, 1) + "  device_interconnect_info { active_links: 18 }\n"));
  REQUIRE(d);
  const device preset = *find_device("h100-sxm");
  CHECK(d->name == "NVIDIA H100 80GB HBM3");
  CHECK(d->memory_rate == 3e12);
  CHECK(d->memory_size == 90000000000);
  CHECK(d->clock == 2e9);
  CHECK(d->f16_flops == nearly(100.0 * 4 * 512 * 2 * 1.5e9));
  CHECK(d->f32_flops == nearly(100.0 * 4 * 256 * 2 * 1.5e9));
  CHECK(d->vector_ops == nearly(100.0 * 128 * 2 * 2e9));
  CHECK(d->f8_flops == preset.f8_flops);  // not in the file
  CHECK(d->bus_rate == preset.bus_rate);
  CHECK(d->fabric == fabric::nvlink_switch);
}

TEST_CASE("without NVLink there is only PCIe") {
  for (const char* const links : {"", "  device_interconnect_info { active_links: 0 }\n"}) {
    const auto d = read_target_config(config("NVIDIA A100-SXM4-40GB", links));
    REQUIRE(d);
    CHECK(d->fabric == fabric::pcie);
    CHECK(d->pair_rate == 45e9);
    CHECK(d->matmul_efficiency == find_device("a100-40")->matmul_efficiency);
  }
}

TEST_CASE("what is no target configuration") {
  for (const char* const text :
       {"", "HloModule m", "gpu_device_info { }", "gpu_device_info { memory_bandwidth: -1 }",
        "gpu_device_info { memory_bandwidth: 1e400 }", "gpu_device_info { memory_bandwidth: many }"}) {
    CAPTURE(text);
    CHECK(!read_target_config(text));
  }
}

TEST_CASE("the TPU of target_arguments.txt") {
  struct row {
    const char *version, *variant, *wrap, *name;
    std::int64_t wraps_from;
  };
  for (const row& r :
       {row{"VIPERFISH", "  variant: \"lite\"\n", "", "tpu-v5e", device::never},
        row{"VIPERFISH", "", "", "tpu-v5p", device::never}, row{"VIPERFISH", "", "    x: true\n", "tpu-v5p", 1},
        row{"GHOSTLITE", "", "", "tpu-v6e", device::never}, row{"6acc60406", "", "", "tpu-7x", device::never},
        row{"PUFFERFISH", "", "", "tpu-v4", device::never}}) {
    CAPTURE(r.version);
    const auto d = read_target_arguments("replica_count: 1\ntpu_topology_args {\n  version: TPU_VERSION_" +
                                         std::string(r.version) + "\n" + r.variant +
                                         "  host_bounds {\n    x: 1\n  }\n" + "  wrap {\n" + r.wrap + "  }\n}\n");
    REQUIRE(d);
    CHECK(d->name == r.name);
    CHECK(d->torus_wraps_from == r.wraps_from);
  }
  CHECK(!read_target_arguments("replica_count: 1\n"));
  CHECK(!read_target_arguments("tpu_topology_args {\n  version: TPU_VERSION_NEXT\n}\n"));
  CHECK(!read_target_arguments("HloModule m"));
}

TEST_CASE("the slice and the reserved memory of target_arguments.txt") {
  const auto d = read_target_arguments(
      "reserved_hbm_usage_bytes: 1073741824\ntpu_topology_args {\n  version: TPU_VERSION_VIPERFISH\n"
      "  chips_per_host_bounds {\n    x: 2\n    y: 2\n    z: 1\n  }\n  host_bounds {\n    x: 2\n    y: 2\n    z: 4\n  "
      "}\n"
      "  wrap {\n    z: true\n  }\n}\n");
  REQUIRE(d);
  CHECK(d->slice.chips == std::array<std::int64_t, 3>{4, 4, 4});
  CHECK(d->slice.closed == std::array<bool, 3>{false, false, true});
  CHECK(usable_memory(*d) == usable_memory(*find_device("tpu-v5p")) - 1_GiB);
}

TEST_CASE("the generation of JAX's topology.textproto") {
  const auto name = [](const std::string& version) {
    const auto d = read_topology("platform_name: \"tpu\"\nplatform_version: \"" + version + "\"\n");
    return d ? d->name : std::string();
  };
  CHECK(name("TFRT TPU v5 lite\\nBuilt on Nov 5 2026 01:07:28 (1793869648) cl/1") == "tpu-v5e");
  CHECK(name("TFRT TPU v5\\nBuilt") == "tpu-v5p");
  CHECK(name("TFRT TPU v6 lite\\nBuilt") == "tpu-v6e");
  CHECK(name("TFRT TPU7x") == "tpu-7x");
  CHECK(name("TFRT TPU of tomorrow") == "");
  CHECK(name("cpu") == "");
  CHECK(!read_topology("HloModule m"));
}

TEST_CASE("the devices that run each part of a program") {
  const std::string two_by_two =
      "device_assignment {\n  replica_count: 2\n  computation_count: 2\n"
      "  computation_devices {\n    replica_device_ids: 0\n    replica_device_ids: 4\n  }\n"
      "  computation_devices {\n    replica_device_ids: 1\n    replica_device_ids: 5\n  }\n}\n";
  using ids = std::vector<std::int64_t>;
  CHECK(read_device_assignment("num_replicas: 2\n" + two_by_two + "num_partitions: 2\n") == ids{0, 1, 4, 5});
  CHECK(read_device_assignment("executable_build_options {\n  num_replicas: 2\n" + two_by_two + "}\n") ==
        ids{0, 1, 4, 5});
  CHECK(read_device_assignment("static_" + two_by_two) == ids{0, 1, 4, 5});
  CHECK(read_device_assignment("num_replicas: 2\n").empty());
  CHECK(read_device_assignment("device_assignment {\n  computation_devices {\n    replica_device_ids: 0\n  }\n"
                               "  computation_devices {\n  }\n}\n")
            .empty());
  CHECK(read_device_assignment("device_assignment {\n  computation_devices {\n    replica_device_ids: -1\n  }\n}\n")
            .empty());
  CHECK(read_device_assignment("HloModule m").empty());
}
