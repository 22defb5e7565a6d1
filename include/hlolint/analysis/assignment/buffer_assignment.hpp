// The buffer assignment that XLA makes of a scheduled module, from its HLO alone (assignment.md).
#pragma once

#include <hlolint/analysis/assignment/buffer_plan.hpp>
#include <hlolint/analysis/assignment/existing_places.hpp>
#include <hlolint/analysis/assignment/heap_events.hpp>
#include <hlolint/analysis/assignment/packed_heap.hpp>
#include <hlolint/analysis/assignment/storage_sets.hpp>
#include <hlolint/analysis/assignment/value_handover.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hlolint {

/// Holds all that does not depend on the order of the instructions, and assigns buffers for any number of orders. One
/// thread uses one object.
class buffer_assignment {
 public:
  /// Precondition: the module is scheduled.
  buffer_assignment(const hlo_module& module, const assignment_rules& rules)
      : buffer_assignment(std::make_shared<const alias_sets>(dataflow(module, rules.values)), rules) {}
  /// From known alias sets.
  buffer_assignment(std::shared_ptr<const alias_sets> sets, const assignment_rules& rules)
      : rules_(rules), sets_(std::move(sets)), storage_(*sets_, rules), handover_(*sets_, rules), finder_(flow()) {
    gather_reached();
    gather_operands();
  }
  buffer_assignment(const buffer_assignment&) = delete;
  buffer_assignment& operator=(const buffer_assignment&) = delete;

  /// The values.
  const dataflow& flow() const { return sets_->flow(); }
  /// The values that must share storage.
  const alias_sets& sets() const { return *sets_; }
  /// The same, for an owner that may outlive this object.
  std::shared_ptr<const alias_sets> share_sets() const { return sets_; }
  /// Facts about each alias set.
  const storage_sets& storage() const { return storage_; }
  /// Which values may take the bytes of others.
  const value_handover& handover() const { return handover_; }
  /// The rules in force.
  const assignment_rules& rules() const { return rules_; }

  /// The assignment for an order of the instructions: all their ids, each computation's in the positions it has in the
  /// module. Empty: the order of the text. Value numbers, which break ties, stay those of the text. O(n log n). The
  /// first heap of each memory space is remembered, so that an order with few changes takes little time.
  buffer_plan plan(std::span<const id> order = {}) const { return plan(order, rules_.alignment, true); }
  /// The assignment for an order, as above, by rules with another alignment.
  buffer_plan aligned_plan(byte_count alignment, std::span<const id> order = {}) const {
    return plan(order, alignment, true);
  }
  /// A lower bound for this order, in a fraction of the time: without offsets in the heap, whose size is the least that
  /// any packing takes.
  buffer_plan bound(std::span<const id> order = {}) const { return plan(order, rules_.alignment, false); }

 private:
  buffer_plan plan(std::span<const id> order, byte_count alignment, bool packed) const {
    buffer_plan out{{}, {}, {}, flat_schedule(flow().tables(), order)};
    find_ranges(out);
    out.values.resize(flow().values().size());
    work w{out, existing(out.schedule.size()), std::vector<std::uint32_t>(flow().values().size(), none), {}, 0};
    for (const std::size_t at : placing_order(w)) {
      const std::uint32_t s = storage_.order()[at];
      if (storage_[s].kind == storage_kind::shared)
        place_or_put_off(w, s, at);
      else
        place_alone(w, s);
    }
    for (const auto& [color, values] : w.put_off) add_heap(w, color, values, alignment, packed);
    for (const std::uint32_t s : storage_.local_order()) place_alone(w, s);
    combine(out, alignment);
    return out;
  }

  // The state of an assignment in progress.
  struct work {
    buffer_plan& plan;
    detail::existing_places places;
    std::vector<std::uint32_t> place_of;                         // by value
    std::map<std::int64_t, std::vector<std::uint32_t>> put_off;  // by memory space
    std::size_t tried = 0;
    // The allocations of contexts by size, of each computation and memory space.
    std::map<std::pair<id, std::int64_t>, std::map<byte_count, std::uint32_t>> contexts = {};
  };
  static constexpr std::size_t most_tried = 20'000'000;  ///< places tried, over all sets

  /// Positions in `storage_.order()`. Of libtpu the results come first, so that values which they are written over find
  /// them; what is temporary follows in the order of the program.
  std::vector<std::size_t> placing_order(const work& w) const {
    std::vector<std::size_t> out;
    if (!rules_.temporaries_apart) {
      for (std::size_t at = 0; at < storage_.order().size(); ++at) out.push_back(at);
      return out;
    }
    std::vector<std::pair<std::int64_t, std::size_t>> temporary;  // with the first position
    for (std::size_t at = 0; at < storage_.order().size(); ++at) {
      const std::uint32_t s = storage_.order()[at];
      const storage_kind kind = storage_[s].kind;
      if (storage_[s].lives_out || (kind != storage_kind::shared && kind != storage_kind::table)) {
        out.push_back(at);
        continue;
      }
      std::int64_t first = std::numeric_limits<std::int64_t>::max();
      for (const std::uint32_t v : sets_->values(s)) first = std::min(first, range_of(w, v).start);
      temporary.emplace_back(first, at);
    }
    std::sort(temporary.begin(), temporary.end());
    for (const auto& [first, at] : temporary) out.push_back(at);
    return out;
  }

