// Which results a result is computed from, through tuples, loops, branches, calls and fusions.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hlolint {

/// Dependences between the parts of all results of a module. A tuple's element depends on what was put there, the
/// carried value of a loop on its first value and on that of the iteration before, a parameter on what callers pass.
/// What is neither passed on nor called depends on all of its operands. Control predecessors are not dependences.
class dependence_graph {
 public:
  /// No dependence at all.
  static constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

  /// How far each instruction is from the nearest of some others, and from which one.
  class distances {
   public:
    /// Dependences between an instruction and the nearest one, which is not itself unless it depends on itself;
    /// `unreachable` if there is none.
    std::uint32_t of(hlo_instruction i) const { return steps_[i.id()]; }
    /// The nearest one; an empty view if there is none.
    hlo_instruction nearest(hlo_instruction i) const {
      return nearest_[i.id()] == none ? hlo_instruction{} : hlo_instruction{&i.data(), nearest_[i.id()]};
    }

   private:
    friend class dependence_graph;
    std::vector<std::uint32_t> steps_;  // by instruction
    std::vector<id> nearest_;
  };

  /// Which part of some instructions each part of a result is, seen through what only moves or converts it.
  class origins {
   public:
    /// The instruction that a part of a result comes from; an empty view if it comes from none or from several parts.
    hlo_instruction of(hlo_instruction i, std::uint32_t part = 0) const {
      const place_number found = from_[places_->first(i.id()) + part];
      return found >= owner_.size() ? hlo_instruction{} : hlo_instruction{&i.data(), owner_[found]};
    }
    /// And which part of its result that is. Precondition: there is one.
    std::uint32_t part_of(hlo_instruction i, std::uint32_t part = 0) const {
      const place_number found = from_[places_->first(i.id()) + part];
      return found - places_->first(owner_[found]);
    }
    /// The parts that are meant.
    const shape_places& places() const { return *places_; }

   private:
    friend class dependence_graph;
    static constexpr place_number unknown = none - 1, several = none;
    std::vector<place_number> from_;  // by node
    std::vector<id> owner_;           // by place
    std::shared_ptr<const shape_places> places_;
  };

  /// Linear in the module and in the parts of its results, for each caller of a computation.
  explicit dependence_graph(const hlo_module& module)
      : dependence_graph(module, shape_places(module), call_graph(module)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit dependence_graph(const Cache& cache)
      : dependence_graph(*cache.hlo(), shape_places(*cache.hlo()), cache.template get<call_graph>()) {}

  /// For every instruction, the nearest of `sources` that it depends on. Linear.
  distances from(std::span<const id> sources) const { return search(sources, out_, in_); }
  /// For every instruction, the nearest of `sources` that depends on it. Linear.
  distances to(std::span<const id> sources) const { return search(sources, in_, out_); }

  /// Follows `sources` through tuples, loops, calls and fusions, and through each instruction of which `moves(i)`
  /// holds: its result is then its first operand in another form. Linear.
  template <class Moves>
  origins follow(std::span<const id> sources, Moves&& moves) const {
    origins out;
    out.places_ = std::make_shared<const shape_places>(places_);
    const auto parts = static_cast<std::uint32_t>(places_.size());
    out.owner_.assign(owner_.begin(), owner_.begin() + parts);
    out.from_.assign(owner_.size(), origins::unknown);
    std::vector<bool> through(module_.instruction_count());
    std::vector<std::uint32_t> open;
    const auto meet = [&](std::uint32_t node, place_number from) {  // a place becomes known, and then one of several
      place_number& known = out.from_[node];
      if (known == from || known == origins::several) return;
      known = known == origins::unknown ? from : origins::several;
      open.push_back(node);
    };
    for (const hlo_instruction i : module_.instructions()) {
      through[i.id()] = i.operand_count() > 0 && i.operand(0) && moves(i);
      if (!through[i.id()] && !passes(i)) meet(work_of(i.id()), origins::several);
    }
    for (const id source : sources)
      for (std::uint32_t n = 0; n < places_.count(source); ++n)
        meet(places_.first(source) + n, places_.first(source) + n);
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      for (const std::uint32_t next : out_.of(node)) {
        const id to = owner_[next];
        if (next >= parts && (!through[to] || hlo_instruction{&module_.data(), to}.operand(0).id() != owner_[node]))
          continue;
        meet(next, out.from_[node]);
      }
    }
    return out;
  }

