// The parts of all results, numbered through the module as keys for analyses of values, and XLA's result shapes
// (buffer_dumps.md 5.0).
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/verify/shapes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// Result shapes of all instructions as XLA's reader makes them. The reader builds those of send, recv and their dones
/// itself; in a chain written as sugar, the last op gives the parameters and result of the wrapped computation. An
/// unwritten shape is inferred from operands and called computations as verify/ infers it for its checks; not all can
/// be. A few lines can imply shapes of any size, so shapes deeper than `most_depth`, or beyond `most_parts` in total,
/// stay unknown.
class result_shapes {
 public:
  /// Limits of inferred shapes: levels of tuples, and parts in total. @{
  static constexpr std::size_t most_depth = 64, most_parts = std::size_t{1} << 18;
  /// @}

  /// Linear in the module and in the parts of its shapes.
  explicit result_shapes(const hlo_module& module) : module_(module), not_reported_(module) {
    const module_data& data = module.data();
    shapes_.resize(module.instruction_count());
    std::vector<id> others;  // few: all others have their written shape
    for (std::size_t at = 0; at < shapes_.size(); ++at) {
      const instruction_record& record = data.instructions[at];
      if (record.shape != none) shapes_[at] = &data.shapes[record.shape];
      if (record.shape == none || record.wrapped != hlo_opcode::unknown || is_built(record.opcode))
        others.push_back(static_cast<id>(at));
    }
    // The start of each chain.
    std::vector<id> started(others.empty() ? 0 : module.instruction_count(), none);
    for (const id at : others) {
      const hlo_instruction i = module.instruction(at);
      build_transfer(i);
      if (!shapes_[i.id()]) {
        infer(i);
        if (!afford(shapes_[i.id()])) shapes_[i.id()] = nullptr;
      }
      if (i.wrapped_opcode() == hlo_opcode::unknown) continue;
      if (i.opcode() == hlo_opcode::async_start) {
        started[i.id()] = i.id();
        follow_called(i);
      } else if (i.operand_count() > 0 && i.operand(0) && started[i.operand(0).id()] != none) {
        started[i.id()] = started[i.operand(0).id()];
        follow_chain(module.instruction(started[i.id()]), i);
      }
    }
  }

  /// The shape of a result; null if unknown.
  const shape* of(hlo_instruction i) const { return shapes_[i.id()]; }

 private:
  const shape* make(shape s) { return &made_.emplace_back(std::move(s)); }

  /// Parts of a shape, tuples included, and how deep it nests.
  struct extent {
    std::size_t parts = 1, depth = 1;
  };
  extent extent_of(const shape& s) {
    if (s.elements.empty()) return {};
    if (const auto known = extents_.find(&s); known != extents_.end()) return known->second;
    extent out;
    for (const shape& element : s.elements) {
      const extent inside = extent_of(element);
      out.parts += inside.parts;
      out.depth = std::max(out.depth, inside.depth + 1);
    }
    return extents_.emplace(&s, out).first->second;
  }
  /// Whether an inferred shape may be added within the limits.
  bool afford(const shape* s) {
    if (!s) return true;
    const extent own = extent_of(*s);
    if (own.depth > most_depth || own.parts > left_) return false;
    left_ -= own.parts;
    return true;
  }
  /// Whether a tuple of these elements may be added, before it is built.
  bool afford_tuple(const std::vector<const shape*>& elements) {
    std::size_t parts = 1;
    for (const shape* const element : elements) {
      const extent inside = extent_of(*element);
      parts += inside.parts;
      if (inside.depth >= most_depth || parts > left_) return false;
    }
    return true;
  }
  const shape* part(id i, const shape_index& index) const { return shapes_[i] ? shapes_[i]->at(index) : nullptr; }

  static shape scalar(element_type type) {
    shape out;
    out.type = type;
    return out;
  }
  static shape tuple_of(std::vector<shape> elements) {
    shape out = scalar(element_type::tuple);
    out.elements = std::move(elements);
    return out;
  }

  /// Whether XLA's reader makes the shape itself, whatever is written.
  static constexpr bool is_built(hlo_opcode op) {
    using enum hlo_opcode;
    return op == send || op == recv || op == send_done || op == recv_done;
  }

