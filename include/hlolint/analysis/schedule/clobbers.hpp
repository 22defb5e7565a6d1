// Values that are read after another value of their alias set has overwritten them (buffer_dumps.md 5.6).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/shape_index.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// Values by their position in `ranges().flow().values()`.
struct clobber {
  std::size_t earlier = 0;    ///< the value read too late
  std::size_t later = 0;      ///< the value that has overwritten it
  hlo_instruction reader;     ///< the instruction that reads the earlier value
  std::int64_t position = 0;  ///< of the reader in the schedule
};

/// All clobbered values of a module, each with the first value that overwrites it and the first instruction that reads
/// it afterwards. XLA merges values even if that is wrong, and its printed live ranges hide the fault: an earlier pass
/// should have inserted copies.
class clobbers {
 public:
  /// Precondition of all constructors: the module is scheduled, or the dump has its order.
  explicit clobbers(const hlo_module& module) : clobbers(std::make_shared<const module_tables>(module)) {}
  /// With the order and the rules of the XLA that wrote the dump.
  clobbers(const hlo_module& module, const buffer_dump& dump)
      : clobbers(std::make_shared<const live_ranges>(module, dump)) {}
  /// From a cache. With a dump, or where the values are known, the live ranges are shared. Otherwise only values of
  /// computations that run step by step, which suffice here, are computed.
  explicit clobbers(const analysis_cache auto& made)
      : clobbers(made.buffers() || made.template known<alias_sets>() ? clobbers(made.template share<live_ranges>())
                                                                     : clobbers(made.template share<module_tables>())) {
  }
  /// From known live ranges.
  explicit clobbers(std::shared_ptr<const live_ranges> ranges) : ranges_(std::move(ranges)) { find(); }

  /// The first clobbered value.
  auto begin() const { return found_.begin(); }
  /// One past the last clobbered value.
  auto end() const { return found_.end(); }
  /// How many values are clobbered.
  std::size_t size() const { return found_.size(); }
  /// The live ranges, with the values that the positions refer to.
  const live_ranges& ranges() const { return *ranges_; }

 private:
  explicit clobbers(std::shared_ptr<const module_tables> tables)
      : clobbers(std::make_shared<const live_ranges>(
            alias_sets(dataflow(std::move(tables), xla_rules(), value_scope::scheduled)),
            std::vector<std::string_view>())) {}

  struct entry {
    std::int64_t start = 0;
    id instruction = none;
    std::uint32_t value = 0;
    bool is_unchanged = false;  // the bytes are those of an operand
    friend bool operator<(const entry& a, const entry& b) {
      return in_order(a.start, b.start, a.instruction, b.instruction, a.value, b.value);
    }
  };

  void find() {
    if (!ranges_->flow().is_complete()) return;
    const alias_sets& sets = ranges_->sets();
    const std::vector<bool> unchanged = unchanged_values();
    std::vector<entry> order;             // the values of a set by time
    std::vector<std::size_t> next_other;  // position in `order` of the next value of another instruction
    for (std::uint32_t set = 0; set < sets.size(); ++set) {
      order.clear();
      if (sets.values(set).size() < 2) continue;
      for (const std::uint32_t v : sets.values(set))
        if (ranges_->untrimmed(v))
          order.push_back(
              {ranges_->untrimmed(v)->start, ranges_->flow().values()[v].defined.instruction, v, unchanged[v]});
      std::sort(order.begin(), order.end());
      mark_carried(order);
      next_other.assign(order.size(), order.size());
      for (std::size_t k = order.size(); k-- > 1;)
        next_other[k - 1] = order[k].instruction == order[k - 1].instruction ? next_other[k] : k;
      for (const entry& e : order) {
        auto at = static_cast<std::size_t>(std::lower_bound(order.begin(), order.end(), entry{e.start, 0, 0}) -
                                           order.begin());
        if (order[at].instruction == e.instruction) at = next_other[at];
        // A value of another branch overwrites nothing for readers in this one, nor does one that is not written, so
        // the next value counts, too.
        for (std::size_t tried = 0; at < order.size() && tried < most_tried; at = next_other[at], ++tried)
          if (!order[at].is_unchanged &&
              (add(e.value, order[at]) ||
               branches_around(ranges_->flow().module().instruction(order[at].instruction)).empty()))
            break;
      }
    }
    std::ranges::stable_sort(found_, [](const clobber& a, const clobber& b) {
      return in_order(a.position, b.position, a.earlier, b.earlier);
    });
  }

  // Marks the values of loops that carry them through: no value of the set is written while the loop runs. `order`: of
  // one set, sorted.
  void mark_carried(std::vector<entry>& order) const {
    const auto is_phi = [&](const entry& e) { return ranges_->flow().values()[e.value].phi; };
    if (std::ranges::none_of(order, is_phi)) return;  // nearly all sets
    std::vector<std::int64_t> written;                // positions, in order
    for (const entry& e : order)
      if (!e.is_unchanged && !is_phi(e)) written.push_back(e.start);
    for (entry& e : order) {
      const hlo_instruction i = ranges_->flow().module().instruction(e.instruction);
      const hlo_instruction loop = i.opcode() == hlo_opcode::parameter ? caller_around(i) : i;
      const auto end = is_phi(e) && loop && loop.opcode() == hlo_opcode::while_ ? ranges_->schedule().position_of(loop)
                                                                                : std::nullopt;
      if (!end) continue;
      std::int64_t begin = *end;
      for (const hlo_computation called : loop.called_computations())
        if (const auto span = called ? ranges_->schedule().span_of(called) : std::nullopt)
          begin = std::min(begin, span->begin);
      const auto next = std::ranges::lower_bound(written, begin);
      e.is_unchanged = next == written.end() || *next > *end;
    }
  }

