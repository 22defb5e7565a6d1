// How COL011 describes ranks and their collectives.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/transfers/sequence_difference.hpp>
#include <hlolint/ir/text/shape_text.hpp>

#include <vector>

namespace hlolint::detail {

/// Ranks with equal collectives.
struct rank_side {
  std::vector<std::string> ranks;
  collective_sequence sequence;
};

inline std::string channel_text(const collective_step& s) {
  return s.channel ? "channel_id=" + std::to_string(*s.channel) : std::string("no channel");
}

/// The devices as the HLO text has them, if the text is short.
inline std::string devices_text(const rank_side& of, const collective_step& s) {
  constexpr std::size_t longest = 48, most = 16;
  for (const attribute_key key : {attribute_key::replica_groups, attribute_key::source_target_pairs})
    if (const auto written = s.transfer.attribute(key); written && written->size() <= longest)
      return std::string(*written);
  std::string out = "{";
  std::size_t shown = 0;
  for (const std::vector<std::int64_t>& group : of.sequence.devices_of(s).groups) {
    if (shown >= most) return out + ",...}";
    out += out.size() > 1 ? ",{" : "{";
    for (std::size_t i = 0; i < group.size() && i < most; ++i, ++shown)
      out += (i ? "," : "") + std::to_string(group[i]);
    out += group.size() > most ? ",...}" : "}";
  }
  return out + "}";
}

/// `all-reduce of 4.00MiB (all-reduce.5)`; with its devices and its channel before the name if wanted.
inline std::string step_text(const rank_side& of, const collective_step& s, bool with_devices = true) {
  const std::string name = " (" + std::string(s.instruction.name()) + ")";
  if (s.again) return "another call of " + std::string(s.again.name()) + name;
  std::string out = transfer_text(s.kind, s.bytes());
  if (with_devices) out += " over " + devices_text(of, s);
  if (with_devices && s.channel) out += ", " + channel_text(s);
  return out + name;
}

inline std::string group_mode_text(const rank_side& of, const collective_step& s) {
  const auto mode = of.sequence.devices_of(s).mode;
  return mode ? " (" + std::string(name_of(*mode)) + ")" : s.channel ? " (partitions)" : " (replicas)";
}

inline std::string repetition_text(const collective_step& s) {
  std::string out = !s.loop ? "outside of loops"
                    : s.runs.exact || s.runs.assumed
                        ? std::to_string(s.runs.times) + " times in loops" + (s.runs.assumed ? " (assumed)" : "")
                        : "in a loop of unknown length";
  if (s.conditional) out += " in branch " + std::to_string(s.branch) + " of " + std::string(s.conditional.name());
  return out;
}

inline std::string shapes_text(const collective_step& s) {
  return (s.result ? to_string(*s.result) : std::string("an unknown shape")) +
         (s.operand_bytes ? " from " + human(*s.operand_bytes) : std::string{});
}

/// The differing part of each of two steps. Precondition: the steps have one kind, and `what` names a part of them.
inline std::pair<std::string, std::string> detail_texts(divergence what, const rank_side& usual,
                                                        const collective_step& a, const rank_side& other,
                                                        const collective_step& b) {
  switch (what) {
    case divergence::devices:
      return {"over " + devices_text(usual, a) + group_mode_text(usual, a),
              "runs over " + devices_text(other, b) + group_mode_text(other, b)};
    case divergence::reduction:
      return {"by " + std::string(name_of(a.reduction)), "reduces by " + std::string(name_of(b.reduction))};
    case divergence::repetition: return {repetition_text(a), "runs " + repetition_text(b)};
    case divergence::channel: return {channel_text(a), "has " + channel_text(b)};
    default: return {shapes_text(a), "gives " + shapes_text(b)};
  }
}

}  // namespace hlolint::detail
