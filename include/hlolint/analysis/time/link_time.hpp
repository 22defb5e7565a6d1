// The time of data over the links of a device (time_model.md 3.1 to 3.4).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/ir/opcode.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The path of a transfer.
enum class transfer_path : std::uint8_t {
  nothing,  ///< nothing moves: groups of one device, pairs of a device with itself
  fast,     ///< links inside a domain: NVLink, Infinity Fabric, ICI
  network,  ///< between domains
  memory,   ///< a copy inside the device's memory
  host      ///< to or from the host's memory
};

/// The name in reports: `fast`, `network`.
constexpr std::string_view name_of(transfer_path path) {
  constexpr std::string_view names[] = {"nothing", "fast", "network", "memory", "host"};
  return names[static_cast<std::size_t>(path)];
}

/// The devices that take part in one transfer.
struct group_extent {
  std::int64_t devices = 1;  ///< of the largest group
  std::int64_t domains = 1;  ///< fast domains that it touches
  friend bool operator==(const group_extent&, const group_extent&) = default;
};

/// The time of one transfer, in parts. Seconds and bytes; doubles, since they are estimates.
struct transfer_time {
  hlo_opcode kind = hlo_opcode::unknown;        ///< the synchronous opcode, `send`, `recv` or `copy`
  transfer_path path = transfer_path::nothing;  ///< the slowest part of the way
  group_extent group;                           ///< the devices that take part
  double bytes = 0;                             ///< the bigger side of the data, S
  double wire_bytes = 0;                        ///< sent by each device, W
  double latency = 0;                           ///< before the bytes flow at full rate
  double within = 0;                            ///< over the links of a domain
  double between = 0;                           ///< over the network, at the same time
  double network_bytes = 0;                     ///< sent by each device over the network
  std::string_view link{};                      ///< of a torus that alone is used, such as `+x`; empty: all
  std::vector<hlo_opcode> others{};             ///< kinds of the other collectives of a group that starts as one
  /// The seconds of one run: the latency and the slower of the two ways.
  double seconds() const { return latency + std::max(within, between); }
};

/// `all-gather`; of a group all members, in their order: `2 all-reduce + all-gather`.
inline std::string kinds_text(const transfer_time& t) {
  std::vector<std::pair<hlo_opcode, std::size_t>> kinds{{t.kind, 1}};
  for (const hlo_opcode other : t.others) {
    const auto known = std::ranges::find_if(kinds, [&](const auto& k) { return k.first == other; });
    if (known != kinds.end())
      ++known->second;
    else
      kinds.emplace_back(other, 1);
  }
  std::string out;
  for (const auto& [kind, count] : kinds) {
    out += out.empty() ? "" : " + ";
    if (count > 1) out += std::to_string(count) + " ";
    out += name_of(kind);
  }
  return out;
}

/// The kernel of XLA's own that moves a small collective between GPUs in place of NCCL (time_model.md 3.2).
enum class collective_kernel : std::uint8_t {
  nccl,      ///< none, but one of NCCL
  one_shot,  ///< each device reads the whole arrays of all others
  two_shot   ///< each device reduces a part and reads the others' results
};

