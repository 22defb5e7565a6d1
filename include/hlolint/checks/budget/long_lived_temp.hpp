// BUD004: a large temporary that waits for most of the program.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Values that loops and conditionals carry are left out: they have to live that long.
struct long_lived_temp {
  static constexpr rule about{
      .id = "BUD004",
      .name = "long-lived-temp",
      .level = severity::note,
      .needs = need::buffers | need::live_ranges | need::used_values,
      .what =
          "A large temporary lives for most of the schedule, although it is read at most twice and not at all "
          "for a long stretch in between.",
      .why = "Its bytes are blocked in the meantime, and count in every peak of that time.",
      .advice =
          "Recompute it when it is needed (jax.checkpoint, rematerialization), compute it later, or offload it "
          "to the host.",
      .example = "add.1{}:3-950, read at 4 and 950 of 1000 positions",
      .source = "XLA: hlo_rematerialization.cc"};

  byte_count min_bytes = 64_MiB;
  double min_share = 0.8;
  double min_wait = 0.5;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &long_lived_temp::min_bytes, "smaller values are not reported"},
      option{"min-share", &long_lived_temp::min_share,
             "values that live for a smaller share of the schedule are not reported"},
      option{"min-wait", &long_lived_temp::min_wait, "the value must be unread for this share of the schedule"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/checks/value_finding.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace hlolint {

namespace bud004 {

/// The longest stretch between the start of a value and its reads; nothing if it has more than two reads, or if a
/// loop or conditional reads it.
inline std::optional<std::pair<std::int64_t, std::int64_t>> longest_wait(const context& dump, const value_table& table,
                                                                         std::size_t i) {
  const used_value* const used = table.used(i);
  if (!used || !used->uses_known || used->use_count > 2) return std::nullopt;
  std::vector<std::int64_t> times{table.range(i)->start};
  for (const value_use& use : dump.buffers()->uses(*used)) {
    const auto at = table.position_of(use.instruction);
    const hlo_instruction reader = dump.hlo() ? dump.get<instruction_names>().find(use.instruction) : hlo_instruction{};
    if (!at || (reader && (reader.opcode() == hlo_opcode::while_ || reader.opcode() == hlo_opcode::conditional)))
      return std::nullopt;
    times.push_back(*at);
  }
  std::sort(times.begin(), times.end());
  std::pair<std::int64_t, std::int64_t> longest{times.front(), times.front()};
  for (std::size_t k = 1; k < times.size(); ++k)
    if (checked_int64(times[k]) - times[k - 1] > checked_int64(longest.second) - longest.first)
      longest = {times[k - 1], times[k]};
  return longest;
}

}  // namespace bud004

HLOLINT_INLINE void long_lived_temp::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump& buffers = *dump.buffers();
  const auto& table = dump.get<value_table>();
  const auto length = static_cast<double>(buffers.live_ranges()->sequence.size());
  for (std::size_t i = 0; i < buffers.values().size(); ++i) {
    const assigned_value& value = buffers.values()[i];
    const live_range* const range = table.range(i);
    if (value.size < min_bytes || !range || value.name.phi || !buffers.allocation_of(value).preallocated_temp) continue;
    if (static_cast<double>((checked_int64(range->end) - range->start).clamped()) < min_share * length) continue;
    const auto wait = bud004::longest_wait(dump, table, i);
    if (!wait || static_cast<double>((checked_int64(wait->second) - wait->first).clamped()) < min_wait * length)
      continue;
    emit(
        detail::value_finding(dump, value, range,
                              str_cat({to_string(value.name), " keeps ", human(value.size), " from position ",
                                       range->start, " to ", range->end, " of ", buffers.live_ranges()->sequence.size(),
                                       ", but it is not read between ", wait->first, " and ", wait->second}),
                              {.bytes = value.size}));
  }
}

}  // namespace hlolint
#endif
