// Values that differ between devices, and results of collectives of which every device keeps only its own part.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint {

/// Values that certainly depend on the device's number, by a path from partition-id or replica-id. Results of
/// collectives count as equal everywhere, and so do parameters of loops and branches, which are unknown.
class device_dependence {
 public:
  /// Linear in the module.
  explicit device_dependence(const hlo_module& module) : depends_(module.instruction_count()) {
    std::vector<std::vector<bool>> handed(module.computation_count());  // by parameter of fusions and calls
    std::vector<bool> has_source(module.computation_count());
    for (const instruction_record& record : module.data().instructions)
      if (is_source(record.opcode)) has_source[record.computation] = true;
    for (const hlo_computation c : callers_first(module)) {
      if (!has_source[c.id()] && handed[c.id()].empty()) continue;  // most fusions
      for (const hlo_instruction i : c.instructions()) {
        bool own = is_source(i.opcode());
        if (const auto k = parameter_position(i); k && *k < handed[c.id()].size()) own = handed[c.id()][*k];
        if (!stops(i.opcode()))
          for (const hlo_instruction operand : i.operands()) own = own || (operand && depends_[operand.id()]);
        depends_[i.id()] = own;
        if (i.opcode() != hlo_opcode::fusion && i.opcode() != hlo_opcode::call) continue;
        for (const hlo_computation called : i.called_computations()) {
          if (!called) continue;
          auto& to = handed[called.id()];  // stays empty without dependent operands
          for (std::size_t k = 0; k < i.operand_count(); ++k)
            if (const hlo_instruction operand = i.operand(k); operand && depends_[operand.id()]) {
              to.resize(std::max(to.size(), i.operand_count()));
              to[k] = true;
            }
        }
      }
    }
  }

  /// Whether a value depends on partition-id or replica-id.
  bool on_device_id(hlo_instruction i) const { return depends_[i.id()]; }

 private:
  static constexpr bool is_source(hlo_opcode opcode) {
    return opcode == hlo_opcode::partition_id || opcode == hlo_opcode::replica_id;
  }
  static constexpr bool stops(hlo_opcode opcode) {
    using enum hlo_opcode;
    return is_collective(opcode) || opcode == while_ || opcode == conditional || is_async_opcode(opcode);
  }

  std::vector<bool> depends_;  // by instruction
};

/// Whether a dynamic-slice begins at an offset that depends on the device's number.
inline bool begins_by_device(hlo_instruction slice, const device_dependence& dependence) {
  for (std::size_t k = 1; k < slice.operand_count(); ++k)
    if (const hlo_instruction offset = slice.operand(k); offset && dependence.on_device_id(offset)) return true;
  return false;
}

/// Whether all elements of an array are one number, as it is written.
inline bool is_one_number(hlo_instruction i) {
  const shape* const from = i && i.opcode() == hlo_opcode::broadcast ? shape_of_operand(i, 0) : nullptr;
  return from && from->is_array() && from->rank() == 0;
}

/// The users that take parts of an array, also inside of fusions: of operand 0, where `takes(user)` is true. Nothing if
/// anything else reads it but by passing it on, where `passes_on(use)` is true, or if there is no reader.
std::optional<std::vector<hlo_instruction>> parts_taken(hlo_instruction array, const users& all_users,
                                                        const computation_parameters& parameters, auto&& takes,
                                                        auto&& passes_on) {
  std::vector<hlo_instruction> out;
  const auto through = [](hlo_instruction next) { return next.is_root() ? std::nullopt : std::optional(next); };
  const auto visit = [&](instruction_use use) -> std::optional<hlo_instruction> {
    if (takes(use.user)) {
      if (use.operand != 0) return std::nullopt;
      out.push_back(use.user);
      return hlo_instruction{};
    }
    if (const hlo_instruction inside = parameters.inside(use.user, use.operand)) return through(inside);
    return passes_on(use) ? through(use.user) : std::nullopt;
  };
  const bool is_whole = !array.is_root() && follow_uses(array, all_users, visit);
  return is_whole && !out.empty() ? std::optional(std::move(out)) : std::nullopt;
}

