// Dependences between results, through tuples, loops, branches, calls and fusions, and distances along them.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/grouped_list.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hlolint {

/// Dependences between the parts of all results of a module. A tuple's element depends on its operand, a loop-carried
/// value on its initial value and that of the previous iteration, a parameter on the callers' operands. Any other
/// result depends on all operands. Control predecessors are not dependences.
class dependence_graph {
 public:
  /// The distance without any dependence.
  static constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

  /// For each instruction the nearest of some other instructions and the distance to it.
  class distances {
   public:
    /// The number of dependences between an instruction and the nearest other one, or itself if it depends on itself;
    /// `unreachable` if there is none.
    std::uint32_t of(hlo_instruction i) const { return known_[i.id()].steps; }
    /// The nearest instruction, of equally near ones the first in the text; an empty view if there is none.
    hlo_instruction nearest(hlo_instruction i) const {
      const id found = known_[i.id()].nearest;
      return found == none ? hlo_instruction{} : hlo_instruction{&i.data(), found};
    }

   private:
    friend class dependence_graph;
    struct distance {
      std::uint32_t steps = unreachable;
      id nearest = none;
      // Keeps the smaller distance.
      void take(distance other) {
        if (other.steps < steps || (other.steps == steps && other.nearest < nearest)) *this = other;
      }
    };
    std::vector<distance> known_;  // by instruction
  };

  /// Linear in the module and in the parts of its results, for each caller of a computation.
  explicit dependence_graph(const hlo_module& module)
      : dependence_graph(std::make_shared<const module_tables>(module)) {}
  /// From a cache, whose tables it shares.
  explicit dependence_graph(const analysis_cache auto& cache)
      : dependence_graph(cache.template share<module_tables>()) {}

  /// For every instruction, the nearest of `sources` that it depends on in at most `within` steps. Linear.
  distances from(std::span<const id> sources, std::uint32_t within = unreachable) const {
    return search(sources, edges_, within);
  }
  /// For every instruction, the nearest of `sources` that depends on it in at most `within` steps. Linear.
  distances to(std::span<const id> sources, std::uint32_t within = unreachable) const {
    return search(sources, reversed(), within);
  }

  /// Whether the parts of a result are those of others and do not depend on work of its own.
  static bool passes(hlo_instruction i) {
    using enum hlo_opcode;
    const hlo_opcode op = i.opcode();
    if (op == call || op == fusion || op == conditional || op == async_start) return i.called_computation_count() > 0;
    return op == tuple || op == get_tuple_element || op == opt_barrier || op == domain || op == while_ ||
           op == parameter || op == async_update || op == async_done;
  }

 private:
  friend class value_origins;
  friend class way_back;
  // A node is a part of a result, or the work of an instruction, on which all parts of its result depend. Most results
  // have one part, which is also the work. An instruction that passes parts on has no work, unless it depends on a
  // whole operand.
  struct edge {
    std::uint32_t from = 0, to = 0;
  };
  using adjacency = grouped_list<std::uint32_t>;  // by node

  explicit dependence_graph(std::shared_ptr<const module_tables> tables)
      : tables_(std::move(tables)), owner_(places().size()), work_(module().instruction_count(), none) {
    std::vector<edge> edges;
    edges.reserve(module().data().operands.size());
    // A single pass, since the records are most of the memory.
    for (const hlo_instruction i : module().instructions()) {
      const id own = i.id();
      for (std::uint32_t n = 0; n < places().count(own); ++n) owner_[places().first(own) + n] = own;
      if (!passes(i) && places().count(own) == 1) {
        work_[own] = places().first(own);
      } else if (!passes(i) || also_reads(i)) {
        work_[own] = static_cast<std::uint32_t>(owner_.size());
        owner_.push_back(own);
      }
      add_edges(i, edges);
    }
    edges_ = {owner_.size(), [&](auto&& add) {
                for (const edge& e : edges) add(e.from, e.to);
              }};
  }

  // Whether an instruction that passes parts on may also depend on whole operands.
  static bool also_reads(hlo_instruction i) {
    using enum hlo_opcode;
    return i.opcode() == conditional || i.opcode() == async_update || i.opcode() == async_done;
  }

  void add_edges(hlo_instruction i, std::vector<edge>& edges) const {
    using enum hlo_opcode;
    // The parts of (to, n) depend on those of (from, m) at the same indices.
    const auto pass = [&](hlo_instruction from, std::uint32_t m, std::uint32_t n) {
      if (!from || m == none || n == none) return;
      places().for_each_common(from.id(), m, i.id(), n, [&](std::uint32_t a, std::uint32_t b) {
        edges.push_back({places().first(from.id()) + a, places().first(i.id()) + b});
      });
    };
    const auto pass_operand = [&](hlo_instruction from, std::uint32_t n = 0) { pass(from, 0, n); };
    if (const std::uint32_t work = work_[i.id()]; work >= places().size() && work != none)
      for (std::uint32_t n = 0; n < places().count(i.id()); ++n) edges.push_back({work, places().first(i.id()) + n});
    const hlo_instruction first = operand_of(i, 0);
    switch (i.opcode()) {
      case tuple:
        for (std::size_t k = 0; k < i.operand_count(); ++k) pass_operand(i.operand(k), places().element(i.id(), 0, k));
        return;
      case get_tuple_element:
        if (const auto k = element_position(i); first && k) pass(first, places().element(first.id(), 0, *k), 0);
        return;
      case opt_barrier:
      case domain: return pass_operand(first);
      case while_:
        pass_operand(first);
        for (const hlo_computation body : i.called_computations())
          if (is_carried(root_of(body), i)) pass_operand(body.root());
        return;
      case parameter: return for_each_passed(i, [&](hlo_instruction from) { pass_operand(from); });
      case call:
      case fusion:
      case conditional:
      case async_start:
      case async_update:
      case async_done: {
        const bool has_context = i.opcode() == async_start || i.opcode() == async_update;
        for (const hlo_computation called : i.called_computations())
          pass_operand(root_of(called), has_context ? places().element(i.id(), 0, 1) : 0);
        if (i.opcode() == async_done && first) return pass(first, places().element(first.id(), 0, 1), 0);
        if (i.called_computation_count() > 0 && i.opcode() != async_update) {
          if (i.opcode() == conditional) add_work(i, edges);  // the chosen branch depends on the first operand
          return;
        }
        break;
      }
      default: break;
    }
    add_work(i, edges);
  }

