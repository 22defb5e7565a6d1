// Whether a value may take the bytes of another at the position where the other ends (assignment.md 3, 4.1).
#pragma once

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/assignment/printed_aliases.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/may_share.hpp>

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace hlolint {

/// Answers for pairs of values of one module. Answers are remembered, since most do not depend on the schedule. One
/// thread uses one object.
class value_handover {
 public:
  /// Refers to the sets, which must outlive it.
  value_handover(const alias_sets& sets, const assignment_rules& rules)
      : flow_(sets.flow()), rules_(rules), sharing_(sets), printed_(flow_), ends_(flow_) {}

  /// For values in the heap: the defining position of `from` must be an operand of the instruction that makes `to`. On
  /// a TPU the text of this instruction must list the pair; in memories on the chip that is enough.
  bool in_heap(std::uint32_t from, std::uint32_t to) const {
    return remembered(from, to, heap, [&] {
      if (const auto listed = writes_over(from, to))
        return *listed && (is_read_itself(from, to) || is_made_on_chip(to));
      return sharing_.rule_from(from, defined(from), to, rules_.sharing) != sharing_rule::forbidden;
    });
  }
  /// For values in an existing allocation: any position of `from` will do, or only its last one.
  bool in_place(std::uint32_t from, std::uint32_t to, const flat_schedule& schedule) const {
    if (!rules_.only_last_position)
      return remembered(from, to, place,
                        [&] { return sharing_.rule(from, to, rules_.sharing) != sharing_rule::forbidden; });
    if (flow_.positions(flow_.values()[from]).size() == 1) return in_heap(from, to);
    return sharing_.rule_from(from, last_position(from, schedule), to, rules_.sharing) != sharing_rule::forbidden;
  }

  /// Whether on a TPU the text of the instruction that makes `to` tells that it writes over `from`; nothing if it does
  /// not list what it writes over.
  std::optional<bool> writes_over(std::uint32_t from, std::uint32_t to) const {
    return rules_.is_libtpu() ? printed_.writes_over(from, to) : std::nullopt;
  }

 private:
  enum kind : std::uint64_t { heap, place };
  bool remembered(std::uint32_t from, std::uint32_t to, kind of, auto&& ask) const {
    const auto [known, is_new] = known_[of].try_emplace(std::uint64_t{from} << 32 | to, false);
    if (is_new) known->second = ask();
    return known->second;
  }
  hlo_position defined(std::uint32_t v) const { return flow_.values()[v].defined; }
  // Whether an operand is what makes `from`, and not an element or a bitcast of it.
  bool is_read_itself(std::uint32_t from, std::uint32_t to) const {
    const hlo_instruction user = flow_.instruction(flow_.values()[to]);
    for (const hlo_instruction operand : user.operands())
      if (operand && operand.id() == defined(from).instruction) return true;
    return false;
  }
  bool is_made_on_chip(std::uint32_t v) const {
    const shape* const of = flow_.shape_of(defined(v));
    return of && of->is_array() && is_on_chip(of->memory_space());
  }

  /// The position of the value that lives longest, not counting uses.
  hlo_position last_position(std::uint32_t v, const flat_schedule& schedule) const {
    const hlo_value& value = flow_.values()[v];
    detail::range_finder::known_ends known;
    const auto range = ends_.defined_at(flow_.instruction(value), schedule, known);
    std::int64_t end = range ? range->end : 0;
    hlo_position last = value.defined;
    for (const hlo_position p : flow_.positions(value).subspan(1))
      if (const auto t = schedule.end_of(flow_.module().instruction(p.instruction)); t && *t > end) end = *t, last = p;
    return last;
  }

  const dataflow& flow_;
  assignment_rules rules_;
  may_share sharing_;
  printed_aliases printed_;
  detail::range_finder ends_;
  mutable std::unordered_map<std::uint64_t, bool> known_[2];  // by kind, then pair
};

}  // namespace hlolint