/// An array that an all-gather or all-reduce makes.
struct wasted_result {
  hlo_instruction collective;           ///< or the start of an asynchronous one (`collective_of` has the attributes)
  hlo_instruction result;               ///< the done of an asynchronous one, else the collective
  byte_count bytes = 0;                 ///< of the array
  byte_count kept = 0;                  ///< the part that each device keeps; of lookups what would move without it
  std::vector<hlo_instruction> slices;  ///< the kept parts: dynamic-slices, or gathers that look rows up
  hlo_instruction by_rows;              ///< what works on each row of the array alone before a slice is taken, or empty
  /// All-gathers that make the operand and have no other reader, nearest first.
  std::vector<hlo_instruction> before;

  /// Whether gathers look up few rows, which each device could do in its own part of the array.
  bool is_looked_up() const { return slices.front().opcode() == hlo_opcode::gather; }
  /// Bytes moved, including the all-gathers before.
  byte_count moved() const {
    byte_count sum = bytes;
    for (const hlo_instruction i : before) sum = checked_add(sum, collective_bytes(i).value_or(0)).value_or(sum);
    return sum;
  }
  /// Bytes moved but not kept.
  byte_count waste() const { return moved() - kept; }
};

/// Arrays, in computations that run step by step, of which a part is dropped: all readers, also inside fusions, are
/// dynamic-slices at an offset that depends on the device's number, of the array itself or of what a TopK or a sort
/// makes of its rows. Or all readers of an all-gather are gathers of so few elements that looking them up in the parts,
/// for all devices of the group, and adding the results moves less than half of the array.
class wasted_results {
 public:
  /// O(n log n) in the module and the devices of its collectives.
  explicit wasted_results(const hlo_module& module) : wasted_results(module_facts(module)) {}
  /// From a cache.
  explicit wasted_results(const analysis_cache auto& cache)
      : wasted_results(*cache.hlo(),
                       facts{cache.template get<call_graph>(), cache.template get<users>(),
                             cache.template get<module_groups>(), cache.template get<computation_parameters>(),
                             [&] { return &cache.template get<device_dependence>(); }}) {}

  /// In text order of the collectives.
  auto begin() const { return list_.begin(); }
  /// One past the last.
  auto end() const { return list_.end(); }
  /// The first wasted result of a collective; null if it has none.
  const wasted_result* of(hlo_instruction collective) const {
    const auto at = std::lower_bound(list_.begin(), list_.end(), collective.id(),
                                     [](const wasted_result& r, id wanted) { return r.collective.id() < wanted; });
    return at != list_.end() && at->collective == collective ? &*at : nullptr;
  }

 private:
  struct facts {
    const call_graph& graph;
    const users& all_users;
    const module_groups& groups;
    const computation_parameters& parameters;
    std::function<const device_dependence*()> dependence;  // examined only if slices are the only readers
  };

  wasted_results(const hlo_module& module, const facts& known) {
    using enum hlo_opcode;
    for (const hlo_computation c : module.computations()) {
      if (!known.graph.is_sequential(c)) continue;
      for (const hlo_instruction i : c.instructions())
        if (i.opcode() == all_gather || i.opcode() == all_reduce)
          look_at(i, i, known);
        else if ((i.opcode() == all_gather_done || i.opcode() == all_reduce_done || i.opcode() == async_done) &&
                 i.operand_count() == 1 && i.operand(0))
          look_at(i, i.operand(0), known);
    }
    std::ranges::stable_sort(list_, {}, [](const wasted_result& r) { return r.collective.id(); });
  }

  void look_at(hlo_instruction result, hlo_instruction collective, const facts& known) {
    const hlo_instruction run = collective_of(collective);
    const hlo_opcode kind = run ? collective_kind(run.opcode()) : hlo_opcode::async_done;
    if (kind != hlo_opcode::all_gather && kind != hlo_opcode::all_reduce) return;
    if (!result.shape() || moves_nothing(run, known.groups)) return;
    if (!result.shape()->is_tuple()) return look_at_array(result, result, collective, known);
    for (const instruction_use use : known.all_users.of(result))
      if (use.user.opcode() == hlo_opcode::get_tuple_element && use.user.shape())
        look_at_array(use.user, result, collective, known);
  }

