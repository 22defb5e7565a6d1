// COL015: many small collectives that could be one.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks for collectives of one kind, group, type and reduction that stand close together in one computation, and none
/// of which needs the result of another.
struct uncombined_small {
  static constexpr rule about{
      .id = "COL015",
      .name = "uncombined-small",
      .level = severity::note,
      .costs = cost_kind::time,
      .needs = need::scheduled,
      .what =
          "Several small collectives of one kind and group stand near each other, and none needs the result of "
          "another.",
      .why =
          "Each pays the latency of its start and of every hop, which is most of the time of a small transfer. "
          "One combined collective pays it once.",
      .advice =
          "Raise the threshold of XLA's combiner (on a GPU), or send the arrays as one. Pipelined collectives are kept "
          "apart on purpose.",
      .example =
          "%a = f32[16]{0} all-reduce(%p), replica_groups={}, to_apply=%add\n"
          "%b = f32[16]{0} all-reduce(%q), replica_groups={}, to_apply=%add   // and more of them",
      .source = "XLA: all_reduce_combiner.cc; openxla/xla #21966"};

  byte_count small_bytes = 1_MiB;
  int min_count = 4;
  int max_distance = 64;
  static constexpr auto options = std::tuple{
      option{"small-bytes", &uncombined_small::small_bytes, "bigger collectives do not count"},
      option{"min-count", &uncombined_small::min_count, "fewer of them are fine"},
      option{"max-distance", &uncombined_small::max_distance, "schedule positions from one to the next, at most"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace hlolint {

namespace col015 {

inline constexpr bool combines(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == all_gather || opcode == all_gather_start || opcode == all_reduce || opcode == all_reduce_start ||
         opcode == reduce_scatter;
}

inline element_type first_type(const shape& whole) {
  const shape* part = &whole;
  while (part->is_tuple() && !part->elements.empty()) part = &part->elements.front();
  return part->type;
}

/// A key that is equal for collectives that XLA's combiner may merge.
inline std::string key_of(hlo_instruction i) {
  std::string key(name_of(i.opcode()));
  for (const attribute_key attribute :
       {attribute_key::replica_groups, attribute_key::use_global_device_ids, attribute_key::dimensions}) {
    key += '|';
    key += i.attribute(attribute).value_or("");
  }
  key += i.has(attribute_key::channel_id) ? "|channel" : "|";
  if (const hlo_computation reduction = first_called(i); reduction && reduction.root())
    key += name_of(reduction.root().opcode());
  if (i.shape()) key += '|' + std::string(name_of(first_type(*i.shape())));
  return key;
}

/// Each kind costs a walk through its computation; real computations have fewer kinds.
inline constexpr std::size_t max_named = 4, most_kinds = 64;

inline void report_layer(const std::vector<hlo_instruction>& near, const context& dump, sink_ref emit) {
  byte_count sum = 0, most = 0;
  for (const hlo_instruction i : near) {
    const byte_count own = collective_bytes(i).value_or(0);
    sum = checked_add(sum, own).value_or(sum);
    most = std::max(most, own);
  }
  const hlo_computation c = near.front().computation();
  const auto& all_loops = dump.get<loops>();
  finding d = finding_at(near.front(),
                         str_cat({near.size(), " independent ", name_of(collective_kind(near.front().opcode())),
                                  " of at most ", human(most), ", together ", human(sum), repetition_text(all_loops, c),
                                  ", could be one (", detail::position_text(near.front()), ")"}),
                         {.bytes = sum});
  // All but one need not be started: the latency of the others is saved, as far as the schedule does not hide it.
  const auto& links = dump.template get<exposed_time>().links();
  for (const hlo_instruction i : near) {
    const transfer_time* const time = links.of(i);
    const double whole = time ? time->seconds() : 0;
    const auto others = static_cast<double>(near.size() - 1) / static_cast<double>(near.size());
    d.saves.push_back({i, whole > 0 ? others * time->latency / whole : 0});
  }
  for (std::size_t k = 1; k < near.size() && k <= max_named; ++k)
    d.related.push_back(related_at(near[k], "could be combined with it"));
  if (dump.target() == target::gpu) {
    std::string kind(name_of(collective_kind(near.front().opcode())));
    std::replace(kind.begin(), kind.end(), '-', '_');
    d.advice = str_cat({"Raise the threshold of XLA's combiner (--xla_gpu_", kind,
                        "_combine_threshold_bytes), or send the arrays as one. Pipelined collectives are kept apart "
                        "on purpose."});
  }
  emit(std::move(d));
}

/// Groups members by the number of members on the longest path to them: members with equal numbers are independent.
inline void split(hlo_computation c, const std::vector<hlo_instruction>& members, std::size_t fewest, int max_distance,
                  const context& dump, sink_ref emit) {
  std::vector<std::uint32_t> depth(c.instruction_count());
  std::map<std::uint32_t, std::vector<hlo_instruction>> layers;
  std::size_t next = 0;
  const id first = c.instruction(0).id();
  for (const hlo_instruction i : c.instructions()) {
    std::uint32_t own = 0;
    for (const hlo_instruction operand : i.operands())
      if (operand && operand.id() >= first && operand.id() < i.id()) own = std::max(own, depth[operand.id() - first]);
    if (next < members.size() && members[next] == i) layers[own++].push_back(i), ++next;
    depth[i.id() - first] = own;
  }
  for (const auto& [level, layer] : layers)
    for (std::size_t begin = 0; begin < layer.size();) {
      std::size_t end = begin + 1;
      while (end < layer.size() && layer[end].id() - layer[end - 1].id() <= static_cast<id>(std::max(max_distance, 1)))
        ++end;
      if (end - begin >= fewest)
        report_layer(
            {layer.begin() + static_cast<std::ptrdiff_t>(begin), layer.begin() + static_cast<std::ptrdiff_t>(end)},
            dump, emit);
      begin = end;
    }
}

}  // namespace col015

HLOLINT_INLINE void uncombined_small::operator()(const context& dump, sink_ref emit) const {
  const auto fewest = static_cast<std::size_t>(std::max(min_count, 2));
  for (const hlo_computation c : detail::sequential_computations(dump)) {
    std::map<std::string, std::vector<hlo_instruction>> alike;
    for (const hlo_instruction i : c.instructions()) {
      if (!col015::combines(i.opcode())) continue;
      const auto bytes = collective_bytes(i);
      if (bytes && *bytes < small_bytes && !moves_nothing(i, dump.get<module_groups>()))
        alike[col015::key_of(i)].push_back(i);
    }
    std::size_t kinds = 0;
    for (const auto& [key, members] : alike)
      if (members.size() >= fewest && kinds++ < col015::most_kinds)
        col015::split(c, members, fewest, max_distance, dump, emit);
  }
}

}  // namespace hlolint
#endif
