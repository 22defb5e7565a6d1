// Makes the contents of pictures from a module and its analyses.
#pragma once

#include <hlolint/analysis/buffers/buffer_conflicts.hpp>
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/advise/order_room.hpp>
#include <hlolint/tool/report/memory/memory_facts.hpp>
#include <hlolint/tool/report/memory/memory_picture.hpp>
#include <hlolint/tool/report/module_picture.hpp>
#include <hlolint/tool/report/time/measured_picture.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::report {

namespace detail {

inline picture_source picture_source_of(program_place from) {
  return {std::move(from.op_name), std::move(from.at.file), from.at.line};
}

/// Allocations, values, overlaps, and bytes over time. Precondition: there is a buffer assignment.
class memory_painter {
 public:
  memory_painter(const context& module, module_picture& out) : module_(module), dump_(*module.buffers()), out_(out) {
    place_of_value_.resize(dump_.values().size());
    add_allocations();
    add_spaces();
    out_.memory = memory_facts_of(module_, place_of_value_, place_of_allocation_, out_);
    if (!dump_.live_ranges() || out_.estimated) return;
    for (const buffer_conflict& found : module_.get<buffer_conflicts>()) add_overlap(found);
  }

 private:
  struct shape_facts {
    std::string text;
    byte_count padding = 0;
    byte_count padded = -1;  // the size that has this padding
  };

  // For each shape of the dump; many values share one.
  std::vector<shape_facts> facts_of_shapes() const {
    const size_rule rule = module_.get<chosen_size_rule>().value;
    std::vector<shape_facts> out;
    for (const shape& s : dump_.data().shapes) {
      shape_facts& facts = out.emplace_back();
      facts.text = to_string(s);
      const auto padded = byte_size(s, rule), dense = dense_size(s);
      if (!s.is_array() || !padded || !dense || *padded <= *dense) continue;
      facts.padded = *padded, facts.padding = *padded - *dense;
    }
    return out;
  }

  void add_allocations() {
    const std::vector<shape_facts> shapes = facts_of_shapes();
    const value_table& table = module_.get<value_table>();
    const packing_bound& packing = module_.get<packing_bound>();
    out_.values.reserve(dump_.values().size());
    place_of_allocation_.resize(dump_.allocations().size());
    for (const std::size_t a : allocations_in_order(dump_)) {
      const allocation& in = dump_.allocations()[a];
      place_of_allocation_[a] = out_.allocations.size();
      allocation_picture& box = out_.allocations.emplace_back();
      box = {in.number, kind_of(in), in.color, in.size, {}, out_.values.size(), in.value_count};
      if (const packed_allocation* const packed = packing.of_allocation(a); packed && dump_.live_ranges())
        box.bound = packed->bound;
      for (std::size_t i = in.first_value; i < in.first_value + std::size_t{in.value_count}; ++i) {
        const assigned_value& v = dump_.values()[i];
        place_of_value_[i] = out_.values.size();
        value_rectangle& value = out_.values.emplace_back();
        value.instruction = v.name.instruction;
        if (v.name.index) value.index = to_string(*v.name.index);
        value.offset = v.offset, value.size = v.size;
        const shape_facts& facts = shapes[v.shape];
        value.shape = facts.text;
        if (facts.padded == v.size) value.padding = facts.padding;
        if (const live_range* const range = table.range(i)) value.life = position_range{range->start, range->end};
        value.source = picture_source_of(program_place_of(module_, v));
        value.scope = scope_of(value.source.op_name);
      }
    }
  }

  void add_spaces() {
    const occupancy& in_use = module_.get<occupancy>();
    const auto steps = [](const occupancy_curve& curve) {
      return std::vector<occupancy_step>(curve.steps().begin(), curve.steps().end());
    };
    memory_picture together;
    together.allocated = 0;
    for (const memory_space_size& space : memory_space_sizes(dump_, module_.target())) {
      memory_picture& picture = out_.spaces.emplace_back();
      picture.color = space.color, picture.name = memory_space_name(module_.target(), space.color);
      picture.allocations = space.allocations, picture.allocated = space.bytes;
      picture.steps = steps(in_use.of_color(space.color));
      together.allocations += space.allocations;
      together.allocated =
          together.allocated && space.bytes ? checked_add(*together.allocated, *space.bytes) : std::nullopt;
    }
    if (out_.spaces.size() < 2) return;
    together.steps = steps(in_use.total());
    out_.spaces.insert(out_.spaces.begin(), std::move(together));
  }

  void add_overlap(const buffer_conflict& found) {
    using enum overlap_class;
    if (found.kind == unexplained || found.kind == may_share_on_gpu || found.only_renamed) return;  // may well be right
    const std::size_t first = place_of_value_[found.first], second = place_of_value_[found.second];
    const value_rectangle &a = out_.values[first], &b = out_.values[second];
    out_.overlaps.push_back({first,
                             second,
                             name_of(found.kind),
                             std::max(a.offset, b.offset),
                             found.bytes,
                             {found.position, std::min(a.life->last, b.life->last)}});
  }

