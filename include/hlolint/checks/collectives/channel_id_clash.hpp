// COL010: collectives that do not belong together but share a channel.
#pragma once

#include <hlolint/lint/check.hpp>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace hlolint {

/// Clones of one collective (unrolled loops, peeled iterations, the steps of a TPU chain) share a channel rightly: they
/// agree in kind and groups. So do all collectives that JAX itself makes (shard_map): since JAX 0.8 each has channel 1,
/// and XLA numbers the collectives that it adds from 2. If all collectives of a module have one channel, nothing uses
/// it to tell them apart. One finding per channel.
struct channel_id_clash {
  static constexpr rule about{
      .id = "COL010",
      .name = "channel-id-clash",
      .costs = cost_kind::nothing,
      .needs = need::hlo,
      .what = "Collectives of different kinds, or over different groups of devices, carry the same channel_id.",
      .why =
          "A channel_id names one communication. If a backend or runtime keys its rendezvous by it, devices that "
          "reach different collectives meet there, and hang or mix their data.",
      .advice =
          "Give each collective a channel_id of its own; look for a tool or pass that merged programs without "
          "renumbering the channels.",
      .example =
          "%ag = f32[16]{0} all-gather(%p), channel_id=2, replica_groups={{0,1}}, dimensions={0}, "
          "use_global_device_ids=true\n"
          "%ar = f32[8]{0} all-reduce(%p), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, "
          "to_apply=%add",
      .source =
          "XLA: hlo_verifier.cc, VerifyChannels, which looks at send and recv only; JAX: "
          "mlir.COLLECTIVE_CHANNEL_ID"};

  static constexpr std::int64_t jax_channel = 1;  ///< of all collectives that JAX 0.8 and later makes

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>

namespace hlolint {

HLOLINT_INLINE void channel_id_clash::operator()(const context& dump, sink_ref emit) const {
  std::map<std::int64_t, std::vector<hlo_instruction>> channels;
  for (const hlo_instruction i : dump.get<instructions_by_opcode>().where(is_collective))
    if (const auto channel = get<channel_id>(i); channel && channel->value > 0) channels[channel->value].push_back(i);
  if (channels.size() < 2) return;
  // Of a program for several slices libtpu numbers the parts within each and those between them apart.
  const auto sends = dump.get<instructions_by_opcode>().of(hlo_opcode::send);
  if (std::any_of(sends.begin(), sends.end(), goes_between_slices)) return;
  for (const auto& [channel, sharing] : channels) {
    if (channel == jax_channel) continue;
    const hlo_instruction first = sharing.front();
    hlo_instruction other;
    std::string difference;
    for (const hlo_instruction i : sharing) {
      if (collective_kind(i.opcode()) != collective_kind(first.opcode()))
        difference = "is of another kind";
      else if (!same_devices(i, first, dump.get<module_groups>()))
        difference = "has other groups of devices";
      else
        continue;
      other = i;
      break;
    }
    if (!other) continue;
    finding d = finding_at(
        other,
        std::string(name_of(collective_kind(other.opcode()))) + " has channel_id=" + std::to_string(channel) + ", as " +
            std::string(name_of(collective_kind(first.opcode()))) + " " + std::string(first.name()) + ", but " +
            difference + " (" + std::to_string(sharing.size()) + " collectives on this channel)",
        {.related = {related_at(first, "has the channel_id too")}});
    d.where = other.attribute_location(attribute_key::channel_id);
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
