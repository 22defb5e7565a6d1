// Bytes that are live at each position of a schedule: a fast estimate of the need, to choose among many orders
// (advise.md 3). XLA's assignment decides in the end.
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <vector>

namespace hlolint::advise {

/// A buffer and one of its lifetimes.
struct live_buffer {
  std::uint32_t set = 0;  ///< its alias set
  byte_count size = 0;    ///< bytes
  time_span range;        ///< positions, both inclusive
};

/// The bytes that are live in an order.
struct live_profile {
  byte_count peak = 0;               ///< fixed bytes plus the most bytes live at one position
  double area = 0;                   ///< sum over positions of the bytes above 97 % of the reference peak
  std::vector<byte_count> live;      ///< by position, without fixed bytes
  std::vector<byte_count> occupied;  ///< by position, with results and donated parameters while they are used
  std::vector<live_buffer> buffers;  ///< the buffers that count, one entry per lifetime
};

/// Follows the large buffers of a module. Parameters, constants and results take memory all the time; a buffer that
/// fits into the memory of a result or a donated parameter while that is unused takes none of its own.
class live_model {
 public:
  /// Follows buffers of at least `least` bytes.
  live_model(const buffer_assignment& made, byte_count least) : made_(&made), finder_(made.flow()) {
    const storage_sets& storage = made.storage();
    for (const std::uint32_t s : storage.order()) {
      const storage_set& set = storage[s];
      if (set.color != 0 || set.kind == storage_kind::nowhere || set.kind == storage_kind::thread_local_) continue;
      const bool fixed = set.kind == storage_kind::parameter || set.kind == storage_kind::constant || set.lives_out;
      if (fixed) fixed_ += set.size;
      const bool lends = set.lives_out || (set.kind == storage_kind::parameter && set.donated);
      if (set.size < least || (fixed && !lends)) continue;
      followed f{s, set.size, lends && fixed, static_cast<std::uint32_t>(values_.size()), 0};
      for (const std::uint32_t v : made.sets().values(s)) add_value(v);
      f.value_count = static_cast<std::uint32_t>(values_.size()) - f.first_value;
      sets_.push_back(f);
    }
  }

  /// Bytes of parameters, constants and results.
  byte_count fixed() const { return fixed_; }

  /// Linear in the positions and in the instructions that the followed values reach.
  live_profile evaluate(const flat_schedule& schedule, std::optional<byte_count> reference = {},
                        bool details = false) const {
    live_profile out;
    out.live.assign(static_cast<std::size_t>(schedule.size()) + 2, 0);
    if (details) out.occupied.assign(out.live.size(), 0);
    hlolint::detail::range_finder::known_ends known;
    std::vector<slot> slots;
    std::vector<time_span> ranges;
    for (const followed& f : sets_) {
      ranges.clear();
      for (std::uint32_t k = f.first_value; k < f.first_value + f.value_count; ++k)
        if (const auto r = range_of(values_[k], schedule, known)) ranges.push_back(*r);
      if (ranges.empty()) continue;
      merge(ranges);
      if (f.fixed) {
        if (details)
          for (const time_span r : ranges) {
            out.occupied[static_cast<std::size_t>(r.start)] += f.size;
            out.occupied[static_cast<std::size_t>(r.end) + 1] -= f.size;
          }
        slots.push_back({f.size, ranges.front(), ranges.back(), {}});
        for (const time_span r : ranges) slots.back().add(r);
        continue;
      }
      bool placed = false;
      for (std::size_t s = slots.size(); s-- > 0 && !placed;)
        if (slots[s].size >= f.size && slots[s].is_free(ranges)) {
          for (const time_span r : ranges) slots[s].add(r);
          placed = true;
        }
      if (placed) continue;
      for (const time_span r : ranges) {
        out.live[static_cast<std::size_t>(r.start)] += f.size;
        out.live[static_cast<std::size_t>(r.end) + 1] -= f.size;
        if (details) out.buffers.push_back({f.set, f.size, r});
      }
    }
    for (std::size_t t = 1; t < out.live.size(); ++t) out.live[t] += out.live[t - 1];
    for (std::size_t t = 0; t < out.occupied.size(); ++t)
      out.occupied[t] += out.live[t] + (t == 0 ? 0 : out.occupied[t - 1] - out.live[t - 1]);
    // A value that takes over the bytes of its operand counts once.
    for (const handed& h : handed_) {
      const auto from = range_of(values_[h.from], schedule, known), to = range_of(values_[h.to], schedule, known);
      if (from && to && from->end == to->start) out.live[static_cast<std::size_t>(to->start)] -= h.size;
    }
    byte_count most = 0;
    for (const byte_count bytes : out.live) most = std::max(most, bytes);
    out.peak = fixed_ + most;
    const double above = 0.97 * static_cast<double>(reference.value_or(out.peak) - fixed_);
    for (const byte_count bytes : out.live)
      if (static_cast<double>(bytes) > above) out.area += static_cast<double>(bytes) - above;
    return out;
  }