 private:
  // A node is a part of a result, or the work of an instruction: what all parts of its result depend on.
  struct edge {
    std::uint32_t from = 0, to = 0;
  };
  struct adjacency {
    std::vector<std::uint32_t> first, nodes;
    std::span<const std::uint32_t> of(std::uint32_t node) const {
      return std::span(nodes).subspan(first[node], first[node + 1] - first[node]);
    }
  };

  dependence_graph(const hlo_module& module, shape_places places, const call_graph& calls)
      : module_(module), places_(std::move(places)) {
    const auto parts = static_cast<std::uint32_t>(places_.size());
    owner_.resize(parts + module.instruction_count());
    for (const hlo_instruction i : module.instructions()) {
      for (std::uint32_t n = 0; n < places_.count(i.id()); ++n) owner_[places_.first(i.id()) + n] = i.id();
      owner_[work_of(i.id())] = i.id();
    }
    for (const hlo_instruction i : module.instructions()) add_edges(i, calls);
    out_ = sorted([](const edge& e) { return std::pair(e.from, e.to); });
    in_ = sorted([](const edge& e) { return std::pair(e.to, e.from); });
    edges_ = {};
  }

  // Whose parts are those of others: their work is nothing that they depend on.
  static bool passes(hlo_instruction i) {
    using enum hlo_opcode;
    switch (i.opcode()) {
      case tuple:
      case get_tuple_element:
      case opt_barrier:
      case domain:
      case while_:
      case parameter:
      case async_done:
        return true;
      case call:
      case fusion:
      case conditional:
      case async_start:
      case async_update:
        return i.called_computation_count() > 0 || i.opcode() == async_update;
      default:
        return false;
    }
  }
  std::uint32_t work_of(id instruction) const { return static_cast<std::uint32_t>(places_.size()) + instruction; }
  void join(std::uint32_t from, std::uint32_t to) { edges_.push_back({from, to}); }

  // The parts of (to, n) depend on those of (from, m) at the same indices.
  void pass(hlo_instruction from, std::uint32_t m, hlo_instruction to, std::uint32_t n) {
    if (!from || !to || m == none || n == none) return;
    places_.for_each_common(from.id(), m, to.id(), n, [&](std::uint32_t a, std::uint32_t b) {
      join(places_.first(from.id()) + a, places_.first(to.id()) + b);
    });
  }
  void pass_operand(hlo_instruction from, hlo_instruction to, std::uint32_t n = 0) { pass(from, 0, to, n); }

  void add_edges(hlo_instruction i, const call_graph& calls) {
    using enum hlo_opcode;
    for (std::uint32_t n = 0; n < places_.count(i.id()); ++n) join(work_of(i.id()), places_.first(i.id()) + n);
    const auto operand = [&](std::size_t k) { return k < i.operand_count() ? i.operand(k) : hlo_instruction{}; };
    switch (i.opcode()) {
      case tuple:
        for (std::size_t k = 0; k < i.operand_count(); ++k)
          pass_operand(i.operand(k), i, places_.element(i.id(), 0, k));
        return;
      case get_tuple_element:
        if (const hlo_instruction from = operand(0)) {
          const std::int64_t k = get_integer(i, attribute_key::index).value_or(-1);
          if (k >= 0) pass(from, places_.element(from.id(), 0, static_cast<std::size_t>(k)), i, 0);
        }
        return;
      case opt_barrier:
      case domain:
        pass_operand(operand(0), i);
        return;
      case while_:
        pass_operand(operand(0), i);
        for (const hlo_computation body : i.called_computations())
          if (body && body.root() && is_carried(body.root(), i)) pass_operand(body.root(), i);
        return;
      case parameter:
        add_callers(i, calls);
        return;
      case call:
      case fusion:
      case conditional:
      case async_start:
      case async_update:
      case async_done:
        for (const hlo_computation called : i.called_computations())
          if (called && called.root()) {
            if (i.opcode() == async_start || i.opcode() == async_update)
              pass(called.root(), 0, i, places_.element(i.id(), 0, 1));
            else
              pass_operand(called.root(), i);
          }
        if (i.opcode() == async_done && operand(0)) {
          pass(operand(0), places_.element(operand(0).id(), 0, 1), i, 0);
          return;
        }
        if (i.called_computation_count() > 0 && i.opcode() != async_update) {
          if (i.opcode() == conditional) add_work(i);  // the branch taken depends on the first operand
          return;
        }
        break;
      default:
        break;
    }
    add_work(i);
  }

