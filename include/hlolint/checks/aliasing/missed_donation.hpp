// ALI007: a parameter that could have been donated to an output.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 10, check 4. A note, since only the caller knows whether the argument is needed again; but a program
/// that returns most of what it is given, and is given nothing to keep, is a step whose donation was forgotten, and so
/// is one that is given some arrays to keep, such as weights, and not others of the same shapes, such as the state of
/// their optimizer.
struct missed_donation {
  static constexpr rule about{
      .id = "ALI007",
      .name = "missed-donation",
      .needs = need::scheduled,
      .what =
          "A large parameter is neither donated nor aliased, although an output of equal shape and layout begins "
          "after the parameter's last use, or is stacked by the loop that alone reads the parameter; or many smaller "
          "ones, which are as large together. It is a note unless nothing is donated and most of what the program "
          "takes could be, or arrays of the same shapes are donated.",
      .why = "Both are allocated for the whole run; one buffer would do.",
      .advice =
          "If the caller does not need the argument again (optimizer state, caches), donate it: donate_argnums "
          "of jax.jit. Do not donate weights for inference.",
      .example =
          "HloModule m, is_scheduled=true, "
          "entry_computation_layout={(f32[8192,4096]{1,0})->f32[8192,4096]{1,0}}",
      .source = "XLA: docs/errors/error_1000.md, scenario 3.A"};