  void look_at_array(hlo_instruction array, hlo_instruction result, hlo_instruction collective, const facts& known) {
    const auto bytes = array.shape()->is_array() ? dense_size(*array.shape()) : std::nullopt;
    if (!bytes) return;
    auto found = only_read_in_part(array, known);
    if (!found) return;
    std::vector<hlo_instruction> slices = std::move(*found);
    const hlo_opcode reader = slices.front().opcode();
    for (const hlo_instruction slice : slices)
      if (slice.opcode() != reader) return;
    if (reader == hlo_opcode::gather) return look_at_lookups(result, collective, *bytes, std::move(slices), known);
    for (const hlo_instruction slice : slices)
      if (!begins_by_device(slice, *known.dependence())) return;
    hlo_instruction by_rows;
    for (const hlo_instruction slice : slices)
      if (const hlo_instruction of = row_operation_of(slice, known)) {
        if (!takes_whole_rows(slice, of)) return;
        by_rows = of;
      }
    const double kept = kept_share(slices, known);
    if (!(kept < 1)) return;
    const auto waste = std::min(clamp_to_int64((1 - kept) * static_cast<double>(*bytes)), *bytes);
    list_.push_back(
        {collective, result, *bytes, *bytes - waste, std::move(slices), by_rows, gathered_before(collective, known)});
  }

  void look_at_lookups(hlo_instruction result, hlo_instruction collective, byte_count bytes,
                       std::vector<hlo_instruction> lookups, const facts& known) {
    const hlo_instruction run = collective_of(collective);
    const written_groups* const groups = known.groups.of(run);
    if (collective_kind(run.opcode()) != hlo_opcode::all_gather || !groups || groups->first_size < 2) return;
    const double moved = kept_share(lookups, known) * static_cast<double>(groups->first_size);
    if (!(moved < 0.5)) return;
    const byte_count kept = clamp_to_int64(moved * static_cast<double>(bytes));
    list_.push_back({collective, result, bytes, kept, std::move(lookups), {}, gathered_before(collective, known)});
  }

  /// The dimension along which an operation works on each row of its operands alone; nothing for others.
  static std::optional<std::size_t> row_dimension(hlo_instruction i) {
    const shape* const of = shape_of_operand(i, 0);
    if (!of || !of->is_array() || of->dimensions.empty()) return std::nullopt;
    if (i.opcode() == hlo_opcode::sort) {
      const auto along = get_integers(i, attribute_key::dimensions);
      const bool one = along && along->size() == 1 && along->front() >= 0;
      return one ? std::optional(static_cast<std::size_t>(along->front())) : std::nullopt;
    }
    if (i.opcode() != hlo_opcode::custom_call) return std::nullopt;
    const auto target = get<custom_call_target>(i);
    const bool top = target && (target->name == "TopK" || target->name == "__gpu$TopK");
    return top ? std::optional(of->dimensions.size() - 1) : std::nullopt;
  }
  /// The operation by rows whose result a slice takes a part of; an empty view if there is none.
  static hlo_instruction row_operation_of(hlo_instruction slice, const facts& known) {
    hlo_instruction from = given(operand_of(slice, 0), known);
    for (int steps = 0; from && steps < 64; ++steps) {
      if (row_dimension(from)) return from;
      if (!keeps_count(from.opcode()) && from.opcode() != hlo_opcode::get_tuple_element) break;
      from = given(operand_of(from, 0), known);
    }
    return {};
  }
  static bool takes_whole_rows(hlo_instruction slice, hlo_instruction row_operation) {
    const std::size_t along = *row_dimension(row_operation);
    const shape *const all = shape_of_operand(row_operation, 0), *const from = shape_of_operand(slice, 0);
    if (along >= all->dimensions.size() || !from || !slice.shape() ||
        from->dimensions.size() != all->dimensions.size() || slice.shape()->dimensions.size() != all->dimensions.size())
      return false;
    bool out = slice.shape()->dimensions[along] == from->dimensions[along];
    for (std::size_t d = 0; out && d < all->dimensions.size(); ++d)
      out = d == along || from->dimensions[d] == all->dimensions[d];
    return out;
  }

