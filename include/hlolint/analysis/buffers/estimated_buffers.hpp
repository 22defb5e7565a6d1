// A buffer assignment from the schedule of a module alone, for modules of which XLA's own was not dumped.
#pragma once

#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/occupied_times.hpp>
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/analysis/program/callers_first.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/post_order.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/values/may_share.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

// Makes the records of a dump from values, sizes and live ranges, as XLA would: parameters, constants and results have
// allocations of their own, temporary values are packed into one for each memory space.
class buffer_estimate {
 public:
  buffer_estimate(const hlo_module& module, target on)
      : module_(module),
        on_(on),
        ranges_(module),
        flow_(ranges_.flow()),
        sets_(ranges_.sets()),
        sharing_(flow_),
        data_(std::make_shared<buffer_data>()) {
    data_->texts.push_back(module.where().in);
    data_->has_assignment = true;
    name_apart();
    for (std::uint32_t v = 0; v < flow_.values().size(); ++v) ends_.push_back(ranges_.of(v) ? ranges_.of(v)->end : -1);
    for (std::uint32_t set = 0; set < sets_.size(); ++set) add(set);
    reuse_results();
    end_where_operands_are_handed_on();
    for (const auto& [color, sets] : temporary_) add_temporaries(color, sets);
    add_live_ranges();
    if (!temporary_.empty()) pack();
  }
  buffer_dump result() && { return buffer_dump(std::move(data_)); }

 private:
  hlo_instruction maker(std::uint32_t v) const { return flow_.instruction(flow_.values()[v]); }
  const hlolint::shape* shape_of(std::uint32_t v) const { return flow_.shape_of(flow_.values()[v].defined); }

  // What an operand gives to an instruction that may write in its place is free one position earlier, where both are
  // temporary.
  void end_where_operands_are_handed_on() {
    std::vector<std::int64_t> space(flow_.values().size(), -1);  // of temporary values alone in their set
    for (const auto& [color, sets] : temporary_)
      for (const std::uint32_t set : sets)
        if (sets_.values(set).size() == 1) space[sets_.values(set).front()] = color;
    std::vector<bool> handed_on(ends_.size());
    for (std::uint32_t v = 0; v < flow_.values().size(); ++v) {
      const auto& range = ranges_.of(v);
      if (!range || space[v] < 0) continue;
      bool taken = false;
      for (const hlo_instruction operand : maker(v).operands()) {
        if (!operand || taken) continue;
        flow_.for_each_at({operand.id(), 0}, [&](std::uint32_t w) {
          const bool dies = !taken && !handed_on[w] && space[w] == space[v] && ranges_.of(w) &&
                            flow_.values()[w].defined.instruction == operand.id() &&  // not through a bitcast
                            ranges_.of(w)->end == range->start && ranges_.of(w)->start < range->start;
          if (!dies || sharing_.rule(w, v, on_) == sharing_rule::forbidden) return;
          taken = handed_on[w] = true;
          --ends_[w];
        });
      }
    }
  }

