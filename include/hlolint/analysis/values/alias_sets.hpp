// Sets of values that must share storage, as XLA's HloAliasAnalysis computes them (buffer_dumps.md 5.1).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/disjoint_sets.hpp>
#include <hlolint/analysis/values/in_place_pairs.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/grouped_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hlolint {

/// Whether any two values of a program may have to share storage, decided by its instructions alone. If not, every
/// alias set has one value, so that a search for faults within sets is needless.
inline bool may_merge_values(const hlo_module& module) {
  if (const auto aliases = get<input_output_alias>(module); aliases && !aliases->entries.empty()) return true;
  return std::ranges::any_of(module.instructions(), [](hlo_instruction i) {
    return i.opcode() == hlo_opcode::while_ || i.opcode() == hlo_opcode::conditional || in_place_pairs::can_have(i);
  });
}

/// Two values that share storage: XLA, examining the first one, finds the second one.
struct alias_link {
  std::uint32_t from = 0;  ///< the first value
  std::uint32_t to = 0;    ///< the second value
  id by = none;            ///< the loop, conditional or in-place operation that joins them; none: the module's header
  friend bool operator==(const alias_link&, const alias_link&) = default;
};

/// The alias sets of a program, each of which has one allocation, offset and size. Values are identified by their
/// position in `flow().values()`.
class alias_sets {
 public:
  /// By the rules of the newest XLA.
  explicit alias_sets(const hlo_module& module) : alias_sets(dataflow(module)) {}
  /// By the rules of the XLA that wrote the dump.
  alias_sets(const hlo_module& module, const buffer_dump& dump) : alias_sets(dataflow(module, dump)) {}
  /// From a cache.
  explicit alias_sets(const analysis_cache auto& made) : alias_sets(dataflow(made)) {}
  /// From known values.
  explicit alias_sets(dataflow values) : flow_(std::move(values)), in_place_(flow_.tables(), flow_.rules()) {
    merge_declared();
    merge_control_flow();
    merge_in_place();
    disjoint_sets sets(flow_.values().size());
    for (const alias_link& l : links_) sets.merge(l.from, l.to);
    number(sets);
  }

  /// The values and their uses.
  const dataflow& flow() const { return flow_; }
  /// The parts of results that lie in parts of operands.
  const in_place_pairs& in_place() const { return in_place_; }
  /// The merged pairs.
  const std::vector<alias_link>& links() const { return links_; }

  /// Whether other rules are known to give the same values and sets. Linear.
  bool hold_by(const xla_rules& other) const {
    if (other == flow_.rules()) return true;
    if (!flow_.holds_by(other)) return false;
    const in_place_pairs others(flow_.tables(), other);
    return std::ranges::none_of(flow_.module().instructions(),
                                [&](hlo_instruction i) { return in_place_.of(i) != others.of(i); });
  }
  /// The sets by other rules, from the values that are known if they hold. Precondition: all computations are followed.
  alias_sets by(const xla_rules& other) const {
    return alias_sets(flow_.holds_by(other) ? dataflow(flow_, other) : dataflow(flow_.module(), other));
  }

  /// The number of sets.
  std::size_t size() const { return members_.size(); }
  /// The number of a value's set.
  std::uint32_t set_of(std::size_t value) const { return set_of_[value]; }
  /// Whether two values are in one set.
  bool same(std::size_t a, std::size_t b) const { return set_of_[a] == set_of_[b]; }
  /// The values of a set, in ascending order.
  std::span<const std::uint32_t> values(std::uint32_t set) const { return members_.of(set); }

 private:
  void link(std::uint32_t from, std::uint32_t to, id by) {
    if (from != to) links_.push_back({from, to, by});
  }
  void merge_at(hlo_position from, hlo_position to, id by) {
    flow_.for_each_at(from, [&](std::uint32_t x) { flow_.for_each_at(to, [&](std::uint32_t y) { link(x, y, by); }); });
  }
  /// Merges the values at equal parts of two results.
  void merge_parts(hlo_instruction a, hlo_instruction b) {
    if (!a || !b) return;
    flow_.tables().places.for_each_common(a.id(), 0, b.id(), 0, [&](std::uint32_t n, std::uint32_t m) {
      merge_at({a.id(), n}, {b.id(), m}, b.id());
    });
  }

  void merge_declared() {
    const hlo_computation entry = flow_.module().entry();
    const auto aliases = get<input_output_alias>(flow_.module());
    if (!entry || !entry.root() || !aliases) return;
    const shape_places& places = flow_.tables().places;
    for (const input_output_alias_entry& entry_alias : aliases->entries) {
      const hlo_instruction p = flow_.tables().parameters.of(entry, entry_alias.parameter);
      const std::uint32_t out = places.find(entry.root().id(), entry_alias.output);
      const std::uint32_t in = p ? places.find(p.id(), entry_alias.parameter_index) : none;
      if (out != none && in != none) merge_at({entry.root().id(), out}, {p.id(), in}, none);
    }
  }

  void merge_control_flow() {
    const module_tables& tables = flow_.tables();
    for (const hlo_instruction i : flow_.module().instructions()) {
      if (i.opcode() == hlo_opcode::conditional)
        for (const hlo_computation branch : i.called_computations()) merge_parts(root_of(branch), i);
      if (i.opcode() != hlo_opcode::while_) continue;
      const while_parts parts = parts_of_while(i);
      merge_parts(operand_of(i, 0), i);
      merge_parts(root_of(parts.body), i);
      for (const hlo_computation c : {parts.condition, parts.body}) {
        const hlo_instruction p = tables.parameters.of(c, 0);
        if (!p) continue;
        tables.places.for_each_common(i.id(), 0, p.id(), 0, [&](std::uint32_t n, std::uint32_t m) {
          flow_.for_each_at({p.id(), m}, [&](std::uint32_t own) {  // only values defined there
            if (flow_.values()[own].defined == hlo_position{p.id(), m})
              flow_.for_each_at({i.id(), n}, [&](std::uint32_t v) { link(own, v, i.id()); });
          });
        });
      }
    }
  }

  void merge_in_place() {
    const shape_places& places = flow_.tables().places;
    for (const hlo_computation c : flow_.module().computations()) {
      if (!flow_.is_followed(c)) continue;
      for (const hlo_instruction i : c.instructions())
        for (const in_place_pair& pair : in_place_.of(i)) {
          const hlo_instruction operand = operand_of(i, pair.operand);
          const std::uint32_t in = operand ? places.find(operand.id(), pair.operand_index) : none;
          const std::uint32_t out = places.find(i.id(), pair.output);
          if (in == none || out == none) continue;
          merge_at({i.id(), out}, {operand.id(), in}, i.id());
          merge_at({operand.id(), in}, {i.id(), out}, i.id());
        }
    }
  }

  void number(const disjoint_sets& sets) {
    std::vector<std::uint32_t> of_root(flow_.values().size(), none);
    std::uint32_t count = 0;
    for (std::size_t v = 0; v < of_root.size(); ++v) {
      std::uint32_t& set = of_root[sets.find(v)];
      if (set == none) set = count++;
      set_of_.push_back(set);
    }
    members_ = {count, [&](auto&& add) {
                  for (std::uint32_t v = 0; v < set_of_.size(); ++v) add(set_of_[v], v);
                }};
  }

  dataflow flow_;
  in_place_pairs in_place_;
  std::vector<alias_link> links_;
  std::vector<std::uint32_t> set_of_;    // by value
  grouped_list<std::uint32_t> members_;  // by set
};

}  // namespace hlolint
