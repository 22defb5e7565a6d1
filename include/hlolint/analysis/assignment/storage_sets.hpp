// Facts about the alias sets of a module before any of them is placed (assignment.md 0 to 2).
#pragma once

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/containers/grouped_list.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// How a set gets its bytes (2).
enum class storage_kind : std::uint8_t {
  nowhere,        ///< no storage: bodies of fusions, computations that are not called
  constant,       ///< a constant: an allocation of its own
  parameter,      ///< an entry parameter: an allocation of its own
  thread_local_,  ///< of a computation that is part of an instruction: an allocation of its own
  table,          ///< the pointers of a tuple: an allocation of its own, until temporaries are combined
  shared          ///< anything else: in another allocation, or in the heap
};

/// Whether a value is a part of the context of an asynchronous operation: of a program that a SparseCore of a TPU runs.
inline bool is_async_context(const dataflow& flow, const hlo_value& v) {
  const hlo_opcode opcode = flow.instruction(v).opcode();
  if (opcode != hlo_opcode::async_start && opcode != hlo_opcode::async_update) return false;
  constexpr std::uint32_t context = 2;  // after operands and results
  const shape_index index = flow.index(v.defined);
  return index.size() > 1 && index[0] == context;
}

/// One alias set.
struct storage_set {
  byte_count size = 0;                        ///< of its largest value
  std::int64_t color = 0;                     ///< memory space
  storage_kind kind = storage_kind::nowhere;  ///< how it gets its bytes
  bool lives_out = false;                     ///< one of its values is in the result of the program
  bool donated = false;                       ///< a parameter that shares its storage with a result
  bool is_context = false;                    ///< of an asynchronous operation (`is_async_context`)
  std::uint32_t decided_by = none;            ///< the constant or the parameter
};

/// All alias sets of a module, by their number in `alias_sets`, and the order in which XLA assigns them.
class storage_sets {
 public:
  /// O(n log n).
  storage_sets(const alias_sets& sets, const assignment_rules& rules) : of_(sets.size()) {
    const dataflow& flow = sets.flow();
    const detail::range_finder ranges(flow);
    for (std::uint32_t s = 0; s < sets.size(); ++s) describe(sets, s, rules, ranges);
    mark_results(sets);
    number(sets);
    find_positions(flow.tables());
    for (std::uint32_t s = 0; s < sets.size(); ++s)
      if (of_[s].kind != storage_kind::nowhere) (is_global_[s] ? order_ : local_order_).push_back(s);
    sort(sets, order_, true);
    sort(sets, local_order_, false);
  }

  /// One set.
  const storage_set& operator[](std::uint32_t set) const { return of_[set]; }
  /// How many there are.
  std::size_t size() const { return of_.size(); }
  /// Sets of the computations that run step by step, the largest first (1).
  const std::vector<std::uint32_t>& order() const { return order_; }
  /// Sets of computations that are part of an instruction, the largest first (5).
  const std::vector<std::uint32_t>& local_order() const { return local_order_; }
  /// Whether the size of some shape is unknown; it counts as 0.
  bool has_unknown_size() const { return has_unknown_size_; }
  /// XLA's number of a set, which breaks ties.
  std::uint32_t number_of(std::uint32_t set) const { return numbers_[set]; }

 private:
  void describe(const alias_sets& sets, std::uint32_t s, const assignment_rules& rules,
                const detail::range_finder& ranges) {
    const dataflow& flow = sets.flow();
    storage_set& out = of_[s];
    const hlo_value& first = flow.values()[sets.values(s).front()];
    is_global_.push_back(!flow.tables().is_embedded(flow.instruction(first).computation()));
    if (!flow.is_allocated(first)) return;
    if (const shape* const part = flow.shape_of(first.defined); part && part->is_array())
      out.color = part->memory_space();
    out.kind = is_global_[s] ? storage_kind::shared : storage_kind::thread_local_;
    out.is_context = is_async_context(flow, first);
    bool table = false;
    for (const std::uint32_t v : sets.values(s)) {
      const hlo_value& value = flow.values()[v];
      const hlo_instruction i = flow.instruction(value);
      const shape* const part = flow.shape_of(value.defined);
      const auto own = part ? byte_size(*part, rules.sizes) : std::nullopt;
      has_unknown_size_ = has_unknown_size_ || !own;
      out.size = std::max(out.size, own.value_or(0));
      table = table || (part && part->is_tuple());
      if (out.decided_by != none) continue;
      const bool constant = i.opcode() == hlo_opcode::constant;
      if (!constant && !(i.opcode() == hlo_opcode::parameter && i.computation().is_entry())) continue;
      out.kind = constant ? storage_kind::constant : storage_kind::parameter;
      out.decided_by = v;
    }
    if (out.kind == storage_kind::shared && table) out.kind = storage_kind::table;
    if (out.kind == storage_kind::parameter) out.donated = !ranges.is_kept_by_caller(flow.values()[out.decided_by]);
  }
  void mark_results(const alias_sets& sets) {
    if (const hlo_instruction root = root_of(sets.flow().module().entry()))
      sets.flow().for_each_in(root, [&](std::uint32_t v) { of_[sets.set_of(v)].lives_out = true; });
  }

