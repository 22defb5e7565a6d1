// Iterations of a while loop that read the same values as earlier ones.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace hlolint {

/// An upper bound of the number of different values of an instruction over all iterations, from the shapes of
/// dynamic-slices: a slice of an invariant array can begin at `extent - slice + 1` positions of each dimension, and
/// results computed from such slices take no more values than the slices together. Looks into fusions one level deep.
class distinct_in_loop {
 public:
  /// No known bound.
  static constexpr std::int64_t many = std::numeric_limits<std::int64_t>::max();

  /// Refers to `invariants`.
  distinct_in_loop(hlo_computation body, const loop_invariants& invariants)
      : invariants_(invariants), first_(body.instruction_count() > 0 ? body.instruction(0).id() : 0) {
    counts_.reserve(body.instruction_count());
    for (const hlo_instruction i : body.instructions()) counts_.push_back(count(i));
  }

  /// The bound of an instruction. Precondition: it is of this body.
  std::int64_t of(hlo_instruction i) const { return counts_[i.id() - first_]; }

 private:
  static constexpr std::size_t most_steps = std::size_t{1} << 22;  ///< inside fusions, whose bodies may be shared

  std::int64_t count(hlo_instruction i) {
    if (invariants_.contains(i)) return 1;
    if (i.opcode() == hlo_opcode::get_tuple_element && i.operand(0) && i.operand(0).opcode() == hlo_opcode::parameter)
      return many;
    if (i.opcode() == hlo_opcode::get_tuple_element && i.operand(0))
      if (const auto of_fusion = elements_.find(i.operand(0).id()); of_fusion != elements_.end()) {
        return at(of_fusion->second, element_position(i));
      }
    const auto of_operand = [&](std::size_t k) { return known(counts_, first_, i.operand(k)); };
    if (i.opcode() != hlo_opcode::fusion) return of_operation(i, of_operand);
    const hlo_computation inside = first_called(i);
    bool any = false;
    std::vector<std::int64_t> given;
    for (std::size_t k = 0; k < i.operand_count(); ++k) {
      given.push_back(of_operand(k));
      any = any || given.back() != many;
    }
    return inside && inside.root() && any ? of_fusion(i, inside, given) : many;
  }

  std::int64_t of_fusion(hlo_instruction fusion, hlo_computation inside, const std::vector<std::int64_t>& given) {
    steps_ += inside.instruction_count();
    if (steps_ > most_steps) return many;
    const id first = inside.instruction(0).id();
    std::vector<std::int64_t> counts;
    counts.reserve(inside.instruction_count());
    for (const hlo_instruction i : inside.instructions()) {
      const auto of_operand = [&](std::size_t k) { return known(counts, first, i.operand(k)); };
      counts.push_back(i.parameter_number() ? at(given, parameter_position(i)) : of_operation(i, of_operand));
    }
    if (inside.root().opcode() == hlo_opcode::tuple) {
      std::vector<std::int64_t>& elements = elements_[fusion.id()];
      for (const hlo_instruction element : inside.root().operands()) elements.push_back(known(counts, first, element));
    }
    return counts[inside.root().id() - first];
  }

  /// The count at a position, if it has one.
  static std::int64_t at(const std::vector<std::int64_t>& counts, std::optional<std::size_t> position) {
    return position && *position < counts.size() ? counts[*position] : many;
  }
  /// The count of an instruction, if those from `first` on are counted up to it.
  static std::int64_t known(const std::vector<std::int64_t>& counts, id first, hlo_instruction i) {
    return i && i.id() >= first ? at(counts, i.id() - first) : many;
  }
  static std::int64_t of_operation(hlo_instruction i, const auto& of_operand) {
    if (!loop_invariants::repeatable(i)) return many;
    const bool slice = i.opcode() == hlo_opcode::dynamic_slice && i.operand_count() > 0;
    std::int64_t product = 1;
    for (std::size_t k = slice ? 1 : 0; k < i.operand_count() && product != many; ++k) {
      bool before = false;  // a repeated operand has one value at a time
      for (std::size_t j = slice ? 1 : 0; j < std::min<std::size_t>(k, 8); ++j)
        before = before || i.operand(j) == i.operand(k);
      if (!before) product = times(product, of_operand(k));
    }
    if (slice) product = times(std::min(product, positions(i)), of_operand(0));
    const shape* const made = i.shape();
    if (made && made->is_array() && made->type == element_type::pred && made->rank() == 0)
      product = std::min<std::int64_t>(product, 2);
    return product;
  }

