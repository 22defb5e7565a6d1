// The states of a module while its schedule is edited, and the edits that lead from state to state (advise.md 5, 6).
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/tool/advise/edited_text.hpp>
#include <hlolint/tool/advise/instruction_order.hpp>
#include <hlolint/tool/advise/live_model.hpp>
#include <hlolint/tool/advise/memory_moves.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::advise {

/// Whether an order satisfies all constraints. Linear.
inline bool is_legal(const instruction_order& order, const schedule_constraints& rules) {
  for (const hlo_instruction i : rules.module().instructions())
    for (const id behind : rules.after(i.id()))
      if (order.place_of(behind) <= order.place_of(i.id())) return false;
  return true;
}

/// Tells whether another order of the instructions changes the numbers that XLA gives to values (assignment.md 1),
/// which decide between buffers that are equal otherwise. XLA numbers values from the instructions without users and
/// from those that call computations: if these keep their order, all values keep their numbers.
class value_numbers {
 public:
  /// Linear.
  explicit value_numbers(const module_tables& tables) {
    for (const hlo_instruction i : tables.module.instructions())
      decides_.push_back(tables.all_users.count(i) == 0 || calls_sequentially(i.opcode()) ||
                         i.opcode() == hlo_opcode::async_start);
  }
  /// Whether the numbers stay the same in an order. Linear.
  bool hold(const instruction_order& order) const {
    id last = 0;  // ids ascend in the text, computation after computation
    for (const id i : order.ids()) {
      if (!decides_[i]) continue;
      if (i < last) return false;
      last = i;
    }
    return true;
  }

 private:
  std::vector<bool> decides_;  // by instruction
};

/// An instruction by names; an empty view if the module has none of these names.
inline hlo_instruction find_instruction(const hlo_module& module, std::string_view computation, std::string_view name) {
  const hlo_computation c = module.find_computation(computation);
  return c ? c.find(name) : hlo_instruction{};
}

/// An edit that refers to instructions by name, so that it can be made in several texts of the module.
struct edit_step {
  edit_kind kind = edit_kind::move;       ///< move or recompute
  std::string computation;                ///< the computation of all instructions
  std::vector<std::string> instructions;  ///< the ones to move, in their order; or the value to compute again
  std::string before;                     ///< the instruction that follows them afterwards; empty: none
  std::vector<std::string> bitcasts;      ///< of a recompute: see `recompute`
  std::vector<std::string> late_users;    ///< its late users
  bool is_packing = false;                ///< whether the search found it by packing
};

/// One module in one state of its text, with its analyses.
struct edited_module {
  parsed_file file;                             ///< the parsed text
  std::size_t number = 0;                       ///< the position of the module in the file
  std::unique_ptr<buffer_assignment> made;      ///< assigns buffers in this order and in others
  std::unique_ptr<schedule_constraints> rules;  ///< null before `complete()`
  std::unique_ptr<live_model> live;             ///< null before `complete()`, too
  std::optional<value_numbers> numbers;         ///< nothing before `complete()`
  std::optional<buffer_plan> plan;              ///< the buffers in the order of the text
  byte_count need = 0;                          ///< bytes of the plan
  double step = 0;                              ///< seconds of one run; 0 before `complete()`
  double exposed = 0;                           ///< the part of them spent waiting for transfers