  /// Merges as XLA does: each value moves all that share its storage into the fullest of their slots, so a set's number
  /// is not always that of its first value.
  void number(const alias_sets& sets) {
    const std::size_t count = sets.flow().values().size();
    std::vector<std::uint32_t> slot(count), size(count, 1), met;
    std::vector<std::vector<std::uint32_t>> moved(sets.links().empty() ? 0 : count);  // of slots with several values
    for (std::uint32_t v = 0; v < count; ++v) slot[v] = v;
    const grouped_list<std::uint32_t> linked(count, [&](auto&& add) {
      for (const alias_link& l : sets.links()) add(l.from, l.to);
    });
    for (std::uint32_t v = 0; v < count; ++v) {
      if (linked.count(v) == 0) continue;
      met.assign(linked.of(v).begin(), linked.of(v).end());
      met.push_back(v);
      const auto fuller = [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(size[slot[b]], a) < std::pair(size[slot[a]], b);
      };
      const std::uint32_t fullest = slot[*std::min_element(met.begin(), met.end(), fuller)];
      for (const std::uint32_t w : met) {
        const std::uint32_t from = slot[w];
        if (from == fullest) continue;
        if (moved[from].empty()) moved[from].push_back(w);
        for (const std::uint32_t member : moved[from]) {
          slot[member] = fullest;
          if (moved[fullest].empty()) moved[fullest].push_back(fullest);
          moved[fullest].push_back(member);
        }
        size[fullest] += std::exchange(size[from], 0);
        moved[from].clear();
      }
    }
    for (std::uint32_t s = 0; s < sets.size(); ++s) numbers_.push_back(slot[sets.values(s).front()]);
  }

  /// The instructions of each computation in the order of the text; but those that XLA for CPUs outlined to run them on
  /// several threads, until 2025, are last, in the order that their names count: `%call.13 = ... to_apply=%parallel_f`.
  /// Empty if there are none.
  static std::vector<id> outlined_last(const hlo_module& module) {
    const auto is_outlined = [](hlo_instruction i) {
      const auto called = i.opcode() == hlo_opcode::call ? detail::nth_called(i, 0) : std::nullopt;
      return called && *called && called->name().starts_with("parallel_");
    };
    const auto listed = module.instructions();
    if (std::ranges::none_of(listed, is_outlined)) return {};
    std::vector<std::tuple<id, std::int64_t, id>> order;  // computation, place, instruction
    for (const hlo_instruction i : listed)
      order.emplace_back(i.computation().id(),
                         is_outlined(i) ? 1 + integer_in(i.name().substr(i.name().rfind('.') + 1)).value_or(0) : 0,
                         i.id());
    std::sort(order.begin(), order.end());
    std::vector<id> out;
    for (const auto& [computation, place, instruction] : order) out.push_back(instruction);
    return out;
  }

  /// Numbers instructions, callers before callees, each computation in post order.
  void find_positions(const module_tables& tables) {
    const hlo_module& module = tables.module;
    std::vector<hlo_computation> called_first;
    std::vector<char> entered(module.computation_count());
    const std::vector<id> order = outlined_last(module);
    for (const hlo_computation from : module.computations())
      if (tables.calls.callers(from).empty())
        detail::walk_called_first(
            from, order,
            [](hlo_instruction i, std::size_t call) {  // of a while the body, then the condition
              return i.opcode() == hlo_opcode::while_ && call < 2 ? detail::nth_run(i, 1 - call)
                                                                  : detail::nth_called(i, call);
            },
            [&](hlo_computation c, hlo_instruction) { return !std::exchange(entered[c.id()], true); },
            [](hlo_instruction) {}, [&](hlo_computation c) { called_first.push_back(c); });
    const std::vector<id> post = post_order(tables);
    positions_.resize(module.instruction_count(), none);
    std::uint32_t next = 0;
    for (auto c = called_first.rbegin(); c != called_first.rend(); ++c) {
      const id_range own = c->record().instructions;
      for (id at = own.first; at != own.first + own.count; ++at) positions_[post[at]] = next++;
    }
  }

  /// `global`: count positions in computations that run step by step; otherwise positions in the others.
  void sort(const alias_sets& sets, std::vector<std::uint32_t>& order, bool global) const {
    struct key {
      byte_count size;
      bool stays;
      std::uint32_t position, number, set;
    };
    std::vector<key> keys;
    for (const std::uint32_t s : order) {
      std::uint32_t least = none;
      for (const std::uint32_t v : sets.values(s)) {
        const hlo_instruction i = sets.flow().instruction(sets.flow().values()[v]);
        if (sets.flow().tables().is_embedded(i.computation()) != global) least = std::min(least, positions_[i.id()]);
      }
      keys.push_back({of_[s].size, !of_[s].lives_out, least, numbers_[s], s});
    }
    std::ranges::stable_sort(keys, [](const key& a, const key& b) {
      return in_order(b.size, a.size, a.stays, b.stays, a.position, b.position, a.number, b.number);
    });
    for (std::size_t k = 0; k < keys.size(); ++k) order[k] = keys[k].set;
  }

  std::vector<storage_set> of_;
  std::vector<bool> is_global_;           // by set
  std::vector<std::uint32_t> numbers_;    // by set
  std::vector<std::uint32_t> positions_;  // by instruction
  std::vector<std::uint32_t> order_, local_order_;
  bool has_unknown_size_ = false;
};

}  // namespace hlolint
