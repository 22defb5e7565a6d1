#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/link_time.hpp>

#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

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
    CHECK(t.wire_bytes == nearly(e.wire).epsilon(0.01));
    CHECK(t.within * 1e6 == nearly(e.within).epsilon(0.01));
    CHECK(t.between * 1e6 == nearly(e.between).epsilon(0.01));
    CHECK(t.latency * 1e6 == nearly(e.latency).epsilon(0.012));
    CHECK(t.seconds() * 1e6 == nearly(e.seconds).epsilon(0.01));
    CHECK(t.path == (e.group.domains > 1 ? transfer_path::network : transfer_path::fast));
  }
}

TEST_CASE("a ring of a TPU uses both directions only where the torus is closed") {
  device v6e = find_device("tpu-v6e").value();
  const double bytes = 1002.0 * 1048576;
  const auto microseconds = [&](std::int64_t devices, double directions = 0) {
    return collective_time(v6e, hlo_opcode::all_gather, bytes, {devices, 1}, directions).seconds() * 1e6;
  };
  CHECK(microseconds(8, 2) == nearly(5111).epsilon(0.01));
  CHECK(microseconds(8) == nearly(10219).epsilon(0.01));
  CHECK(microseconds(2) == nearly(5838).epsilon(0.01));  // half of the bytes in one direction
  CHECK(microseconds(128) == nearly(5853).epsilon(0.01));
  v6e.torus_wraps_from = 1;
  CHECK(microseconds(8) == nearly(5111).epsilon(0.01));
  CHECK(microseconds(2) == nearly(5838).epsilon(0.01));
  const device v5e = find_device("tpu-v5e").value();
  const double all_gather = collective_time(v5e, hlo_opcode::all_gather, bytes, {4, 1}).within;
  CHECK(collective_time(v5e, hlo_opcode::all_gather, bytes, {4, 1}).within == nearly(bytes * 3 / 4 / 45e9));
  // Half of the arrays of 16 chips, 4 x 4, cross the 4 links between its halves, both ways.
  CHECK(collective_time(v5e, hlo_opcode::all_to_all, bytes, {16, 1}).within == nearly(16 * bytes / 4 / (4 * 45e9)));
  CHECK(collective_time(v5e, hlo_opcode::all_to_all, bytes, {2, 1}).within == nearly(bytes / 2 / 45e9));
  CHECK(collective_time(v5e, hlo_opcode::all_reduce, bytes, {4, 1}).within == nearly(all_gather * 2));
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
    CHECK(torus_directions(d, 4, has_closed_torus(d, row.open)) == 1);
    CHECK(torus_directions(d, 4, has_closed_torus(d, row.closed)) == 2);
    CHECK(torus_directions(d, 2, has_closed_torus(d, row.closed)) == 1);
    d.domain_size = row.open;  // several slices
    CHECK(!has_closed_torus(d, row.closed));
  }
}

TEST_CASE("times of permutes and copies") {
  const device h100 = find_device("h100-sxm").value();
  const double bytes = 384.0 * 1048576;
  CHECK(pair_time(h100, hlo_opcode::collective_permute, bytes, true, true).seconds() * 1e6 ==
        nearly(8988).epsilon(0.001));
  CHECK(pair_time(h100, hlo_opcode::collective_permute, 2 * bytes, true, false).seconds() * 1e6 ==
        nearly(2916).epsilon(0.001));
  const transfer_time nothing = pair_time(h100, hlo_opcode::send, bytes, false, false);
  CHECK(nothing.wire_bytes == 0);
  CHECK(nothing.path == transfer_path::nothing);
  CHECK(nothing.seconds() == nearly(40e-6));
  CHECK(copy_time(h100, 50e9, true).seconds() == nearly(1).epsilon(0.001));
  CHECK(copy_time(h100, 3352e9 * 0.85 / 2, false).seconds() == nearly(1).epsilon(0.001));
}

TEST_CASE("a group of one device moves nothing, and no device divides by nothing") {
  const device h100 = find_device("h100-sxm").value();
  const transfer_time alone = collective_time(h100, hlo_opcode::all_reduce, 1e9, {1, 1});
  CHECK(alone.wire_bytes == 0);
  CHECK(alone.seconds() == h100.kernel_overhead);
  CHECK(collective_time(device{}, hlo_opcode::all_reduce, 1e9, {8, 2}).within == 0);
  CHECK(collective_time(h100, hlo_opcode::all_reduce, 1e9, {2, 9}).group.domains == 9);  // more domains than devices
}

TEST_CASE("a box of four GPUs has no switch: a group of two uses a third of the links (version 6)") {
  device a100 = *find_device("a100-40");
  const auto gather = [&](std::int64_t n) { return collective_time(a100, hlo_opcode::all_gather, 1e9, {n, 1}).within; };
  const double two = gather(2), four = gather(4), pair = pair_time(a100, hlo_opcode::send, 1e9, true, false).within;
  a100.domain_size = 4;
  CHECK(gather(2) == nearly(1e9 / 2 / (a100.bus_rate / 3)));
  CHECK(gather(2) > 2 * two);
  CHECK(gather(4) == nearly(four));
  CHECK(pair_time(a100, hlo_opcode::send, 1e9, true, false).within >= pair);
}

TEST_CASE("few bytes take less time to start than many (version 6)") {
  const device a100 = *find_device("a100-40");
  const auto latency = [&](double bytes, group_extent group) {
    return collective_time(a100, hlo_opcode::all_reduce, bytes, group).latency * 1e6;
  };
  CHECK(latency(0, {2, 1}) == nearly(11));
  CHECK(latency(0, {8, 1}) == nearly(20));
  CHECK(latency(16, {2, 1}) < 15);
  CHECK(latency(1e6, {2, 1}) == nearly(31));
  CHECK(latency(16, {2, 2}) > 31);  // between boxes as before
}