  byte_count min_bytes = 16_MiB;
  byte_count min_forgotten = 256_MiB;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &missed_donation::min_bytes,
             "smaller parameters are not reported one by one, and all of them together only if their sum is not "
             "smaller"},
      option{"min-forgotten", &missed_donation::min_forgotten,
             "fewer bytes are a note, even if most of the arguments could be donated and none is, or some of one shape "
             "are donated and others are not"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/checks/aliasing/free_leaves.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

namespace ali007 {

/// The value of a parameter, and the last position at which it is read.
struct reads {
  std::uint32_t value = 0;
  std::int64_t last = -1;  ///< -1: never
};

inline std::optional<reads> reads_of(const context& dump, hlo_instruction parameter, const detail::entry_leaf& leaf) {
  const auto& ranges = dump.get<live_ranges>();
  const dataflow& flow = ranges.flow();
  const auto given = flow.only_value_at(parameter, leaf.index);
  if (!given) return std::nullopt;
  reads out{*given};
  for (const hlo_use& use : flow.uses(flow.values()[*given])) {
    const auto at = ranges.schedule().position_of(flow.module().instruction(use.user));
    if (!at) return std::nullopt;
    out.last = std::max(out.last, *at);
  }
  return out;
}
/// Whether the storage of an output begins after the last read: that of a loop's result begins before the loop. The
/// last reader may be the instruction that makes the first value in it: it can work in place.
inline bool begins_after(const context& dump, hlo_computation entry, const reads& read,
                         const detail::entry_leaf& output) {
  const auto& ranges = dump.get<live_ranges>();
  const auto made = ranges.flow().only_value_at(entry.root(), output.index);
  if (!made || *made == read.value || !ranges.untrimmed(*made)) return false;
  for (const std::uint32_t value : ranges.sets().values(ranges.sets().set_of(*made)))
    if (const auto& range = ranges.untrimmed(value); value != read.value && range && read.last > range->start)
      return false;
  return true;
}
/// The loop that stacks an output beside a parameter that it alone reads; empty without one.
inline hlo_instruction loop_beside(const dataflow& flow, hlo_computation entry, const reads& read,
                                   const detail::entry_leaf& output) {
  const hlo_instruction root = entry.root();
  const bool in_tuple = root.opcode() == hlo_opcode::tuple && output.index.size() == 1;
  const hlo_instruction made = in_tuple ? operand_of(root, static_cast<std::size_t>(output.index[0])) : root;
  const auto element = made ? element_position(made) : std::nullopt;
  const hlo_instruction loop = element ? detail::loop_with_both(flow, made, read.value) : hlo_instruction{};
  if (!loop || !detail::stacks(loop, *element)) return {};
  for (const hlo_use& use : flow.uses(flow.values()[read.value]))
    if (const hlo_instruction user = flow.module().instruction(use.user);
        user.computation() == entry && !(user == loop))
      return {};
  return loop;
}

/// Bytes of the largest other value that lies in the output's memory before the last read, by the buffers beside the
/// HLO: in the parameter's memory there is no room for it. 0 without buffers.
inline byte_count held_before(const context& dump, hlo_computation entry, const reads& read,
                              const detail::entry_leaf& output) {
  if (!dump.has(need::hlo | need::buffers)) return 0;
  const auto& matched = dump.get<matched_values>();
  const auto made = matched.at(entry.root(), output.index);
  const auto assigned = made && matched.same_program() ? matched.assigned(*made) : std::nullopt;
  if (!assigned) return 0;
  const assigned_value& place = dump.buffers()->values()[*assigned];
  const auto end = checked_add(place.offset, place.size);
  if (!end) return 0;
  const auto& chunks = dump.get<live_chunks>();
  const alias_sets& sets = matched.ranges().sets();
  byte_count most = 0;
  for (const live_chunk& chunk : chunks.of_allocation(static_cast<std::size_t>(place.allocation))) {
    if (chunk.size <= most || chunk.end() <= place.offset || chunk.offset >= *end) continue;
    for (const std::uint32_t other : chunks.values(chunk)) {
      const auto computed = matched.computed(other);
      if (!computed || *computed == read.value || sets.set_of(*computed) == sets.set_of(*made)) continue;
      if (const auto& range = matched.ranges().untrimmed(*computed); range && range->start < read.last)
        most = chunk.size;
    }
  }
  return most;
}

/// A parameter that could be donated, and the output that would take its place.
struct candidate {
  const detail::entry_leaf* given = nullptr;
  const detail::entry_leaf* output = nullptr;
  byte_count saves = 0;
  hlo_instruction parameter;
  hlo_instruction loop;  ///< reads the one while it makes the other; else empty
};
inline constexpr std::string_view how_in_loop =
    "Carry the array through the loop and update it in place (fori_loop, or the carry of a scan), and donate it: "
    "donate_argnums of jax.jit.";

/// Whether an instruction gives the whole of its first operand, or one of the slices of an array that a TPU moves apart
/// and joins again.
inline bool moves_on(hlo_instruction i) {
  using enum hlo_opcode;
  if (i.opcode() == async_start) {
    const hlo_instruction moved = root_of(first_called(i));
    return moved && moved.opcode() == slice;
  }
  return i.opcode() == bitcast || i.opcode() == copy || i.opcode() == copy_start || i.opcode() == copy_done ||
         i.opcode() == async_done || calls_target(i, "ConcatBitcast");
}

/// The copy of the parameter in which the output is made, since the parameter itself may not be overwritten; empty
/// without one.
inline hlo_instruction copy_for(const context& dump, const candidate& c) {
  const auto& ranges = dump.get<live_ranges>();
  const dataflow& flow = ranges.flow();
  const auto given = flow.only_value_at(c.parameter, c.given->index);
  const auto made = flow.only_value_at(flow.module().entry().root(), c.output->index);
  if (!given || !made) return {};
  const hlo_instruction parameter = flow.instruction(flow.values()[*given]);
  for (const std::uint32_t value : ranges.sets().values(ranges.sets().set_of(*made))) {
    const hlo_instruction i = flow.instruction(flow.values()[value]);
    const hlo_instruction alone = dump.get<sole_operations>().of(i);
    if (alone && alone.opcode() == hlo_opcode::copy && i.shape() && *i.shape() == *c.given->array &&
        follow_first_operands(operand_of(i, 0), moves_on) == parameter)
      return i;
  }
  return {};
}

inline byte_count sum_of(const std::vector<candidate>& list) {
  checked_int64 sum = 0;
  for (const candidate& c : list) sum += c.saves;
  return sum.clamped();
}

/// One finding for many parameters, the largest of which are named.
inline finding about_all(const context& dump, std::vector<candidate> list, std::string message,
                         std::optional<severity> level = {}) {
  constexpr std::size_t max_named = 4;
  const byte_count sum = sum_of(list);
  std::stable_sort(list.begin(), list.end(), [](const candidate& a, const candidate& b) { return a.saves > b.saves; });
  finding d = finding_at(list.front().parameter, std::move(message), {.level = level, .bytes = sum});
  for (std::size_t k = 0; k < list.size() && k < max_named; ++k)
    d.related.push_back(related_at(list[k].parameter, human(list[k].saves)));
  for (const candidate& c : list) {
    if (const hlo_instruction copy = copy_for(dump, c)) d.saves.push_back({copy});
    if (c.loop) d.advice = how_in_loop;
  }
  return d;
}

/// The array of a parameter that an alias or a donation names; null if there is none.
inline const shape* array_of(const context& dump, std::int64_t parameter, const shape_index& index) {
  const hlo_instruction i = dump.get<computation_parameters>().of(dump.hlo()->entry(), parameter);
  const shape* const array = i && i.shape() ? i.shape()->at(index) : nullptr;
  return array && array->is_array() ? array : nullptr;
}

}  // namespace ali007

HLOLINT_INLINE void missed_donation::operator()(const context& dump, sink_ref emit) const {
  const hlo_computation entry = dump.hlo()->entry();
  if (!entry || !entry.root()) return;
  constexpr byte_count least = 4_KiB;  // of those that count in a sum
  const detail::free_leaves leaves(dump, std::min(min_bytes, least));
  if (leaves.parameters().empty() || leaves.outputs().empty()) return;
  if (!dump.get<live_ranges>().flow().is_complete()) return;
  std::set<std::pair<std::int64_t, shape_index>> donated;
  if (const auto donors = get<buffer_donor>(*dump.hlo()))
    for (const buffer_donor_entry& d : donors->entries) donated.emplace(d.parameter, d.parameter_index);
  std::map<std::string, std::deque<std::size_t>> outputs_of;  // by shape; outputs that no parameter has taken
  for (std::size_t o = 0; o < leaves.outputs().size(); ++o)
    outputs_of[to_string(*leaves.outputs()[o].array)].push_back(o);
  std::size_t affordable = 1'000'000;  // pairs to look at
  // Where many are donated, what their outputs' memory holds before finds room: it counts for those named one by one.
  std::vector<ali007::candidate> all, large, small;
  for (const detail::entry_leaf& leaf : leaves.parameters()) {
    if (donated.count({leaf.parameter, leaf.index}) > 0) continue;  // ALI005
    const auto same_shape = outputs_of.find(to_string(*leaf.array));
    if (same_shape == outputs_of.end()) continue;
    const hlo_instruction parameter = dump.get<computation_parameters>().of(entry, leaf.parameter);
    const auto read = parameter ? ali007::reads_of(dump, parameter, leaf) : std::nullopt;
    if (!read) continue;
    std::deque<std::size_t>& untaken = same_shape->second;
    for (std::size_t k = 0; k < untaken.size() && affordable > 0; ++k, --affordable) {
      const detail::entry_leaf& output = leaves.outputs()[untaken[k]];
      if (!(*output.array == *leaf.array)) continue;
      hlo_instruction loop;
      if (!ali007::begins_after(dump, entry, *read, output)) {
        loop = ali007::loop_beside(dump.get<live_ranges>().flow(), entry, *read, output);
        if (!loop) continue;
      }
      untaken.erase(untaken.begin() + static_cast<std::ptrdiff_t>(k));
      all.push_back({&leaf, &output, leaf.size, parameter, loop});
      const bool is_large = leaf.size >= min_bytes;
      if (const byte_count saves = leaf.size - ali007::held_before(dump, entry, *read, output);
          saves >= (is_large ? min_bytes : least))
        (is_large ? large : small).push_back({&leaf, &output, saves, parameter, loop});
      break;
    }
  }
  checked_int64 given = 0;
  for (const detail::entry_leaf& leaf : leaves.parameters()) given += leaf.size;
  const auto aliases = get<input_output_alias>(*dump.hlo());
  const bool donates = !donated.empty() || (aliases && !aliases->entries.empty());
  const bool in_loops = std::ranges::any_of(all, [](const ali007::candidate& c) { return bool(c.loop); });
  if (const byte_count sum = ali007::sum_of(all);
      !donates && all.size() > 1 && sum >= min_forgotten && sum > given.clamped() / 2)
    return emit(ali007::about_all(
        dump, all,
        str_cat({"nothing is donated, although ", all.size(), " parameters, ", human(sum), " of ",
                 human(given.clamped()), ", are read for the last time before outputs of equal shapes begin",
                 in_loops ? ", or by the loops that stack these" : ""})));
  std::set<std::string> donated_shapes;
  for (const auto& [number, index] : donated)
    if (const shape* const array = ali007::array_of(dump, number, index)) donated_shapes.insert(to_string(*array));
  if (aliases)
    for (const input_output_alias_entry& alias : aliases->entries)
      if (const shape* const array = ali007::array_of(dump, alias.parameter, alias.parameter_index)) {
        donated_shapes.insert(to_string(*array));
        given += byte_size(*array, detail::size_rule_of(dump)).value_or(0);
      }
  const auto is_alike = [&](const ali007::candidate& c) { return donated_shapes.contains(to_string(*c.given->array)); };
  std::vector<ali007::candidate> alike;
  std::ranges::copy_if(large, std::back_inserter(alike), is_alike);
  std::ranges::copy_if(small, std::back_inserter(alike), is_alike);
  if (const byte_count sum = ali007::sum_of(alike); sum >= min_forgotten && sum > given.clamped() / 4) {
    std::erase_if(large, is_alike), std::erase_if(small, is_alike);
    emit(ali007::about_all(
        dump, alike,
        str_cat({"arrays of equal shapes are donated, but not ", counted(alike.size(), "parameter"), ", ", human(sum),
                 " of ", human(given.clamped()), ", although outputs of these shapes begin after the last use"})));
  }
  for (const ali007::candidate& c : large) {
    finding d = finding_at(
        c.parameter,
        c.loop ? str_cat({detail::sized_text(*c.given), " is read by the loop ", c.loop.name(), ", which stacks ",
                          detail::to_string(*c.output), " of equal shape, and is not donated to it"})
               : str_cat({detail::sized_text(*c.given), " is read for the last time before ",
                          detail::to_string(*c.output), " of equal shape begins, and is not donated to it"}),
        *c.given->array,
        {.level = severity::note, .bytes = c.saves, .related = {related_at(entry.root(), "the output")}});
    if (c.loop) d.advice = ali007::how_in_loop;
    if (const hlo_instruction copy = ali007::copy_for(dump, c)) {
      d.saves.push_back({copy});
      d.related.push_back(related_at(copy, "copied here instead"));
    }
    emit(std::move(d));
  }
  if (const byte_count sum = ali007::sum_of(small); small.size() > 1 && sum >= min_bytes)
    emit(ali007::about_all(
        dump, small,
        str_cat({small.size(), " parameters of less than ", human(min_bytes), " each, ", human(sum),
                 " together, are read for the last time before outputs of equal shapes begin, and are not donated "
                 "to them"}),
        severity::note));
}

}  // namespace hlolint
#endif