  void add_work(hlo_instruction i) {
    for (const hlo_instruction from : i.operands())
      if (from)
        for (std::uint32_t m = 0; m < places_.count(from.id()); ++m)
          if (!places_.is_tuple(from.id(), m)) join(places_.first(from.id()) + m, work_of(i.id()));
  }

  // Of the two computations of a while, the body gives what is carried on.
  bool is_carried(hlo_instruction root, hlo_instruction loop) const {
    return places_.count(root.id()) == places_.count(loop.id());
  }

  void add_callers(hlo_instruction parameter, const call_graph& calls) {
    const auto number = parameter.parameter_number();
    if (!number || *number < 0) return;
    for (const hlo_instruction caller : calls.callers(parameter.computation())) {
      if (!passes_operands(caller.opcode())) continue;
      auto k = static_cast<std::size_t>(*number);
      if (caller.opcode() == hlo_opcode::conditional) k = branch_of(caller, parameter.computation()) + 1;
      if (k >= caller.operand_count()) continue;
      pass_operand(caller.operand(k), parameter);
      if (caller.opcode() != hlo_opcode::while_) continue;
      for (const hlo_computation body : caller.called_computations())
        if (body && body.root() && is_carried(body.root(), caller)) pass_operand(body.root(), parameter);
    }
  }
  // Reducers and comparators take elements, not operands; the later parts of an async operation take its start.
  static constexpr bool passes_operands(hlo_opcode opcode) {
    using enum hlo_opcode;
    return calls_sequentially(opcode) || opcode == fusion || opcode == async_start;
  }
  static std::size_t branch_of(hlo_instruction caller, hlo_computation branch) {
    for (std::size_t k = 0; k < caller.called_computation_count(); ++k)
      if (caller.called_computation(k) == branch) return k;
    return 0;
  }

  template <class Key>
  adjacency sorted(Key key) const {
    adjacency out;
    out.first.resize(owner_.size() + 1);
    out.nodes.resize(edges_.size());
    for (const edge& e : edges_) ++out.first[key(e).first + 1];
    for (std::size_t n = 1; n < out.first.size(); ++n) out.first[n] += out.first[n - 1];
    std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
    for (const edge& e : edges_) out.nodes[next[key(e).first]++] = key(e).second;
    return out;
  }

  // A step within an instruction is free, one between instructions counts.
  distances search(std::span<const id> sources, const adjacency& ahead, const adjacency& back) const {
    std::vector<std::uint32_t> steps(owner_.size(), unreachable);
    std::vector<id> nearest(owner_.size(), none);
    std::deque<std::uint32_t> open;
    for (const id source : sources) {
      // Where the search begins: what others read of it, or what it reads itself.
      const auto begin = [&](std::uint32_t node) {
        steps[node] = 0;
        nearest[node] = source;
        open.push_back(node);
      };
      for (std::uint32_t n = 0; n < places_.count(source); ++n) begin(places_.first(source) + n);
      if (&ahead == &in_) begin(work_of(source));
    }
    while (!open.empty()) {
      const std::uint32_t node = open.front();
      open.pop_front();
      for (const std::uint32_t next : ahead.of(node)) {
        const bool within = owner_[node] == owner_[next];
        const std::uint32_t far = steps[node] + !within;
        if (far >= steps[next]) continue;
        steps[next] = far;
        nearest[next] = nearest[node];
        if (within)
          open.push_front(next);
        else
          open.push_back(next);
      }
    }
    distances out;
    out.steps_.assign(module_.instruction_count(), unreachable);
    out.nearest_.assign(module_.instruction_count(), none);
    // From outside: a source is as far from itself as the way around a loop.
    for (std::uint32_t node = 0; node < owner_.size(); ++node)
      for (const std::uint32_t before : back.of(node)) {
        if (owner_[before] == owner_[node] || steps[before] == unreachable) continue;
        const id to = owner_[node];
        if (steps[before] + 1 >= out.steps_[to]) continue;
        out.steps_[to] = steps[before] + 1;
        out.nearest_[to] = nearest[before];
      }
    return out;
  }

  hlo_module module_;
  shape_places places_;
  std::vector<id> owner_;  // by node
  std::vector<edge> edges_;
  adjacency out_, in_;
};

}  // namespace hlolint