  void add_work(hlo_instruction i, std::vector<edge>& edges) const {
    for (const hlo_instruction from : i.operands())
      if (from)
        for (std::uint32_t m = 0; m < places().count(from.id()); ++m)
          if (!places().is_tuple(from.id(), m)) edges.push_back({places().first(from.id()) + m, work_[i.id()]});
  }

  // Whether the computation is a while's body, which returns the carried values, not its condition.
  bool is_carried(hlo_instruction root, hlo_instruction loop) const {
    return root && places().count(root.id()) == places().count(loop.id());
  }

  // Calls `f` for each operand of a caller, and each result of a previous iteration, that a parameter receives.
  void for_each_passed(hlo_instruction p, auto f) const {
    const auto number = parameter_position(p);
    if (!number) return;
    for (const hlo_instruction caller : tables_->calls.callers(p.computation())) {
      using enum hlo_opcode;
      const hlo_opcode op = caller.opcode();
      // Reducers and comparators get elements, not operands; later parts of an async operation get its start.
      if (!calls_sequentially(op) && op != fusion && op != async_start) continue;
      const bool is_branch = op == conditional;
      const std::size_t k = is_branch ? branch_of(caller, p.computation()) + 1 : *number;
      if (k >= caller.operand_count()) continue;
      f(caller.operand(k));
      if (op != while_) continue;
      for (const hlo_computation body : caller.called_computations())
        if (is_carried(root_of(body), caller)) f(body.root());
    }
  }
  static std::size_t branch_of(hlo_instruction caller, hlo_computation branch) {
    for (std::size_t k = 0; k < caller.called_computation_count(); ++k)
      if (caller.called_computation(k) == branch) return k;
    return 0;
  }

  adjacency reversed() const {
    return {owner_.size(), [&](auto&& add) {
              for (std::uint32_t from = 0; from < owner_.size(); ++from)
                for (const std::uint32_t to : edges_.of(from)) add(to, from);
            }};
  }

  // A breadth-first search. Steps within an instruction are free, steps between instructions count. Only nodes are
  // visited, since sources are spread over the whole module.
  distances search(std::span<const id> sources, const adjacency& ahead, std::uint32_t most) const {
    const bool forward = &ahead == &edges_;
    const std::size_t parts = places().size();  // later nodes are work, with steps to or from all parts of its result
    distances out;
    out.known_.resize(module().instruction_count());
    std::vector<distances::distance> nodes(owner_.size());
    std::vector<std::uint32_t> level, after;
    const auto reach = [&](std::uint32_t node, distances::distance reached, std::vector<std::uint32_t>& to) {
      if (reached.steps < nodes[node].steps) to.push_back(node);
      nodes[node].take(reached);
    };
    for (const id source : sources) {
      // Begins with the parts that others read or, backwards, with the work that reads operands.
      for (std::uint32_t n = 0; n < places().count(source); ++n) reach(places().first(source) + n, {0, source}, level);
      if (!forward && work_[source] != none) reach(work_[source], {0, source}, level);
    }
    for (std::uint32_t far = 0; !level.empty() && far < most; ++far) {
      const auto is_nearer = [&](std::uint32_t node) { return nodes[node].steps < far; };  // since it was listed
      for (std::size_t k = 0, count = owner_.size() == parts ? 0 : level.size(); k < count; ++k) {
        const std::uint32_t node = level[k], work = work_[owner_[node]];
        const distances::distance own = nodes[node];
        if (is_nearer(node)) continue;
        if (forward && node >= parts)
          for (const std::uint32_t part : ahead.of(node)) reach(part, own, level);
        if (!forward && node < parts && work != none && work >= parts) reach(work, own, level);
      }
      for (const std::uint32_t node : level) {
        if (is_nearer(node) || (forward && node >= parts)) continue;
        const distances::distance reached{far + 1, nodes[node].nearest};
        for (const std::uint32_t next : ahead.of(node)) {
          if (!forward && next >= parts) continue;
          if (nodes[next].steps != 0)
            reach(next, reached, after);
          else if (next != node)
            out.known_[owner_[next]].take(reached);  // a source reached around a loop
        }
      }
      level.swap(after);
      after.clear();
    }
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
      if (nodes[node].steps != 0) out.known_[owner_[node]].take(nodes[node]);
    return out;
  }

  const hlo_module& module() const { return tables_->module; }
  const shape_places& places() const { return tables_->places; }

  std::shared_ptr<const module_tables> tables_;
  std::vector<id> owner_;            // by node
  std::vector<std::uint32_t> work_;  // by instruction; none if it has no work
  adjacency edges_;                  // from a node to its dependents
};

}  // namespace hlolint