  void build_transfer(hlo_instruction i) {
    using enum hlo_opcode;
    const hlo_opcode op = i.opcode();
    if (!is_built(op)) return;
    const hlo_instruction operand = operand_of(i, 0);
    const shape* data = nullptr;
    if (op == send_done) {
      shapes_[i.id()] = make(scalar(element_type::token));
      return;
    }
    if (op == recv) data = part(i.id(), {0});
    if (op == send && operand) data = shapes_[operand.id()];
    if (op == recv_done && operand) data = part(operand.id(), {0});
    if (!data) return;
    if (!afford_tuple({data})) return;
    std::vector<shape> elements{*data};
    // The context keeps its written layout, which the reader loses: libtpu has put it into the scalar memory.
    const shape* const context = op == recv_done ? nullptr : part(i.id(), {1});
    const bool is_written = context && context->type == element_type::u32 && context->rank() == 0;
    if (op != recv_done) elements.push_back(is_written ? *context : scalar(element_type::u32));
    elements.push_back(scalar(element_type::token));
    shape built = tuple_of(std::move(elements));
    if (shapes_[i.id()] && *shapes_[i.id()] == built) return;
    const shape* const kept = make(std::move(built));
    if (afford(kept)) shapes_[i.id()] = kept;
  }

  void infer(hlo_instruction i) {
    using enum hlo_opcode;
    if (i.opcode() == call || i.opcode() == fusion || i.opcode() == conditional) {
      if (const hlo_instruction root = root_of(first_called(i))) shapes_[i.id()] = shapes_[root.id()];
      return;
    }
    const module_rules::shape_case c{i, 0, not_reported_, nullptr, shapes_.data()};
    if (i.opcode() == tuple) {
      std::vector<const shape*> parts;
      for (std::size_t k = 0; k < i.operand_count(); ++k) {
        if (!c.operand(k)) return;
        parts.push_back(c.operand(k));
      }
      if (!afford_tuple(parts)) return;
      std::vector<shape> elements;
      for (const shape* const part : parts) elements.push_back(*part);
      shapes_[i.id()] = make(tuple_of(std::move(elements)));
      return;
    }
    const module_rules::inferred known = module_rules::infer(c);
    const bool is_typed = known.type != element_type::unknown;
    if (known.same && (!is_typed || known.type == known.same->type)) {
      shapes_[i.id()] = known.same;
    } else if (is_typed) {
      shape own = known.same ? *known.same : module_rules::array_of_sizes(known.type, known.sizes);
      own.type = known.type;
      shapes_[i.id()] = make(std::move(own));
    }
  }

  /// Gives a wrapped fusion or call the result and parameters of its computation.
  void follow_called(hlo_instruction start) {
    using enum hlo_opcode;
    const hlo_instruction inner = wrapped(start);
    if (!inner || (inner.opcode() != fusion && inner.opcode() != call)) return;
    const hlo_computation called = first_called(inner);
    if (!root_of(called)) return;
    shapes_[inner.id()] = shapes_[called.root().id()];
    if (!parameters_) parameters_.emplace(module_);
    for (const hlo_instruction p : inner.computation().instructions())
      if (const auto number = parameter_position(p); number && !shapes_[p.id()])
        if (const hlo_instruction taken = parameters_->of(called, *number)) shapes_[p.id()] = shapes_[taken.id()];
  }

  void follow_chain(hlo_instruction start, hlo_instruction link) {
    const hlo_instruction inner = wrapped(start);
    if (!inner) return;
    const bool done = link.opcode() == hlo_opcode::async_done;
    const shape* const takes = part(done ? start.id() : link.id(), {0});
    const shape* const result = done ? shapes_[link.id()] : part(link.id(), {1});
    for (const hlo_instruction p : inner.computation().instructions()) {
      const auto number = parameter_position(p);
      if (takes && number && *number < takes->elements.size()) follow(p.id(), &takes->elements[*number]);
    }
    follow(inner.id(), result);
  }
  void follow(id i, const shape* stated) {
    if (stated && (!shapes_[i] || !compatible(*shapes_[i], *stated))) shapes_[i] = stated;
  }

  /// The instruction that sugar wraps.
  static hlo_instruction wrapped(hlo_instruction start) {
    const hlo_computation body = first_called(start);
    return body && body.is_synthesized() ? body.root() : hlo_instruction{};
  }

  hlo_module module_;
  module_rules::findings not_reported_;               // what is wrong in the text is the business of verify()
  std::optional<computation_parameters> parameters_;  // made where a call or fusion is wrapped
  std::vector<const shape*> shapes_;                  // by instruction
  std::deque<shape> made_;
  std::unordered_map<const shape*, extent> extents_;  // of tuples
  std::size_t left_ = most_parts;
};

/// The number of a part of a result in the module. The parts of an instruction are consecutive, tuples before their
/// elements, so that part 0 is the whole.
using place_number = std::uint32_t;

