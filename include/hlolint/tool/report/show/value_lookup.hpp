// Place and life of a value, and the values that share its bytes. And the cost of several instructions together.
#pragma once

#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/tool/costs/instruction_costs.hpp>
#include <hlolint/tool/report/memory/memory_facts.hpp>
#include <hlolint/tool/report/show/thing_facts.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace hlolint::report {

/// The facts about the value at a position in the dump. `table`: of the dump.
inline value_facts value_facts_of(const buffer_dump& dump, const value_table& table, std::size_t v) {
  const assigned_value& value = dump.values()[v];
  value_facts out;
  out.name = to_string(value.name), out.shape = to_string(dump.shape(value));
  out.kind = kind_of(dump.allocation_of(value)), out.allocation = dump.allocation_of(value).number;
  out.offset = value.offset, out.size = value.size;
  if (const auto padding = explain_padding(dump.shape(value))) out.padding = padding->waste();
  const auto life_of = [&](std::size_t of) -> std::optional<position_range> {
    const live_range* const range = table.range(of);
    return range ? std::optional(position_range{range->start, range->end}) : std::nullopt;
  };
  out.life = life_of(v);
  constexpr std::size_t most = 6;
  const allocation& in = dump.allocation_of(value);
  for (std::size_t other = in.first_value; other < std::size_t{in.first_value} + in.value_count; ++other) {
    const assigned_value& o = dump.values()[other];
    const bool meets = other != v && o.size > 0 && value.size > 0 &&
                       (checked_int64(o.offset) + o.size).clamped() > value.offset &&
                       (checked_int64(value.offset) + value.size).clamped() > o.offset;
    if (!meets || out.sharers++ >= most) continue;
    std::string text = to_string(o.name);
    if (const auto life = life_of(other))
      text += " (" + std::to_string(life->first) + " to " + std::to_string(life->last) + ")";
    out.shares.push_back(std::move(text));
  }
  return out;
}

namespace detail {

/// The costs in a step of all instructions for which `belongs(i)` is true.
template <class Belongs>
cost_facts sum_of(const instruction_costs& costs, Belongs&& belongs) {
  cost_facts sum;
  for (const instruction_cost& row : costs.rows()) {
    if (!belongs(row.instruction)) continue;
    sum.ms += row.total() * 1e3, sum.exposed_ms += row.exposed * row.runs * 1e3, sum.runs += row.runs;
    sum.flops += row.flops * row.runs, sum.bytes += row.bytes * row.runs;
    sum.transferred_bytes += row.transferred_bytes * row.runs;
  }
  if (costs.step() > 0) sum.share = sum.ms / (costs.step() * 1e3);
  return sum;
}

}  // namespace detail

}  // namespace hlolint::report
