// Checks by the two texts alone that an edited text is the same program and safe to run (advise.md 2, checks a to e).
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/buffers/live_overlaps.hpp>
#include <hlolint/analysis/schedule/clobbers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

// The name of the original of a clone: without `.remat` and the number after it; empty for other names.
inline std::string_view cloned_from(std::string_view name) {
  const std::size_t at = name.rfind(".remat");
  const bool is_clone =
      at != std::string_view::npos && at > 0 && name.find_first_not_of("0123456789", at + 6) == std::string_view::npos;
  return is_clone ? name.substr(0, at) : std::string_view{};
}
// The entry of a table under a name or, for a clone, under the name of its original, or of the original of that.
template <class Table>
typename Table::mapped_type find_origin(const Table& table, std::string_view name) {
  for (; !name.empty(); name = cloned_from(name))
    if (const auto found = table.find(name); found != table.end()) return found->second;
  return {};
}

// Compares an edited module with the original, instruction by instruction (b).
class same_program {
 public:
  same_program(const hlo_module& before, const hlo_module& after) : before_(before), after_(after) {
    for (const hlo_computation c : before.computations())
      if (!c.is_synthesized()) computations_.emplace(c.name(), c);
    for (const hlo_instruction i : before.instructions()) instructions_[i.computation().id()].emplace(i.name(), i);
  }

  /// Names the first difference; empty if there is none.
  std::string difference() const {
    if (before_.name() != after_.name()) return "the module's name";
    std::set<std::string_view> seen;
    for (const hlo_computation c : after_.computations()) {
      if (c.is_synthesized()) continue;  // compared where it is called: all of one kind share a name
      const hlo_computation from = origin(c);
      if (!from) return str_cat({"computation ", c.name(), " is new"});
      const bool whole = from.name() == c.name();
      if (whole) seen.insert(c.name());
      if (std::string wrong = compare(from, c); !wrong.empty()) return wrong;
    }
    if (seen.size() != computations_.size()) return "a computation is missing";
    return {};
  }

 private:
  hlo_computation origin(hlo_computation c) const { return find_origin(computations_, c.name()); }
  hlo_instruction origin(hlo_computation from, hlo_instruction i) const {
    const auto all = instructions_.find(from.id());
    return all == instructions_.end() ? hlo_instruction{} : find_origin(all->second, i.name());
  }
  std::string compare(hlo_computation from, hlo_computation c) const {
    std::set<id> found;
    for (const hlo_instruction i : c.instructions()) {
      const hlo_instruction old = origin(from, i);
      if (!old) return str_cat({"instruction ", i.name(), " is new"});
      if (i.name() == old.name() || from.name() != c.name()) found.insert(old.id());
      if (!is_same(from, old, i)) return str_cat({"instruction ", i.name(), " is another one"});
    }
    return found.size() == from.instruction_count() ? std::string{}
                                                    : str_cat({"computation ", c.name(), " lacks an instruction"});
  }
  bool is_same(hlo_computation from, hlo_instruction a, hlo_instruction b) const {
    if (a.opcode() != b.opcode() || a.is_root() != b.is_root() || a.operand_count() != b.operand_count() ||
        a.called_computation_count() != b.called_computation_count() || a.parameter_number() != b.parameter_number() ||
        !a.shape() != !b.shape() || (a.shape() && !(*a.shape() == *b.shape())))
      return false;
    for (std::size_t k = 0; k < a.operand_count(); ++k) {
      if (!a.operand(k) != !b.operand(k)) return false;
      if (a.operand(k) && origin(from, b.operand(k)) != a.operand(k)) return false;
    }
    for (std::size_t k = 0; k < a.called_computation_count(); ++k) {
      const hlo_computation x = a.called_computation(k), y = b.called_computation(k);
      if (!x != !y) return false;
      if (x && (x.is_synthesized() && y.is_synthesized() ? !compare(x, y).empty() : origin(y) != x)) return false;
    }
    return same_attributes(a, b);
  }
  static bool same_attributes(hlo_instruction a, hlo_instruction b) {
    if (a.attribute_count() != b.attribute_count() || a.argument() != b.argument()) return false;
    for (std::size_t k = 0; k < a.attribute_count(); ++k) {
      const hlo_attribute x = a.attribute(k), y = b.attribute(k);
      // The fused computation of a clone is a clone itself; computations are compared by the caller.
      if (x.name != y.name || (x.value != y.value && x.key != attribute_key::calls)) return false;
    }
    return true;
  }

