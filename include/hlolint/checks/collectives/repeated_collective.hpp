// COL019: a collective that transfers what an earlier one of its computation has transferred, or made equal everywhere.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Operands and effect of the two collectives must be provably equal. In combined all-gathers, all-reduces and
/// reduce-scatters each operand is compared by itself.
struct repeated_collective {
  static constexpr rule about{
      .id = "COL019",
      .name = "repeated-collective",
      .costs = cost_kind::time,
      .needs = need::scheduled,  // XLA may still merge them in an unscheduled module
      .what =
          "A collective transfers the same data to the same devices as an earlier one of its computation, or an "
          "all-reduce combines what is equal on all its devices since an earlier one. A note where the earlier result "
          "is no longer used: there the second transfer saves memory.",
      .why = "The result is still there, or could be kept: the same bytes go over the network twice.",
      .advice =
          "Use the first result in both places. In JAX gather once (with_sharding_constraint) before the value "
          "is used twice; a checkpoint policy that saves the gathered value (save_only_these_names) keeps it "
          "for the backward pass.",
      .example =
          "%a = f32[4096,1024]{1,0} all-gather(%w), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}\n"
          "%b = f32[4096,1024]{1,0} all-gather(%w), channel_id=2, replica_groups={{0,1,2,3}}, dimensions={0}\n"
          "ROOT %sum = f32[4096,1024]{1,0} add(%a, %b)",
      .source = "XLA: hlo_cse.cc (collectives with channels are kept apart)"};

