// The conditions under which XLA's GPU backend lets a fusion work in place on an operand (buffer_dumps.md 5.3,
// assignment.md 8).
#pragma once

#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/values/elementwise_paths.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

namespace hlolint {

/// The layout of an array: the written one, or row-major without tiles.
inline layout layout_or_default(const shape& array) {
  if (array.layout) return *array.layout;
  layout out;
  for (std::size_t d = array.rank(); d-- > 0;) out.minor_to_major.push_back(static_cast<std::int64_t>(d));
  return out;
}

/// Whether types, dimensions and layouts are equal. A buffer counts as its content.
inline bool same_with_layout(const shape& a, const shape& b) {
  if (a.type == element_type::buffer && a.elements.size() == 1) return same_with_layout(a.elements[0], b);
  if (b.type == element_type::buffer && b.elements.size() == 1) return same_with_layout(a, b.elements[0]);
  if (a.type != b.type || a.unknown_type != b.unknown_type || a.dimensions != b.dimensions ||
      a.elements.size() != b.elements.size())
    return false;
  if (a.is_array() && !(a.layout == b.layout) && !(layout_or_default(a) == layout_or_default(b))) return false;
  for (std::size_t i = 0; i < a.elements.size(); ++i)
    if (!same_with_layout(a.elements[i], b.elements[i])) return false;
  return true;
}

/// Finds the hero of a fusion output, the instruction that decides how a GPU fusion is compiled (assignment.md 8).
class fusion_hero {
 public:
  /// Refers to the tables, which must outlive it.
  explicit fusion_hero(const module_tables& tables) : tables_(tables) {}

  /// The hero above an output: the only transpose worth its own tiles, else the first instruction that is more than
  /// elementwise. Adds the instructions visited to `steps`.
  hlo_instruction of(hlo_instruction output, std::size_t& steps) const {
    hlo_instruction last = output;
    for (; is_intermediate(last, 1) && last.operand(0).opcode() != hlo_opcode::parameter; ++steps) {
      if (last.operand(0).id() >= last.id()) return last;  // a cycle, which no legal module has
      last = last.operand(0);
    }
    std::vector<hlo_instruction> open{last};
    std::unordered_set<id> seen{last.id()};
    hlo_instruction found;
    for (std::size_t next = 0; next < open.size(); ++next, ++steps) {
      const hlo_instruction at = open[next];
      if (is_tiled_transpose(at)) {
        if (found) return last;
        found = at;
      } else if (is_intermediate(at, 3)) {
        for (const hlo_instruction operand : at.operands())
          if (operand.opcode() != hlo_opcode::parameter && seen.insert(operand.id()).second) open.push_back(operand);
      }
    }
    return found && leads_down_plainly(found, steps) ? found : last;
  }

 private:
  /// Whether it is elementwise or a bitcast, with at most `most` operands, or a copy that changes no layout.
  bool is_intermediate(hlo_instruction i, std::size_t most) const {
    if (i.operand_count() < 1 || i.operand_count() > most) return false;
    for (const hlo_instruction operand : i.operands())
      if (!operand) return false;
    if (i.opcode() != hlo_opcode::copy) return is_elementwise(i.opcode()) || i.opcode() == hlo_opcode::bitcast;
    const shape *const to = part(i), *const from = part(i.operand(0));
    return to && from && same_with_layout(*to, *from);
  }
  const shape* part(hlo_instruction i) const { return tables_.places.part(i.id(), 0); }

  /// Whether all transitive users are intermediate instructions or tuples.
  bool leads_down_plainly(hlo_instruction from, std::size_t& steps) const {
    std::vector<hlo_instruction> open{from};
    std::unordered_set<id> seen;
    while (!open.empty()) {
      const hlo_instruction at = open.back();
      open.pop_back();
      for (const instruction_use use : tables_.all_users.of(at)) {
        ++steps;
        if (!seen.insert(use.user.id()).second) continue;
        if (use.user.opcode() != hlo_opcode::tuple && !is_intermediate(use.user, 3)) return false;
        open.push_back(use.user);
      }
    }
    return true;
  }