  void gather_reached() {
    for (std::uint32_t s = 0; s < sets_->size(); ++s)
      if (sets_->values(s).size() > 1) several_.push_back(s);
    first_reached_.push_back(0);
    for (std::uint32_t v = 0; v < flow().values().size(); ++v) {
      const storage_kind kind = storage_[sets_->set_of(v)].kind;
      has_range_.push_back(kind != storage_kind::nowhere && kind != storage_kind::thread_local_);
      if (has_range_[v])
        finder_.for_each_reached(flow().values()[v], [&](hlo_instruction i, bool to_end) {
          reached_.push_back({i.id(), to_end});
        });
      first_reached_.push_back(static_cast<std::uint32_t>(reached_.size()));
      kept_.push_back(finder_.is_kept_by_caller(flow().values()[v]));
    }
  }

  void gather_operands() {
    for (const hlo_value& value : flow().values())
      copies_.push_back(flow().instruction(value).opcode() == hlo_opcode::copy);
    std::uint32_t number = 0;
    first_operand_.push_back(0);
    for (const std::uint32_t s : storage_.order()) {
      for (const std::uint32_t v : sets_->values(s)) {
        const hlo_value& value = flow().values()[v];
        const shape* const part = flow().shape_of(value.defined);
        if (storage_[s].kind != storage_kind::shared || value.defined.part != 0 || (part && part->is_tuple())) continue;
        for (const hlo_instruction operand : flow().instruction(value).operands()) {
          ++number;
          if (operand)
            flow().for_each_at({operand.id(), 0}, [&](std::uint32_t w) { operands_.push_back({w, number}); });
        }
      }
      first_operand_.push_back(static_cast<std::uint32_t>(operands_.size()));
    }
  }

  void find_ranges(buffer_plan& out) const {
    out.ranges.resize(flow().values().size(), {0, -1});
    detail::range_finder::known_ends known;
    const hlo_module& module = flow().module();
    for (std::uint32_t v = 0; v < out.ranges.size(); ++v) {
      if (!has_range_[v]) continue;
      const auto defined = finder_.defined_at(flow().instruction(flow().values()[v]), out.schedule, known);
      if (!defined) continue;
      time_span range = *defined;
      if (kept_[v]) range.end = out.schedule.size();
      for (std::uint32_t r = first_reached_[v]; !kept_[v] && r < first_reached_[v + 1]; ++r) {
        const hlo_instruction i = module.instruction(reached_[r].instruction);
        const auto t = reached_[r].to_end ? out.schedule.end_of(i) : out.schedule.position_of(i);
        if (t && *t > range.end) range.end = *t;
      }
      out.ranges[v] = range;
    }
    const auto range_of = [&](std::uint32_t v) {
      return out.ranges[v].end < out.ranges[v].start ? nullptr : &out.ranges[v];
    };
    for (const std::uint32_t s : several_) detail::trim_ranges(sets_->values(s), range_of);
  }

  // --- Sets that have an allocation of their own (2, 5) ---

  void place_alone(work& w, std::uint32_t s) const {
    const storage_set& set = storage_[s];
    const std::uint32_t made = make_allocation(w, s);
    if (set.kind == storage_kind::parameter) w.plan.allocations[made].parameter = set.decided_by;
    if (set.donated) occupy(w, w.places.add(made), s);
  }
  std::uint32_t make_allocation(work& w, std::uint32_t s) const {
    const auto number = static_cast<std::uint32_t>(w.plan.allocations.size());
    w.plan.allocations.push_back({storage_[s].size, storage_[s].color, storage_[s].kind, none, storage_[s].lives_out});
    put(w, number, s);
    return number;
  }
  void put(work& w, std::uint32_t allocation, std::uint32_t s) const {
    for (const std::uint32_t v : sets_->values(s)) w.plan.values[v] = {allocation, 0, storage_[s].size};
    if (storage_[s].lives_out) w.plan.allocations[allocation].lives_out = true;
  }
  void occupy(work& w, std::size_t place, std::uint32_t s) const {
    for (const std::uint32_t v : sets_->values(s)) {
      w.places.take(place, range_of(w, v), v);
      w.place_of[v] = static_cast<std::uint32_t>(place);
    }
  }
  using existing = detail::existing_places;
  /// A value whose computation has no positions lives throughout.
  static time_span range_of(const work& w, std::uint32_t v) {
    const time_span r = w.plan.ranges[v];
    return r.end < r.start ? time_span{0, w.plan.schedule.size()} : r;
  }

