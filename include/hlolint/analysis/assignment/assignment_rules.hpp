// The rules in which the buffer assigners of XLA's back-ends and versions differ (assignment.md 7).
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>

#include <cstdint>
#include <optional>

namespace hlolint {

/// Whether an allocation counts in the memory that a program needs on its device: all do, but on a GPU not those in the
/// memory of the host, and on a TPU only those in HBM that are not thread-local, as libtpu counts them; thread-local
/// ones stand there for what fusions read and write.
constexpr bool counts_in_need(target on, std::int64_t color, bool thread_local_storage) {
  if (on == target::gpu) return !is_host_space(color);
  return on != target::tpu || (color == 0 && !thread_local_storage);
}

/// The rules by which buffers are assigned.
struct assignment_rules {
  target sharing = target::unknown;    ///< whose rules let a result take its operand's bytes; see `may_share`
  size_rule sizes = size_rule::plain;  ///< how many bytes a shape takes
  byte_count alignment = 64;           ///< of every offset in a temporary allocation; a power of two
  xla_rules values{};                  ///< which values there are, and which must share storage
  bool only_last_position = false;     ///< only the last position of a value may share storage (3)
  bool temporaries_apart = false;      ///< temporary values never lie in parameters or results (11)
  bool in_program_order = false;       ///< the heap is filled in the order of the program, not the largest first (11)
  /// Whether libtpu assigns.
  constexpr bool is_libtpu() const { return sharing == target::tpu; }
  friend bool operator==(const assignment_rules&, const assignment_rules&) = default;

  /// Rules of one back-end at a date, given as year, month, day.
  static constexpr assignment_rules of(target backend, std::int32_t date = xla_rules::newest) {
    assignment_rules out;
    out.sharing = backend == target::gpu || backend == target::tpu ? backend : target::unknown;
    out.temporaries_apart = backend == target::tpu && date >= tpu_keeps_apart;
    out.in_program_order = backend == target::tpu;
    out.sizes = backend == target::tpu       ? size_rule::tpu_tiled
                : backend == target::unknown ? size_rule::plain
                                             : size_rule::plain_dynamic;
    out.alignment = backend == target::gpu   ? date < gpu_alignment_doubled ? 128 : 256
                    : backend == target::tpu ? 16384
                                             : 64;
    out.values = xla_rules(date);
    out.only_last_position = date < all_positions_count;
    return out;
  }

  /// Those of a compilation that ran out of memory: libtpu keeps XLA's own assignment then, which packs more tightly.
  constexpr assignment_rules of_failure() const {
    assignment_rules out = *this;
    out.temporaries_apart = out.in_program_order = false;
    return out;
  }

  static constexpr std::int32_t gpu_alignment_doubled = 20250617;  ///< from 128 to 256 bytes on a GPU
  static constexpr std::int32_t gpu_shares_colors = 20260617;      ///< values may use the collectives' memory (4)
  static constexpr std::int32_t all_positions_count = 20260801;    ///< changed between 31 July and 22 August 2026
  static constexpr std::int32_t tpu_keeps_apart = 20260801;        ///< between libtpu 0.0.42 and 0.0.52
};

/// Bytes of a shape in the memory of a device of a kind, as its compiler assigns them; where the kind is unknown, tiles
/// count as they are written. Nothing if the size is unknown.
inline std::optional<byte_count> size_in_memory(const shape& of, target on) {
  const bool has_tiles = of.layout && !of.layout->tiles.empty();
  return byte_size(of, on == target::unknown && has_tiles ? size_rule::tpu_tiled : assignment_rules::of(on).sizes);
}

}  // namespace hlolint
