// Whether a value may reuse the storage of an operand that ends at its instruction, as decided by XLA's
// `CanShareOperandBufferWithUser` and backend hints (buffer_dumps.md 5.3).
#pragma once

#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/elementwise_paths.hpp>
#include <hlolint/analysis/values/gpu_fusion_order.hpp>
#include <hlolint/analysis/values/in_place_pairs.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/target.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The rule that allows sharing.
enum class sharing_rule : std::uint8_t {
  forbidden,       ///< no rule allows it
  in_place_pair,   ///< of table 5.1
  gpu_fusion,      ///< a GPU fusion that keeps the order of the elements
  gpu_collective,  ///< all-reduce and collective-broadcast on a GPU
  gpu_library,     ///< cuBLASLt bias, cuSOLVER Cholesky
  fused_uses,      ///< a loop or input fusion that uses the parameter elementwise
  fused_bias,      ///< an output fusion that adds the parameter to a dot or convolution
  control_flow,    ///< while and conditional
  sole_operand,    ///< dynamic-update-slice, scatter, triangular-solve, set-dimension-size, sort
  call_root,       ///< a call whose root is elementwise on the operand
  elementwise      ///< an elementwise operation overwrites its operand
};

/// The name in texts: `in-place pair`, `GPU fusion`.
constexpr std::string_view name_of(sharing_rule rule) {
  constexpr std::string_view names[] = {"forbidden",        "in-place pair", "GPU fusion", "GPU collective",
                                        "GPU library call", "fused uses",    "fused bias", "control flow",
                                        "sole operand",     "call root",     "elementwise"};
  return names[static_cast<std::size_t>(rule)];
}

/// Answers for pairs of values, by their positions in the dataflow's `values()`. One thread uses one object.
class may_share {
 public:
  /// Refers to the sets, which must outlive it.
  explicit may_share(const alias_sets& sets)
      : flow_(sets.flow()), pairs_(sets.in_place()), paths_(flow_.tables()), gpu_(flow_.tables()) {}

  /// Whether the instruction of `second` has `first` among its operands.
  bool reads(std::size_t second, std::size_t first) const { return !operands_of(second, first).empty(); }

  /// The rule by which `second`, which begins where `first` ends, may take its storage. GPUs have their own rules, all
  /// other targets XLA's defaults, as the TPU compiler's rules are unknown.
  sharing_rule rule(std::size_t first, std::size_t second, target backend) const {
    const hlo_instruction user = flow_.instruction(flow_.values()[second]);
    if (user.opcode() == hlo_opcode::copy) return sharing_rule::forbidden;
    for (const hlo_position& from : operands_of(second, first)) {
      const sharing_rule found = rule_at(first, from, second, backend);
      if (found != sharing_rule::forbidden) return found;
    }
    return sharing_rule::forbidden;
  }
  /// The rule if only one position of `first` counts.
  sharing_rule rule_from(std::size_t first, hlo_position from, std::size_t second, target backend) const {
    const hlo_instruction user = flow_.instruction(flow_.values()[second]);
    if (user.opcode() == hlo_opcode::copy || !operands_of(user).find(from.instruction)) return sharing_rule::forbidden;
    return rule_at(first, from, second, backend);
  }

 private:
  /// The operands of one instruction with their first positions and counts.
  struct operand_list {
    /// One operand.
    struct entry {
      id operand = none;  ///< the operand
      /// The first operand number, and the count. @{
      std::size_t first = 0, times = 0;
      /// @}
    };
    id user = none;
    std::vector<entry> entries;                       // by operand
    std::multimap<shape_index, in_place_pair> pairs;  // by output