  /// The number of positions at which a slice can begin.
  static std::int64_t positions(hlo_instruction i) {
    const shape *const from = shape_of_operand(i, 0), *const to = i.shape();
    if (!from || !to || !from->is_array() || !to->is_array() || from->rank() != to->rank()) return many;
    std::int64_t product = 1;
    for (std::size_t d = 0; d < from->rank(); ++d) {
      const std::int64_t whole = from->dimensions[d].size, part = to->dimensions[d].size;
      if (part < 0 || part > whole) return many;
      product = times(product, whole - part + 1);
    }
    return product;
  }

  static std::int64_t times(std::int64_t a, std::int64_t b) { return checked_multiply(a, b).value_or(many); }

  const loop_invariants& invariants_;
  id first_;
  std::size_t steps_ = 0;
  std::vector<std::int64_t> counts_;
  std::map<id, std::vector<std::int64_t>> elements_;  ///< of fusions with several results
};

/// Repetition in the body of one loop.
class body_repeats {
 public:
  /// Linear in the body.
  body_repeats(hlo_instruction loop, hlo_computation body, const carried_elements& carried)
      : body_(body), trips_(iterations_of(loop)), invariants_(body, carried) {}
  body_repeats(const body_repeats&) = delete;  // one part refers to another
  body_repeats& operator=(const body_repeats&) = delete;

  /// Iterations; 2 if unknown, since fewer would need no loop.
  std::int64_t trips() const { return trips_; }
  /// Whether an instruction has one value in all iterations. Precondition: it is of this body.
  bool is_same(hlo_instruction i) const { return invariants_.contains(i); }
  /// An upper bound of the number of different values that an instruction reads in all iterations. Precondition: it is
  /// of this body.
  std::int64_t values_read(hlo_instruction i) {
    if (is_same(i)) return 1;
    if (trips_ <= 2) return trips_;  // a bound gives no count
    if (!distinct_) distinct_.emplace(body_, invariants_);
    std::int64_t most = i.operand_count() == 0 ? distinct_in_loop::many : 1;
    for (const hlo_instruction operand : i.operands())
      most =
          std::max(most, operand && operand.computation() == body_ && operand.id() < i.id() ? distinct_->of(operand)
                                                                                            : distinct_in_loop::many);
    return most;
  }

 private:
  static std::int64_t iterations_of(hlo_instruction loop) {
    const trip_count count = trip_count_of(loop);
    return count.basis == trip_basis::unknown ? 2 : count.times;
  }

  hlo_computation body_;
  std::int64_t trips_;
  loop_invariants invariants_;
  std::optional<distinct_in_loop> distinct_;
};

/// Repetition as a share of iterations, for all loops of a module.
class loop_repeats {
 public:
  /// Linear in the module, plus the fusions that `distinct_in_loop` examines.
  explicit loop_repeats(const hlo_module& module) : loop_repeats(module_facts(module)) {}
  /// From a cache.
  explicit loop_repeats(const analysis_cache auto& made) : shares_(made.hlo()->instruction_count(), -1) {
    const carried_elements& carried = made.template get<carried_elements>();
    for_each_loop_body(*made.hlo(), [&](hlo_instruction loop, hlo_computation body) {
      body_repeats repeats(loop, body, carried);
      const auto trips = static_cast<double>(repeats.trips());
      if (trips < 1) return;
      for (const hlo_instruction i : body.instructions())
        shares_[i.id()] = std::max(0.0, 1 - static_cast<double>(repeats.values_read(i)) / trips);
    });
  }

  /// A lower bound of the share of iterations in which an instruction reads the same values as in an earlier one;
  /// nothing outside of loops. If several loops call its computation, for the first one.
  std::optional<double> of(hlo_instruction i) const {
    return shares_[i.id()] < 0 ? std::nullopt : std::optional(shares_[i.id()]);
  }

 private:
  std::vector<double> shares_;  // by instruction; negative: not in a loop
};

}  // namespace hlolint
