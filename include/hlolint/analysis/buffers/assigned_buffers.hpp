// A computed buffer assignment in the form of a dump, for modules whose own assignment was not dumped (assignment.md).
// Which XLA compiled a module, as far as its texts show, and so by which rules it assigned buffers.
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// The period in which an XLA was built, as year, month, day.
struct xla_period {
  std::int32_t first = 20240101;          ///< the first day; rules before it are not known
  std::int32_t last = xla_rules::newest;  ///< the last day
  /// Whether the period is one day.
  constexpr bool is_known() const { return first == last; }
  /// A day whose rules hold for most builds of the period. The alignment of before June 2025 held for years; the months
  /// after it end in December 2025, since when texts show that they are newer.
  constexpr std::int32_t likely() const {
    constexpr std::int32_t before = assignment_rules::gpu_alignment_doubled - 1;
    return first < before && before < last && last <= tables_of_frames ? before : last;
  }
  /// From this day texts have tables of stack frames instead of source files and lines.
  static constexpr std::int32_t tables_of_frames = 20251201;
  /// From this day operands are printed without shapes.
  static constexpr std::int32_t bare_operands = 20250311;
};

/// The period that follows from the form of a text.
inline xla_period period_of(const hlo_module& module) {
  xla_period out;
  if (!module.data().stack_frames.empty()) {
    out.first = xla_period::tables_of_frames;
    return out;
  }
  for (const hlo_instruction i : module.instructions()) {
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      if (i.operand_shape(k)) out.last = std::min(out.last, xla_period::bare_operands);
    if (out.last == xla_period::bare_operands) break;
    if (out.last == xla_period::tables_of_frames) continue;  // only operands can make it earlier
    const auto metadata = i.attribute(attribute_key::metadata);
    if (metadata && metadata->find("source_file=") != std::string_view::npos) out.last = xla_period::tables_of_frames;
  }
  return out;
}

/// The period in which a module was compiled, from the dump beside it if there is one, which may lack an assignment.
inline xla_period period_of(const hlo_module& module, const buffer_dump* beside) {
  const std::optional<std::int32_t> date = beside ? shown_date(*beside) : std::nullopt;
  if (!date) return period_of(module);
  return {*date, *date};
}

/// An assignment, and why it may be wrong.
struct likely_assignment {
  buffer_plan plan;   ///< by the rules of the likely day
  std::string doubt;  ///< why XLA's may differ, half a sentence; empty: it does not
};

namespace detail {
// Makes the records of a dump from a plan.
class dump_of_plan {
 public:
  dump_of_plan(const buffer_assignment& made_by, const buffer_plan& plan, const instruction_names& unique)
      : flow_(made_by.flow()), plan_(plan), data_(std::make_shared<buffer_data>()) {
    data_->texts.push_back(flow_.module().where().in);
    data_->has_assignment = true;
    name_apart(unique);
    add_allocations();
    add_live_ranges();
  }
  buffer_dump result() && { return buffer_dump(std::move(data_)); }

 private:
  hlo_instruction maker(std::size_t v) const { return flow_.instruction(flow_.values()[v]); }
  shape_index index(std::size_t v) const { return flow_.index(flow_.values()[v].defined); }

  // A dump tells values apart by name, but implied instructions may share a name.
  void name_apart(const instruction_names& unique) {
    const hlo_module& module = flow_.module();
    std::string made;
    std::vector<std::pair<id, std::size_t>> at;  // with the begin of its name
    for (const hlo_instruction i : module.instructions())
      if (unique.of(i) != i.name()) at.emplace_back(i.id(), made.size()), made += unique.of(i);
    data_->texts.emplace_back(std::move(made), "names");
    const std::string_view all = data_->texts.back().text();
    for (std::size_t k = 0; k < at.size(); ++k)
      names_.emplace(at[k].first,
                     all.substr(at[k].second, (k + 1 < at.size() ? at[k + 1].second : all.size()) - at[k].second));
  }
  std::string_view name_of(hlo_instruction i) const {
    const auto found = names_.find(i.id());
    return found == names_.end() ? i.name() : found->second;
  }

  void add_allocations() {
    std::vector<std::vector<std::uint32_t>> held(plan_.allocations.size());  // values, ascending
    std::size_t assigned = 0;
    for (std::uint32_t v = 0; v < plan_.values.size(); ++v)
      if (plan_.values[v].allocation != none) held[plan_.values[v].allocation].push_back(v), ++assigned;
    data_->values.reserve(assigned);
    for (std::size_t n = 0; n < held.size(); ++n) {
      const planned_allocation& from = plan_.allocations[n];
      allocation a;
      a.number = static_cast<std::int64_t>(n);
      a.size = from.size;
      a.color = from.color;
      a.constant = from.kind == storage_kind::constant;
      a.thread_local_storage = from.kind == storage_kind::thread_local_;
      a.maybe_live_out = from.lives_out;
      a.preallocated_temp = from.is_temporary();
      a.first_value = static_cast<std::uint32_t>(data_->values.size());
      a.text = flow_.module().name();
      if (const std::uint32_t v = from.parameter; v != none)
        a.parameter = allocation_parameter{maker(v).parameter_number().value_or(0), {}, index(v)};
      for (const std::uint32_t v : held[n]) add_value(v, a);
      data_->allocations.push_back(a);
    }
  }
  void add_value(std::uint32_t v, allocation& a) {
    assigned_value out;
    const hlo_value& value = flow_.values()[v];
    const hlo_instruction i = maker(v);
    out.name = {value.number, name_of(i), std::nullopt, value.phi, a.color};
    if (i.shape() && i.shape()->is_tuple()) out.name.index = index(v);
    out.allocation = a.number, out.offset = plan_.values[v].offset, out.size = plan_.values[v].size;
    out.shape = shape_of(value);
    out.text = i.name();
    data_->values.push_back(std::move(out));
    ++a.value_count;
  }

