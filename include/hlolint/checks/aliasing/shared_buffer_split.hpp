// ALI013: values that must share one buffer and lie in different places.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 5.1. Of the values that must share a buffer, those that lie elsewhere than most are reported. An
/// alias of the module's header is ALI008.
struct shared_buffer_split {
  static constexpr rule about{
      .id = "ALI013",
      .name = "shared-buffer-split",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::hlo | need::buffers,
      .what =
          "Two values that must share one buffer lie in different places: what a loop is given, carries and "
          "returns, the results of a conditional and its branches, or the operand and the result of an in-place "
          "operation.",
      .why =
          "Nothing copies the bytes from one place to the other, so the loop, the branch or the operation leaves "
          "its result where the reader does not look.",
      .advice =
          "Check that HLO and dump come from one compilation and that neither was edited. If so, keep both and "
          "report a bug of the compiler.",
      .example =
          "HLO:   %w = (f32[8]{0}) while(%init), condition=%c, body=%b\n"
          "dump:  value: <3 w{0} (phi) @0> (size=32,offset=0): f32[8]{0}\n"
          "       value: <7 next @0> (size=32,offset=64): f32[8]{0}    the body's result",
      .source = "XLA: hlo_alias_analysis.cc"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/checks/value_finding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

namespace ali013 {

using chunk = std::tuple<std::int64_t, byte_count, byte_count>;  // allocation, offset, size

inline chunk chunk_of(const assigned_value& v) { return {v.allocation, v.offset, v.size}; }

/// The chunk of most values of a set, preferably one of a phi value; nothing if all have the same.
inline std::optional<chunk> usual_chunk(const matched_values& values, std::span<const std::uint32_t> set) {
  const auto place_of = [&](std::uint32_t v) -> std::optional<chunk> {
    const auto assigned = values.assigned(v);
    return assigned ? std::optional(chunk_of(values.dump().values()[*assigned])) : std::nullopt;
  };
  std::optional<chunk> first;
  const bool split = std::ranges::any_of(set, [&](std::uint32_t v) {
    const auto place = place_of(v);
    if (!first) first = place;
    return place && *place != *first;
  });
  if (!split) return std::nullopt;
  std::map<chunk, std::size_t> weights;
  for (const std::uint32_t v : set)
    if (const auto place = place_of(v)) weights[*place] += values.flow().values()[v].phi ? 3 : 2;
  return std::ranges::max_element(weights, {}, [](const auto& entry) { return entry.second; })->first;
}

/// Whether XLA has always merged what an instruction merges.
inline bool is_certain(const alias_sets& sets, const in_place_pairs& oldest, hlo_instruction by, target backend) {
  using enum hlo_opcode;
  if (by.opcode() == while_ || by.opcode() == conditional) return true;
  if (sets.in_place().of(by) != oldest.of(by)) return false;
  // What a backend looks for in bodies of fusions is its own affair, and that of TPUs is not public.
  return by.opcode() != fusion || by.has(attribute_key::output_to_operand_aliasing) || backend == target::cpu ||
         backend == target::gpu;
}

inline std::string reason(hlo_instruction by) {
  const std::string_view name = by.name();
  if (by.opcode() == hlo_opcode::while_) return str_cat({"the loop ", name, " passes one on as the other"});
  if (by.opcode() == hlo_opcode::conditional) return str_cat({"one is a branch's result, which ", name, " returns"});
  if (by.has(attribute_key::output_to_operand_aliasing))
    return str_cat({"output_to_operand_aliasing of ", name, " joins them"});
  return str_cat({name, " updates its operand in place"});
}

inline std::string place_text(const buffer_dump& buffers, const assigned_value& v, bool with_size) {
  return str_cat({"offset ", v.offset, " of ", detail::allocation_text(buffers.allocation_of(v)),
                  with_size ? str_cat({" with ", v.size, " bytes"}) : ""});
}

}  // namespace ali013

HLOLINT_INLINE void shared_buffer_split::operator()(const context& dump, sink_ref emit) const {
  if (dump.is_read_in_part() || !may_merge_values(*dump.hlo())) return;
  const auto& values = dump.get<matched_values>();
  if (!values.same_program()) return;  // DMP001
  const buffer_dump& buffers = *dump.buffers();
  const alias_sets& sets = values.ranges().sets();
  std::vector<std::optional<ali013::chunk>> usual(sets.size());  // only of sets that are split
  for (std::uint32_t s = 0; s < sets.size(); ++s)
    if (sets.values(s).size() > 1) usual[s] = ali013::usual_chunk(values, sets.values(s));

  // Of each value that lies elsewhere, the link to another place that shows it best.
  struct best_link {
    int worth = 0;
    std::uint32_t to = 0;
    id by = none;
  };
  std::map<std::uint32_t, best_link> found;
  for (const alias_link& l : sets.links()) {
    const auto& expected = usual[sets.set_of(l.from)];
    const auto from = values.assigned(l.from), to = values.assigned(l.to);
    if (!expected || l.by == none || !from || !to) continue;
    const ali013::chunk a = ali013::chunk_of(buffers.values()[*from]), b = ali013::chunk_of(buffers.values()[*to]);
    if (a == b) continue;
    const hlo_opcode opcode = values.flow().module().instruction(l.by).opcode();
    const bool by_control_flow = opcode == hlo_opcode::while_ || opcode == hlo_opcode::conditional;
    const int worth = 1 + (by_control_flow ? 2 : 0) + (a == *expected || b == *expected ? 1 : 0);
    const auto offer = [&](std::uint32_t odd, std::uint32_t other) {
      if (best_link& best = found[odd]; worth > best.worth) best = {worth, other, l.by};
    };
    if (a != *expected) offer(l.from, l.to);
    if (b != *expected) offer(l.to, l.from);
  }
  if (found.empty()) return;
  const in_place_pairs oldest(values.flow().tables(), xla_rules(20240101));
  for (const auto& [value, link] : found) {
    const assigned_value& here = buffers.values()[*values.assigned(value)];
    const assigned_value& there = buffers.values()[*values.assigned(link.to)];
    const hlo_instruction by = values.flow().module().instruction(link.by);
    const bool with_size = here.size != there.size;
    finding d = detail::value_finding(
        dump, here, values.table().range(*values.assigned(value)),
        str_cat({to_string(here.name), " lies at ", ali013::place_text(buffers, here, with_size),
                 ", but must share the buffer of ", to_string(there.name), " at ",
                 ali013::place_text(buffers, there, with_size), ": ", ali013::reason(by)}),
        {.bytes = here.size,
         .related = {
             related_at(buffers, there, values.table().range(*values.assigned(link.to)), "must be in the same bytes"),
             related_at(by, "why they share a buffer")}});
    if (!ali013::is_certain(sets, oldest, by, dump.target())) d.level = severity::warning;
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