  const context& module_;
  const buffer_dump& dump_;
  module_picture& out_;
  std::vector<std::size_t> place_of_value_, place_of_allocation_;  // by position in the dump
};

/// Transfers and the schedule. Precondition: there is HLO.
class schedule_painter {
 public:
  schedule_painter(const context& module, module_picture& out)
      : module_(module), names_(module.get<instruction_names>()), out_(out) {
    if (module_.has(need::buffers | need::live_ranges))
      table_ = &module_.get<value_table>();
    else
      add_sequence();
    add_transfers();
  }

 private:
  void add_sequence() {
    for (const id i : module_.get<flat_schedule>().sequence())
      out_.sequence.emplace_back(names_.of(module_.hlo()->instruction(i)));
    out_.last_position = out_.sequence.empty() ? 0 : static_cast<std::int64_t>(out_.sequence.size()) - 1;
  }

  // The positions of the dump's live ranges, if it has any.
  std::optional<std::int64_t> position_of(hlo_instruction i) const {
    return table_ ? table_->position_of(names_.of(i)) : module_.get<flat_schedule>().position_of(i);
  }

  void add_transfers() {
    const auto& graph = module_.get<call_graph>();
    std::set<id> exposed;
    if (missing_for_time(module_).empty())
      for (const exposed_transfer& one : module_.get<exposed_time>().transfers())
        if (one.exposed > 0 && one.overlap() != exposure_class::hidden &&
            (module_.device().is_relative() || !is_small(one)))
          exposed.insert(one.start.id());
    for (const async_window& w : module_.get<async_windows>()) {
      if (!graph.is_sequential(w.start.computation())) continue;
      transfer_picture t;
      t.kind = name_of(w.kind);
      t.bytes = w.bytes, t.between = w.between, t.real = w.real;
      t.collective = w.is_collective();
      t.asynchronous = w.is_sync != true;
      if (w.done) t.done = names_.of(w.done);
      t.exposed = exposed.contains(w.start.id());
      add(w.start, w.done, std::move(t));
    }
    for (const hlo_computation c : module_.hlo()->computations()) {
      if (!graph.is_sequential(c)) continue;
      for (const hlo_instruction i : c.instructions()) {
        if (!is_synchronous_collective(i.opcode())) continue;
        transfer_picture t;
        t.kind = name_of(i.opcode());
        t.bytes = transfer_bytes(i);
        t.collective = true;
        t.exposed = exposed.contains(i.id());
        add(i, {}, std::move(t));
      }
    }
    std::stable_sort(
        out_.transfers.begin(), out_.transfers.end(), [](const transfer_picture& a, const transfer_picture& b) {
          return in_order(a.life.first, b.life.first, a.life.last, b.life.last, a.instruction, b.instruction);
        });
  }

  void add(hlo_instruction start, hlo_instruction done, transfer_picture t) {
    const auto first = position_of(start), last = done ? position_of(done) : first;
    if (!first || !last) {
      ++out_.unplaced_transfers;
      return;
    }
    t.instruction = names_.of(start);
    t.life = {*first, std::max(*first, *last)};
    t.source = picture_source_of(program_place_of(start));
    if (t.exposed) {
      ++out_.exposed_transfers;
      out_.exposed_bytes = (checked_int64(out_.exposed_bytes) + t.bytes.value_or(0)).clamped();
    }
    out_.transfers.push_back(std::move(t));
  }

  const context& module_;
  const instruction_names& names_;
  module_picture& out_;
  const value_table* table_ = nullptr;
};

}  // namespace detail

/// All that can be shown of a module. Parts may be missing: without live ranges values have no time, without buffers
/// they are an estimate, and without a schedule there are only transfers. `on`: the device of the timeline. O(n log n).
inline module_picture picture_of(const context& module, const shown_device& on) {
  module_picture out;
  out.name = module.name();
  out.target = name_of(module.target());
  for (const seen_file& file : module.files()) out.files.push_back(file.path);
  out.missing = missing_for_memory(module);
  if (module.buffers() && module.buffers()->oom()) out.out_of_memory = oom_facts_of(*module.buffers()->oom());
  out.advice = advise::advice_pointer(module);
  const context& painted = with_memory(module);
  out.estimated = painted.memory_is_estimated();
  if (!painted.memory_words().empty())
    out.missing = painted.memory_words() + (out.missing.empty() ? "" : "; " + out.missing);
  if (const buffer_dump* const dump = painted.buffers()) {
    if (const live_range_block* const block = dump->live_ranges()) {
      out.sequence.assign(block->sequence.begin(), block->sequence.end());
      out.last_position = last_position(*dump);
      out.scheduled = true;
    }
    if (dump->has_assignment()) detail::memory_painter(painted, out);
  }
  if (module.measured()) out.measured = measured_timeline_of(*module.measured());
  if (module.hlo()) {
    out.scheduled = module.hlo()->is_scheduled();
    out.entry = entry_shapes(*module.hlo()), out.program = program_picture_of(*module.hlo());
    detail::schedule_painter(painted, out);
    out.timeline = timeline_of(module, on);
  }
  return out;
}
/// The pictures for the device that was named or lies beside the dump.
inline module_picture picture_of(const context& module) {
  return picture_of(module, {module.device(), module.device_evidence()});
}

}  // namespace hlolint::report
