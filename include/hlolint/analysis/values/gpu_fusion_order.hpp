// The conditions under which XLA's GPU backend lets a fusion work in place on an operand (buffer_dumps.md 5.3,
// assignment.md 8).
// Whether a value is only used elementwise, also inside fusions (buffer_dumps.md 5.3).
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/containers/hash_map.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace hlolint {

/// Answers questions about elementwise use in one module. Facts are computed for all instructions on first use, so one
/// thread uses one object.
class elementwise_paths {
 public:
  /// Refers to the tables, which must outlive it.
  explicit elementwise_paths(const module_tables& tables) : tables_(tables) {}

  /// Whether i computes each element from the element of operand k at the same position. A loop fusion does if
  /// everything between that parameter and the root does.
  bool is_elementwise_on(hlo_instruction i, std::size_t k) const {
    if (i.opcode() != hlo_opcode::fusion) return is_plainly(i, k);
    const hlo_instruction p = loop_parameter(i, k);
    return p && !used_otherwise(tuples::end_the_way)[p.id()];
  }
  /// Whether all transitive uses of a fusion's parameter, through tuples, are elementwise.
  bool is_used_elementwise(hlo_instruction parameter) const { return !used_otherwise(tuples::pass_on)[parameter.id()]; }

 private:
  /// How a path treats a tuple. Where it ends the path, it must be the root. In nested fusions it always ends the path.
  enum class tuples : std::uint8_t { end_the_way, pass_on };

  bool is_plainly(hlo_instruction i, std::size_t k) const {
    if (i.opcode() == hlo_opcode::dynamic_update_slice) return k == 0;
    if (i.opcode() != hlo_opcode::bitcast_convert) return is_elementwise(i.opcode());
    const shape *const to = tables_.places.part(i.id(), 0),
                *const from = i.operand(0) ? tables_.places.part(i.operand(0).id(), 0) : nullptr;
    return to && from && bit_width(to->type) == bit_width(from->type);
  }
  static bool is_of_cpu_library(hlo_instruction fusion) {
    const auto config = fusion.attribute(attribute_key::backend_config);
    if (!config) return false;
    for (const std::string_view library : {"\"__ynn_", "\"__xnn_", "\"__onednn_"})
      if (config->find(library) != std::string_view::npos) return true;
    return false;
  }
  /// The parameter of a loop fusion, or of one of XLA:CPU's libraries, which work in place too where every path allows
  /// it.
  hlo_instruction loop_parameter(hlo_instruction fusion, std::size_t k) const {
    const auto kind = fusion.attribute(attribute_key::kind);
    return kind == "kLoop" || (kind == "kCustom" && is_of_cpu_library(fusion))
               ? tables_.parameters.of(first_called(fusion), k)
               : hlo_instruction{};
  }

  /// By instruction: whether some use of it, or of a value made from it, is not elementwise.
  const record_list<bool>& used_otherwise(tuples how) const {
    record_list<bool>& out = used_otherwise_[static_cast<std::size_t>(how)];
    if (out.size() == tables_.module.instruction_count()) return out;
    const record_list<bool>* const inside = how == tuples::pass_on ? &used_otherwise(tuples::end_the_way) : nullptr;
    out.resize(tables_.module.instruction_count());
    record_list<id> open;
    const auto mark = [&](id i) {
      if (out[i]) return;
      out[i] = true;
      open.push_back(i);
    };
    for (const hlo_instruction user : tables_.module.instructions())
      for (std::size_t k = 0; k < user.operand_count(); ++k)
        if (const hlo_instruction operand = user.operand(k); operand && breaks(user, k, how, inside))
          mark(operand.id());
    // Backwards, from values used otherwise to their operands.
    while (!open.empty()) {
      const hlo_instruction i = tables_.module.instruction(open.take_back());
      if (i.opcode() != hlo_opcode::tuple || how == tuples::pass_on)
        for (const hlo_instruction operand : i.operands())
          if (operand) mark(operand.id());
      if (inside || i.opcode() != hlo_opcode::parameter) continue;
      const auto number = parameter_position(i);
      if (!number || !(tables_.parameters.of(i.computation(), *number) == i)) continue;
      for (const hlo_instruction caller : tables_.calls.callers(i.computation()))
        if (const hlo_instruction operand = operand_of(caller, *number))
          if (caller.opcode() == hlo_opcode::fusion && loop_parameter(caller, *number) == i) mark(operand.id());
    }
    return out;
  }
  /// Whether a use is not elementwise, as far as the user alone decides it. `inside`: the facts of nested parameters.
  bool breaks(hlo_instruction user, std::size_t k, tuples how, const record_list<bool>* inside) const {
    if (user.opcode() == hlo_opcode::tuple) return how == tuples::end_the_way && !user.is_root();
    if (user.opcode() != hlo_opcode::fusion) return !is_plainly(user, k);
    const hlo_instruction p = loop_parameter(user, k);
    return !p || (inside && (*inside)[p.id()]);
  }

  const module_tables& tables_;
  mutable std::array<record_list<bool>, 2> used_otherwise_;  // by `tuples`
};

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
    record_list<hlo_instruction> open{last};
    hash_set<id> seen{last.id()};
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
    record_list<hlo_instruction> open{from};
    hash_set<id> seen;
    while (!open.empty()) {
      for (const instruction_use use : tables_.all_users.of(open.take_back())) {
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
    record_list<hlo_instruction> open{parameter};
    hash_set<id> seen{parameter.id()};
    bool found = false;
    while (!open.empty()) {
      const hlo_instruction at = open.take_back();
      if (followed_++ > most_followed) return true;  // not known, and so no fault
      found = found || at == result;
      if (at.opcode() == hlo_opcode::reduce && !(at == parameter)) continue;  // reads all before it writes
      const auto uses = tables_.all_users.of(at);
      followed_ += uses.size();
      for (std::size_t u = 0, times = 0; u < uses.size(); u += times) {
        const instruction_use use = uses[u];
        for (times = 1; u + times < uses.size() && uses[u + times].user == use.user;) ++times;  // they are adjacent
        if (!may_read(use, times, root, output)) return false;
        if (seen.insert(use.user.id()).second) open.push_back(use.user);
      }
    }
    return found;
  }

  /// Precondition: `root` is a tuple.
  bool other_outputs_keep(hlo_instruction parameter, hlo_instruction root, const shape_index& output) const {
    const hlo_instruction wanted = !output.empty() && output[0] < root.operand_count() ? root.operand(output[0]) : root;
    hash_set<id> seen{parameter.id()};
    record_list<hlo_instruction> open{parameter};
    while (!open.empty()) {
      const hlo_instruction at = open.take_back();
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
    const bool is_bitcast = wanted.opcode() == hlo_opcode::bitcast && wanted.operand_count() > 0;
    const hlo_instruction before = is_bitcast ? wanted.operand(0) : wanted;
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
      return detail::dense_elements(*tables_.places.part(user.id(), 0)) == std::int64_t{1} || same_starts(user, root);
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

  static constexpr std::size_t most_followed = 10'000'000;  // instructions, over all answers

  const module_tables& tables_;
  elementwise_paths paths_;
  fusion_hero heroes_;
  mutable std::size_t followed_ = 0;
};

}  // namespace hlolint
