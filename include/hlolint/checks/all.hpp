// Every rule of the toolkit: one include and one entry each. Those that need what the tool adds are in
// tool/checks/all.hpp.
#pragma once

#include <hlolint/checks/aliasing/alias_duplicate.hpp>
#include <hlolint/checks/aliasing/alias_lost_in_pipeline.hpp>
#include <hlolint/checks/aliasing/alias_read_after_write.hpp>
#include <hlolint/checks/aliasing/alias_size_mismatch.hpp>
#include <hlolint/checks/aliasing/donated_not_used.hpp>
#include <hlolint/checks/aliasing/donation_defeated.hpp>
#include <hlolint/checks/aliasing/dus_not_in_place.hpp>
#include <hlolint/checks/aliasing/dus_self_overlap.hpp>
#include <hlolint/checks/aliasing/missed_donation.hpp>
#include <hlolint/checks/aliasing/must_alias_not_honoured.hpp>
#include <hlolint/checks/aliasing/operand_alias_invalid.hpp>
#include <hlolint/checks/aliasing/outputs_share_bytes.hpp>
#include <hlolint/checks/aliasing/shared_buffer_split.hpp>
#include <hlolint/checks/budget/dominant_value.hpp>
#include <hlolint/checks/budget/giant_single_allocation.hpp>
#include <hlolint/checks/budget/late_consumer.hpp>
#include <hlolint/checks/budget/long_lived_temp.hpp>
#include <hlolint/checks/budget/many_equal_temps.hpp>
#include <hlolint/checks/budget/memory_contract.hpp>
#include <hlolint/checks/budget/over_budget.hpp>
#include <hlolint/checks/budget/peak_regression.hpp>
#include <hlolint/checks/budget/space_budget.hpp>
#include <hlolint/checks/collectives/allreduce_in_accumulation.hpp>
#include <hlolint/checks/collectives/channel_id_clash.hpp>
#include <hlolint/checks/collectives/collective_contract.hpp>
#include <hlolint/checks/collectives/collective_in_loop_invariant.hpp>
#include <hlolint/checks/collectives/collective_under_divergent_branch.hpp>
#include <hlolint/checks/collectives/cyclic_in_flight.hpp>
#include <hlolint/checks/collectives/empty_overlap_window.hpp>
#include <hlolint/checks/collectives/permute_clique_mix.hpp>
#include <hlolint/checks/collectives/permute_pairs_bad.hpp>
#include <hlolint/checks/collectives/rank_divergence.hpp>
#include <hlolint/checks/collectives/repeated_collective.hpp>
#include <hlolint/checks/collectives/replica_groups_bad.hpp>
#include <hlolint/checks/collectives/send_recv_order.hpp>
#include <hlolint/checks/collectives/start_order_inversion.hpp>
#include <hlolint/checks/collectives/sync_collective.hpp>
#include <hlolint/checks/collectives/thin_overlap_window.hpp>
#include <hlolint/checks/collectives/uncombined_small.hpp>
#include <hlolint/checks/collectives/unpaired_async.hpp>
#include <hlolint/checks/collectives/wasteful_reshard.hpp>
#include <hlolint/checks/collectives/wide_transfer.hpp>
#include <hlolint/checks/dump/ambiguous_module.hpp>
#include <hlolint/checks/dump/assignment_differs.hpp>
#include <hlolint/checks/dump/empty_dump.hpp>
#include <hlolint/checks/dump/live_range_inconsistent.hpp>
#include <hlolint/checks/dump/missing_companion.hpp>
#include <hlolint/checks/dump/not_scheduled.hpp>
#include <hlolint/checks/dump/pair_mismatch.hpp>
#include <hlolint/checks/dump/repeated_compilation.hpp>
#include <hlolint/checks/dump/totals_disagree.hpp>
#include <hlolint/checks/dump/version_skew.hpp>
#include <hlolint/checks/memory/async_operand_overwritten.hpp>
#include <hlolint/checks/memory/live_out_clobbered.hpp>
#include <hlolint/checks/memory/live_range_disagreement.hpp>
#include <hlolint/checks/memory/memory_space_mismatch.hpp>
#include <hlolint/checks/memory/misaligned_offset.hpp>
#include <hlolint/checks/memory/misplaced_value.hpp>
#include <hlolint/checks/memory/overlapping_live_buffers.hpp>
#include <hlolint/checks/memory/partial_overlap_in_place.hpp>
#include <hlolint/checks/memory/size_shape_mismatch.hpp>
#include <hlolint/checks/memory/thunk_slice_outside.hpp>
#include <hlolint/checks/memory/touching_not_shareable.hpp>
#include <hlolint/checks/memory/use_after_range.hpp>
#include <hlolint/checks/memory/value_exceeds_allocation.hpp>
#include <hlolint/checks/padding/better_layout_exists.hpp>
#include <hlolint/checks/padding/dead_bytes.hpp>
#include <hlolint/checks/padding/degenerate_lane_dim.hpp>
#include <hlolint/checks/padding/fragmentation.hpp>
#include <hlolint/checks/padding/module_utilisation.hpp>
#include <hlolint/checks/padding/pad_inflating_copy.hpp>
#include <hlolint/checks/padding/tile_padding.hpp>
#include <hlolint/checks/padding/uneven_shard_pad.hpp>
#include <hlolint/checks/performance/copy_in_loop.hpp>
#include <hlolint/checks/performance/host_callback.hpp>
#include <hlolint/checks/performance/elided_narrowing.hpp>
#include <hlolint/checks/performance/f64_on_accelerator.hpp>
#include <hlolint/checks/performance/host_compute.hpp>
#include <hlolint/checks/performance/host_transfer_in_loop.hpp>
#include <hlolint/checks/performance/large_constant.hpp>
#include <hlolint/checks/performance/layout_copy.hpp>
#include <hlolint/checks/performance/materialised_broadcast.hpp>
#include <hlolint/checks/performance/materialised_one_hot.hpp>
#include <hlolint/checks/performance/param_duplicated.hpp>
#include <hlolint/checks/performance/recomputed_with_room.hpp>
#include <hlolint/checks/performance/remat_volume.hpp>
#include <hlolint/checks/performance/replicated_large.hpp>
#include <hlolint/checks/performance/replicated_products.hpp>
#include <hlolint/checks/performance/sharding_contract.hpp>
#include <hlolint/checks/performance/stack_read_in_part.hpp>
#include <hlolint/checks/performance/unbatched_loop.hpp>
#include <hlolint/checks/performance/unknown_trip_count.hpp>
#include <hlolint/lint/check.hpp>

