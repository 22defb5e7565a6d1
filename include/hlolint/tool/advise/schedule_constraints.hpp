// The pairs of instructions of a scheduled module whose order has to stay as it is (advise.md 2).
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/grouped_list.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::advise {

/// Whether a custom call of this target only computes, so that its order cannot be observed. Any other target may have
/// an effect.
inline bool is_pure_target(std::string_view target) {
  constexpr std::array<std::string_view, 20> pure{"__cublas",   "__cudnn",
                                                  "__triton",   "__cusolver",
                                                  "__cusparse", "__hipblas",
                                                  "__onednn",   "cublas",
                                                  "cudnn",      "cusolver",
                                                  "hipsolver",  "lapack_",
                                                  "blas_",      "TopK",
                                                  "Sharding",   "SPMD",
                                                  "__gpu$",     "triton_kernel_call",
                                                  "ducc_fft",   "AssumeGatherIndicesInBound"};
  return std::any_of(pure.begin(), pure.end(),
                     [&](std::string_view one) { return target.substr(0, one.size()) == one; });
}

/// Which edges `schedule_constraints` has.
enum class constraints : std::uint8_t {
  all,     ///< those that buffers give, too
  program  ///< those of the program alone, for compilers that assign buffers again
};

/// The order edges of a module: from operands, control predecessors, effects, writers in place and memory spaces. An
/// edge leads from an instruction to one of the same computation that has to stay after it.
class schedule_constraints {
 public:
  /// Precondition: the module is scheduled. O(n log n).
  explicit schedule_constraints(const alias_sets& sets, constraints which = constraints::all)
      : module_(sets.flow().module()), is_effect_(module_.instruction_count()) {
    find_effects();
    std::vector<edge> edges;
    add_data_edges(edges);
    add_effect_edges(edges);
    if (which == constraints::all) add_in_place_edges(sets, edges), add_memory_space_edges(sets, edges);
    sort_unique(edges);
    after_ = grouped_list<id>(module_.instruction_count(), [&](auto&& add) {
      for (const auto& [from, to] : edges) add(from, to);
    });
    before_ = grouped_list<id>(module_.instruction_count(), [&](auto&& add) {
      for (const auto& [from, to] : edges) add(to, from);
    });
  }

  /// The module.
  const hlo_module& module() const { return module_; }
  /// The ids of the instructions that have to stay after `i`.
  std::span<const id> after(id i) const { return after_.of(i); }
  /// The ids of the instructions that have to stay before `i`.
  std::span<const id> before(id i) const { return before_.of(i); }
  /// Whether an instruction is an effect: its order among all effects can be observed.
  bool is_effect(id i) const { return is_effect_[i]; }
  /// Whether an instruction keeps its place: parameters and roots do.
  bool is_fixed(id i) const {
    const hlo_instruction one = module_.instruction(i);
    return one.opcode() == hlo_opcode::parameter || one.is_root();
  }

  /// Whether an instruction is an effect by itself, without the computations that it calls.
  static bool is_effect_itself(hlo_instruction i) {
    using enum hlo_opcode;
    const hlo_opcode op = i.opcode();
    if (opcode_set{infeed, outfeed, rng, rng_get_and_update_state, after_all, unknown}.has(op)) return true;
    if (op == custom_call) {
      if (get_boolean(i, attribute_key::custom_call_has_side_effect)) return true;
      const auto target = get<custom_call_target>(i);
      return !target || !is_pure_target(target->name);
    }
    if (is_collective(op) || is_transfer_opcode(op)) return true;
    const auto attributes = i.attribute(attribute_key::frontend_attributes);
    return attributes && (attributes->find("_scheduling_group_id") != std::string_view::npos ||
                          attributes->find("_xla_stream_annotation") != std::string_view::npos);
  }

 private:
  using edge = std::pair<id, id>;

  // --- effects
  void find_effects() {
    const calling_instructions calling(module_);
    std::vector<hlo_computation> order = callers_first(calling);
    std::vector<bool> holds(module_.computation_count());
    for (auto c = order.rbegin(); c != order.rend(); ++c)
      for (const hlo_instruction i : c->instructions()) {
        bool effect = is_effect_itself(i);
        for (const hlo_computation called : i.called_computations()) effect = effect || !called || holds[called.id()];
        is_effect_[i.id()] = effect;
        if (effect) holds[c->id()] = true;
      }
  }

  // --- edges
  void add_data_edges(std::vector<edge>& edges) const {
    std::optional<instruction_names> names;
    for (const hlo_instruction i : module_.instructions()) {
      for (const hlo_instruction from : i.operands())
        if (from && from.computation() == i.computation()) edges.emplace_back(from.id(), i.id());
      if (!i.has(attribute_key::control_predecessors)) continue;
      if (!names) names.emplace(module_);
      if (const auto listed = get<control_predecessors>(i))
        for (const std::string_view name : listed->names)
          if (const hlo_instruction from = names->find(name); from && from.computation() == i.computation())
            edges.emplace_back(from.id(), i.id());
    }
  }
  void add_effect_edges(std::vector<edge>& edges) const {
    for (const hlo_computation c : module_.computations()) {
      id last = none;
      for (const hlo_instruction i : c.instructions()) {
        if (!is_effect_[i.id()]) continue;
        if (last != none) edges.emplace_back(last, i.id());
        last = i.id();
      }
    }
  }
  // Keeps the order of all instructions that touch a value of a buffer relative to those that define one. `touches`:
  // instruction, and whether it defines a value.
  void add_chain(std::vector<std::pair<id, bool>>& touches, std::vector<edge>& edges) const {
    std::sort(touches.begin(), touches.end());
    id definer = none;
    std::vector<id> since;
    id computation = none;
    for (std::size_t k = 0; k < touches.size(); ++k) {
      const id at = touches[k].first;
      bool defines = touches[k].second;
      while (k + 1 < touches.size() && touches[k + 1].first == at) defines = touches[++k].second || defines;
      const id own = module_.instruction(at).computation().id();
      if (own != computation) computation = own, definer = none, since.clear();
      if (definer != none) edges.emplace_back(definer, at);
      if (!defines) {
        since.push_back(at);
        continue;
      }
      for (const id reader : since) edges.emplace_back(reader, at);
      since.clear();
      definer = at;
    }
  }
  void add_in_place_edges(const alias_sets& sets, std::vector<edge>& edges) const {
    const dataflow& flow = sets.flow();
    std::vector<std::pair<id, bool>> touches;
    for (std::uint32_t s = 0; s < sets.size(); ++s) {
      if (sets.values(s).size() < 2) continue;
      touches.clear();
      for (const std::uint32_t v : sets.values(s)) {
        const hlo_value& value = flow.values()[v];
        for (const hlo_position p : flow.positions(value)) touches.emplace_back(p.instruction, p == value.defined);
        for (const hlo_use& use : flow.uses(value)) touches.emplace_back(use.user, false);
      }
      add_chain(touches, edges);
    }
  }
  // Memory spaces other than the main one were packed for this order (rule 4).
  void add_memory_space_edges(const alias_sets& sets, std::vector<edge>& edges) const {
    const dataflow& flow = sets.flow();
    std::vector<id> touching;
    for (const hlo_value& value : flow.values()) {
      const shape* const part = flow.shape_of(value.defined);
      if (!part || !part->is_array() || part->memory_space() == 0) continue;
      touching.push_back(value.defined.instruction);
      for (const hlo_use& use : flow.uses(value)) touching.push_back(use.user);
    }
    std::sort(touching.begin(), touching.end());
    for (std::size_t k = 1; k < touching.size(); ++k)
      if (touching[k] != touching[k - 1] &&
          module_.instruction(touching[k]).computation() == module_.instruction(touching[k - 1]).computation())
        edges.emplace_back(touching[k - 1], touching[k]);
  }

  hlo_module module_;
  std::vector<bool> is_effect_;
  grouped_list<id> after_, before_;  // by instruction, ascending
};

}  // namespace hlolint::advise
