// The values of a program with their definitions, positions and uses, as in XLA's HloDataflowAnalysis and in dumps
// under `Used values:` (buffer_dumps.md 2, 5.2).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/analysis/values/value_propagation.hpp>
#include <hlolint/analysis/values/value_store.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hlolint {

/// The computations for which a `dataflow` has values.
enum class value_scope : std::uint8_t {
  everything,  ///< all, as in XLA, so that values have XLA's numbers
  scheduled    ///< those that can run step by step, without bodies of fusions, which are most of a big program
};

/// By computation: whether its values are followed. In the narrow scope a computation is left out if no values flow in
/// or out: it is part of an instruction, and no calls step by step lead to or from it.
inline std::vector<bool> followed_computations(const module_tables& tables, value_scope scope) {
  std::vector<bool> out(tables.module.computation_count(), scope == value_scope::everything);
  if (scope == value_scope::everything) return out;
  for (const hlo_computation c : tables.module.computations())
    if (!tables.is_embedded(c)) out[c.id()] = true;
  for (const hlo_instruction i : tables.module.instructions()) {
    if (!calls_sequentially(i.opcode()) && !is_async_opcode(i.opcode())) continue;
    out[i.computation().id()] = true;
    for (const hlo_computation called : i.called_computations())
      if (called) out[called.id()] = true;
  }
  return out;
}

/// A part of an instruction's result.
struct hlo_position {
  id instruction = none;   ///< the instruction
  std::uint32_t part = 0;  ///< the part of its result, see `shape_places`
  friend bool operator==(const hlo_position&, const hlo_position&) = default;
};

/// `user` reads part `part` of its operand number `operand`.
struct hlo_use {
  id user = none;             ///< the reader
  std::uint32_t operand = 0;  ///< number of the operand, 0-based
  std::uint32_t part = 0;     ///< the part of the operand, see `shape_places`
  friend bool operator==(const hlo_use&, const hlo_use&) = default;
};

/// One HloValue.
struct hlo_value {
  hlo_position defined;      ///< its definition
  std::uint32_t number = 0;  ///< XLA's id, if XLA read the module from this text
  bool phi = false;          ///< merges values where control flow meets
  /// Its positions and uses: the first and how many, for `dataflow`. @{
  std::uint32_t first_position = 0, position_count = 0, first_use = 0, use_count = 0;
  /// @}
};

/// All values of a module, identified by their position in XLA's order of creation.
class dataflow {
 public:
  /// By the rules of the newest XLA.
  explicit dataflow(const hlo_module& module) : dataflow(module, xla_rules()) {}
  /// By the rules of the XLA that wrote the dump.
  dataflow(const hlo_module& module, const buffer_dump& dump) : dataflow(module, xla_rules(date_of(dump))) {}
  /// From a cache, whose tables it shares.
  explicit dataflow(const analysis_cache auto& made)
      : dataflow(made.template share<module_tables>(),
                 made.buffers() ? xla_rules(date_of(*made.buffers())) : xla_rules()) {}
  /// By the given rules.
  dataflow(const hlo_module& module, const xla_rules& rules, value_scope scope = value_scope::everything)
      : dataflow(std::make_shared<const module_tables>(module), rules, scope) {}
  /// From known tables.
  dataflow(std::shared_ptr<const module_tables> tables, const xla_rules& rules,
           value_scope scope = value_scope::everything)
      : rules_(rules), tables_(std::move(tables)), followed_(followed_computations(*tables_, scope)) {
    detail::value_propagation propagation(*tables_, rules, followed_);
    detail::value_store& done = propagation.store();
    std::vector<std::uint32_t> kept(done.values().size(), none);
    for (std::size_t v = 0; v < kept.size(); ++v) {
      const detail::created_value& made = done.values()[v];
      if (made.dropped) continue;
      kept[v] = static_cast<std::uint32_t>(values_.size());
      values_.push_back({{made.instruction, made.part}, static_cast<std::uint32_t>(v), made.phi, 0, 0, 0, 0});
    }
    sets_ = std::move(done.sets());
    at_ = std::move(done.at());
    for (std::uint32_t& set : at_) set = sets_.map(set, [&](std::uint32_t v) { return kept[v]; });
    is_complete_ = propagation.is_complete();
    find_allocated();
    collect_positions();
    collect_uses();
  }