  /// The module.
  const hlo_module& module() const { return file.modules()[number]; }
  /// Makes the other members, with times if there is a device.
  void complete(const std::optional<device>& on) {
    if (rules) return;
    rules = std::make_unique<schedule_constraints>(made->sets());
    live = std::make_unique<live_model>(*made, std::max<byte_count>(1, need / 10'000));
    live->find_handovers();
    numbers.emplace(made->flow().tables());
    if (!on) return;
    const exposed_time time(module(), *on);
    step = time.step(), exposed = time.exposed();
  }
};

/// Makes the states of one module.
class module_editor {
 public:
  using state = std::unique_ptr<edited_module>;  ///< null only where a function allows it

  /// Precondition: the module is scheduled.
  module_editor(const hlo_module& module, const advice_options& how) : how_(how), first_(module) {
    const parsed_file whole = parse_hlo(module.text());
    for (std::size_t k = 0; k < whole.modules().size(); ++k)
      if (whole.modules()[k].data().extent.begin == module.data().extent.begin)
        number_ = k, first_ = whole.modules()[k];
    // Lines can be moved, and what stands in operands cannot.
    std::optional<std::string> spelled = text_with_elements(first_);
    if (!spelled) return;
    const parsed_file again = parse_hlo(source(std::move(*spelled), std::string(module.text().path())));
    if (again.status == whole.status && number_ < again.modules().size() &&
        detail::same_instructions(first_, again.modules()[number_]))
      first_ = again.modules()[number_];
  }

  /// The module as its text gives it, with a line for each instruction if possible. Edits refer to this one: names that
  /// came from buffer files (`with_element_names`) are in no edited text.
  const hlo_module& first() const { return first_; }

  /// The state without edits.
  state start() const {
    parsed_file file;
    file.modules().push_back(first_);
    state out = make(std::move(file), 0, {});
    out->complete(how_.on);
    return out;
  }
  /// The state of a text; null if the text cannot be read, or if it needs `limit` bytes or more.
  state parsed(std::string text, std::optional<byte_count> limit = {}) const {
    parsed_file file = parse_hlo(source(std::move(text)));
    if (file.status != parse_status::ok || number_ >= file.modules().size()) return nullptr;
    return make(std::move(file), number_, limit);
  }

  /// Bytes that a complete state needs with its instructions in another order; the largest number if the reordered text
  /// cannot be read.
  byte_count need_in(const edited_module& now, const instruction_order& order) const {
    if (now.numbers->hold(order)) return now.made->plan(order.ids()).need;
    const state next = parsed(reordered_text(now.module(), order));
    return next ? next->need : std::numeric_limits<byte_count>::max();
  }

  /// The state after all steps, made one after the other from `start()`; null if a step cannot be made. `described`, if
  /// not null, gets a description of each step.
  state replay(const std::vector<edit_step>& steps, std::vector<schedule_edit>* described) const {
    state now = start();
    std::optional<instruction_order> order;  // of moves that are not in the text yet
    const auto settle = [&] {
      if (!order) return true;
      now = parsed(reordered_text(now->module(), *order));
      if (now) now->complete(how_.on);
      order.reset();
      return now != nullptr;
    };
    for (const edit_step& step : steps) {
      std::optional<std::string> text;
      std::size_t to = 0;
      if (step.kind == edit_kind::move) {
        instruction_order next = order ? *order : instruction_order(now->module());
        const auto move = move_of(step, now->module(), next);
        if (!move) return nullptr;
        next.apply(*move);
        if (!is_legal(next, *now->rules)) return nullptr;
        if (!described) {
          order = std::move(next);
          continue;
        }
        to = move->to, text = reordered_text(now->module(), next);
      } else {
        if (!settle()) return nullptr;
        const auto again = recompute_of(step, *now);
        if (!again) return nullptr;
        to = again->to, text = recomputed_text(now->module(), *again);
      }
      state after = text ? parsed(std::move(*text)) : nullptr;
      if (!after) return nullptr;
      after->complete(how_.on);
      if (described) described->push_back(describe(step, *now, to, *after));
      now = std::move(after);
    }
    return settle() ? std::move(now) : nullptr;
  }

  /// A move as a step. `order` is the order before the move.
  static edit_step step_of(const block_move& move, const instruction_order& order, const hlo_module& module,
                           bool packing) {
    edit_step out;
    const hlo_computation c = module.instruction(move.instructions.front()).computation();
    out.computation = c.name(), out.is_packing = packing;
    out.instructions = names_of(move.instructions, module);
    // The instruction at the new place may belong to the block.
    std::size_t to = move.to;
    while (to < c.instruction_count() && holds(move.instructions, order.at(c, to))) ++to;
    if (to < c.instruction_count()) out.before = module.instruction(order.at(c, to)).name();
    return out;
  }
  /// A recompute as a step.
  static edit_step step_of(const recompute& edit, const hlo_module& module) {
    edit_step out;
    out.kind = edit_kind::recompute;
    out.computation = module.instruction(edit.producer).computation().name();
    out.instructions = {std::string(module.instruction(edit.producer).name())};
    out.bitcasts = names_of(edit.bitcasts, module), out.late_users = names_of(edit.late_users, module);
    return out;
  }

 private:
  state make(parsed_file file, std::size_t number, std::optional<byte_count> limit) const {
    auto out = std::make_unique<edited_module>();
    out->file = std::move(file);
    out->number = number;
    out->made = std::make_unique<buffer_assignment>(out->module(), how_.rules);
    if (limit && out->made->bound().need >= *limit) return nullptr;
    out->plan = out->made->plan();
    out->need = out->plan->need;
    return !limit || out->need < *limit ? std::move(out) : nullptr;
  }

  static std::vector<std::string> names_of(const std::vector<id>& ids, const hlo_module& module) {
    std::vector<std::string> out;
    for (const id i : ids) out.emplace_back(module.instruction(i).name());
    return out;
  }
  // The ids of instructions of one computation; nothing if one is missing.
  static std::optional<std::vector<id>> ids_of(const std::vector<std::string>& names, hlo_computation c) {
    std::vector<id> out;
    for (const std::string& name : names) {
      const hlo_instruction i = c.find(name);
      if (!i) return std::nullopt;
      out.push_back(i.id());
    }
    return out;
  }
  static std::optional<block_move> move_of(const edit_step& step, const hlo_module& module,
                                           const instruction_order& order) {
    const hlo_computation c = module.find_computation(step.computation);
    const auto ids = c ? ids_of(step.instructions, c) : std::nullopt;
    if (!ids) return std::nullopt;
    block_move out{*ids, c.instruction_count()};
    if (step.before.empty()) return out;
    const hlo_instruction before = c.find(step.before);
    if (!before) return std::nullopt;
    out.to = order.place_of(before.id());
    return out;
  }
  std::optional<recompute> recompute_of(const edit_step& step, const edited_module& now) const {
    const hlo_computation c = now.module().find_computation(step.computation);
    const auto producer = c ? ids_of(step.instructions, c) : std::nullopt;
    auto bitcasts = c ? ids_of(step.bitcasts, c) : std::nullopt;
    auto late = c ? ids_of(step.late_users, c) : std::nullopt;
    if (!producer || !bitcasts || !late) return std::nullopt;
    std::sort(late->begin(), late->end());  // in the order of the text ids ascend by place
    recompute out{producer->front(), std::move(*bitcasts), std::move(*late), 0};
    out.to = now.module().instruction(out.late_users.front()).index_in_computation();
    return memory_moves(*now.made, *now.rules, *now.live).can_recompute(out, now.plan->schedule, how_.on.has_value())
               ? std::optional(std::move(out))
               : std::nullopt;
  }

  static schedule_edit describe(const edit_step& step, const edited_module& now, std::size_t to,
                                const edited_module& next) {
    schedule_edit edit;
    const hlo_module& module = now.module();
    const hlo_computation c = module.find_computation(step.computation);
    const hlo_instruction first = c.find(step.instructions.front());
    edit.kind = step.kind, edit.is_packing = step.is_packing;
    edit.instructions = step.instructions, edit.computation = step.computation;
    edit.from = first.index_in_computation(), edit.to = to;
    const auto works = [&](const std::string& name) { return !takes_no_time(c.find(name).opcode()); };
    const auto chief = std::find_if(step.instructions.begin(), step.instructions.end(), works);
    edit.chief = chief == step.instructions.end() ? step.instructions.front() : *chief;
    if (to < c.instruction_count()) edit.before = c.instruction(to).name();
    for (const std::string& name : step.instructions) {
      edit.source = program_place_of(c.find(name)).text();
      if (!edit.source.empty()) break;
    }
    const auto [low, high] = std::minmax(edit.from, to);
    for (std::size_t p = low; p < high && p < c.instruction_count(); ++p) {
      const hlo_instruction i = c.instruction(p);
      if (std::find(step.instructions.begin(), step.instructions.end(), i.name()) != step.instructions.end()) continue;
      edit.crosses_effects = edit.crosses_effects || now.rules->is_effect(i.id());
      edit.crosses_loop = edit.crosses_loop || i.opcode() == hlo_opcode::while_;
      edit.may_hide_transfers = edit.may_hide_transfers || is_transfer(i);
    }
    const auto all = module.instructions();
    edit.may_hide_transfers =
        edit.may_hide_transfers || (edit.crosses_loop && std::any_of(all.begin(), all.end(), is_transfer));
    find_freed(step, now, edit);
    edit.need_before = now.need, edit.need_after = next.need;
    edit.extra_seconds = next.step - now.step, edit.extra_exposed = next.exposed - now.exposed;
    return edit;
  }

  static bool is_transfer(hlo_instruction i) { return is_collective(i.opcode()) || is_transfer_opcode(i.opcode()); }

  // Finds the largest value that the edit frees: one that a block makes later, or that it reads earlier.
  static void find_freed(const edit_step& step, const edited_module& now, schedule_edit& edit) {
    const dataflow& flow = now.made->flow();
    const hlo_computation c = now.module().find_computation(step.computation);
    const auto consider = [&](hlo_instruction of) {
      for (std::uint32_t n = 0; n < flow.tables().places.count(of.id()); ++n)
        flow.for_each_at({of.id(), n}, [&](std::uint32_t v) {
          const storage_set& set = now.made->storage()[now.made->sets().set_of(v)];
          if (set.kind != storage_kind::shared || set.lives_out || set.size <= edit.freed_bytes) return;
          edit.freed_bytes = set.size;
          edit.frees = flow.instruction(flow.values()[v]).name();
        });
    };
    for (const std::string& name : step.instructions) {
      const hlo_instruction i = c.find(name);
      edit.is_product = edit.is_product || is_product(i);
      if (step.kind == edit_kind::recompute || edit.from < edit.to)
        consider(i);
      else
        for (const hlo_instruction operand : i.operands())
          if (operand) consider(operand);
    }
  }
  static bool is_product(hlo_instruction i) {
    if (i.opcode() == hlo_opcode::dot || i.opcode() == hlo_opcode::convolution) return true;
    const auto target = i.opcode() == hlo_opcode::custom_call ? get<custom_call_target>(i) : std::nullopt;
    return target && (target->name.find("gemm") != std::string_view::npos ||
                      target->name.find("matmul") != std::string_view::npos ||
                      target->name.find("conv") != std::string_view::npos);
  }

  advice_options how_;
  hlo_module first_;
  std::size_t number_ = 0;
};

}  // namespace hlolint::advise