namespace detail {

/// `amount` / `rate`; 0 for a device without such a unit or link, instead of infinity.
constexpr double over(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

/// The rate of the links between two GPUs: boxes of at most four have no switch, and each GPU divides its links among
/// the others.
inline double direct_rate(const device& d) {
  constexpr std::int64_t most_without_switch = 4;
  if (d.fabric != fabric::nvlink_switch || d.domain_size > most_without_switch || d.domain_size < 2) return d.bus_rate;
  return d.bus_rate / static_cast<double>(d.domain_size - 1);
}

/// The rate at which each of n devices sends to the others.
inline double bus_rate(const device& d, std::int64_t n) {
  const auto devices = static_cast<double>(n);
  switch (d.fabric) {
    case fabric::nvlink_switch: return std::min(d.bus_rate * (1 - 0.64 / devices), direct_rate(d) * (devices - 1));
    case fabric::full_mesh: return n > 1 ? std::min(d.bus_rate, d.pair_rate * (devices - 1)) : d.pair_rate;
    default: return d.bus_rate;
  }
}

/// The effective latency, which includes the ramp-up to the full rate.
inline double transfer_latency(const device& d, hlo_opcode kind, std::int64_t n) {
  const double us = 1e-6 * d.latency_factor;
  const auto devices = static_cast<double>(n);
  if (d.fabric == fabric::torus) return us * static_cast<double>(std::max<std::int64_t>(1, n / 2));
  const bool mesh = d.fabric == fabric::full_mesh;
  if (kind == hlo_opcode::collective_permute || kind == hlo_opcode::send || kind == hlo_opcode::recv)
    return us * (mesh ? 25 : 40);
  if (mesh) return us * std::min(100.0, 50 + 6 * devices);
  const double first = d.domain_size > 8 ? 15 : 25;  // racks were measured with a newer NCCL
  return kind == hlo_opcode::all_reduce ? us * std::min(60.0, first + 3 * devices)
                                        : us * std::min(110.0, first + 1.3 * devices);
}

}  // namespace detail

namespace detail {
/// The latency of few bytes, which the fast protocol of NCCL moves without a ramp-up: it grows to that of many bytes,
/// `full`, at 256 KiB.
inline double latency_of_few(const device& d, std::int64_t n, double bytes, double full) {
  const double least = std::min(full, 1e-6 * d.latency_factor * (8 + 1.5 * static_cast<double>(n)));
  return least + (full - least) * std::min(1.0, bytes / (256.0 * 1024));
}
}  // namespace detail

/// Whether the axes of a torus form rings for a program on this number of devices (time_model.md 3.4).
inline bool has_closed_torus(const device& d, std::int64_t devices) {
  return std::min(devices, d.domain_size) >= d.torus_wraps_from;
}

/// The chips along each axis of the torus that a program on this number of devices runs on, with numbers that count
/// along x first: as the files beside its dump state, else the rectangle that so many chips form, such as 2x4x1 for
/// eight of a v6e. Zeros if unknown (time_model.md 3.4).
inline std::array<std::int64_t, 3> slice_of(const device& d, std::int64_t devices) {
  const std::array<std::int64_t, 3>& known = d.slice.chips;
  if (known[0] > 0 && known[1] > 0 && known[2] > 0) return known;
  if (!d.flat_slices || devices < 2 || devices > std::min<std::int64_t>(d.domain_size, 256)) return {};
  std::int64_t width = 1;
  while (width * width * 4 <= devices) width *= 2;
  if (devices != width * width && devices != 2 * width * width) return {};
  return {width, devices / width, 1};
}

/// The devices along the longest axis of the part of a torus that n devices form: of an all-to-all half of all arrays
/// cross its middle. Without a known slice a square or a cube (time_model.md 3.4).
inline double longest_side(const device& d, std::int64_t n) {
  const std::array<std::int64_t, 3> chips = slice_of(d, n);
  const std::int64_t whole = chips[0] * chips[1] * chips[2], longest = *std::max_element(chips.begin(), chips.end());
  if (whole == n) return static_cast<double>(longest);
  if (whole > n && n <= longest) return static_cast<double>(n);
  return std::max(2.0, std::pow(static_cast<double>(n), d.flat_slices ? 1 / 2.0 : 1 / 3.0));
}

/// The number of link directions that a ring of n devices of a torus uses at once, if the dump does not show it.
/// `closed`: whether the axes along which it lies are rings.
inline double torus_directions(const device& d, std::int64_t n, bool closed) {
  return (n > 2 && closed ? 2.0 : 1.0) * std::max(1, d.torus_axes);
}

/// The time of a collective of S = `bytes` in groups of `group`. `directions`: link directions of a torus used at once;
/// 0 = by the device, for a program on one such group.
inline transfer_time collective_time(const device& d, hlo_opcode kind, double bytes, group_extent group,
                                     double directions = 0) {
  transfer_time t{kind, transfer_path::nothing, group, bytes, 0, d.kernel_overhead, 0, 0, 0};
  const std::int64_t n = group.devices,
                     domains = std::clamp<std::int64_t>(group.domains, 1, std::max<std::int64_t>(n, 1));
  if (n <= 1) return t;
  const bool all_to_all = kind == hlo_opcode::all_to_all || kind == hlo_opcode::ragged_all_to_all;
  const double devices = static_cast<double>(n), rounds = kind == hlo_opcode::all_reduce ? 2 : 1;
  const std::int64_t members = std::max<std::int64_t>(1, n / domains);
  t.path = domains > 1 ? transfer_path::network : transfer_path::fast;
  t.wire_bytes = kind == hlo_opcode::collective_broadcast ? bytes : rounds * bytes * (devices - 1) / devices;
  t.latency = detail::transfer_latency(d, kind, n);
  if (domains == 1 && d.fabric == fabric::nvlink_switch) t.latency = detail::latency_of_few(d, n, bytes, t.latency);
  if (members > 1) {
    if (d.fabric == fabric::torus) {
      const bool closed = has_closed_torus(d, n);
      const double ring = d.pair_rate * (directions > 0 ? directions : torus_directions(d, n, closed));
      t.within = all_to_all ? detail::over(bytes * longest_side(d, n), d.pair_rate * (closed ? 8 : 4))
                            : detail::over(rounds * bytes * (devices - 1) / devices, ring);
    } else {
      t.within = detail::over(t.wire_bytes, detail::bus_rate(d, members));
    }
  }
  if (domains > 1) {
    const double m = static_cast<double>(members), count = static_cast<double>(domains);
    t.latency += 10e-6 * d.latency_factor * count;
    t.network_bytes = all_to_all ? bytes * (devices - m) / devices : rounds * bytes * (count - 1) / count / m;
    t.between = detail::over(t.network_bytes, d.network_rate);
  }
  return t;
}

/// The time of a collective of S = `bytes` that a kernel of XLA's own moves inside a domain of GPUs; as with NCCL
/// elsewhere.
inline transfer_time own_kernel_time(const device& d, collective_kernel by, transfer_time t) {
  if (by == collective_kernel::nccl || t.path != transfer_path::fast || d.fabric == fabric::torus) return t;
  constexpr double barrier = 2e-6;  // until all devices have reached it
  const auto others = static_cast<double>(t.group.devices - 1);
  const bool once = by == collective_kernel::one_shot;
  if (once) t.wire_bytes = t.bytes * others;
  t.latency = d.kernel_overhead + (once ? 1 : 2) * barrier;
  t.within = detail::over(t.wire_bytes, detail::bus_rate(d, t.group.devices));
  return t;
}

/// The time of a collective-permute, send or recv of `bytes`. `moves`: some device sends to another; `crosses`: to
/// another domain.
inline transfer_time pair_time(const device& d, hlo_opcode kind, double bytes, bool moves, bool crosses) {
  transfer_time t{
      kind, transfer_path::nothing, {2, crosses ? 2 : 1}, bytes, 0, detail::transfer_latency(d, kind, 2), 0, 0, 0};
  if (!moves) return t;
  t.path = crosses ? transfer_path::network : transfer_path::fast;
  t.wire_bytes = bytes;
  if (crosses)
    t.between = detail::over(t.network_bytes = bytes, d.network_rate);
  else
    t.within = detail::over(bytes, std::min(d.pair_rate, detail::direct_rate(d)));
  return t;
}

/// The time of a copy of `bytes` by a copy engine, inside the device's memory or to or from the host's.
inline transfer_time copy_time(const device& d, double bytes, bool host) {
  const transfer_path path = host ? transfer_path::host : transfer_path::memory;
  transfer_time t{hlo_opcode::copy, path, {1, 1}, bytes, bytes, d.kernel_overhead, 0, 0, 0};
  // On a GPU each byte is read from and written to the same memory; on a TPU copies go to or from VMEM.
  t.within = host ? detail::over(bytes, d.host_rate)
                  : detail::over(bytes * (d.is_tpu() ? 1 : 2), d.memory_rate * d.memory_efficiency);
  return t;
}

/// The time of a send or recv between slices, which goes by way of the hosts: at the rate of the slower of the link to
/// the host and the network, if that is known.
inline transfer_time slice_time(device d, hlo_opcode kind, double bytes) {
  d.network_rate = d.network_rate > 0 ? std::min(d.host_rate, d.network_rate) : d.host_rate;
  return pair_time(d, kind, bytes, true, true);
}

}  // namespace hlolint
