// Results of collectives of which every device keeps only a part of its own.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/call_roles.hpp>
#include <hlolint/analysis/program/collective_kind.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/element_count.hpp>
#include <hlolint/analysis/transfers/device_dependence.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/moves_nothing.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace hlolint {

/// One array that an all-gather or all-reduce makes.
struct wasted_result {
  hlo_instruction collective;           ///< has the attributes: the start of an asynchronous one
  hlo_instruction result;               ///< the done of an asynchronous one, else the collective
  byte_count bytes = 0;                 ///< of the array
  byte_count kept = 0;                  ///< of these, by each device
  record_list<hlo_instruction> slices;  ///< what is kept
  /// All-gathers that make the operand and that nothing else reads, nearest first.
  record_list<hlo_instruction> before;

  /// With what the all-gathers before moved.
  byte_count moved() const {
    byte_count sum = bytes;
    for (const hlo_instruction i : before) sum = checked_add(sum, collective_bytes(i).value_or(0)).value_or(sum);
    return sum;
  }
  /// Bytes that are moved and not kept.
  byte_count waste() const { return moved() - kept; }
};

/// Of the computations that run step by step: the arrays all of whose readers, also inside fusions, are dynamic-slices
/// at an offset that depends on the device's number, and that are not all kept.
class wasted_results {
 public:
  /// O(n log n) in the module, besides the devices of its collectives.
  explicit wasted_results(const hlo_module& module)
      : wasted_results(module, call_graph(module), users(module), made_once(module), module_groups(module),
                       computation_parameters(module)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit wasted_results(const Cache& cache)
      : wasted_results(*cache.hlo(), cache.template get<call_graph>(), cache.template get<users>(),
                       [&]() -> const device_dependence& { return cache.template get<device_dependence>(); },
                       cache.template get<module_groups>(),
                       cache.template get<computation_parameters>()) {}

  /// In text order of the collectives.
  auto begin() const { return list_.begin(); }
  /// One past the last.
  auto end() const { return list_.end(); }
  /// The first of a collective; null if it has none.
  const wasted_result* of(hlo_instruction collective) const {
    const auto at = std::lower_bound(list_.begin(), list_.end(), collective.id(),
                                     [](const wasted_result& r, id wanted) { return r.collective.id() < wanted; });
    return at != list_.end() && at->collective == collective ? &*at : nullptr;
  }

 private:
  /// What offsets depend on is only asked of slices that are all that reads a result.
  using dependence_maker = std::function<const device_dependence&()>;
  static dependence_maker made_once(const hlo_module& module) {
    return [&module, made = std::shared_ptr<const device_dependence>()]() mutable -> const device_dependence& {
      if (!made) made = std::make_shared<const device_dependence>(module);
      return *made;
    };
  }

  struct facts {
    const users& all_users;
    const dependence_maker& dependence;
    const module_groups& groups;
    const computation_parameters& parameters;
  };

  wasted_results(const hlo_module& module, const call_graph& graph, const users& all_users,
                 const dependence_maker& dependence, const module_groups& groups,
                 const computation_parameters& parameters) {
    const facts known{all_users, dependence, groups, parameters};
    for (const hlo_computation c : module.computations()) {
      if (!graph.is_sequential(c)) continue;
      for (const hlo_instruction i : c.instructions()) {
        switch (i.opcode()) {
          using enum hlo_opcode;
          case all_gather:
          case all_reduce:
            look_at(i, i, known);
            break;
          case all_gather_done:
          case all_reduce_done:
            if (i.operand_count() == 1 && i.operand(0)) look_at(i, i.operand(0), known);
            break;
          default:
            break;
        }
      }
    }
    std::stable_sort(list_.begin(), list_.end(), [](const wasted_result& a, const wasted_result& b) {
      return a.collective.id() < b.collective.id();
    });
  }

  void look_at(hlo_instruction result, hlo_instruction collective, const facts& known) {
    if (!result.shape() || moves_nothing(collective, known.groups)) return;
    if (!result.shape()->is_tuple()) return look_at_array(result, result, collective, known);
    for (const instruction_use use : known.all_users.of(result))
      if (use.user.opcode() == hlo_opcode::get_tuple_element && use.user.shape())
        look_at_array(use.user, result, collective, known);
  }

  void look_at_array(hlo_instruction array, hlo_instruction result, hlo_instruction collective, const facts& known) {
    const auto bytes = array.shape()->is_array() ? dense_size(*array.shape()) : std::nullopt;
    if (!bytes) return;
    record_list<hlo_instruction> slices;
    if (!only_sliced(array, known, slices)) return;
    for (const hlo_instruction slice : slices)
      if (!begins_by_device(slice, known.dependence())) return;
    double kept = 0;
    for (const hlo_instruction slice : slices)
      if (slice.shape()) kept += detail::array_elements(*slice.shape()) / detail::array_elements(*array.shape());
    if (!(kept < 1)) return;
    const auto waste = std::min(clamp_to_int64((1 - kept) * static_cast<double>(*bytes)), *bytes);
    list_.push_back(
        {collective, result, *bytes, *bytes - waste, std::move(slices), gathered_before(collective, known)});
  }

  /// The all-gathers whose results only this one reads, nearest first.
  static record_list<hlo_instruction> gathered_before(hlo_instruction last, const facts& known) {
    record_list<hlo_instruction> out;
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

  static bool begins_by_device(hlo_instruction slice, const device_dependence& dependence) {
    for (std::size_t k = 1; k < slice.operand_count(); ++k)
      if (const hlo_instruction offset = slice.operand(k); offset && dependence.on_device_id(offset)) return true;
    return false;
  }

  /// Whether everybody who reads the array takes a slice; which slices.
  static bool only_sliced(hlo_instruction array, const facts& known, record_list<hlo_instruction>& slices) {
    record_list<hlo_instruction> open{array};
    for (std::size_t next = 0; next < open.size(); ++next) {
      if (open[next].is_root()) return false;
      for (const instruction_use use : known.all_users.of(open[next])) {
        if (open.size() == max_followed) return false;
        if (use.user.opcode() == hlo_opcode::dynamic_slice) {
          if (use.operand != 0) return false;
          slices.push_back(use.user);
        } else if (use.user.opcode() == hlo_opcode::fusion) {
          const hlo_computation body = first_called(use.user);
          const hlo_instruction inside = body ? known.parameters.of(body, use.operand) : hlo_instruction{};
          if (!inside || known.all_users.count(inside) == 0) return false;
          open.push_back(inside);
        } else if (keeps_count(use.user.opcode())) {
          open.push_back(use.user);
        } else {
          return false;
        }
      }
    }
    return !slices.empty();
  }
  static constexpr bool keeps_count(hlo_opcode opcode) {
    return keeps_elements(opcode) || opcode == hlo_opcode::convert;
  }

  static constexpr std::size_t max_followed = 64;
  record_list<wasted_result> list_;
};

}  // namespace hlolint