  // A dump distinguishes values by name; what the text implies may have one name several times.
  void name_apart() {
    const instruction_names unique(module_);
    std::string made;
    std::vector<std::pair<id, std::size_t>> at;  // where the name begins
    for (const hlo_instruction i : module_.instructions())
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

  byte_count size_of(std::uint32_t set) const {
    byte_count most = 0;
    for (const std::uint32_t v : sets_.values(set))
      if (const hlolint::shape* const s = shape_of(v))
        most = std::max(most, byte_size(*s, on_ == target::tpu ? size_rule::tpu_tiled : size_rule::plain).value_or(0));
    return most;
  }

  void add(std::uint32_t set) {
    const auto values = sets_.values(set);
    if (values.empty() || !flow_.is_allocated(flow_.values()[values.front()])) return;
    allocation a;
    bool timed = false;
    for (const std::uint32_t v : values) {
      const hlo_instruction i = maker(v);
      timed = timed || ranges_.of(v);
      if (const hlolint::shape* const s = shape_of(v); s && a.color == 0) a.color = s->memory_space();
      if (i.opcode() == hlo_opcode::parameter && i.computation().is_entry())
        a.parameter =
            allocation_parameter{i.parameter_number().value_or(0), {}, flow_.index(flow_.values()[v].defined)};
      a.constant = a.constant || i.opcode() == hlo_opcode::constant;
      for (const hlo_position p : flow_.positions(flow_.values()[v])) {
        const hlo_instruction at = module_.instruction(p.instruction);
        a.maybe_live_out = a.maybe_live_out || (at.is_root() && at.computation().is_entry());
      }
    }
    a.thread_local_storage = !timed && !a.constant;
    if (a.parameter) a.constant = false;
    a.size = size_of(set);
    if (!a.parameter && !a.constant && !a.maybe_live_out && !a.thread_local_storage) {
      temporary_[a.color].push_back(set);
      return;
    }
    kept_.push_back({a, {set}});
  }

  // XLA goes through its buffers by size, the largest first, then results before others, then in post order, callers
  // before what they call. A temporary value takes the place of a result, or of a donated parameter, of its size or
  // more while that is not in use: of the last made, the smallest, first.
  void reuse_results() {
    const std::vector<std::uint32_t> ranks = placing_ranks();
    const auto rank_of = [&](std::uint32_t set) {
      std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
      for (const std::uint32_t v : sets_.values(set)) least = std::min(least, ranks[maker(v).id()]);
      return std::tuple(-size_of(set), least, set);
    };
    const auto sort = [](auto& list, auto&& key) {
      using entry = std::pair<decltype(key(list.front())), std::size_t>;
      std::vector<entry> keyed;
      for (std::size_t i = 0; i < list.size(); ++i) keyed.emplace_back(key(list[i]), i);
      std::sort(keyed.begin(), keyed.end());
      auto sorted = list;
      for (std::size_t i = 0; i < list.size(); ++i) sorted[i] = std::move(list[keyed[i].second]);
      list.swap(sorted);
    };
    std::vector<std::size_t> open;  // into kept_
    for (std::size_t k = 0; k < kept_.size(); ++k)
      if (kept_[k].first.maybe_live_out && !kept_[k].first.constant) open.push_back(k);
    sort(open, [&](std::size_t k) { return rank_of(kept_[k].second.front()); });
    std::vector<occupied_times> times(kept_.size());
    const auto occupy = [&](std::size_t k, std::uint32_t set) {
      for (const std::uint32_t v : sets_.values(set))
        if (const auto& range = ranges_.of(v)) times[k].add(*range, v);
    };
    for (const std::size_t k : open) occupy(k, kept_[k].second.front());
    for (auto& space : temporary_) {
      std::vector<std::uint32_t>& sets = space.second;
      sort(sets, rank_of);
      std::erase_if(sets, [&](std::uint32_t set) {
        if (is_table(set)) return false;
        const byte_count size = size_of(set);
        std::size_t tried = 0;
        for (std::size_t at = open.size(); at-- > 0;) {
          auto& [a, held] = kept_[open[at]];
          if (a.size < size || a.color != space.first) continue;
          if (++tried > most_tried) return false;
          if (meets(set, times[open[at]])) continue;
          held.push_back(set);
          occupy(open[at], set);
          return true;
        }
        return false;
      });
    }
    std::erase_if(temporary_, [](const auto& space) { return space.second.empty(); });
    for (auto& [a, held] : kept_) {
      a.number = static_cast<std::int64_t>(data_->allocations.size());
      begin_values(a);
      for (const std::uint32_t set : held)
        for (const std::uint32_t v : sets_.values(set)) add_value(v, a, 0, size_of(set));
      data_->allocations.push_back(a);
    }
  }
  // Tables of pointers share nothing.
  bool is_table(std::uint32_t set) const {
    for (const std::uint32_t v : sets_.values(set))
      if (const hlolint::shape* const s = shape_of(v); s && s->is_tuple()) return true;
    return false;
  }
  /// By instruction: callers before what they call, each computation in post order.
  std::vector<std::uint32_t> placing_ranks() const {
    std::vector<std::uint32_t> ranks(module_.instruction_count());
    const std::vector<id> order = post_order(flow_.tables());
    std::uint32_t next = 0;
    for (const hlo_computation c : callers_first(module_)) {
      const id_range range = c.record().instructions;
      for (id at = range.first; at != range.first + range.count; ++at) ranks[order[at]] = next++;
    }
    return ranks;
  }
  // Whether values of a set live while the place is in use, and no bytes are handed on from the one to the other.
  bool meets(std::uint32_t set, const occupied_times& place) const {
    return !std::ranges::all_of(sets_.values(set), [&](std::uint32_t v) {
      const auto& range = ranges_.of(v);
      if (!range) return true;
      const auto hands_on = [&](std::uint32_t from, std::uint32_t to) {
        return ranges_.of(from)->start < ranges_.of(to)->start &&
               sharing_.rule(from, to, on_) != sharing_rule::forbidden;
      };
      return !place.overlaps(*range) &&
             place.all_that_end(range->start, [&](std::uint32_t w) { return hands_on(w, v); }) &&
             place.all_that_begin(range->end, [&](std::uint32_t w) { return hands_on(v, w); });
    });
  }
  std::pair<std::int64_t, std::uint32_t> number_of(std::uint32_t set) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t v : sets_.values(set)) least = std::min<std::int64_t>(least, flow_.values()[v].number);
    return {least, set};
  }
  void begin_values(allocation& a) const {
    a.first_value = static_cast<std::uint32_t>(data_->values.size());
    a.text = module_.name();
  }
  void add_value(std::uint32_t v, allocation& a, byte_count offset, byte_count size) {
    assigned_value out;
    const hlo_value& value = flow_.values()[v];
    const hlo_instruction i = maker(v);
    out.name = {value.number, name_of(i), std::nullopt, value.phi, a.color};
    if (i.shape() && i.shape()->is_tuple()) out.name.index = flow_.index(value.defined);
    out.allocation = a.number, out.offset = offset, out.size = size;
    out.shape = static_cast<std::uint32_t>(data_->shapes.size());
    data_->shapes.push_back(shape_of(v) ? *shape_of(v) : hlolint::shape{});
    out.text = i.name();
    data_->values.push_back(std::move(out));
    ++a.value_count;
    numbers_.push_back(v);
  }

  // One over the other, in the order of XLA's value numbers: packing comes later, and goes by them where all else is
  // equal.
  void add_temporaries(std::int64_t color, std::vector<std::uint32_t> sets) {
    std::sort(sets.begin(), sets.end(), [&](std::uint32_t a, std::uint32_t b) { return number_of(a) < number_of(b); });
    allocation a;
    a.color = color;
    a.preallocated_temp = true;
    a.number = static_cast<std::int64_t>(data_->allocations.size());
    begin_values(a);
    const byte_count alignment = on_ == target::tpu ? (color == 0 ? 16384 : 512) : on_ == target::gpu ? 256 : 64;
    checked_int64 end = 0;
    for (const std::uint32_t set : sets) {
      const byte_count size = size_of(set), offset = end.clamped();
      for (const std::uint32_t v : sets_.values(set)) add_value(v, a, offset, size);
      end += size;
      end = (checked_int64((end + (alignment - 1)).clamped() / alignment) * alignment).clamped();
      a.size = (checked_int64(offset) + size).clamped();
    }
    data_->allocations.push_back(a);
  }

  void add_live_ranges() {
    live_range_block block;
    block.max = ranges_.schedule().size();
    block.sequence.resize(static_cast<std::size_t>(block.max));
    for (const hlo_instruction i : module_.instructions())
      if (const auto at = ranges_.schedule().position_of(i)) block.sequence[static_cast<std::size_t>(*at)] = name_of(i);
    for (const std::uint32_t v : numbers_)
      if (const auto& range = ranges_.of(v))
        block.ranges.push_back({name_of(maker(v)),
                                flow_.index(flow_.values()[v].defined),
                                range->start,
                                std::max(range->start, ends_[v]),
                                {}});
    data_->live_ranges = std::move(block);
  }

  void pack() {
    const buffer_dump loose(data_);
    const live_chunks chunks(loose);
    const repack packed(chunks, true);
    auto whole = std::make_shared<buffer_data>(*data_);
    for (std::size_t c = 0; c < chunks.chunks().size(); ++c) {
      const live_chunk& chunk = chunks.chunks()[c];
      if (!whole->allocations[chunk.allocation].preallocated_temp) continue;
      for (const std::uint32_t value : chunks.values(chunk)) whole->values[value].offset = packed.offsets()[c];
    }
    for (std::size_t a = 0; a < whole->allocations.size(); ++a)
      if (const repacked_allocation* const p = packed.of_allocation(a)) whole->allocations[a].size = p->size;
    data_ = std::move(whole);
  }

  static constexpr std::size_t most_tried = 1000;  ///< places for one set

  const hlo_module& module_;
  target on_;
  live_ranges ranges_;
  const dataflow& flow_;
  const alias_sets& sets_;
  may_share sharing_;
  std::shared_ptr<buffer_data> data_;
  std::map<id, std::string_view> names_;  // those that are not as the module has them; in the dump's texts
  std::vector<std::pair<allocation, std::vector<std::uint32_t>>>
      kept_;                                                      // all but temporary memory, with the sets in it
  std::vector<std::int64_t> ends_;                                // by value
  std::map<std::int64_t, std::vector<std::uint32_t>> temporary_;  // sets by memory space
  std::vector<std::uint32_t> numbers_;                            // of the dump's values: those of the flow
};

}  // namespace detail

/// An estimate: live ranges and alias sets are those that XLA computes, but which values it lets share bytes and how it
/// packs them may differ. Code and what a run time adds are not in it. Precondition: the module is scheduled. The
/// dump's texts are the module's, which must outlive it.
inline buffer_dump estimated_buffers(const hlo_module& module, target on) {
  return detail::buffer_estimate(module, on).result();
}

}  // namespace hlolint