  // --- Sets that may go into an existing allocation (3) ---

  void place_or_put_off(work& w, std::uint32_t s, std::size_t at) const {
    if (rules_.is_libtpu() && storage_[s].is_context && !storage_[s].lives_out) return place_context(w, s);
    std::size_t place = rules_.temporaries_apart ? overwritten_place(w, s) : operand_place(w, s, at);
    if (place == existing::nothing && !rules_.temporaries_apart) place = last_place(w, s);
    if (place != existing::nothing) {
      put(w, w.places.allocation(place), s);
      occupy(w, place, s);
    } else if (storage_[s].lives_out) {
      occupy(w, w.places.add(make_allocation(w, s)), s);
    } else {
      std::vector<std::uint32_t>& values = w.put_off[storage_[s].color];
      values.insert(values.end(), sets_->values(s).begin(), sets_->values(s).end());
    }
  }
  /// The programs of the SparseCores that a computation starts run one at a time, so that libtpu gives their contexts
  /// the same bytes where they fit, even if the text has them in use at one time.
  void place_context(work& w, std::uint32_t s) const {
    const storage_set& set = storage_[s];
    const hlo_instruction start = flow().instruction(flow().values()[sets_->values(s).front()]);
    std::map<byte_count, std::uint32_t>& there = w.contexts[{start.computation().id(), set.color}];
    auto found = set.size > 0 ? there.lower_bound(set.size) : there.find(0);
    if (found == there.end()) found = there.emplace(set.size, make_allocation(w, s)).first;
    put(w, found->second, s);
  }
  /// The place of a result that the printed `aliasing_operands` of its instruction let it write over a value.
  std::size_t overwritten_place(const work& w, std::uint32_t s) const {
    for (const std::uint32_t v : sets_->values(s)) {
      if (storage_[s].lives_out) break;
      for (const hlo_use& use : flow().uses(flow().values()[v])) {
        const hlo_instruction user = flow().module().instruction(use.user);
        std::size_t found = existing::nothing;
        flow().for_each_at({user.id(), 0}, [&](std::uint32_t made) {
          const std::uint32_t place = w.place_of[made];
          if (place == none || found != existing::nothing) return;
          const planned_allocation& a = w.plan.allocations[w.places.allocation(place)];
          const bool touches = range_of(w, v).end == range_of(w, made).start;
          if (touches && a.color == storage_[s].color && a.size == storage_[s].size &&
              w.places.times(place).all_that_meet(range_of(w, v),
                                                  [&](std::uint32_t old, time_span) { return old == made; }) &&
              handover_.writes_over(v, made) == true)  // last, since it reads text
            found = place;
        });
        if (found != existing::nothing) return found;
      }
    }
    return existing::nothing;
  }
  /// The place of an operand.
  std::size_t operand_place(const work& w, std::uint32_t s, std::size_t at) const {
    std::vector<std::uint32_t> places;  // of one operand
    const std::uint32_t end = first_operand_[at + 1];
    for (std::uint32_t k = first_operand_[at]; k < end;) {
      places.clear();
      for (const std::uint32_t number = operands_[k].number; k < end && operands_[k].number == number; ++k)
        if (const std::uint32_t place = w.place_of[operands_[k].value]; place != none) places.push_back(place);
      std::sort(places.begin(), places.end());
      for (const std::uint32_t place : places)
        if (fits(w, place, s)) return place;
    }
    return existing::nothing;
  }
  /// The last free place, which is the smallest.
  std::size_t last_place(work& w, std::uint32_t s) const {
    time_span longest = range_of(w, sets_->values(s).front());
    for (const std::uint32_t v : sets_->values(s))
      if (const time_span r = range_of(w, v); r.end - r.start > longest.end - longest.start) longest = r;
    return w.places.last_free(longest, [&](std::size_t place) {
      if (++w.tried > most_tried) {
        w.plan.is_exact = false;
        return false;
      }
      return fits(w, place, s);
    });
  }
  bool fits(const work& w, std::size_t place, std::uint32_t s) const {
    const storage_set& set = storage_[s];
    const planned_allocation& a = w.plan.allocations[w.places.allocation(place)];
    if (a.color != set.color || set.size > a.size || (set.lives_out && set.size != a.size)) return false;
    for (const std::uint32_t v : sets_->values(s))
      if (copies_from(w, v, w.places.allocation(place)) ||
          !w.places.times(place).all_that_meet(
              range_of(w, v), [&](std::uint32_t old, time_span range) { return is_apart(w, v, old, range); }))
        return false;
    return true;
  }
  /// Whether a value may lie where `old` lies: they share no position, or one hands its bytes on to the other.
  bool is_apart(const work& w, std::uint32_t v, std::uint32_t old, time_span there) const {
    const time_span own = range_of(w, v);
    if (own.start > there.end || there.start > own.end) return true;
    if (own.end == there.start) return handover_.in_place(v, old, w.plan.schedule);
    return there.end == own.start && handover_.in_place(old, v, w.plan.schedule);
  }
  /// Whether a value is a copy of another in the allocation.
  bool copies_from(const work& w, std::uint32_t v, std::uint32_t allocation) const {
    if (!copies_[v]) return false;
    const hlo_instruction i = flow().instruction(flow().values()[v]);
    bool found = false;
    for (const hlo_instruction operand : i.operands())
      if (operand)
        flow().for_each_in(operand, [&](std::uint32_t from) { found |= w.plan.values[from].allocation == allocation; });
    return found;
  }

