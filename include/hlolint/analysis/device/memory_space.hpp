// The memory spaces that XLA numbers: colors of allocations, and S(...) in layouts.
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

/// What a memory space is for.
enum class memory_space_kind : std::uint8_t {
  unknown,     ///< a number that no public source explains
  main,        ///< the device's large memory, in which arguments, results and most temporaries lie
  fast,        ///< on the chip, managed by the compiler
  scalar,      ///< on the chip, for scalars: indices, predicates and bounds
  flags,       ///< on the chip, semaphores of transfers
  tiles,       ///< on the chip, shared by the tiles of a SparseCore
  collective,  ///< main memory that a communication library registered
  temporary,   ///< main memory of a pool of its own
  host         ///< of the host that the device is attached to
};

/// One meaning of a number.
struct memory_space_meaning {
  target on = target::unknown;                          ///< unknown: everywhere
  std::int64_t color = 0;                               ///< in `S(...)` and `color`
  memory_space_kind kind = memory_space_kind::unknown;  ///< as the target uses that color
  std::string_view name;                                ///< the vendor's name
  std::string_view source;                              ///< the source of the meaning
};

/// The public meanings of numbers. The host is 5 on every device.
inline constexpr memory_space_meaning memory_space_meanings[] = {
    {target::cpu, 0, memory_space_kind::main, "host", "XLA: layout.h, kDefaultMemorySpace"},
    {target::gpu, 0, memory_space_kind::main, "HBM", "XLA: layout.h, kDefaultMemorySpace"},
    {target::gpu, 1, memory_space_kind::collective, "collective memory",
     "XLA: gpu_memory_space_assignment.h, kCollectiveMemorySpaceColor"},
    {target::gpu, 2, memory_space_kind::temporary, "temporary memory",
     "XLA: gpu_memory_space_assignment.h, kTempBufferMemorySpaceColor"},
    {target::tpu, 0, memory_space_kind::main, "HBM", "XLA: layout.h, kDefaultMemorySpace"},
    {target::tpu, 1, memory_space_kind::fast, "VMEM", "XLA: layout.h, kGenericFastMemorySpace"},
    {target::tpu, 2, memory_space_kind::flags, "sync flags", "libtpu's low-level dump: sflag"},
    {target::tpu, 3, memory_space_kind::fast, "CMEM", "dumps for v4, the only TPU with this memory"},
    {target::tpu, 4, memory_space_kind::scalar, "SMEM", "libtpu's low-level dump: smem"},
    {target::tpu, 6, memory_space_kind::scalar, "scalar registers",
     "scalars computed outside of fusions, without a place in libtpu's low-level dump"},
    {target::tpu, 8, memory_space_kind::flags, "SparseCore sync flags",
     "libtpu's low-level dump: sparse_core_sequencer_sflag"},
    {target::tpu, 10, memory_space_kind::flags, "SparseCore tile sync flags",
     "libtpu's low-level dump: sparse_core_tile_sflag"},
    {target::tpu, 11, memory_space_kind::scalar, "SparseCore SMEM",
     "libtpu's low-level dump: sparse_core_sequencer_smem"},
    {target::tpu, 12, memory_space_kind::scalar, "SparseCore tile SMEM",
     "libtpu's low-level dump: sparse_core_tile_smem"},
    {target::tpu, 15, memory_space_kind::tiles, "SparseCore SPMEM", "libtpu's low-level dump: sparse_core_tile_spmem"},
    {target::unknown, 5, memory_space_kind::host, "host", "XLA: layout.h, kHostMemorySpace"}};

/// The meaning of a number; null if none is public.
constexpr const memory_space_meaning* meaning_of_space(target on, std::int64_t color) {
  for (const memory_space_meaning& m : memory_space_meanings)
    if (m.color == color && (m.on == target::unknown || m.on == on)) return &m;
  return nullptr;
}

/// Whether a memory space is known to be the host's.
constexpr bool is_host_space(std::int64_t color) {
  const memory_space_meaning* const m = meaning_of_space(target::unknown, color);
  return m && m->kind == memory_space_kind::host;
}

/// Whether any array of a shape is in the host's memory; false without a shape.
inline bool is_in_host(const shape* of) {
  bool found = false;
  if (of)
    for_each_subshape(*of, [&](const shape_index&, const shape& part) {
      found = found || (!part.is_tuple() && is_host_space(part.memory_space()));
    });
  return found;
}

/// Whether access to the space causes no traffic of a TPU's main memory (time_model.md 4.3): all numbers but main
/// memory and host.
constexpr bool is_on_chip(std::int64_t color) { return color != 0 && !is_host_space(color); }

/// Bytes of the allocations (`size`, `color`) in fast memory, whose use the compiler chooses anew for each program.
byte_count bytes_in_fast_memory(target on, const auto& all) {
  checked_int64 out = 0;
  for (const auto& one : all)
    if (const auto* const m = meaning_of_space(on, one.color); m && m->kind == memory_space_kind::fast) out += one.size;
  return out.clamped();
}

/// The vendor's name, such as `HBM`, `VMEM` or `host`; `color 3` if a number has no public meaning.
inline std::string memory_space_name(target on, std::int64_t color) {
  const memory_space_meaning* const m = on == target::unknown ? nullptr : meaning_of_space(on, color);
  return m ? std::string(m->name) : "color " + std::to_string(color);
}

namespace detail {

inline byte_count usable_bytes(const tpu_figures& of) {
  return static_cast<byte_count>(of.usable * 1024 * 1024 * 1024);
}

}  // namespace detail

/// Bytes of a device's main memory that programs can use: the capacity that a TPU's compiler prints; for other devices
/// all memory, including the part that XLA leaves free by default (`device::memory_share`); in both cases without what
/// is reserved. 0 if the device is unknown.
inline byte_count usable_memory(const device& on) {
  if (on.is_relative()) return 0;
  const detail::tpu_figures* const tpu = detail::find_tpu(on.name);
  return std::max<byte_count>((tpu ? detail::usable_bytes(*tpu) : on.memory_size) - on.reserved_memory, 0);
}

/// Bytes of a memory space of a device: `usable_memory` for the main one, and the sum over all cores for VMEM
/// (time_model.md 1), for a TPU of unknown generation that of the common ones. 0 if unknown.
inline byte_count memory_space_capacity(target on, const device& of, std::int64_t color) {
  if (color == 0) return usable_memory(of);
  if (color != 1 || on != target::tpu) return 0;
  const detail::tpu_figures* const tpu = detail::find_tpu(of.name);
  return tpu ? tpu->vmem * 1024 * 1024 : 128_MiB;
}

}  // namespace hlolint