  // The module keeps equal shapes once, and so does the dump.
  std::uint32_t shape_of(const hlo_value& value) {
    const hlolint::shape* const of = flow_.shape_of(value.defined);
    const auto [known, is_new] = shapes_.emplace(of, static_cast<std::uint32_t>(data_->shapes.size()));
    if (is_new) data_->shapes.push_back(of ? *of : hlolint::shape{});
    return known->second;
  }

  void add_live_ranges() {
    live_range_block block;
    block.max = plan_.schedule.size();
    block.sequence.reserve(plan_.schedule.sequence().size());
    block.ranges.reserve(data_->values.size());
    for (const id i : plan_.schedule.sequence()) block.sequence.push_back(name_of(flow_.module().instruction(i)));
    for (std::uint32_t v = 0; v < plan_.ranges.size(); ++v)
      if (const time_span range = plan_.ranges[v]; plan_.values[v].allocation != none && range.start <= range.end)
        block.ranges.push_back({name_of(maker(v)), index(v), range.start, range.end, {}});
    data_->live_ranges = std::move(block);
  }

  const dataflow& flow_;
  const buffer_plan& plan_;
  std::shared_ptr<buffer_data> data_;
  std::unordered_map<const hlolint::shape*, std::uint32_t> shapes_;  // their places in the dump
  std::map<id, std::string_view> names_;  // names that differ from the module's, in the dump's texts
};

// The plan by other rules.
inline buffer_plan plan_by(const assignment_rules& other, const buffer_assignment& made, bool same_values) {
  assignment_rules aligned = made.rules();
  aligned.alignment = other.alignment;
  if (other == aligned) return made.aligned_plan(other.alignment);
  return buffer_assignment(same_values ? made.sets() : made.sets().by(other.values), other).plan();
}
}  // namespace detail

/// The assignment of an XLA of the period. The rules of the likely day are compared with those of the first and the
/// last day: a change raises a doubt only if the result differs. `made` has the rules of the likely day. O(n log n).
inline likely_assignment assign_likely(const buffer_assignment& made, target on, xla_period period) {
  likely_assignment out{made.plan(), {}};
  const auto is_collective_memory = [](const planned_allocation& a) { return a.is_temporary() && a.color == 1; };
  if (on == target::unknown)
    out.doubt = "the target is not known (--target)";
  else if (on == target::tpu)
    out.doubt = "the compiler for TPUs divides memory spaces by rules that are not public";
  else if (made.storage().has_unknown_size())
    out.doubt = "a shape has no size that is known";
  else if (!out.plan.is_exact)
    out.doubt = "the search for places was cut short";
  else if (on == target::gpu && period.last >= assignment_rules::gpu_shares_colors &&
           std::any_of(out.plan.allocations.begin(), out.plan.allocations.end(), is_collective_memory))
    out.doubt = "since June 2026 XLA may put values into memory that collectives leave free";
  if (!out.doubt.empty() || period.is_known()) return out;
  for (const std::int32_t day : {period.first, period.last}) {
    if (day == period.likely()) continue;
    assignment_rules rules = assignment_rules::of(on, day);
    const bool same_values = made.sets().hold_by(rules.values);
    if (same_values) rules.values = made.rules().values;
    if (rules == made.rules()) continue;  // the same plan
    const buffer_plan other = detail::plan_by(rules, made, same_values);
    if (other.total == out.plan.total && other.temporaries == out.plan.temporaries) continue;
    out.doubt = "the version of XLA is not known (--xla-date), and " +
                std::string(day == period.first ? "earlier" : "later") + " ones assign " + std::to_string(other.total) +
                " bytes instead of " + std::to_string(out.plan.total);
    return out;
  }
  return out;
}

/// The plan as the records of a buffer dump. Its texts are the module's, which must outlive it. `unique`: the names of
/// the module's instructions.
inline buffer_dump assigned_buffers(const buffer_assignment& made_by, const buffer_plan& plan,
                                    const instruction_names& unique) {
  return detail::dump_of_plan(made_by, plan, unique).result();
}

/// XLA's assignment of the module by these rules, without code and what a run time adds. Precondition: the module is
/// scheduled.
inline buffer_dump assigned_buffers(const hlo_module& module, const assignment_rules& rules) {
  const buffer_assignment made(module, rules);
  return assigned_buffers(made, made.plan(), instruction_names(module));
}

/// The assignment by the rules of the XLA that most likely made the text. Precondition: the module is scheduled. The
/// dump's texts are the module's, which must outlive it.
inline buffer_dump estimated_buffers(const hlo_module& module, target on) {
  return assigned_buffers(module, assignment_rules::of(on, period_of(module).likely()));
}

}  // namespace hlolint
