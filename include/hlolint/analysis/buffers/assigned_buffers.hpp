// A computed buffer assignment in the form of a dump, for modules whose own assignment was not dumped (assignment.md).
#pragma once

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/assignment/buffer_plan.hpp>
#include <hlolint/analysis/assignment/storage_sets.hpp>
#include <hlolint/analysis/assignment/xla_period.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/target.hpp>

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

namespace detail {
// Makes the records of a dump from a plan.
class dump_of_plan {
 public:
  dump_of_plan(const buffer_assignment& made_by, const buffer_plan& plan, const instruction_names& unique,
               std::optional<std::int32_t> xla_date)
      : flow_(made_by.flow()), plan_(plan), data_(std::make_shared<buffer_data>()) {
    data_->xla_date = xla_date;
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
    data_->shapes.shrink_to_fit();  // contexts are kept for long, and shapes are the largest records
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
}  // namespace detail

/// The plan as the records of a buffer dump. Its texts are the module's, which must outlive it. `unique`: the names of
/// the module's instructions. `xla_date`: see `buffer_dump::xla_date`.
inline buffer_dump assigned_buffers(const buffer_assignment& made_by, const buffer_plan& plan,
                                    const instruction_names& unique, std::optional<std::int32_t> xla_date = {}) {
  return detail::dump_of_plan(made_by, plan, unique, xla_date).result();
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
