// The shape that XLA gives an instruction, where that is not the one written (buffer_dumps.md 5.0).
#pragma once

#include <hlolint/analysis/program/call_roles.hpp>
#include <hlolint/analysis/program/elementwise.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>

namespace hlolint {

/// Result shapes of all instructions as XLA's reader makes them. It builds those of send, recv and their dones itself,
/// and for a chain that is written as sugar the last op gives what its computation takes and returns. A shape that is
/// not written follows from operands and called computations where that is plain: tuples, elementwise operations,
/// loops. What is not written costs no text, so a few lines could name shapes of any size: those that are deeper than
/// `most_depth`, and those beyond `most_parts` in all, stay unknown.
class result_shapes {
 public:
  /// Limits of what is built for shapes that are not written: levels of tuples, and parts in all. @{
  static constexpr std::size_t most_depth = 64, most_parts = std::size_t{1} << 18;
  /// @}

  /// Linear in the module and in the parts of its shapes.
  explicit result_shapes(const hlo_module& module) : module_(module) {
    const module_data& data = module.data();
    shapes_.resize(module.instruction_count());
    record_list<id> others;  // few: the rest has what is written
    for (std::size_t at = 0; at < shapes_.size(); ++at) {
      const instruction_record& record = data.instructions[at];
      if (record.shape != none) shapes_[at] = &data.shapes[record.shape];
      if (record.shape == none || record.wrapped != hlo_opcode::unknown || is_built(record.opcode))
        others.push_back(static_cast<id>(at));
    }
    // The start that a chain began with.
    record_list<id> started(others.empty() ? 0 : module.instruction_count(), none);
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

  /// Null if the text does not give it.
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
  /// Whether a shape that is not written may be added to what there is.
  bool afford(const shape* s) {
    if (!s) return true;
    const extent own = extent_of(*s);
    if (own.depth > most_depth || own.parts > left_) return false;
    left_ -= own.parts;
    return true;
  }
  /// The same for a tuple of these elements, before it is made.
  bool afford_tuple(const record_list<const shape*>& elements) {
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
  static shape tuple_of(record_list<shape> elements) {
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
    const bool reads_data = op != recv;
    const hlo_instruction operand = reads_data && i.operand_count() > 0 ? i.operand(0) : hlo_instruction{};
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
    record_list<shape> elements{*data};
    if (op != recv_done) elements.push_back(scalar(element_type::u32));
    elements.push_back(scalar(element_type::token));
    shape built = tuple_of(std::move(elements));
    if (shapes_[i.id()] && *shapes_[i.id()] == built) return;
    const shape* const kept = make(std::move(built));
    if (afford(kept)) shapes_[i.id()] = kept;
  }

  void infer(hlo_instruction i) {
    using enum hlo_opcode;
    const auto of_operand = [&](std::size_t k) {
      const hlo_instruction operand = k < i.operand_count() ? i.operand(k) : hlo_instruction{};
      return operand && operand.id() < i.id() ? shapes_[operand.id()] : nullptr;
    };
    if (i.opcode() == tuple) {
      record_list<const shape*> parts;
      for (std::size_t k = 0; k < i.operand_count(); ++k) {
        if (!of_operand(k)) return;
        parts.push_back(of_operand(k));
      }
      if (!afford_tuple(parts)) return;
      record_list<shape> elements;
      for (const shape* const part : parts) elements.push_back(*part);
      shapes_[i.id()] = make(tuple_of(std::move(elements)));
    } else if (i.opcode() == get_tuple_element) {
      const auto index = get_integer(i, attribute_key::index);
      if (of_operand(0) && index && *index >= 0 && *index <= 0xFFFFFFFF)
        shapes_[i.id()] = of_operand(0)->at({static_cast<std::uint32_t>(*index)});
    } else if (i.opcode() == compare && of_operand(0)) {
      shape truth = *of_operand(0);
      truth.type = element_type::pred;
      shapes_[i.id()] = make(std::move(truth));
    } else if (keeps_element_type(i.opcode()) && i.operand_count() > 0) {
      shapes_[i.id()] = of_operand(i.operand_count() - 1);
    } else if (i.opcode() == while_ || i.opcode() == opt_barrier || i.opcode() == dynamic_update_slice) {
      shapes_[i.id()] = of_operand(0);
    } else if (i.opcode() == call || i.opcode() == fusion || i.opcode() == conditional) {
      const hlo_computation called = first_called(i);
      if (called && called.root()) shapes_[i.id()] = shapes_[called.root().id()];
    }
  }

  /// A wrapped fusion or call returns what its computation returns, and takes what that takes.
  void follow_called(hlo_instruction start) {
    using enum hlo_opcode;
    const hlo_instruction inner = wrapped(start);
    if (!inner || (inner.opcode() != fusion && inner.opcode() != call)) return;
    const hlo_computation called = first_called(inner);
    if (!called || !called.root()) return;
    shapes_[inner.id()] = shapes_[called.root().id()];
    if (!parameters_) parameters_.emplace(module_);
    for (const hlo_instruction p : inner.computation().instructions())
      if (p.opcode() == parameter && !shapes_[p.id()])
        if (const auto number = p.parameter_number())
          if (const hlo_instruction taken = parameters_->of(called, *number)) shapes_[p.id()] = shapes_[taken.id()];
  }

  void follow_chain(hlo_instruction start, hlo_instruction link) {
    const hlo_instruction inner = wrapped(start);
    if (!inner) return;
    const bool done = link.opcode() == hlo_opcode::async_done;
    const shape* const takes = part(done ? start.id() : link.id(), {0});
    const shape* const result = done ? shapes_[link.id()] : part(link.id(), {1});
    for (const hlo_instruction p : inner.computation().instructions()) {
      const auto number = p.parameter_number();
      if (!takes || !number || static_cast<std::size_t>(*number) >= takes->elements.size()) continue;
      follow(p.id(), &takes->elements[static_cast<std::size_t>(*number)]);
    }
    follow(inner.id(), result);
  }
  void follow(id i, const shape* stated) {
    if (stated && (!shapes_[i] || !compatible(*shapes_[i], *stated))) shapes_[i] = stated;
  }

  /// The instruction that sugar stands for.
  static hlo_instruction wrapped(hlo_instruction start) {
    const hlo_computation body = first_called(start);
    return body && body.is_synthesized() ? body.root() : hlo_instruction{};
  }

  hlo_module module_;
  optional<computation_parameters> parameters_;       // made where a call or fusion is wrapped
  record_list<const shape*> shapes_;                  // by instruction
  std::deque<shape> made_;
  std::unordered_map<const shape*, extent> extents_;  // of tuples
  std::size_t left_ = most_parts;
};

}  // namespace hlolint
