#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>

#include "nearly.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("the roofline: the slower of arithmetic and memory, or the link to the host") {
  const device d = find_device("h100-sxm").value();
  work w;
  w.flops = 989e12 * 0.8, w.type = element_type::bf16;  // a second of the matrix units
  CHECK(roofline(d, w).seconds == nearly(1 + d.matmul_overhead));
  CHECK(roofline(d, w).bound == work_bound::compute);
  w.by_hand = true;
  CHECK(roofline(d, w).seconds == nearly(0.8 / d.attention_efficiency));
  w.by_hand = false;
  w.read = w.written = 3352e9 * 0.85;
  CHECK(w.bytes() == 2 * 3352e9 * 0.85);
  CHECK(roofline(d, w).seconds == nearly(2));
  CHECK(roofline(d, w).bound == work_bound::memory);
  w.vector_ops = 3 * d.vector_ops;
  CHECK(roofline(d, w).seconds == nearly(3));
  w.host = 4 * d.host_rate;
  CHECK(roofline(d, w) == work_time{4, work_bound::host});
}

TEST_CASE("every kernel costs its start, which may be most of its time") {
  const device d = find_device("h100-sxm").value();
  CHECK(kernel_time(d, work{}) == work_time{d.kernel_overhead, work_bound::launch});
  work w;
  w.read = 3352e9 * 0.85;
  CHECK(kernel_time(d, w).seconds == nearly(1 + d.kernel_overhead));
  CHECK(kernel_time(d, w).bound == work_bound::memory);
  CHECK(name_of(work_bound::launch) == "launch");
}

TEST_CASE("the rate of a product follows its type, and a device without such units uses the next wider ones") {
  const device h100 = find_device("h100-sxm").value(), a100 = find_device("a100-80").value();
  CHECK(matmul_rate(h100, element_type::bf16, false) == nearly(989e12 * 0.8));
  CHECK(matmul_rate(h100, element_type::f8e4m3fn, false) == nearly(1979e12 * 0.8));
  CHECK(matmul_rate(a100, element_type::f8e4m3fn, false) == nearly(312e12 * 0.8));
  CHECK(matmul_rate(h100, element_type::f32, false) == nearly(494e12 * 0.65));
  CHECK(matmul_rate(h100, element_type::f64, false) == nearly(67e12 * 0.8));
  const device v100 = find_device("v100").value();
  CHECK(matmul_rate(v100, element_type::f32, false) == nearly(15.7e12 * 0.65));  // vector units
  CHECK(matmul_rate(device{}, element_type::f32, false) == 0);
}