  /// The share that the slices take; equal ones, such as those in the fusions of an optimizer, count once.
  static double kept_share(const std::vector<hlo_instruction>& slices, const facts& known) {
    constexpr std::size_t max_compared = 16;
    std::vector<hlo_instruction> different;
    double out = 0;
    for (const hlo_instruction slice : slices) {
      const auto is_same = [&](hlo_instruction other) { return take_the_same(slice, other, known); };
      const shape* const from = shape_of_operand(slice, 0);
      if (!slice.shape() || !from || std::ranges::any_of(different, is_same)) continue;
      if (different.size() < max_compared) different.push_back(slice);
      out += detail::array_elements(*slice.shape()) / detail::array_elements(*from);
    }
    return out;
  }
  static bool take_the_same(hlo_instruction a, hlo_instruction b, const facts& known) {
    const shape *const from = shape_of_operand(a, 0), *const also_from = shape_of_operand(b, 0);
    bool out = a.operand_count() == b.operand_count() && from && also_from &&
               from->dimensions == also_from->dimensions && a.shape()->dimensions == b.shape()->dimensions;
    for (std::size_t k = 1; out && k < a.operand_count(); ++k) out = are_equal(a.operand(k), b.operand(k), known, 6);
    return out;
  }
  /// Whether two scalars are computed in the same way, up to a depth.
  static bool are_equal(hlo_instruction a, hlo_instruction b, const facts& known, int depth) {
    a = given(a, known), b = given(b, known);
    if (!a || !b || a == b) return a && b;
    if (depth == 0 || a.opcode() != b.opcode() || a.operand_count() != b.operand_count()) return false;
    if (a.opcode() == hlo_opcode::constant) return a.argument() == b.argument();
    if (!keeps_count(a.opcode()) && !keeps_element_type(a.opcode())) return false;
    bool out = true;
    for (std::size_t k = 0; out && k < a.operand_count(); ++k)
      out = are_equal(a.operand(k), b.operand(k), known, depth - 1);
    return out;
  }
  /// The value outside of fusions that a parameter inside stands for; other values as they are.
  static hlo_instruction given(hlo_instruction value, const facts& known) {
    while (value) {
      const auto k = parameter_position(value);
      const hlo_instruction fusion = k ? known.graph.only_caller(value.computation()) : hlo_instruction{};
      if (!fusion || fusion.opcode() != hlo_opcode::fusion) break;
      value = operand_of(fusion, *k);
    }
    return value;
  }

  /// The all-gathers before this one whose results have no other reader, nearest first.
  static std::vector<hlo_instruction> gathered_before(hlo_instruction last, const facts& known) {
    constexpr std::size_t max_followed = 64;
    std::vector<hlo_instruction> out;
    if (collective_kind(last.opcode()) != hlo_opcode::all_gather || last.operand_count() != 1) return out;
    hlo_instruction from = last.operand(0);
    for (std::size_t steps = 0; from && steps < max_followed; ++steps) {
      if (known.all_users.count(from) != 1 || from.operand_count() != 1 || !from.operand(0) ||
          from.operand(0).id() >= from.id())
        break;
      if (from.opcode() == hlo_opcode::all_gather)
        out.push_back(from);
      else if (from.opcode() == hlo_opcode::all_gather_done && known.all_users.count(from.operand(0)) == 1 &&
               from.operand(0).operand_count() == 1)
        from = from.operand(0), out.push_back(from);
      else if (!keeps_count(from.opcode()))
        break;
      from = from.operand(0);
    }
    return out;
  }

  /// What takes a part of the array, if nothing needs all of it; else nothing.
  static std::optional<std::vector<hlo_instruction>> only_read_in_part(hlo_instruction array, const facts& known) {
    const auto takes = [](hlo_instruction user) {
      return user.opcode() == hlo_opcode::dynamic_slice || user.opcode() == hlo_opcode::gather;
    };
    return parts_taken(array, known.all_users, known.parameters, takes, [](instruction_use use) {
      return keeps_count(use.user.opcode()) || use.user.opcode() == hlo_opcode::get_tuple_element ||
             row_dimension(use.user) || scales(use);
    });
  }
  /// Whether all elements are multiplied by one number, as for a mean over devices.
  static bool scales(instruction_use use) {
    const bool multiplies = use.user.opcode() == hlo_opcode::multiply;
    if (!multiplies && !(use.user.opcode() == hlo_opcode::divide && use.operand == 0)) return false;
    return is_one_number(operand_of(use.user, 1 - use.operand));
  }
  static constexpr bool keeps_count(hlo_opcode opcode) {
    return keeps_elements(opcode) || opcode == hlo_opcode::convert;
  }

  std::vector<wasted_result> list_;
};

}  // namespace hlolint
