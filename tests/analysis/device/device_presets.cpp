#include <hlolint/analysis/device/device_presets.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

using namespace hlolint;

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
  CHECK(count == 22);
  CHECK(!find_device("h100"));
  CHECK(!find_device(""));
}

TEST_CASE("devices are found by the names of JAX and of their makers, in any case") {
  for (const auto& [name, preset] : {std::pair<std::string_view, std::string_view>{"TPU v5 lite", "tpu-v5e"},
                                     {"TPU v6 lite", "tpu-v6e"},
                                     {"TPU v5", "tpu-v5p"},
                                     {"tpu7x", "tpu-7x"},
                                     {"Ironwood", "tpu-7x"},
                                     {"V5p", "tpu-v5p"},
                                     {"NVIDIA GB300", "gb300"},
                                     {"NVIDIA H100 80GB HBM3", "h100-sxm"},
                                     {"GB300", "gb300"},
                                     {"b300", "b300"},
                                     {"AMD Instinct MI350X", "mi350x"}}) {
    const auto found = find_device(name);
    REQUIRE(found);
    CHECK(found->name == preset);
  }
  for (const detail::device_alias& known : detail::device_aliases) {
    CAPTURE(std::string(known.preset));
    REQUIRE(find_device(known.preset));
    for (const std::string_view other : known.names)
      if (!other.empty()) CHECK(find_device(other) == find_device(known.preset));
  }
  CHECK_FALSE(find_device("TPU v99"));
}

TEST_CASE("the device without a name has the ratios of a common one and no latency") {
  for (const bool tpu : {false, true}) {
    const device d = relative_device(tpu), common = find_device(tpu ? "tpu-v5e" : "h100-sxm").value();
    CHECK(d.is_relative());
    CHECK(d.is_tpu() == tpu);
    CHECK(d.f16_flops / d.memory_rate == common.f16_flops / common.memory_rate);
    CHECK(d.kernel_overhead == 0);
    CHECK(d.matmul_overhead == 0);
    CHECK(d.latency_factor == 0);
  }
}