  // --- The heap (4) ---

  void add_heap(work& w, std::int64_t color, const std::vector<std::uint32_t>& put_off, byte_count alignment,
                bool packed_too) const {
    detail::known_heap& known = heaps_[{color, alignment}];
    std::vector<std::uint32_t> values = known.ascending(put_off, w.plan.values.size());
    for (const std::uint32_t v : values) w.plan.ranges[v] = range_of(w, v);
    const auto length = w.plan.schedule.size();
    std::vector<time_span> times = detail::ranked_times(values, w.plan.ranges, length);
    if (const detail::packed_before* const same = packed_too ? known.find(values, times) : nullptr)
      return put_heap(w, color, same->result, same->timeline.chunks, same->timeline.members, known.empty());
    const heap_events events(*sets_, storage_, handover_, values, w.plan.ranges, length);
    const packed_heap packed = packed_too ? known.pack(events, alignment, rules_.in_program_order, put_off,
                                                       std::move(values), std::move(times))
                                          : packed_heap{least_heap_size(events, alignment), {}, false};
    put_heap(w, color, packed, events.chunks(), events.members(), events.empty());
  }
  void put_heap(work& w, std::int64_t color, const packed_heap& packed, std::span<const heap_chunk> chunks,
                std::span<const heap_events::member> members, std::span<const std::uint32_t> empty) const {
    w.plan.is_exact = w.plan.is_exact && packed.is_exact;
    const auto number = static_cast<std::uint32_t>(w.plan.allocations.size());
    w.plan.allocations.push_back({packed.size, color, storage_kind::shared, none, false});
    for (std::size_t c = 0; c < packed.offsets.size(); ++c)
      for (const heap_events::member& m : members.subspan(chunks[c].first_member, chunks[c].member_count))
        w.plan.values[m.value] = {number, packed.offsets[c], chunks[c].size};
    for (const std::uint32_t v : empty) w.plan.values[v] = {number, 0, 0};
  }

  // --- Combination (6) ---

  void combine(buffer_plan& out, byte_count alignment) const {
    const std::vector<combined_place> places = combine_allocations(out.allocations, alignment);
    for (planned_value& v : out.values)
      if (v.allocation != none) {
        const combined_place& to = places[v.allocation];
        v.allocation = to.allocation, v.offset = (checked_int64(v.offset) + to.offset).clamped();
      }
    checked_int64 total = 0, temporaries = 0, need = 0;
    for (const planned_allocation& a : out.allocations) {
      total += a.size;
      if (counts_in_need(rules_.sharing, a.color, a.kind == storage_kind::thread_local_)) need += a.size;
      if (a.is_temporary()) temporaries += a.size;
    }
    out.total = total.clamped(), out.temporaries = temporaries.clamped();
    out.need = need.clamped();
    out.is_exact = out.is_exact && out.total < std::numeric_limits<byte_count>::max();
  }

  assignment_rules rules_;
  std::shared_ptr<const alias_sets> sets_;
  storage_sets storage_;
  value_handover handover_;
  detail::range_finder finder_;
  struct reached {
    id instruction = none;
    bool to_end = false;
  };
  std::vector<std::uint32_t> several_;        // sets of several values
  std::vector<bool> has_range_;               // by value
  std::vector<std::uint32_t> first_reached_;  // by value, into reached_
  std::vector<reached> reached_;
  std::vector<bool> kept_;  // by value: whether the caller keeps it to the end
  struct found_at {
    std::uint32_t value = 0, number = 0;  // of the operand, counted over all
  };
  std::vector<std::uint32_t> first_operand_;  // by place in storage_.order(), into operands_
  std::vector<found_at> operands_;
  std::vector<bool> copies_;  // by value
  // By memory space and alignment.
  mutable std::map<std::pair<std::int64_t, byte_count>, detail::known_heap> heaps_;
};

}  // namespace hlolint