    const entry* find(id operand) const {
      const auto found =
          std::lower_bound(entries.begin(), entries.end(), operand, [](const entry& e, id i) { return e.operand < i; });
      return found != entries.end() && found->operand == operand ? &*found : nullptr;
    }
  };
  /// The list of the last instruction is cached, since questions about it come in a row.
  const operand_list& operands_of(hlo_instruction user) const {
    if (operands_.user == user.id()) return operands_;
    operands_ = {};
    operands_.user = user.id();
    std::vector<std::pair<id, std::size_t>> sorted;
    for (std::size_t k = 0; k < user.operand_count(); ++k)
      if (const hlo_instruction operand = user.operand(k)) sorted.emplace_back(operand.id(), k);
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [operand, k] : sorted) {
      if (operands_.entries.empty() || operands_.entries.back().operand != operand)
        operands_.entries.push_back({operand, k, 0});
      ++operands_.entries.back().times;
    }
    for (in_place_pair& pair : pairs_.of(user)) {
      shape_index output = pair.output;
      operands_.pairs.emplace(std::move(output), std::move(pair));
    }
    return operands_;
  }
  /// The positions of `first` in operands of the instruction of `second`.
  std::vector<hlo_position> operands_of(std::size_t second, std::size_t first) const {
    const operand_list& operands = operands_of(flow_.instruction(flow_.values()[second]));
    std::vector<hlo_position> out;
    for (const hlo_position p : flow_.positions(flow_.values()[first]))
      if (operands.find(p.instruction)) out.push_back(p);
    return out;
  }

  sharing_rule rule_at(std::size_t first, hlo_position from, std::size_t second, target backend) const {
    const hlo_position to = flow_.values()[second].defined;
    const hlo_instruction user = flow_.instruction(flow_.values()[second]);
    const hlo_instruction operand = flow_.module().instruction(from.instruction);
    if (operand.opcode() == hlo_opcode::constant) return sharing_rule::forbidden;
    const shape *const in = flow_.shape_of(from), *const out = flow_.shape_of(to);
    const bool equal = in && out && same_with_layout(*in, *out);
    if (equal && is_pair(first, user, to)) return sharing_rule::in_place_pair;
    const operand_list::entry* const listed = operands_of(user).find(operand.id());
    const std::size_t k = listed ? listed->first : 0, times = listed ? listed->times : 0;
    if (backend == target::gpu)
      if (const auto decided = gpu_rule(user, operand, k, times, flow_.index(to))) return *decided;
    if (backend == target::tpu && user.opcode() == hlo_opcode::all_reduce) {
      const shape_index output = flow_.index(to);
      const bool own = output.size() == 1 && output[0] < user.operand_count() && user.operand(output[0]) == operand;
      return yes_if(equal && (user.operand_count() == 1 || own), sharing_rule::gpu_collective);
    }
    // An output fusion of libtpu may write over an operand of its shape that it uses element by element.
    if (backend == target::tpu && equal && times == 1 && user.attribute(attribute_key::kind) == "kOutput")
      if (const hlo_instruction p = flow_.tables().parameters.of(first_called(user), k);
          p && user.opcode() == hlo_opcode::fusion && paths_.is_used_elementwise(p))
        return sharing_rule::fused_uses;
    return equal ? default_rule(first, user, operand, k, times, to) : sharing_rule::forbidden;
  }

  bool is_pair(std::size_t first, hlo_instruction user, hlo_position to) const {
    const shape_index output = flow_.index(to);
    const std::multimap<shape_index, in_place_pair>& pairs = operands_of(user).pairs;
    for (auto [at, last] = pairs.equal_range(output); at != last; ++at) {
      const in_place_pair& pair = at->second;
      const hlo_instruction operand = operand_of(user, pair.operand);
      const std::uint32_t part = operand ? flow_.tables().places.find(operand.id(), pair.operand_index) : none;
      if (part != none && is_used(first, {user.id(), static_cast<std::uint32_t>(pair.operand), part})) return true;
    }
    return false;
  }
  bool is_used(std::size_t value, const hlo_use& use) const {
    const auto uses = flow_.uses(flow_.values()[value]);
    return std::find(uses.begin(), uses.end(), use) != uses.end();
  }

  /// The decision of the GPU backend; nothing if it makes none.
  std::optional<sharing_rule> gpu_rule(hlo_instruction user, hlo_instruction operand, std::size_t k, std::size_t times,
                                       const shape_index& output) const {
    const shape* const read = flow_.shape_of({operand.id(), 0});
    switch (user.opcode()) {
      using enum hlo_opcode;
      case fusion:
        if (!read || !read->is_array()) return std::nullopt;
        // Triton does not read all of an operand before it writes, as the emitter of reductions does.
        if (user.attribute(attribute_key::kind) == "kCustom" && reaches_reduce(user, k)) return sharing_rule::forbidden;
        return yes_if(gpu_.keeps(user, k, output), sharing_rule::gpu_fusion);
      case all_reduce:
      case collective_broadcast: {
        const bool own = output.size() == 1 && output[0] < user.operand_count() && user.operand(output[0]) == operand;
        return yes_if(user.operand_count() == 1 || own, sharing_rule::gpu_collective);
      }
      case custom_call: {
        const auto called = get<custom_call_target>(user);
        const bool to_first = output == shape_index{0};
        if (called && called->name.find("__cusolver$cholesky") != std::string::npos)
          return yes_if(to_first && k == 0, sharing_rule::gpu_library);
        if (!called || called->name.find("__cublas$lt$matmul") == std::string::npos) return sharing_rule::forbidden;
        return yes_if(to_first && k == 2 && times == 1 && adds_bias(user), sharing_rule::gpu_library);
      }
      default: return std::nullopt;
    }
  }
  /// Whether a reduction reads a fusion's operand, or what is made from it.
  bool reaches_reduce(hlo_instruction fusion, std::size_t k) const {
    const hlo_instruction p = flow_.tables().parameters.of(first_called(fusion), k);
    if (!p) return false;
    std::set<id> seen{p.id()};
    std::vector<hlo_instruction> open{p};
    while (!open.empty()) {
      const hlo_instruction at = open.back();
      open.pop_back();
      for (const instruction_use use : flow_.tables().all_users.of(at)) {
        if (use.user.opcode() == hlo_opcode::reduce) return true;
        if (seen.insert(use.user.id()).second) open.push_back(use.user);
      }
    }
    return false;
  }
  static sharing_rule yes_if(bool yes, sharing_rule rule) { return yes ? rule : sharing_rule::forbidden; }
  static bool adds_bias(hlo_instruction matmul) {
    auto beta = config_value(matmul, "gemm_backend_config", "beta");
    if (!beta) beta = config_value(matmul, "beta");
    return beta != "0";
  }

  sharing_rule default_rule(std::size_t first, hlo_instruction user, hlo_instruction operand, std::size_t k,
                            std::size_t times, hlo_position to) const {
    switch (user.opcode()) {
      using enum hlo_opcode;
      case fusion: {
        const hlo_instruction p = flow_.tables().parameters.of(first_called(user), k);
        const auto kind = user.attribute(attribute_key::kind);
        if (!p) return sharing_rule::forbidden;
        if (kind == "kLoop" || kind == "kInput") return yes_if(paths_.is_used_elementwise(p), sharing_rule::fused_uses);
        if (const hlo_instruction root = p.computation().root(); kind == "kOutput" && root && root.opcode() == add)
          return yes_if(is_bias(root, p), sharing_rule::fused_bias);
        return yes_if(paths_.is_elementwise_on(user, k), sharing_rule::elementwise);
      }
      case while_:
      case conditional: return sharing_rule::control_flow;
      case dynamic_update_slice:
      case scatter:
      case set_dimension_size: return yes_if(k == 0 && times == 1, sharing_rule::sole_operand);
      case triangular_solve: return yes_if(k == 1 && times == 1, sharing_rule::sole_operand);
      case sort: {
        const shape_index output = flow_.index(to);
        const bool own = user.operand_count() == 1 || (times == 1 && !output.empty() && output[0] == k);
        return yes_if(user_count(operand) == 1 && own, sharing_rule::sole_operand);
      }
      case call: return yes_if(is_call_of_elementwise(first, user), sharing_rule::call_root);
      default: return yes_if(paths_.is_elementwise_on(user, k), sharing_rule::elementwise);
    }
  }
  /// The number of different instructions that have it as an operand.
  std::size_t user_count(hlo_instruction i) const {
    std::size_t count = 0;
    id last = none;
    for (const instruction_use use : flow_.tables().all_users.of(i))
      if (use.user.id() != last) ++count, last = use.user.id();
    return count;
  }
  bool is_bias(hlo_instruction sum, hlo_instruction parameter) const {
    const auto made = [&](std::size_t k) {
      return sum.operand(k) &&
             (sum.operand(k).opcode() == hlo_opcode::dot || sum.operand(k).opcode() == hlo_opcode::convolution);
    };
    if (sum.operand_count() != 2 || (!made(0) && !made(1))) return false;
    const std::size_t other = made(0) ? 1 : 0;
    return sum.operand(other) == parameter && !(sum.operand(1 - other) == parameter) && user_count(parameter) == 1;
  }
  bool is_call_of_elementwise(std::size_t first, hlo_instruction call) const {
    const hlo_instruction root = root_of(first_called(call));
    const auto uses = flow_.uses(flow_.values()[first]);
    if (!root || uses.size() != 2) return false;
    return std::ranges::any_of(uses, [&](const hlo_use& u) { return u.user == call.id(); }) &&
           std::ranges::any_of(uses, [&](const hlo_use& u) {
             return u.user == root.id() && paths_.is_elementwise_on(root, u.operand);
           });
  }

  const dataflow& flow_;
  const in_place_pairs& pairs_;
  elementwise_paths paths_;
  gpu_fusion_order gpu_;
  mutable operand_list operands_;
};

}  // namespace hlolint