namespace hlolint {

/// The catalogue, in the order of the documents.
#if defined(__cpp_lib_constexpr_vector)
inline constexpr auto all = catalogue<
#else  // libc++ before 15, and so Emscripten
inline const auto all = catalogue<
#endif
    overlapping_live_buffers, touching_not_shareable, partial_overlap_in_place, value_exceeds_allocation,
    size_shape_mismatch, misaligned_offset, use_after_range, memory_space_mismatch, live_out_clobbered,
    async_operand_overwritten, live_range_disagreement, thunk_slice_outside, misplaced_value, alias_size_mismatch,
    alias_duplicate, outputs_share_bytes, alias_read_after_write, donated_not_used, donation_defeated, missed_donation,
    must_alias_not_honoured, alias_lost_in_pipeline, operand_alias_invalid, dus_self_overlap, dus_not_in_place,
    shared_buffer_split, tile_padding, degenerate_lane_dim, better_layout_exists, pad_inflating_copy, fragmentation,
    dead_bytes, module_utilisation, uneven_shard_pad, sync_collective, empty_overlap_window, thin_overlap_window,
    unpaired_async, cyclic_in_flight, permute_clique_mix, send_recv_order, permute_pairs_bad, replica_groups_bad,
    channel_id_clash, rank_divergence, collective_under_divergent_branch, collective_in_loop_invariant,
    allreduce_in_accumulation, uncombined_small, wasteful_reshard, collective_contract, start_order_inversion,
    repeated_collective, wide_transfer, over_budget, peak_regression, dominant_value, long_lived_temp, many_equal_temps,
    giant_single_allocation, space_budget, memory_contract, late_consumer, large_constant, layout_copy,
    param_duplicated, copy_in_loop, host_transfer_in_loop, host_compute, f64_on_accelerator, elided_narrowing,
    remat_volume, host_callback, materialised_broadcast, replicated_large, unknown_trip_count, sharding_contract,
    materialised_one_hot, recomputed_with_room, replicated_products, unbatched_loop, stack_read_in_part, pair_mismatch,
    totals_disagree, not_scheduled, missing_companion, empty_dump, ambiguous_module, version_skew,
    live_range_inconsistent, repeated_compilation, assignment_differs>{};

}  // namespace hlolint