  /// Calls `f(instruction)` for the instructions that define the values of an alias set, and for those they reach.
  template <class F>
  void for_each_reached(std::uint32_t set, F&& f) const {
    for (const std::uint32_t v : made_->sets().values(set))
      finder_.for_each_reached(made_->flow().values()[v], [&](hlo_instruction i, bool) { f(i); });
  }

 private:
  struct followed {
    std::uint32_t set = 0;
    byte_count size = 0;
    bool fixed = false;
    std::uint32_t first_value = 0, value_count = 0;
  };
  struct reach {
    id instruction = none;
    bool to_end = false;
  };
  struct followed_value {
    std::uint32_t value = 0;
    bool kept = false;
    std::uint32_t first_reach = 0, reach_count = 0;
  };
  struct handed {
    std::uint32_t from = 0, to = 0;  // into values_
    byte_count size = 0;
  };

  void add_value(std::uint32_t v) {
    const hlo_value& value = made_->flow().values()[v];
    followed_value out{v, finder_.is_kept_by_caller(value), static_cast<std::uint32_t>(reached_.size()), 0};
    finder_.for_each_reached(value, [&](hlo_instruction i, bool to_end) { reached_.push_back({i.id(), to_end}); });
    out.reach_count = static_cast<std::uint32_t>(reached_.size()) - out.first_reach;
    values_.push_back(out);
  }
  std::optional<time_span> range_of(const followed_value& v, const flat_schedule& schedule,
                                    hlolint::detail::range_finder::known_ends& known) const {
    const hlo_module& module = made_->flow().module();
    auto out = finder_.defined_at(made_->flow().instruction(made_->flow().values()[v.value]), schedule, known);
    if (!out) return out;
    if (v.kept) out->end = schedule.size();
    for (std::uint32_t k = v.first_reach; !v.kept && k < v.first_reach + v.reach_count; ++k) {
      const hlo_instruction i = module.instruction(reached_[k].instruction);
      if (const auto t = reached_[k].to_end ? schedule.end_of(i) : schedule.position_of(i))
        out->end = std::max(out->end, *t);
    }
    return out;
  }
  static void merge(std::vector<time_span>& ranges) {
    std::stable_sort(ranges.begin(), ranges.end(),
                     [](const time_span& a, const time_span& b) { return a.start < b.start; });
    std::size_t last = 0;
    for (std::size_t k = 1; k < ranges.size(); ++k)
      if (ranges[k].start <= ranges[last].end)
        ranges[last].end = std::max(ranges[last].end, ranges[k].end);
      else
        ranges[++last] = ranges[k];
    ranges.resize(last + 1);
  }
  // A buffer that takes memory all the time, and the lifetimes in it. They do not overlap, so the last to begin is the
  // last to end.
  struct slot {
    byte_count size = 0;
    time_span first, last;  // the first and the last lifetime, which nearly always tell that a value does not fit
    std::set<time_span> times;

    void add(time_span r) {
      times.insert(r);
      if (r.start < first.start) first = r;
      if (r.start > last.start) last = r;
    }
    bool is_free(const std::vector<time_span>& ranges) const {
      for (const time_span& edge : {first, last})
        if (meet(edge, ranges.front()) || meet(edge, ranges.back())) return false;
      for (const time_span& r : ranges) {
        const auto after = times.lower_bound({r.end, std::numeric_limits<std::int64_t>::min()});
        if (after != times.begin() && std::prev(after)->end > r.start) return false;
      }
      return true;
    }
    static bool meet(const time_span& a, const time_span& b) { return a.start < b.end && a.end > b.start; }
  };

  const buffer_assignment* made_;
  hlolint::detail::range_finder finder_;
  std::vector<followed> sets_;  // largest first
  std::vector<followed_value> values_;
  std::vector<reach> reached_;
  std::vector<handed> handed_;
  byte_count fixed_ = 0;

 public:
  /// Finds the followed values that may take over the bytes of an operand that ends where they begin.
  void find_handovers() {
    std::vector<std::uint32_t> at(made_->flow().values().size(), none);
    for (std::uint32_t k = 0; k < values_.size(); ++k) at[values_[k].value] = k;
    for (const followed& f : sets_) {
      if (f.fixed || f.value_count != 1) continue;
      const followed_value& to = values_[f.first_value];
      const hlo_instruction i = made_->flow().instruction(made_->flow().values()[to.value]);
      for (const hlo_instruction operand : i.operands()) {
        if (!operand) continue;
        bool found = false;
        made_->flow().for_each_at({operand.id(), 0}, [&](std::uint32_t w) {
          if (found || at[w] == none || made_->sets().values(made_->sets().set_of(w)).size() != 1) return;
          if (!made_->handover().in_heap(w, to.value)) return;
          found = true;
          handed_.push_back({at[w], f.first_value, std::min(f.size, made_->storage()[made_->sets().set_of(w)].size)});
        });
        if (found) break;
      }
    }
  }
};

}  // namespace hlolint::advise
