// A module in one state of its schedule, and edits that lead from one state to the next (advise.md 5, 6).
#pragma once

#include <hlolint/advise/edited_text.hpp>
#include <hlolint/advise/instruction_order.hpp>
#include <hlolint/advise/live_model.hpp>
#include <hlolint/advise/memory_moves.hpp>
#include <hlolint/advise/schedule_constraints.hpp>
#include <hlolint/advise/schedule_edit.hpp>
#include <hlolint/advise/value_numbers.hpp>
#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::advise {

/// Whether an order keeps all that has to stay before something else there. Linear.
inline bool is_legal(const instruction_order& order, const schedule_constraints& rules) {
  for (const hlo_instruction i : rules.module().instructions())
    for (const id behind : rules.after(i.id()))
      if (order.place_of(behind) <= order.place_of(i.id())) return false;
  return true;
}

/// An edit by names, which hold in every text that it can be made in.
struct edit_step {
  edit_kind kind = edit_kind::move;       ///< what it does
  std::string computation;                ///< in which all of them stand
  record_list<std::string> instructions;  ///< that move, in their order; the value that is computed again
  std::string before;                     ///< what stands behind them then; empty: nothing
  record_list<std::string> bitcasts;      ///< of a recompute
  record_list<std::string> late_users;    ///< likewise
  bool is_packing = false;                ///< found by its packing
};

/// One module in one state of its text, and all that is made of it.
struct edited_module {
  parsed_file file;                             ///< the text
  std::size_t number = 0;                       ///< of the module in the file
  std::unique_ptr<buffer_assignment> made;      ///< for its order and others
  std::unique_ptr<schedule_constraints> rules;  ///< null before `complete`
  std::unique_ptr<live_model> live;             ///< likewise
  optional<value_numbers> numbers;              ///< likewise
  optional<buffer_plan> plan;                   ///< of the text's order
  byte_count need = 0;                          ///< bytes of that
  double step = 0;                              ///< seconds of one run; 0 before `complete`
  double exposed = 0;                           ///< seconds of it that wait for transfers; likewise