  hlo_module before_, after_;
  std::unordered_map<std::string_view, hlo_computation> computations_;
  std::unordered_map<id, std::unordered_map<std::string_view, hlo_instruction>> instructions_;  // by computation
};

// A computation that several fusions call, which XLA's verifier refuses; empty if there is none (a).
inline hlo_computation shared_fusion(const hlo_module& module) {
  std::vector<char> called(module.computation_count(), false);
  for (const hlo_instruction i : module.instructions())
    for (const hlo_computation c : i.called_computations())
      if (i.opcode() == hlo_opcode::fusion && c && std::exchange(called[c.id()], true)) return c;
  return {};
}

}  // namespace detail

/// Checks edited texts of a module against the module, with an assignment of its own.
class edit_proof {
 public:
  /// Precondition: the module is scheduled.
  edit_proof(const hlo_module& before, const assignment_rules& rules)
      : before_(before), rules_(rules), before_facts_(facts_of(before)) {}

  /// Why an edited module must not be used; empty if it may be. Precondition: it was read without errors. O(n log n)
  /// plus the number of pairs of values that share bytes at different times.
  std::string fault_of(const hlo_module& after) const {
    if (!after.is_scheduled() || !after.entry()) return "it is not scheduled";
    if (const hlo_computation shared = detail::shared_fusion(after); shared && !detail::shared_fusion(before_))
      return str_cat({"computation ", shared.name(), " is fused into two instructions"});
    if (std::string wrong = detail::same_program(before_, after).difference(); !wrong.empty()) return wrong;
    return hazard_of(after);
  }
  /// Why a module is unsafe to run, by its effects and the bytes in use (c to e), even if it is another program; empty
  /// if it is safe. Precondition: it is scheduled and was read without errors.
  std::string hazard_of(const hlo_module& after) const {
    const facts found = facts_of(after);
    if (found.effects != before_facts_.effects) return "effects change their order";
    for (const name_pair& p : found.read_late)
      if (before_facts_.read_late.count(p) == 0)
        return str_cat({p.first, " is read after ", p.second, " has overwritten it"});
    for (const name_pair& p : found.on_top)
      if (before_facts_.on_top.count(p) == 0)
        return str_cat({p.second, " is written over ", p.first, " while that is read"});
    return {};
  }
  /// Bytes of all allocations of a module in main memory.
  byte_count need_of_module(const hlo_module& module) const { return buffer_assignment(module, rules_).plan().need; }

 private:
  using name_pair = std::pair<std::string, std::string>;
  struct facts {
    std::vector<name_pair> effects;  // computation, instruction
    std::set<name_pair> read_late;   // in one alias set: the value read, and the one that has overwritten it (c)
    std::set<name_pair> on_top;      // in different sets: a live value, and the one written over it (d)
  };

  facts facts_of(const hlo_module& module) const {
    facts out;
    const buffer_assignment made(module, rules_);
    const schedule_constraints order(made.sets());
    for (const hlo_instruction i : module.instructions())
      if (order.is_effect(i.id())) out.effects.emplace_back(i.computation().name(), i.name());
    // The order of computations may differ, as clones are added.
    std::stable_sort(out.effects.begin(), out.effects.end(),
                     [](const name_pair& a, const name_pair& b) { return a.first < b.first; });
    const clobbers late(std::make_shared<const live_ranges>(alias_sets(dataflow(module, rules_.values)),
                                                            std::vector<std::string_view>()));
    const auto name_of_value = [&](std::size_t v) {
      return std::string(made.flow().instruction(made.flow().values()[v]).name());
    };
    for (const clobber& c : late) out.read_late.emplace(name_of_value(c.earlier), name_of_value(c.later));
    const buffer_plan plan = made.plan();
    std::vector<std::vector<timed_bytes>> held(plan.allocations.size());
    for (std::size_t v = 0; v < plan.values.size(); ++v)
      if (const auto& range = late.ranges().untrimmed(v); range && plan.values[v].allocation != none)
        held[plan.values[v].allocation].push_back(
            {plan.values[v].offset, plan.values[v].offset + plan.values[v].size, range->start, range->end, 0, v});
    for (std::vector<timed_bytes>& all : held)
      for_each_live_overlap(std::move(all), [&](const timed_bytes& a, const timed_bytes& b) {
        if (a.start < b.start && b.start < a.finish && !made.sets().same(a.value, b.value))
          out.on_top.emplace(name_of_value(a.value), name_of_value(b.value));
        return true;
      });
    return out;
  }

  hlo_module before_;
  assignment_rules rules_;
  facts before_facts_;
};

}  // namespace hlolint::advise