  /// Known values by rules of another day. Precondition: `holds_by(rules)`.
  dataflow(const dataflow& known, const xla_rules& rules) : dataflow(known) { rules_ = rules; }

  /// Whether other rules give the same values: rules only differ about those of async operations. Linear.
  bool holds_by(const xla_rules& other) const {
    return rules_.have_values_of(other) ||
           std::ranges::none_of(module().instructions(), [](hlo_instruction i) { return is_async_opcode(i.opcode()); });
  }

  /// Whether a computation is in the `value_scope`.
  bool is_followed(hlo_computation c) const { return followed_[c.id()]; }
  /// False if hundreds of nested loops were not all followed, so that the values prove nothing.
  bool is_complete() const { return is_complete_; }
  /// All values, in XLA's order of creation.
  const std::vector<hlo_value>& values() const { return values_; }
  /// All positions of a value, the defining one first, then in text order.
  std::span<const hlo_position> positions(const hlo_value& v) const {
    return std::span(positions_).subspan(v.first_position, v.position_count);
  }
  /// All uses in XLA's sense: get-tuple-element and tuple only pass elements on, bitcasts read.
  std::span<const hlo_use> uses(const hlo_value& v) const { return std::span(uses_).subspan(v.first_use, v.use_count); }

  /// Calls `f(value)` for the values at a position: one, unless a computation has several callers.
  void for_each_at(hlo_position p, auto&& f) const {
    sets_.for_each(at_[tables_->places.first(p.instruction) + p.part], f);
  }
  /// Calls `f(value)` for the values at all parts of a result; a value may come several times.
  void for_each_in(hlo_instruction i, auto&& f) const {
    for (std::uint32_t n = 0; n < tables_->places.count(i.id()); ++n) for_each_at({i.id(), n}, f);
  }
  /// The value at a place in the result of an instruction; nothing if there are none or several.
  std::optional<std::uint32_t> only_value_at(hlo_instruction i, const shape_index& index) const {
    const std::uint32_t part = tables_->places.find(i.id(), index);
    std::optional<std::uint32_t> out;
    std::size_t count = 0;
    if (part != none) for_each_at({i.id(), part}, [&](std::uint32_t v) { out = v, ++count; });
    return count == 1 ? out : std::nullopt;
  }

  /// Whether XLA gives the value storage: not in fusion bodies and uncalled computations.
  bool is_allocated(const hlo_value& v) const { return allocated_[instruction(v).computation().id()]; }

  /// The instruction that defines a value.
  hlo_instruction instruction(const hlo_value& v) const { return tables_->module.instruction(v.defined.instruction); }
  /// The index of the part in the instruction's result.
  shape_index index(hlo_position p) const { return tables_->places.index(p.instruction, p.part); }
  /// The shape of a part; null if unknown.
  const shape* shape_of(hlo_position p) const { return tables_->places.part(p.instruction, p.part); }

  /// Tables of the module. @{
  const module_tables& tables() const { return *tables_; }
  std::shared_ptr<const module_tables> share_tables() const { return tables_; }
  /// @}
  /// The module.
  const hlo_module& module() const { return tables_->module; }
  /// The rules in force.
  const xla_rules& rules() const { return rules_; }

 private:
  void find_allocated() {
    allocated_.resize(tables_->module.computation_count());
    for (const hlo_computation c : tables_->module.computations()) {
      allocated_[c.id()] = tables_->calls.execution_of(c) != execution::unreached;
      for (const hlo_instruction caller : tables_->calls.callers(c))
        if (caller.opcode() == hlo_opcode::fusion) allocated_[c.id()] = false;
    }
  }

