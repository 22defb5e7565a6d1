// A lower bound of the need of a module for all orders of its instructions (advise.md 7).
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hlolint::advise {

/// In every order some buffers are live while an instruction runs: its operands and results, each buffer that is
/// defined before it and read after it by necessity, and the buffers that are live around its callers for these
/// reasons.
class order_bound {
 public:
  /// Precondition: the module is scheduled. Takes one bit for each pair of instructions of a computation; in
  /// computations with more than `most_related` instructions only operands and results count.
  order_bound(const buffer_assignment& made, const schedule_constraints& rules)
      : made_(made),
        rules_(rules),
        module_(made.flow().module()),
        schedule_(made.flow().tables()),
        outer_(module_.computation_count()),
        values_(module_.computation_count()) {
    gather();
    for (const hlo_computation c : callers_first(module_))
      if (made.flow().tables().calls.is_sequential(c)) look_at(c);
  }

  /// The bound of all allocations in main memory.
  byte_count bytes() const { return bytes_; }
  /// The instruction that needs as much as the bound; an empty view if parameters, constants and results need it.
  hlo_instruction at() const { return at_; }

  /// The most instructions of a computation for which pairs are considered.
  static constexpr std::size_t most_related = 12'000;

 private:
  using bits = std::vector<std::uint64_t>;

  // The buffers that are live around the callers of a computation: alias sets in ascending order.
  struct holding {
    std::vector<std::uint32_t> sets;
    byte_count bytes = 0;
  };
  // A value, and the places in its computation where it is defined and read.
  struct touched {
    std::uint32_t set = 0;
    std::size_t defined = 0;
    std::vector<std::size_t> read;
    bool to_end = false;
    bool operator<(const touched& other) const { return set < other.set; }
  };

  void gather() {
    const storage_sets& storage = made_.storage();
    const dataflow& flow = made_.flow();
    const hlolint::detail::range_finder finder(flow);
    for (const std::uint32_t s : storage.order()) {
      const storage_set& set = storage[s];
      if (set.color != 0 || set.kind == storage_kind::nowhere || set.kind == storage_kind::thread_local_) continue;
      const bool alone = is_alone(set);
      if (alone) always_ += set.size;
      if (alone || set.kind == storage_kind::parameter || set.lives_out) bytes_ += set.size;
      if (alone || set.size == 0) continue;
      for (const std::uint32_t v : made_.sets().values(s)) {
        const hlo_value& value = flow.values()[v];
        const hlo_computation c = flow.instruction(value).computation();
        touched out{s, flow.instruction(value).index_in_computation(), {}, flow.instruction(value).is_root()};
        finder.for_each_reached(value, [&](hlo_instruction i, bool to_end) {
          if (i.computation() == c) out.read.push_back(i.index_in_computation()), out.to_end = out.to_end || to_end;
        });
        values_[c.id()].push_back(std::move(out));
      }
    }
  }
  // Whether no other value ever shares the memory of a set.
  static bool is_alone(const storage_set& set) {
    return set.kind == storage_kind::constant || (set.kind == storage_kind::parameter && !set.donated);
  }
  static void mark(bits& of, std::size_t place) { of[place / 64] |= std::uint64_t{1} << (place % 64); }
  template <class F>
  static void for_each_bit(const bits& of, F&& f) {
    for (std::size_t w = 0; w < of.size(); ++w)
      for (std::uint64_t left = of[w]; left != 0; left &= left - 1)
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
  }

  void look_at(hlo_computation c) {
    const std::size_t n = c.instruction_count(), words = (n + 63) / 64;
    const id first = c.record().instructions.first;
    const bool related = n <= most_related;
    std::vector<bits> before, behind;  // by place: the places before or after it, itself included
    if (related) {
      before.assign(n, bits(words)), behind.assign(n, bits(words));
      const auto add = [&](std::vector<bits>& of, std::size_t p, std::span<const id> next) {
        mark(of[p], p);
        for (const id i : next)
          for (std::size_t w = 0; w < words; ++w) of[p][w] |= of[i - first][w];
      };
      for (std::size_t p = 0; p < n; ++p) add(before, p, rules_.before(first + static_cast<id>(p)));
      for (std::size_t p = n; p-- > 0;) add(behind, p, rules_.after(first + static_cast<id>(p)));
    }
    const holding& outer = outer_[c.id()];
    std::vector<byte_count> bytes(n, outer.bytes);
    std::vector<touched>& values = values_[c.id()];
    std::sort(values.begin(), values.end());
    std::vector<std::pair<std::uint32_t, bits>> through;  // a set, and the places at which it is live before and after
    for (std::size_t k = 0; k < values.size();) {
      const std::uint32_t set = values[k].set;
      bits there(words), passing(words);
      for (; k < values.size() && values[k].set == set; ++k) {
        const touched& v = values[k];
        if (related) {
          bits span = behind[v.defined];
          if (!v.to_end) {
            bits reach(words);
            for (const std::size_t r : v.read)
              for (std::size_t w = 0; w < words; ++w) reach[w] |= before[r][w];
            for (std::size_t w = 0; w < words; ++w) span[w] &= reach[w];
          }
          for (std::size_t w = 0; w < words; ++w) there[w] |= span[w];
          span[v.defined / 64] &= ~(std::uint64_t{1} << (v.defined % 64));
          for (std::size_t w = 0; w < words; ++w) passing[w] |= span[w];
        }
        mark(there, v.defined);
        for (const std::size_t r : v.read) mark(there, r);
      }
      if (std::binary_search(outer.sets.begin(), outer.sets.end(), set)) continue;
      for_each_bit(there, [&](std::size_t p) { bytes[p] += made_.storage()[set].size; });
      through.emplace_back(set, std::move(passing));
    }
    for (std::size_t p = 0; p < n; ++p) {
      const hlo_instruction i = c.instruction(p);
      const byte_count least = always_ + bytes[p] - shared_by(i);
      if (least > bytes_) bytes_ = least, at_ = i;
      for (const hlo_computation called : i.called_computations())
        if (called && made_.flow().tables().calls.is_sequential(called)) hold(called, outer, through, p);
    }
  }
  void hold(hlo_computation called, const holding& outer, const std::vector<std::pair<std::uint32_t, bits>>& through,
            std::size_t place) {
    holding inner = outer;
    for (const auto& [set, at] : through)
      if ((at[place / 64] >> (place % 64) & 1) != 0) {
        inner.sets.push_back(set);
        inner.bytes += made_.storage()[set].size;
      }
    std::sort(inner.sets.begin(), inner.sets.end());
    if (inner.bytes >= outer_[called.id()].bytes) outer_[called.id()] = std::move(inner);
  }
  // Bytes of results that may take the place of an operand.
  byte_count shared_by(hlo_instruction i) const {
    const dataflow& flow = made_.flow();
    byte_count out = 0;
    for (std::uint32_t part = 0; part < flow.tables().places.count(i.id()); ++part)
      flow.for_each_at({i.id(), part}, [&](std::uint32_t v) {
        if (flow.values()[v].defined.instruction != i.id()) return;
        byte_count most = 0;
        for (const hlo_instruction operand : i.operands())
          for (std::uint32_t n = 0; operand && n < flow.tables().places.count(operand.id()); ++n)
            flow.for_each_at({operand.id(), n}, [&](std::uint32_t from) {
              const storage_set& set = made_.storage()[made_.sets().set_of(from)];
              if (set.color != 0 || is_alone(set) || made_.sets().same(from, v) || set.size <= most) return;
              if (made_.handover().in_heap(from, v) || made_.handover().in_place(from, v, schedule_)) most = set.size;
            });
        out += std::min(most, made_.storage()[made_.sets().set_of(v)].size);
      });
    return out;
  }

  const buffer_assignment& made_;
  const schedule_constraints& rules_;
  hlo_module module_;
  flat_schedule schedule_;
  std::vector<holding> outer_;                // by computation
  std::vector<std::vector<touched>> values_;  // by computation
  byte_count always_ = 0, bytes_ = 0;
  hlo_instruction at_;
};

}  // namespace hlolint::advise