  bool is_tiled_transpose(hlo_instruction i) const {
    if (i.opcode() != hlo_opcode::transpose || i.operand_count() < 1 || !i.operand(0)) return false;
    const shape *const to = part(i), *const from = part(i.operand(0));
    const auto order = get_integers(i, attribute_key::dimensions);
    if (!to || !from || !order || !to->is_array() || to->rank() < 2 || from->rank() != to->rank() ||
        order->size() != to->rank())
      return false;
    const std::size_t last = to->rank() - 1;
    const std::int64_t a = from->dimensions[last].size, b = to->dimensions[last].size;
    if (order->back() != static_cast<std::int64_t>(last)) {
      const auto area = checked_multiply(a, b);
      return (a >= 16 && b >= 16) || (a >= 8 && b >= 8 && (!area || *area >= 8192));
    }
    const auto row = checked_multiply(b, std::max<std::int64_t>(1, byte_width(to->type)));
    const std::int64_t other = std::min(from->dimensions[last - 1].size, to->dimensions[last - 1].size);
    return row && *row <= 8 && checked_multiply(*row, other).value_or(16) >= 16;
  }

  const module_tables& tables_;
};

/// Whether a fusion writes an output in the order in which it reads an operand: shapes are equal, or have equal numbers
/// of elements of equal width, and all operations between keep the order. No other output computed from the operand may
/// be written in another order.
class gpu_fusion_order {
 public:
  /// Refers to the tables, which must outlive it.
  explicit gpu_fusion_order(const module_tables& tables) : tables_(tables), paths_(tables), heroes_(tables) {}

