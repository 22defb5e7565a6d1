// Every part of every instruction's result, numbered through the module: what analyses of values keep their facts by.
#pragma once

#include <hlolint/analysis/program/result_shapes.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>

namespace hlolint {

/// A part of a result by its number in the module. The parts of one instruction follow each other, tuples before their
/// elements, so that part 0 is the whole.
using place_number = std::uint32_t;

/// The parts of all results. A part is named by (instruction, n), n its position among the parts of that instruction,
/// or by its place. An instruction without a shape has one part, whose shape is null.
class shape_places {
 public:
  /// Linear in the module and in the parts of its shapes.
  explicit shape_places(const hlo_module& module) : shapes_(module), first_(module.instruction_count() + 1) {
    // Equal texts share a shape. Nearly all shapes are those of the module itself, which have numbers.
    const record_list<shape>& written = module.data().shapes;
    record_list<std::uint32_t> tree_of_written(written.size(), none);
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

  /// Number of places of the module.
  std::size_t size() const { return first_.back(); }
  /// The place of part 0 of an instruction's result.
  place_number first(id instruction) const { return first_[instruction]; }
  /// Number of parts of an instruction's result.
  std::uint32_t count(id instruction) const { return nodes_[tree_[instruction]].end; }

  /// The shape of a part; null if it is not written.
  const shape* part(id instruction, std::uint32_t n) const { return node_of(instruction, n).part; }
  /// Whether the part is a tuple.
  bool is_tuple(id instruction, std::uint32_t n) const {
    const shape* const s = part(instruction, n);
    return s && s->is_tuple();
  }
  /// One more than the last part inside of part n.
  std::uint32_t end(id instruction, std::uint32_t n) const { return node_of(instruction, n).end; }
  /// Elements of the part if it is a tuple, else 0.
  std::size_t element_count(id instruction, std::uint32_t n) const {
    const shape* const s = part(instruction, n);
    return s && s->is_tuple() ? s->elements.size() : 0;
  }
  /// Element k of part n; `none` if there is none.
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
    record_list<std::uint32_t> steps;
    for (; n != 0; n = node_of(instruction, n).parent) steps.push_back(node_of(instruction, n).step);
    shape_index out;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) out.push_back(*step);
    return out;
  }
  /// The first step of the index of part n; `none` for the whole.
  std::uint32_t first_step(id instruction, std::uint32_t n) const {
    std::uint32_t step = none;
    for (; n != 0; n = node_of(instruction, n).parent) step = node_of(instruction, n).step;
    return step;
  }

  /// Calls `f(n, m)` for the parts of (a, n) and (b, m) at the same indices below them, down to where tuples differ in
  /// their number of elements.
  template <class F>
  void for_each_common(id a, std::uint32_t n, id b, std::uint32_t m, F&& f) const {
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
    std::uint32_t parent = none;    // positions in the tree
    std::uint32_t step = 0;
    std::uint32_t end = 0;
    std::uint32_t elements = 0;     // into elements_
  };

  const node& node_of(id instruction, std::uint32_t n) const { return nodes_[tree_[instruction] + n]; }

  // As deep as shapes nest, which the parser limits.
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
  record_list<node> nodes_;
  record_list<std::uint32_t> elements_;
  record_list<std::uint32_t> tree_;  // by instruction, into nodes_
  record_list<place_number> first_;  // by instruction
};

}  // namespace hlolint
