// Values that are needed after another value of their alias set has overwritten them (buffer_dumps.md 5.6).
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

/// How a value is needed.
enum class value_need : std::uint8_t {
  read,       ///< at the position of the reader, or of a loop that begins with it
  in_flight,  ///< until an asynchronous operation ends
  returned,   ///< until the computation ends whose root is the reader
  kept        ///< until the program ends: a constant, or a parameter that the caller keeps
};

/// Values by their position in `ranges().flow().values()`.
struct clobber {
  std::size_t earlier = 0;            ///< the value needed too late
  std::size_t later = 0;              ///< the value that has overwritten it
  hlo_instruction reader;             ///< the instruction that needs the earlier value
  std::int64_t position = 0;          ///< in the schedule, until which it needs it
  value_need why = value_need::read;  ///< how it needs it
};

/// All clobbered values of a module, each with the first value that overwrites it and the first instruction that needs
/// it afterwards. XLA merges values even if that is wrong, and its printed live ranges hide the fault: an earlier pass
/// should have inserted copies.
class clobbers {
 public:
  /// Precondition of all constructors: the module is scheduled, or the dump has its order.
  explicit clobbers(const hlo_module& module) : clobbers(std::make_shared<const module_tables>(module)) {}
  /// With the order and the rules of the XLA that wrote the dump.
  clobbers(const hlo_module& module, const buffer_dump& dump)
      : clobbers(std::make_shared<const live_ranges>(module, dump), true) {}
  /// From a cache. With a dump, or where the values are known, the live ranges are shared. Otherwise only values of
  /// computations that run step by step, which suffice here, are computed.
  explicit clobbers(const analysis_cache auto& made)
      : clobbers(made.buffers() || made.template known<alias_sets>()
                     ? clobbers(made.template share<live_ranges>(), made.buffers() != nullptr)
                     : clobbers(made.template share<module_tables>())) {}
  /// From known live ranges. Programs written by hand have no copies of constants and parameters, so that values which
  /// overwrite these count only if buffers were assigned.
  explicit clobbers(std::shared_ptr<const live_ranges> ranges, bool has_buffers = false)
      : ranges_(std::move(ranges)), has_buffers_(has_buffers) {
    find();
  }

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
    bool is_unchanged = false;  // nothing is written: a phi, or the bytes of an operand
    friend bool operator<(const entry& a, const entry& b) {
      return in_order(a.start, b.start, a.instruction, b.instruction, a.value, b.value);
    }
  };

  void find() {
    if (!ranges_->flow().is_complete()) return;
    const alias_sets& sets = ranges_->sets();
    const std::vector<bool> unchanged = unchanged_values();
    const detail::range_finder finder(ranges_->flow());
    std::vector<entry> order;             // the values of a set by time
    std::vector<std::size_t> next_other;  // position in `order` of the next value of another instruction
    for (std::uint32_t set = 0; set < sets.size(); ++set) {
      order.clear();
      if (sets.values(set).size() < 2 || is_token(sets.values(set).front())) continue;
      for (const std::uint32_t v : sets.values(set))
        if (ranges_->untrimmed(v))
          order.push_back(
              {ranges_->untrimmed(v)->start, ranges_->flow().values()[v].defined.instruction, v, unchanged[v]});
      std::sort(order.begin(), order.end());
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
              (add(e.value, order[at], finder) ||
               branches_around(ranges_->flow().module().instruction(order[at].instruction)).empty()))
            break;
      }
    }
    std::ranges::stable_sort(found_, [](const clobber& a, const clobber& b) {
      return in_order(a.position, b.position, a.earlier, b.earlier);
    });
  }

  // A token has no bytes.
  bool is_token(std::uint32_t value) const {
    const hlo_position at = ranges_->flow().values()[value].defined;
    const shape* const of = ranges_->flow().tables().places.part(at.instruction, at.part);
    return of && of->type == element_type::token;
  }

  // Whether the earlier value is needed after the later one was written.
  bool add(std::size_t earlier, const entry& later, const detail::range_finder& finder) {
    const dataflow& flow = ranges_->flow();
    const hlo_value& value = flow.values()[earlier];
    const hlo_instruction made = flow.instruction(value);
    const bool is_kept = made.opcode() == hlo_opcode::constant || finder.is_kept_by_caller(value);
    const bool is_copied_later = is_kept && !has_buffers_;
    const hlo_instruction writer = flow.module().instruction(later.instruction);
    clobber first{earlier, later.value, {}, 0};
    const auto need = [&](hlo_instruction reader, std::optional<std::int64_t> until, value_need why) {
      if (!until || *until <= later.start || overwrites_itself(reader, writer) || are_exclusive(reader, writer)) return;
      if (!first.reader || *until < first.position) first.reader = reader, first.position = *until, first.why = why;
    };
    for (const hlo_use& use : flow.uses(value)) {
      const hlo_instruction user = flow.module().instruction(use.user);
      if (!passes_on(user.opcode())) need(user, ranges_->schedule().position_of(user), value_need::read);
      if (is_copied_later) continue;
      if (user.opcode() == hlo_opcode::while_) need(user, begin_of_loop(user), value_need::read);
      if (is_start_opcode(user.opcode()) && !(writer == user)) need(user, end_of_flight(user), value_need::in_flight);
    }
    if (is_kept && has_buffers_) need(made, ranges_->schedule().size(), value_need::kept);
    for (const hlo_position at : flow.positions(value))
      if (const hlo_instruction i = flow.module().instruction(at.instruction);
          i.is_root() && !(i == writer) && !is_copied_later)
        need(i, ranges_->schedule().end_of(i), value_need::returned);
    if (first.reader) found_.push_back(first);
    return bool(first.reader);
  }

  // The position at which an asynchronous operation ends; nothing if nothing ends it.
  std::optional<std::int64_t> end_of_flight(hlo_instruction start) const {
    const module_tables& tables = ranges_->flow().tables();
    hlo_instruction last = tables.chains.last(start);
    for (const instruction_use use : tables.all_users.of(start))
      if (is_done_opcode(use.user.opcode())) last = use.user;
    return last && is_done_opcode(last.opcode()) ? ranges_->schedule().position_of(last) : std::nullopt;
  }

  // The position at which a loop takes what it begins with.
  std::optional<std::int64_t> begin_of_loop(hlo_instruction loop) const {
    std::optional<std::int64_t> out = ranges_->schedule().position_of(loop);
    for (const hlo_computation called : loop.called_computations())
      if (const auto span = called && out ? ranges_->schedule().span_of(called) : std::nullopt)
        out = std::min(*out, span->begin);
    return out;
  }

  // The instruction that calls or starts the computation around another one; an empty view if there is none.
  hlo_instruction caller_around(hlo_instruction i) const {
    for (const hlo_instruction caller : ranges_->flow().tables().calls.callers(i.computation()))
      if (calls_sequentially(caller.opcode()) || caller.opcode() == hlo_opcode::async_start) return caller;
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

  /// Whether the asynchronous computation that a reader starts overwrites its own operand.
  bool overwrites_itself(hlo_instruction reader, hlo_instruction writer) const {
    if (reader.opcode() != hlo_opcode::async_start && reader.opcode() != hlo_opcode::async_update) return false;
    hlo_instruction start = reader;  // an update that binds the operands runs what its start calls
    for (std::size_t step = 0; step < most_depth && start.opcode() == hlo_opcode::async_update; ++step) {
      if (start.operand_count() == 0 || !start.operand(0)) return false;
      start = start.operand(0);
    }
    const id around = ranges_->schedule().async_context(writer.computation());
    return std::ranges::any_of(start.called_computations(),
                               [&](hlo_computation called) { return called && called.id() == around; });
  }

  // By value: whether it is a phi, which only merges values that lie in its place, or has the bytes of an operand.
  std::vector<bool> unchanged_values() const {
    const dataflow& flow = ranges_->flow();
    std::vector<bool> out(flow.values().size());
    hlo_instruction fusion;  // the values of an instruction follow each other
    std::optional<output_to_operand_aliasing> aliases;
    for (std::size_t v = 0; v < out.size(); ++v) {
      const hlo_instruction i = flow.instruction(flow.values()[v]);
      out[v] = flow.values()[v].phi;
      if (out[v] || i.opcode() != hlo_opcode::fusion) continue;
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
  bool has_buffers_ = false;
  std::vector<clobber> found_;
};

}  // namespace hlolint