  /// The module.
  const hlo_module& module() const { return file.modules()[number]; }
  /// Makes the rest, with times if there is a device.
  void complete(const optional<device>& on) {
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

/// Makes states of one module.
class module_editor {
 public:
  using state = std::unique_ptr<edited_module>;  ///< never null

  /// Precondition: the module is scheduled.
  module_editor(const hlo_module& module, const advice_options& how) : how_(how), first_(module) {
    const parsed_file whole = parse_hlo(module.text());
    for (std::size_t k = 0; k < whole.modules().size(); ++k)
      if (whole.modules()[k].data().extent.begin == module.data().extent.begin) number_ = k;
  }

  /// The module as it is.
  state start() const {
    parsed_file file;
    file.modules().push_back(first_);
    state out = make(std::move(file), 0, {});
    out->complete(how_.on);
    return out;
  }
  /// The module of a text; null if it cannot be read, or needs no less than `limit`.
  state parsed(std::string text, optional<byte_count> limit = {}) const {
    parsed_file file = parse_hlo(source(std::move(text)));
    if (file.status != parse_status::ok || number_ >= file.modules().size()) return nullptr;
    return make(std::move(file), number_, limit);
  }

  /// Bytes that the text of a complete state needs with its instructions in another order; the largest number if that
  /// cannot be read.
  byte_count need_in(const edited_module& now, const instruction_order& order) const {
    if (now.numbers->hold(order)) return need_of(now.made->plan(order.ids()));
    const state next = parsed(reordered_text(now.module(), order));
    return next ? next->need : std::numeric_limits<byte_count>::max();
  }

  /// The state after steps that are made one after the other from `start()`, each described; null if one of them cannot
  /// be made there.
  state replay(const record_list<edit_step>& steps, record_list<schedule_edit>* described) const {
    state now = start();
    optional<instruction_order> order;  // of moves that are not in the text yet
    const auto settle = [&] {
      if (!order) return true;
      now = parsed(reordered_text(now->module(), *order));
      if (now) now->complete(how_.on);
      order.reset();
      return now != nullptr;
    };
    for (const edit_step& step : steps) {
      if (step.kind == edit_kind::move) {
        const auto move = move_of(step, now->module(), order ? *order : instruction_order(now->module()));
        if (!move) return nullptr;
        instruction_order next = order ? *order : instruction_order(now->module());
        next.apply(*move);
        if (!is_legal(next, *now->rules)) return nullptr;
        if (!described) {
          order = std::move(next);
          continue;
        }
        state after = parsed(reordered_text(now->module(), next));
        if (!after) return nullptr;
        after->complete(how_.on);
        described->push_back(describe(step, *now, move->to, *after));
        now = std::move(after);
        continue;
      }
      if (!settle()) return nullptr;
      const auto again = recompute_of(step, *now);
      auto text = again ? recomputed_text(now->module(), *again) : std::nullopt;
      state after = text ? parsed(std::move(*text)) : nullptr;
      if (!after) return nullptr;
      after->complete(how_.on);
      if (described) described->push_back(describe(step, *now, again->to, *after));
      now = std::move(after);
    }
    return settle() ? std::move(now) : nullptr;
  }

  /// By names; `order`: before the move.
  static edit_step step_of(const block_move& move, const instruction_order& order, const hlo_module& module,
                           bool packing) {
    edit_step out;
    const hlo_computation c = module.instruction(move.instructions.front()).computation();
    out.computation = c.name(), out.is_packing = packing;
    out.instructions = names_of(move.instructions, module);
    // What it goes before may move along.
    std::size_t to = move.to;
    const auto moves = [&](id i) {
      return std::find(move.instructions.begin(), move.instructions.end(), i) != move.instructions.end();
    };
    while (to < c.instruction_count() && moves(order.at(c, to))) ++to;
    if (to < c.instruction_count()) out.before = module.instruction(order.at(c, to)).name();
    return out;
  }
  /// By names.
  static edit_step step_of(const recompute& edit, const hlo_module& module) {
    edit_step out;
    out.kind = edit_kind::recompute;
    out.computation = module.instruction(edit.producer).computation().name();
    out.instructions = {std::string(module.instruction(edit.producer).name())};
    out.bitcasts = names_of(edit.bitcasts, module), out.late_users = names_of(edit.late_users, module);
    return out;
  }

 private:
  state make(parsed_file file, std::size_t number, optional<byte_count> limit) const {
    auto out = std::make_unique<edited_module>();
    out->file = std::move(file);
    out->number = number;
    out->made = std::make_unique<buffer_assignment>(out->module(), how_.rules);
    if (limit && need_of(out->made->bound()) >= *limit) return nullptr;
    out->plan = out->made->plan();
    out->need = need_of(*out->plan);
    return !limit || out->need < *limit ? std::move(out) : nullptr;
  }

  static record_list<std::string> names_of(const record_list<id>& ids, const hlo_module& module) {
    record_list<std::string> out;
    for (const id i : ids) out.emplace_back(module.instruction(i).name());
    return out;
  }
  // All of one computation; nothing if one is missing.
  static optional<record_list<id>> ids_of(const record_list<std::string>& names, hlo_computation c) {
    record_list<id> out;
    for (const std::string& name : names) {
      const hlo_instruction i = c.find(name);
      if (!i) return std::nullopt;
      out.push_back(i.id());
    }
    return out;
  }
  static optional<block_move> move_of(const edit_step& step, const hlo_module& module, const instruction_order& order) {
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
  optional<recompute> recompute_of(const edit_step& step, const edited_module& now) const {
    const hlo_computation c = now.module().find_computation(step.computation);
    const auto producer = c ? ids_of(step.instructions, c) : std::nullopt;
    auto bitcasts = c ? ids_of(step.bitcasts, c) : std::nullopt;
    auto late = c ? ids_of(step.late_users, c) : std::nullopt;
    if (!producer || !bitcasts || !late) return std::nullopt;
    sort_records(*late);  // ids are places here
    recompute out{producer->front(), std::move(*bitcasts), std::move(*late), 0};
    out.to = now.module().instruction(out.late_users.front()).index_in_computation();
    return memory_moves(*now.made, *now.rules, *now.live).can_recompute(out, now.plan->schedule, how_.on.has_value())
               ? optional(std::move(out))
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
    edit.chief = step.instructions.front();
    for (const std::string& name : step.instructions)
      if (!takes_no_time(c.find(name).opcode())) {
        edit.chief = name;
        break;
      }
    if (to < c.instruction_count()) edit.before = c.instruction(to).name();
    for (const std::string& name : step.instructions) {
      const program_place from = program_place_of(c.find(name));
      if (from.at)
        edit.source = from.at.file + ":" + std::to_string(from.at.line);
      else if (!from.op_name.empty())
        edit.source = from.op_name;
      if (!edit.source.empty()) break;
    }
    const auto [low, high] = std::minmax(edit.from, to);
    for (std::size_t p = low; p < high && p < c.instruction_count(); ++p) {
      const hlo_instruction i = c.instruction(p);
      if (std::find(step.instructions.begin(), step.instructions.end(), i.name()) != step.instructions.end()) continue;
      edit.crosses_effects = edit.crosses_effects || now.rules->is_effect(i.id());
      edit.crosses_loop = edit.crosses_loop || i.opcode() == hlo_opcode::while_;
    }
    find_freed(step, now, edit);
    edit.need_before = now.need, edit.need_after = next.need;
    edit.extra_seconds = next.step - now.step, edit.extra_exposed = next.exposed - now.exposed;
    return edit;
  }

  // What a block that moves later makes later, and one that moves earlier has read by then: the largest value of these.
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
