// What XLA's GPU backend demands of a fusion that works in place on an operand (buffer_dumps.md 5.3, assignment.md 8).
#pragma once

#include <hlolint/analysis/program/elementwise_paths.hpp>
#include <hlolint/analysis/values/fusion_hero.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/same_layout.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace hlolint {

/// Whether the fusion `user` writes the elements of its output in the order in which it reads those of operand `k`:
/// equal shapes, or equally many elements of equal width, and only operations on the way that keep the order. Of other
/// outputs that are computed from the operand, none may be written in another order.
class gpu_fusion_order {
 public:
  /// Refers to the tables, which must outlive it.
  explicit gpu_fusion_order(const module_tables& tables) : tables_(tables), paths_(tables), heroes_(tables) {}

  /// Precondition: `user` is a fusion, and k < user.operand_count(). `output` is a leaf of its result.
  bool keeps(hlo_instruction user, std::size_t k, const shape_index& output) const {
    const hlo_computation body = first_called(user);
    const hlo_instruction parameter = body ? tables_.parameters.of(body, k) : hlo_instruction{};
    const shape* const from = tables_.places.part(user.operand(k).id(), 0);
    const std::uint32_t part = tables_.places.find(user.id(), output);
    const shape* const to = part == none ? nullptr : tables_.places.part(user.id(), part);
    if (!parameter || !body.root() || !from || !to) return false;
    if (!same_with_layout(*from, *to) &&
        (!from->is_array() || !to->is_array() || element_count(*from) != element_count(*to) ||
         bit_width(from->type) != bit_width(to->type)))
      return false;
    hlo_instruction result = body.root();
    for (const std::uint32_t step : output) {
      if (result.opcode() != hlo_opcode::tuple || step >= result.operand_count() || !result.operand(step)) break;
      result = result.operand(step);
    }
    return follow(parameter, result, output) &&
           (body.root().opcode() != hlo_opcode::tuple || other_outputs_keep(parameter, body.root(), output));
  }

 private:
  bool follow(hlo_instruction parameter, hlo_instruction result, const shape_index& output) const {
    const hlo_instruction before =
        result.opcode() == hlo_opcode::bitcast && result.operand_count() > 0 ? result.operand(0) : result;
    const hlo_instruction root = before ? before : result;
    record_list<hlo_instruction> open{parameter};
    std::unordered_set<id> seen{parameter.id()};
    bool found = false;
    while (!open.empty()) {
      const hlo_instruction at = open.back();
      open.pop_back();
      if (followed_++ > most_followed) return true;  // not known, and so no fault
      found = found || at == result;
      if (at.opcode() == hlo_opcode::reduce && !(at == parameter)) continue;  // reads everything before it writes
      std::size_t times = 0;
      const auto uses = tables_.all_users.of(at);
      followed_ += uses.size();
      for (std::size_t u = 0; u < uses.size(); ++u) {
        const instruction_use use = uses[u];
        const bool first = u == 0 || !(uses[u - 1].user == use.user);
        if (!first) continue;  // uses by one user follow each other
        for (times = 1; u + times < uses.size() && uses[u + times].user == use.user;) ++times;
        if (!may_read(use, times, root, output)) return false;
        if (seen.insert(use.user.id()).second) open.push_back(use.user);
      }
    }
    return found;
  }

  /// Precondition: `root` is a tuple.
  bool other_outputs_keep(hlo_instruction parameter, hlo_instruction root, const shape_index& output) const {
    const hlo_instruction wanted =
        !output.empty() && output[0] < root.operand_count() ? root.operand(output[0]) : root;
    std::unordered_set<id> seen{parameter.id()};
    record_list<hlo_instruction> open{parameter};
    while (!open.empty()) {
      const hlo_instruction at = open.back();
      open.pop_back();
      if (followed_++ > most_followed) return true;  // not known, and so no fault
      if (at.opcode() == hlo_opcode::reduce) continue;
      const auto uses = tables_.all_users.of(at);
      followed_ += uses.size();
      for (const instruction_use use : uses)
        if (seen.insert(use.user.id()).second) open.push_back(use.user);
    }
    record_list<hlo_instruction> reached;
    bool others = false;
    for (const hlo_instruction out : root.operands())
      if (out && seen.count(out.id()) > 0) reached.push_back(out), others = others || !(out == wanted);
    if (!others || !wanted) return true;
    const hlo_instruction before = wanted.opcode() == hlo_opcode::bitcast && wanted.operand_count() > 0
                                       ? wanted.operand(0) : wanted;
    if (!before || !is_elementwise(before.opcode())) return false;
    return std::none_of(reached.begin(), reached.end(), [&](hlo_instruction out) {
      const hlo_opcode op = heroes_.of(out, followed_).opcode();
      return op == hlo_opcode::transpose || op == hlo_opcode::copy;
    });
  }

  bool may_read(const instruction_use& use, std::size_t times, hlo_instruction root, const shape_index& output) const {
    using enum hlo_opcode;
    const hlo_instruction user = use.user;
    if (user == root && user.opcode() == scatter && times == 1 && use.operand < (user.operand_count() - 1) / 2)
      return true;
    if (user == root && user.opcode() == sort && times == 1)
      return output == shape_index{static_cast<std::uint32_t>(use.operand)};
    if (root.opcode() == dynamic_update_slice && user.opcode() == dynamic_slice && root.operand_count() > 1 &&
        root.operand(0) == user.operand(0) && same_dimensions(user, root.operand(1)))
      return element_count(*tables_.places.part(user.id(), 0)) == std::int64_t{1} || same_starts(user, root);
    if (user.opcode() == bitcast || user.opcode() == tuple || user.opcode() == reduce) return true;
    if (user.opcode() != copy && paths_.is_elementwise_on(user, use.operand)) return true;
    return user == root && user.opcode() == dynamic_update_slice && use.operand == 1;
  }

  bool same_dimensions(hlo_instruction a, hlo_instruction b) const {
    const shape *const x = tables_.places.part(a.id(), 0), *const y = b ? tables_.places.part(b.id(), 0) : nullptr;
    return x && y && x->dimensions == y->dimensions;
  }
  static bool same_starts(hlo_instruction slice, hlo_instruction update) {
    for (std::size_t k = 1; k < slice.operand_count(); ++k)
      if (k + 1 >= update.operand_count() || !(slice.operand(k) == update.operand(k + 1))) return false;
    return true;
  }
  static optional<std::int64_t> element_count(const shape& s) { return detail::dense_elements(s); }

  static constexpr std::size_t most_followed = 10'000'000;  // instructions, for all answers together

  const module_tables& tables_;
  elementwise_paths paths_;
  fusion_hero heroes_;
  mutable std::size_t followed_ = 0;
};

}  // namespace hlolint
