// DMP010: live ranges that do not match the values and the schedule of the same dump.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 4, "consistency facts". One finding for each kind of fault.
struct live_range_inconsistent {
  static constexpr rule about{
      .id = "DMP010",
      .name = "live-range-inconsistent",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::printed_ranges,
      .what =
          "A value of the schedule has no live range, has several, or has one that does not begin at the value's "
          "instruction; or a live range belongs to a value that lies in no allocation.",
      .why =
          "Every rule about values in the same bytes relies on these ranges: a missing or shifted one hides a "
          "clash.",
      .advice =
          "Check whether the dump was cut off, edited or assembled from two compilations; dump again into an "
          "empty folder.",
      .example =
          "  InstructionSequence:\n"
          "    0:p.0\n"
          "    1:add.1\n"
          "  BufferLiveRange:\n"
          "    p.0{}:0-1\n"
          "    add.1{}:0-2",
      .source = "XLA: hlo_live_range.cc, ComputeInstructionSequence and FlattenSchedule"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/checks/dump/tally.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void live_range_inconsistent::operator()(const context& dump, sink_ref emit) const {
  if (dump.is_read_in_part()) return;  // a range may be missing for that reason
  const buffer_dump& buffers = *dump.buffers();
  const live_range_block& block = *buffers.live_ranges();
  const auto& table = dump.get<value_table>();
  const auto end = static_cast<std::int64_t>(block.sequence.size());  // of ranges that reach the end of the program
  // Parameters begin with their computation, wherever they stand in it. An unknown instruction may be a parameter.
  const auto is_parameter = [&](std::string_view name) {
    if (const hlo_instruction i = dump.hlo() ? dump.get<instruction_names>().find(name) : hlo_instruction{})
      return i.opcode() == hlo_opcode::parameter;
    const detail::dump_makers::maker& maker = dump.get<detail::dump_makers>().of(name);
    return !maker.is_known || maker.opcode == hlo_opcode::parameter;
  };
  // The root of a wrapped computation may define its values only when the async-start runs (buffer_dumps.md 4). Without
  // HLO it is known by the positions of the value, or by the start's shape: `((operands), result, ...)`, of which it
  // makes the tables only.
  std::map<std::string_view, const shape*> tables;  // filled only if a range begins late
  const auto begins_at_async_start = [&](const live_range& range, std::size_t value) {
    if (range.start < 0 || range.start >= end) return false;
    const std::string_view name = block.sequence[static_cast<std::size_t>(range.start)];
    if (dump.hlo()) {
      const auto& names = dump.get<instruction_names>();
      const hlo_instruction root = names.find(range.instruction), start = names.find(name);
      if (root && !root.is_root()) return false;
      if (start) return start.opcode() == hlo_opcode::async_start;
    }
    const detail::dump_makers::maker& maker = dump.get<detail::dump_makers>().of(name);
    if (maker.is_known && maker.opcode == hlo_opcode::async_start) return true;
    constexpr std::uint32_t result = 1;  // the element of an async-start's result
    // The start makes a table of its own for a result that is a tuple.
    const used_value* const used = table.used(value);
    if (used && !buffers.shape(buffers.values()[value]).is_tuple()) {
      for (const value_position& p : buffers.positions(*used))
        if (p.instruction == name && p.index && !p.index->empty() && (*p.index)[0] == result) return true;
      return false;
    }
    if (tables.empty())
      for (const assigned_value& v : buffers.values())
        if (v.name.at().empty()) tables.emplace(v.name.instruction, &buffers.shape(v));
    const auto start = tables.find(name);
    if (start == tables.end() || start->second->elements.size() <= result) return false;
    const shape* const part = start->second->at(shape_index{result} + range.index);
    return start->second->elements[0].is_tuple() && part && compatible(*part, buffers.shape(buffers.values()[value]));
  };
  detail::tally missing, several, elsewhere, homeless;

  std::vector<bool> taken(block.ranges.size());
  for (std::size_t i = 0; i < buffers.values().size(); ++i) {
    const assigned_value& value = buffers.values()[i];
    const live_range* const range = table.range(i);
    const auto at = table.position_of(value.name.instruction);
    // A value without a position is made inside another instruction, or is a constant there.
    if (at) missing.add(!range, value.name.instruction, value.text);
    if (!range) continue;
    taken[static_cast<std::size_t>(range - block.ranges.data())] = true;
    const bool late = range->start > at.value_or(range->start) && !begins_at_async_start(*range, i),
               early = range->start < at.value_or(range->start);
    elsewhere.add(late || range->end < range->start || range->end > end || (early && !is_parameter(range->instruction)),
                  range->instruction, range->text);
  }
  std::set<std::pair<std::string_view, shape_index>> known;  // filled only if a range has no value yet
  for (std::size_t r = 0; r < taken.size(); ++r) {
    const live_range& range = block.ranges[r];
    if (!taken[r] && known.empty())
      for (const assigned_value& value : buffers.values()) known.emplace(value.name.instruction, value.name.at());
    const bool again = !taken[r] && known.count({range.instruction, range.index}) > 0;
    several.add(again, range.instruction, range.text);
    // The table of a parameter that is a tuple is the caller's, and need not have an allocation.
    const hlo_instruction of = dump.hlo() ? dump.get<instruction_names>().find(range.instruction) : hlo_instruction{};
    const bool is_table =
        of && of.opcode() == hlo_opcode::parameter && range.index.empty() && of.shape() && of.shape()->is_tuple();
    homeless.add(!taken[r] && !again && !is_table, range.instruction, range.text);
  }

  const auto add = [&](const detail::tally& t, std::string_view what) {
    std::optional<finding> d = t.finding_about(buffers, what);
    if (!d) return;
    detail::add_maker(dump, t.instruction, *d);
    emit(std::move(*d));
  };
  add(missing, "values of the schedule have no live range");
  add(several, "live ranges belong to a value that already has one");
  add(elsewhere, "live ranges do not begin at their instruction, or end before they begin or after the schedule");
  add(homeless, "live ranges belong to no value in any allocation");
}

}  // namespace hlolint
#endif