  // Whether a reader of the earlier value comes after the later one.
  bool add(std::size_t earlier, const entry& later) {
    clobber first{earlier, later.value, {}, 0};
    for (const hlo_use& use : ranges_->flow().uses(ranges_->flow().values()[earlier])) {
      const hlo_instruction user = ranges_->flow().module().instruction(use.user);
      const auto at = ranges_->schedule().position_of(user);
      if (!at || *at <= later.start || passes_on(user.opcode()) || overwrites_itself(user, later) ||
          are_exclusive(user, ranges_->flow().module().instruction(later.instruction)))
        continue;
      if (!first.reader || *at < first.position) first.reader = user, first.position = *at;
    }
    if (first.reader) found_.push_back(first);
    return bool(first.reader);
  }

  // The instruction that calls the computation around another one step by step; an empty view if there is none.
  hlo_instruction caller_around(hlo_instruction i) const {
    for (const hlo_instruction caller : ranges_->flow().tables().calls.callers(i.computation()))
      if (calls_sequentially(caller.opcode())) return caller;
    return {};
  }
  using branch = std::pair<id, id>;  // conditional and computation
  // The branches of conditionals in which an instruction runs, the innermost first.
  std::vector<branch> branches_around(hlo_instruction at) const {
    std::vector<branch> out;
    for (std::size_t depth = 0; depth < most_depth && at; ++depth) {
      const id inside = at.computation().id();
      if (at = caller_around(at); at && at.opcode() == hlo_opcode::conditional) out.emplace_back(at.id(), inside);
    }
    return out;
  }
  // Whether two instructions run in different branches of one conditional, of which only one runs.
  bool are_exclusive(hlo_instruction a, hlo_instruction b) const {
    const std::vector<branch> around_a = branches_around(a);
    if (around_a.empty()) return false;  // nearly always
    for (const auto& [conditional, branch_of_b] : branches_around(b))
      for (const auto& [same, branch_of_a] : around_a)
        if (same == conditional) return branch_of_a != branch_of_b;
    return false;
  }

  static constexpr std::size_t most_tried = 64, most_depth = 100;

  /// An asynchronous computation stands before its start in the schedule, so a value with which it overwrites its own
  /// operand is not later than the start.
  bool overwrites_itself(hlo_instruction reader, const entry& later) const {
    if (reader.opcode() != hlo_opcode::async_start && reader.opcode() != hlo_opcode::async_update) return false;
    hlo_instruction start = reader;  // an update that binds the operands runs what its start calls
    for (std::size_t step = 0; step < most_depth && start.opcode() == hlo_opcode::async_update; ++step) {
      if (start.operand_count() == 0 || !start.operand(0)) return false;
      start = start.operand(0);
    }
    for (const hlo_computation called : start.called_computations())
      if (const auto span = called ? ranges_->schedule().span_of(called) : std::nullopt)
        if (span->begin <= later.start && later.start < span->end) return true;
    return false;
  }

  // By value: whether its bytes are those of an operand.
  std::vector<bool> unchanged_values() const {
    const dataflow& flow = ranges_->flow();
    std::vector<bool> out(flow.values().size());
    hlo_instruction fusion;  // the values of an instruction follow each other
    std::optional<output_to_operand_aliasing> aliases;
    for (std::size_t v = 0; v < out.size(); ++v) {
      const hlo_instruction i = flow.instruction(flow.values()[v]);
      if (i.opcode() != hlo_opcode::fusion) continue;
      if (!(i == fusion)) fusion = i, aliases = get<output_to_operand_aliasing>(i);
      out[v] = aliases && passes_operand_on(i, *aliases, flow.index(flow.values()[v].defined));
    }
    return out;
  }
  /// Whether a fusion returns the aliased operand unchanged as part `index` of its result: a parameter of its
  /// computation, or the operand of the collective that `AsyncCollectiveStart` starts (scheduling.md 1).
  static bool passes_operand_on(hlo_instruction fusion, const output_to_operand_aliasing& aliases, shape_index index) {
    const auto entry =
        std::ranges::find_if(aliases.entries, [&](const operand_alias_entry& e) { return e.output == index; });
    if (entry == aliases.entries.end()) return false;
    hlo_instruction at = root_of(first_called(fusion));
    for (std::size_t step = 0; step < most_depth && at; ++step) {
      using enum hlo_opcode;
      std::size_t operand = 0;
      if (at.opcode() == parameter) {
        const auto number = at.parameter_number();
        return number && *number == entry->operand && index == entry->operand_index;
      }
      if (at.opcode() == tuple && !index.empty()) {
        operand = index[0], index = index.without_first(1);
      } else if (at.opcode() == get_tuple_element) {
        const auto element = element_position(at);
        if (!element) return false;
        index = shape_index{static_cast<std::uint32_t>(*element)} + index;
      } else if (is_start(at) && !index.empty() && index[0] == 0) {
        at = operand_of(at, 0);  // the collective, whose operands are the first part
        if (!at) return false;
        operand = index.size() > 1 ? index[1] : 0, index = {};
      } else if (at.opcode() != bitcast || !index.empty()) {
        return false;
      }
      at = operand_of(at, operand);
    }
    return false;
  }
  static bool is_start(hlo_instruction i) { return calls_target(i, "AsyncCollectiveStart"); }

  /// Opcodes that read at another time than their own position, or only pointers.
  static bool passes_on(hlo_opcode op) {
    using enum hlo_opcode;
    return is_done_opcode(op) || calls_sequentially(op) || op == tuple || op == get_tuple_element;
  }

  std::shared_ptr<const live_ranges> ranges_;
  std::vector<clobber> found_;
};

}  // namespace hlolint