  void for_each_passed_on(auto&& f) const {
    for (const hlo_computation c : tables_->module.computations()) {
      if (!followed_[c.id()]) continue;
      for (const hlo_instruction i : c.instructions())
        for (std::uint32_t n = 0; n < tables_->places.count(i.id()); ++n)
          for_each_at({i.id(), n}, [&](std::uint32_t v) {
            if (values_[v].defined.instruction != i.id()) f(v, hlo_position{i.id(), n});
          });
    }
  }
  void collect_positions() {
    for (hlo_value& v : values_) v.position_count = 1;
    for_each_passed_on([&](std::uint32_t v, hlo_position) { ++values_[v].position_count; });
    std::uint32_t next = 0;
    for (hlo_value& v : values_) v.first_position = std::exchange(next, next + v.position_count);
    positions_.resize(next);
    std::vector<std::uint32_t> filled;
    for (const hlo_value& v : values_) {
      positions_[v.first_position] = v.defined;
      filled.push_back(v.first_position + 1);
    }
    for_each_passed_on([&](std::uint32_t v, hlo_position p) { positions_[filled[v]++] = p; });
  }

  static bool only_reads_whole(hlo_opcode op) { return op == hlo_opcode::get_tuple_element || op == hlo_opcode::copy; }
  static bool reads_nothing(hlo_opcode op) { return op == hlo_opcode::tuple || op == hlo_opcode::domain; }

  bool has_elements(hlo_instruction i) const { return tables_->places.count(i.id()) > 1; }

  // The many users of a big tuple that only extract an element are not visited for every element.
  void collect_uses() {
    std::vector<std::uint32_t> first_reader(tables_->module.instruction_count() + 1);
    std::vector<instruction_use> readers;  // of tuple elements
    for (const hlo_computation c : tables_->module.computations()) {
      if (!followed_[c.id()]) {
        const id_range own = c.record().instructions;
        std::fill_n(first_reader.begin() + own.first + 1, own.count, static_cast<std::uint32_t>(readers.size()));
        continue;
      }
      for (const hlo_instruction i : c.instructions()) {
        if (has_elements(i))
          for (const instruction_use use : tables_->all_users.of(i))
            if (use.user.is_root() || (!only_reads_whole(use.user.opcode()) && !reads_nothing(use.user.opcode())))
              readers.push_back(use);
        first_reader[i.id() + 1] = static_cast<std::uint32_t>(readers.size());
      }
    }
    std::vector<std::uint32_t> in_root(tables_->module.instruction_count(), none);  // the last value found in a root
    for (std::uint32_t number = 0; number < values_.size(); ++number) {
      hlo_value& v = values_[number];
      v.first_use = static_cast<std::uint32_t>(uses_.size());
      for (const hlo_position p : positions(v))
        if (tables_->module.instruction(p.instruction).is_root()) in_root[p.instruction] = number;
      for (const hlo_position p : positions(v)) {
        const auto add = [&](const instruction_use& use) {
          const hlo_opcode op = use.user.opcode();
          const bool reads = only_reads_whole(op) ? p.part == 0 : !reads_nothing(op);
          if (reads || in_root[use.user.id()] == number)
            uses_.push_back({use.user.id(), static_cast<std::uint32_t>(use.operand), p.part});
        };
        if (p.part == 0) {
          for (const instruction_use use : tables_->all_users.of(tables_->module.instruction(p.instruction))) add(use);
        } else {
          for (std::uint32_t r = first_reader[p.instruction]; r < first_reader[p.instruction + 1]; ++r) add(readers[r]);
        }
      }
      v.use_count = static_cast<std::uint32_t>(uses_.size()) - v.first_use;
    }
  }

  xla_rules rules_;
  bool is_complete_ = false;
  std::shared_ptr<const module_tables> tables_;
  std::vector<bool> followed_;  // by computation
  std::vector<hlo_value> values_;
  std::vector<std::uint32_t> at_;  // by place: a set of `sets_`
  detail::value_sets sets_;
  std::vector<bool> allocated_;  // by computation
  std::vector<hlo_position> positions_;
  std::vector<hlo_use> uses_;
};

}  // namespace hlolint