  byte_count min_bytes = 1_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &repeated_collective::min_bytes, "repeats of fewer bytes are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/wasted_results.hpp>
#include <hlolint/analysis/values/same_results.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint {

namespace col019 {

/// One operand of a collective, or all operands of a collective that cannot be split.
struct part {
  hlo_instruction start, transfer;
  std::optional<std::size_t> operand;  ///< nothing: all
};

/// The result that a collective brings a second time.
struct repeat {
  hlo_instruction later, earlier;
  byte_count bytes = 0;
  std::size_t operands = 0;
  bool still_used = false;  ///< every earlier result is read after the later one starts
};

inline std::string dimensions_text(const shape& s) {
  std::string out(name_of(s.type));
  for (const dimension& d : s.dimensions) out += ',' + std::to_string(d.size);
  return out;
}

/// Whether the async-start passes its operands to the collective unchanged and in order.
inline bool passes_operands(hlo_instruction start, hlo_instruction transfer) {
  if (start == transfer) return true;
  if (start.operand_count() != transfer.operand_count()) return false;
  for (std::size_t k = 0; k < transfer.operand_count(); ++k)
    if (!transfer.operand(k) || transfer.operand(k).parameter_number() != static_cast<std::int64_t>(k)) return false;
  return true;
}

/// Unknown groups count as different.
inline bool same_groups(hlo_instruction a, hlo_instruction b, const context& dump) {
  if (a.has(attribute_key::channel_id) != b.has(attribute_key::channel_id)) return false;
  const auto first = a.attribute(attribute_key::replica_groups), second = b.attribute(attribute_key::replica_groups);
  if (first == second) return true;
  const auto& groups = dump.get<module_groups>();
  const written_groups *const x = groups.of(a), *const y = groups.of(b);
  return x && y && x->key == y->key;
}

inline constexpr std::size_t most_compared = 16;

inline const part* find(const std::vector<part>& list, const part& own, const context& dump) {
  const std::size_t begin = list.size() > most_compared ? list.size() - most_compared : 0;
  for (std::size_t at = begin; at < list.size(); ++at) {
    const part& other = list[at];
    if (other.start == own.start || !same_groups(other.transfer, own.transfer, dump) ||
        !same_results::same_meaning(other.transfer, own.transfer))
      continue;
    bool same = own.operand || own.start.operand_count() == other.start.operand_count();
    if (own.operand)
      same = same_results::of(other.start.operand(*other.operand), own.start.operand(*own.operand));
    else
      for (std::size_t k = 0; same && k < own.start.operand_count(); ++k)
        same = same_results::of(other.start.operand(k), own.start.operand(k));
    if (same) return &other;
  }
  return nullptr;
}

inline double operand_bytes(hlo_instruction i, std::size_t k) {
  const shape* const s = shape_of_operand(i, k);
  return s ? static_cast<double>(dense_size_of_leaves(*s).value_or(0)) : 0;
}

inline byte_count bytes_of(const part& p) {
  const byte_count whole = collective_bytes(p.start).value_or(0);
  if (!p.operand || p.start.operand_count() == 1) return whole;
  double all = 0;
  for (std::size_t k = 0; k < p.start.operand_count(); ++k) all += operand_bytes(p.start, k);
  return all > 0 ? clamp_to_int64(static_cast<double>(whole) * (operand_bytes(p.start, *p.operand) / all)) : 0;
}

/// Whether an instruction reads the earlier result after `later` in text order.
inline bool is_used_after(const part& earlier, hlo_instruction later, const context& dump) {
  const async_window* const w = dump.get<async_windows>().started_by(earlier.start);
  const hlo_instruction result = w && w->done ? w->done : earlier.start;
  const bool is_element = result.shape() && result.shape()->is_tuple() && earlier.operand;
  bool used = false;
  const auto visit = [&](instruction_use use) -> std::optional<hlo_instruction> {
    if (is_element && use.user.operand(use.operand) == result &&
        get_integer(use.user, attribute_key::index) != static_cast<std::int64_t>(*earlier.operand))
      return hlo_instruction{};
    const bool is_work = !takes_no_time(use.user.opcode());
    used = use.user.is_root() || (is_work && use.user.id() > later.id());
    if (used) return std::nullopt;
    return is_work || use.user.opcode() == hlo_opcode::tuple ? hlo_instruction{} : use.user;
  };
  follow_uses(result, dump.get<users>(), visit);
  return used;
}

inline void add(const repeat& r, const context& dump, sink_ref emit) {
  const auto& all_loops = dump.get<loops>();
  const hlo_computation c = r.later.computation();
  const hlo_opcode kind = collective_kind(collective_of(r.later).opcode());
  const std::size_t all = r.later.operand_count();
  finding d =
      finding_at(r.later,
                 detail::transfer_text(kind, r.bytes) + repetition_text(all_loops, c) + " repeats " +
                     std::string(r.earlier.name()) +
                     (all > 1 && r.operands < all && r.operands > 0 && kind != hlo_opcode::all_to_all
                          ? " (" + std::to_string(r.operands) + " of " + std::to_string(all) + " operands)"
                          : std::string{}) +
                     (r.still_used ? ", whose result is still used" : "") + " (" + detail::position_text(r.later) + ")",
                 {.bytes = r.bytes, .related = {related_at(r.earlier, "transfers the same data")}});
  if (!r.still_used) d.level = severity::note;
  emit(std::move(d));
}

/// What an instruction only moves, converts or scales; empty if it does anything else.
inline hlo_instruction scaled_by(hlo_instruction i, const context& dump) {
  using enum hlo_opcode;
  if (i.opcode() == fusion) return root_of(first_called(i));
  if (const auto k = parameter_position(i)) {
    const hlo_instruction caller = dump.get<call_graph>().only_caller(i.computation());
    return caller && caller.opcode() == fusion ? operand_of(caller, *k) : hlo_instruction{};
  }
  const bool divides = i.opcode() == divide, multiplies = i.opcode() == multiply;
  if ((divides || multiplies) && is_one_number(operand_of(i, 1))) return i.operand(0);
  if (multiplies && is_one_number(operand_of(i, 0))) return operand_of(i, 1);
  const bool moves = keeps_elements(i.opcode()) || i.opcode() == convert || i.opcode() == get_tuple_element;
  return moves || is_done_opcode(i.opcode()) ? operand_of(i, 0) : hlo_instruction{};
}

/// The collective since which an array is equal on all devices of a later one: an all-reduce or all-gather over the
/// same groups, whose result is only moved, converted and scaled. Empty if there is none.
inline hlo_instruction equal_since(hlo_instruction array, hlo_instruction later, const context& dump) {
  constexpr int most_followed = 64;
  for (int steps = 0; array && steps < most_followed; ++steps) {
    const hlo_instruction transfer = collective_of(array);
    const hlo_opcode kind = transfer ? collective_kind(transfer.opcode()) : hlo_opcode::unknown;
    if (kind == hlo_opcode::all_reduce || kind == hlo_opcode::all_gather)
      return same_groups(transfer, later, dump) ? array : hlo_instruction{};
    if (dump.get<device_dependence>().on_device_id(array)) return {};
    array = scaled_by(array, dump);
  }
  return {};
}

inline void check_equal(hlo_instruction i, const context& dump, sink_ref emit) {
  for (const hlo_instruction operand : i.operands()) {
    const hlo_instruction earlier = equal_since(operand, collective_of(i), dump);
    if (!earlier) continue;
    const byte_count bytes = collective_bytes(i).value_or(0);
    emit(finding_at(
        i,
        str_cat(
            {detail::transfer_text(hlo_opcode::all_reduce, bytes), repetition_text(dump.get<loops>(), i.computation()),
             " combines what is equal on all its devices since ", earlier.name(), " (", detail::position_text(i), ")"}),
        {.bytes = bytes,
         .related = {related_at(earlier, "makes it equal")},
         .advice = "Leave it out: since the first one every device has the result (psum or pmean of what is "
                   "summed already). Where the larger sum is meant, multiply by the number of devices."}));
    return;
  }
}

inline void look_at(hlo_computation c, byte_count min_bytes, const context& dump, sink_ref emit) {
  std::map<std::string, std::vector<part>> known;
  for (const hlo_instruction i : c.instructions()) {
    const hlo_instruction transfer = collective_of(i);
    if (!transfer || i.operand_count() == 0 || collective_bytes(i).value_or(0) < min_bytes) continue;
    const hlo_opcode kind = collective_kind(transfer.opcode());
    if (moves_nothing(transfer, dump.get<module_groups>()) || !passes_operands(i, transfer)) continue;
    const bool apart =
        kind == hlo_opcode::all_gather || kind == hlo_opcode::all_reduce || kind == hlo_opcode::reduce_scatter;
    std::optional<repeat> found;
    for (std::size_t k = 0; k < (apart ? i.operand_count() : 1); ++k) {
      const shape* const s = shape_of_operand(i, k);
      if (!s || !s->is_array()) continue;
      const part own{i, transfer, apart ? std::optional(k) : std::nullopt};
      auto& list = known[std::string(name_of(kind)) + ' ' + dimensions_text(*s)];
      if (const part* const before = find(list, own, dump)) {
        if (!found) found = repeat{i, before->start, 0, 0, true};
        const byte_count bytes = bytes_of(own);
        found->bytes = checked_add(found->bytes, bytes).value_or(found->bytes);
        ++found->operands;
        found->still_used = found->still_used && is_used_after(*before, i, dump);
      }
      list.push_back(own);
    }
    if (found && found->bytes >= min_bytes)
      add(*found, dump, emit);
    else if (kind == hlo_opcode::all_reduce)
      check_equal(i, dump, emit);
  }
}

}  // namespace col019

HLOLINT_INLINE void repeated_collective::operator()(const context& dump, sink_ref emit) const {
  for (const hlo_computation c : detail::sequential_computations(dump)) col019::look_at(c, min_bytes, dump, emit);
}

}  // namespace hlolint
#endif
