#include <hlolint/analysis/device/memory_space.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

const shape host_shape = [] {
  shape out;
  out.type = element_type::f32;
  out.dimensions = {{8, false}};
  out.layout.emplace();
  out.layout->minor_to_major = {0};
  out.layout->memory_space = 5;
  return out;
}();

}  // namespace

TEST_CASE("of a TPU programs can have the capacity that its compiler prints, and the VMEM of all cores") {
  std::vector<std::string> sizes;
  for (const char* const name : {"tpu-v2", "tpu-v3", "tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu-7x"}) {
    const auto on = find_device(name);
    REQUIRE(on);
    sizes.push_back(human(usable_memory(*on)) + ", " + human(memory_space_capacity(target::tpu, *on, 1)));
  }
  CHECK(sizes == std::vector<std::string>{"7.48GiB, 16.00MiB", "15.48GiB, 16.00MiB", "30.75GiB, 32.00MiB",
                                          "15.75GiB, 128.00MiB", "95.74GiB, 128.00MiB", "31.25GiB, 128.00MiB",
                                          "94.75GiB, 64.00MiB"});
}

TEST_CASE("of a device that is no known TPU all of the memory counts, and the VMEM of the common TPUs") {
  device own;
  own.name = "my own", own.memory_size = 1000;
  CHECK(usable_memory(own) == 1000);
  CHECK(memory_space_capacity(target::tpu, own, 1) == 128_MiB);
  CHECK(memory_space_capacity(target::gpu, own, 1) == 0);
  CHECK(memory_space_capacity(target::tpu, own, 2) == 0);
  CHECK(usable_memory(relative_device(true)) == 0);
}

TEST_CASE("a number of a memory space means what a public source gives, and unknown ones are never the host") {
  CHECK(memory_space_name(target::tpu, 0) == "HBM");
  CHECK(memory_space_name(target::tpu, 1) == "VMEM");
  CHECK(memory_space_name(target::tpu, 2) == "sync flags");
  CHECK(memory_space_name(target::tpu, 4) == "SMEM");
  CHECK(memory_space_name(target::tpu, 6) == "scalar registers");
  CHECK(memory_space_name(target::tpu, 8) == "SparseCore sync flags");
  CHECK(memory_space_name(target::tpu, 11) == "SparseCore SMEM");
  CHECK(memory_space_name(target::tpu, 15) == "SparseCore SPMEM");
  CHECK(memory_space_name(target::tpu, 3) == "CMEM");
  CHECK(memory_space_name(target::tpu, 7) == "color 7");
  CHECK(memory_space_name(target::gpu, 1) == "collective memory");
  CHECK(memory_space_name(target::gpu, 5) == "host");
  CHECK(memory_space_name(target::cpu, 0) == "host");
  CHECK(memory_space_name(target::unknown, 1) == "color 1");
  for (std::int64_t color = -1; color < 300; ++color) {
    CHECK(is_host_space(color) == (color == 5));
    CHECK(is_on_chip(color) == (color != 0 && color != 5));
  }
  for (const memory_space_meaning& m : memory_space_meanings) {
    CHECK(!m.source.empty());
    CHECK(!m.name.empty());
  }
}

TEST_CASE("a shape is in the host's memory if one of its arrays is") {
  CHECK(is_in_host(&host_shape));
  shape device_shape = host_shape, pair;
  device_shape.layout->memory_space = 1;
  CHECK_FALSE(is_in_host(&device_shape));
  pair.type = element_type::tuple;
  pair.elements = {device_shape, host_shape};
  CHECK(is_in_host(&pair));
  CHECK_FALSE(is_in_host(nullptr));
}