  /// Precondition: `user` is a fusion, k < user.operand_count(), and `output` is a leaf of its result.
  bool keeps(hlo_instruction user, std::size_t k, const shape_index& output) const {
    const hlo_computation body = first_called(user);
    const hlo_instruction parameter = body ? tables_.parameters.of(body, k) : hlo_instruction{};
    const shape* const from = tables_.places.part(user.operand(k).id(), 0);
    const std::uint32_t part = tables_.places.find(user.id(), output);
    const shape* const to = part == none ? nullptr : tables_.places.part(user.id(), part);
    if (!parameter || !body.root() || !from || !to) return false;
    if (!same_with_layout(*from, *to) &&
        (!from->is_array() || !to->is_array() || detail::dense_elements(*from) != detail::dense_elements(*to) ||
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
    const bool is_bitcast = result.opcode() == hlo_opcode::bitcast && operand_of(result, 0);
    const hlo_instruction root = is_bitcast ? result.operand(0) : result;
    std::vector<hlo_instruction> open{parameter};
    std::unordered_set<id> seen{parameter.id()};
    bool found = false;
    while (!open.empty()) {
      const hlo_instruction at = open.back();
      open.pop_back();
      if (followed_++ > most_followed) return true;  // not known, and so no fault
      found = found || at == result;
      if (at.opcode() == hlo_opcode::reduce && !(at == parameter)) continue;  // reads all before it writes
      const auto uses = tables_.all_users.of(at);
      followed_ += uses.size();
      for (std::size_t u = 0, times = 0; u < uses.size(); u += times) {
        const instruction_use use = uses[u];
        for (times = 1; u + times < uses.size() && uses[u + times].user == use.user;) ++times;  // they are adjacent
        if (use.user.opcode() == hlo_opcode::concatenate) {
          const auto slices = times == 1 ? slices_of_operand(use) : std::nullopt;
          if (!slices) return false;
          for (const hlo_instruction slice : *slices)
            if (seen.insert(slice.id()).second) open.push_back(slice);
          continue;
        }
        if (!may_read(use, times, root, output)) return false;
        if (seen.insert(use.user.id()).second) open.push_back(use.user);
      }
    }
    return found;
  }

  /// Precondition: `root` is a tuple.
  bool other_outputs_keep(hlo_instruction parameter, hlo_instruction root, const shape_index& output) const {
    const hlo_instruction wanted = !output.empty() && output[0] < root.operand_count() ? root.operand(output[0]) : root;
    std::unordered_set<id> seen{parameter.id()};
    std::vector<hlo_instruction> open{parameter};
    while (!open.empty()) {
      const hlo_instruction at = open.back();
      open.pop_back();
      if (followed_++ > most_followed) return true;  // not known, and so no fault
      if (at.opcode() == hlo_opcode::reduce) continue;
      const auto uses = tables_.all_users.of(at);
      followed_ += uses.size();
      for (const instruction_use use : uses) {
        const auto slices = slices_of_operand(use);
        for (const hlo_instruction slice : slices.value_or(std::vector{use.user}))
          if (seen.insert(slice.id()).second) open.push_back(slice);
      }
    }
    std::vector<hlo_instruction> reached;
    bool others = false;
    for (const hlo_instruction out : root.operands())
      if (out && seen.count(out.id()) > 0) reached.push_back(out), others = others || !(out == wanted);
    if (!others || !wanted) return true;
    const bool is_bitcast = wanted.opcode() == hlo_opcode::bitcast && wanted.operand_count() > 0;
    const hlo_instruction before = is_bitcast ? wanted.operand(0) : wanted;
    if (!before || !is_elementwise(before.opcode())) return false;
    return std::ranges::none_of(reached, [&](hlo_instruction out) {
      const hlo_opcode op = heroes_.of(out, followed_).opcode();
      return op == hlo_opcode::transpose || op == hlo_opcode::copy;
    });
  }

  /// The slices that take an operand of a concatenate apart again, where all users of the concatenate are slices and
  /// those with elements of the operand have exactly these: until 2025 XLA fused unrelated outputs in this way
  /// (`input_slice_fusion`). Nothing for other uses.
  std::optional<std::vector<hlo_instruction>> slices_of_operand(const instruction_use& use) const {
    const hlo_instruction joined = use.user;
    if (joined.opcode() != hlo_opcode::concatenate) return std::nullopt;
    const auto along = get_integers(joined, attribute_key::dimensions);
    if (!along || along->size() != 1 || (*along)[0] != 0) return std::nullopt;
    checked_int64 begin = 0, end = 0;
    for (std::size_t k = 0; k <= use.operand; ++k) {
      const shape* const one = joined.operand(k) ? tables_.places.part(joined.operand(k).id(), 0) : nullptr;
      if (!one || !one->is_array() || one->rank() != 1) return std::nullopt;
      begin = end, end = end + one->dimensions[0].size;
    }
    if (!end.is_exact()) return std::nullopt;
    std::vector<hlo_instruction> out;
    for (const instruction_use part : tables_.all_users.of(joined)) {
      const auto ranges = part.user.opcode() == hlo_opcode::slice ? get<slices>(part.user) : std::nullopt;
      if (!ranges || ranges->dimensions.size() != 1 || ranges->dimensions[0].stride != 1) return std::nullopt;
      const slice_range& range = ranges->dimensions[0];
      if (range.limit <= begin.clamped() || range.start >= end.clamped()) continue;
      if (range.start != begin.clamped() || range.limit != end.clamped()) return std::nullopt;
      out.push_back(part.user);
    }
    return out;
  }

  bool is_flattened_for_concatenate(hlo_instruction reshape) const {
    const shape* const from = operand_of(reshape, 0) ? tables_.places.part(reshape.operand(0).id(), 0) : nullptr;
    if (!from || !from->is_array()) return false;
    const layout order = layout_or_default(*from);
    return std::ranges::is_sorted(order.minor_to_major, std::ranges::greater{}) &&
           std::ranges::all_of(tables_.all_users.of(reshape),
                               [](const instruction_use& use) { return use.user.opcode() == hlo_opcode::concatenate; });
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
      return detail::dense_elements(*tables_.places.part(user.id(), 0)) == std::int64_t{1} || same_starts(user, root);
    if (user.opcode() == bitcast || user.opcode() == tuple || user.opcode() == reduce) return true;
    if (user.opcode() == reshape) return is_flattened_for_concatenate(user);
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

  static constexpr std::size_t most_followed = 10'000'000;  // instructions, over all answers

  const module_tables& tables_;
  elementwise_paths paths_;
  fusion_hero heroes_;
  mutable std::size_t followed_ = 0;
};

}  // namespace hlolint