/// The parts of all results. A part is identified by (instruction, n), where n is its position among the instruction's
/// parts, or by its place number. An instruction without a shape has one part, whose shape is null.
class shape_places {
 public:
  /// Linear in the module and in the parts of its shapes.
  explicit shape_places(const hlo_module& module) : shapes_(module), first_(module.instruction_count() + 1) {
    // Equal texts share a shape. Nearly all shapes are in the module's own pool, which numbers them.
    const std::vector<shape>& written = module.data().shapes;
    std::vector<std::uint32_t> tree_of_written(written.size(), none);
    std::unordered_map<const shape*, std::uint32_t> tree_of_other;
    tree_.resize(module.instruction_count());
    for (const hlo_instruction i : module.instructions()) {
      const shape* const whole = shapes_.of(i);
      const bool own = !std::less<>()(whole, written.data()) && std::less<>()(whole, written.data() + written.size());
      std::uint32_t& tree = own ? tree_of_written[static_cast<std::size_t>(whole - written.data())]
                                : tree_of_other.try_emplace(whole, none).first->second;
      if (tree == none) {
        tree = static_cast<std::uint32_t>(nodes_.size());
        add(whole, none, 0, tree);
      }
      tree_[i.id()] = tree;
      first_[i.id() + 1] = first_[i.id()] + nodes_[tree].end;
    }
  }

  /// The number of places in the module.
  std::size_t size() const { return first_.back(); }
  /// The place of part 0 of an instruction's result.
  place_number first(id instruction) const { return first_[instruction]; }
  /// The number of parts of an instruction's result.
  std::uint32_t count(id instruction) const { return nodes_[tree_[instruction]].end; }

  /// The shape of a part; null if unknown.
  const shape* part(id instruction, std::uint32_t n) const { return node_of(instruction, n).part; }
  /// Whether the part is a tuple.
  bool is_tuple(id instruction, std::uint32_t n) const {
    const shape* const s = part(instruction, n);
    return s && s->is_tuple();
  }
  /// One past the last part inside of part n.
  std::uint32_t end(id instruction, std::uint32_t n) const { return node_of(instruction, n).end; }
  /// The number of elements of a tuple; 0 for other parts.
  std::size_t element_count(id instruction, std::uint32_t n) const {
    const shape* const s = part(instruction, n);
    return s && s->is_tuple() ? s->elements.size() : 0;
  }
  /// The part that is element k of part n; `none` if there is none.
  std::uint32_t element(id instruction, std::uint32_t n, std::size_t k) const {
    return k < element_count(instruction, n) ? elements_[node_of(instruction, n).elements + k] : none;
  }
  /// The part at an index; `none` if there is none.
  std::uint32_t find(id instruction, const shape_index& index) const {
    std::uint32_t n = 0;
    for (const std::uint32_t step : index) {
      n = element(instruction, n, step);
      if (n == none) break;
    }
    return n;
  }
  /// The index of part n in the result.
  shape_index index(id instruction, std::uint32_t n) const {
    shape_index out;
    for (; n != 0; n = node_of(instruction, n).parent) out = shape_index{node_of(instruction, n).step} + out;
    return out;
  }
  /// The first step of the index of part n; `none` for the whole.
  std::uint32_t first_step(id instruction, std::uint32_t n) const {
    std::uint32_t step = none;
    for (; n != 0; n = node_of(instruction, n).parent) step = node_of(instruction, n).step;
    return step;
  }

  /// Calls `f(n, m)` for parts of (a, n) and (b, m) at equal indices below them, down to tuples with different numbers
  /// of elements.
  void for_each_common(id a, std::uint32_t n, id b, std::uint32_t m, auto&& f) const {
    for (const std::uint32_t last = end(a, n); n < last;) {
      f(n, m);
      const bool same = element_count(a, n) == element_count(b, m);
      n = same ? n + 1 : end(a, n);
      m = same ? m + 1 : end(b, m);
    }
  }

 private:
  struct node {
    const shape* part = nullptr;
    std::uint32_t parent = none;  // positions in the tree
    std::uint32_t step = 0;
    std::uint32_t end = 0;
    std::uint32_t elements = 0;  // into elements_
  };

  const node& node_of(id instruction, std::uint32_t n) const { return nodes_[tree_[instruction] + n]; }

  // Recurses as deep as shapes nest, which the parser limits.
  void add(const shape* part, std::uint32_t parent, std::uint32_t step, std::uint32_t tree) {
    const std::size_t at = nodes_.size(), elements = elements_.size();
    const std::size_t count = part && part->is_tuple() ? part->elements.size() : 0;
    nodes_.push_back({part, parent, step, 0, static_cast<std::uint32_t>(elements)});
    elements_.resize(elements + count);
    for (std::size_t k = 0; k < count; ++k) {
      elements_[elements + k] = static_cast<std::uint32_t>(nodes_.size()) - tree;
      add(&part->elements[k], static_cast<std::uint32_t>(at) - tree, static_cast<std::uint32_t>(k), tree);
    }
    nodes_[at].end = static_cast<std::uint32_t>(nodes_.size()) - tree;
  }

  result_shapes shapes_;
  std::vector<node> nodes_;
  std::vector<std::uint32_t> elements_;
  std::vector<std::uint32_t> tree_;  // by instruction, into nodes_
  std::vector<place_number> first_;  // by instruction
};

}  // namespace hlolint
