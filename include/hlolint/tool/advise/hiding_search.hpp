// The search for edits of a schedule that hide transfers behind work (advise.md 10).
#pragma once

#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/analysis/time/transfer_queue.hpp>
#include <hlolint/tool/advise/block_mover.hpp>
#include <hlolint/tool/advise/edited_module.hpp>
#include <hlolint/tool/advise/memory_moves.hpp>
#include <hlolint/tool/advise/proven_edits.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

// Transfers of one computation that wait for each other, and the work that may run beside at least one of them.
struct transfer_group {
  hlo_computation computation;
  std::size_t queue = 0;
  double runs = 0, seconds = 0, exposed = 0;  // seconds of one run; seconds of a step spent waiting
  std::vector<bool> beside;                   // by place in the computation
};

/// The least seconds for which the device waits in any order: for transfers that wait for each other, their time
/// without the work that may run beside them, each piece of work counted once. Quadratic in the instructions of
/// computations with transfers.
class least_exposed_time {
 public:
  least_exposed_time(const schedule_constraints& rules, const exposed_time& time)
      : rules_(rules), work_(time.seconds(), 1), queues_(time.on().is_tpu()) {
    for (const exposed_transfer& t : time.transfers()) {
      if (t.computes || !t.in_step || t.exposed <= 0) continue;
      if (t.synchronous || !t.done)
        seconds_ += t.exposed;
      else if (t.start.computation() == t.done.computation())  // else it spans two iterations
        groups_.push_back(group_of(t));
    }
    while (groups_.size() <= most_groups && join_two()) {
    }
    for (const transfer_group& g : groups_) seconds_ += least(g);
  }
  double seconds() const { return seconds_; }

 private:
  static constexpr std::size_t most_groups = 64;

  transfer_group group_of(const exposed_transfer& t) {
    const hlo_computation c = t.start.computation();
    transfer_group out{c, queues_.of(t.start, t.time), t.runs, t.time.seconds(), t.exposed, {}};
    std::vector<bool> reached(c.instruction_count());
    const auto mark = [&](id from, bool forward) {
      std::vector<id> open{from};
      while (!open.empty()) {
        const id i = open.back();
        open.pop_back();
        for (const id next : forward ? rules_.after(i) : rules_.before(i))
          if (const std::size_t at = rules_.module().instruction(next).index_in_computation(); !reached[at]) {
            reached[at] = true;
            open.push_back(next);
          }
      }
    };
    mark(t.start.id(), false), mark(t.done.id(), true);
    for (const bool is_there : reached) out.beside.push_back(!is_there);
    return out;
  }
  double least(const transfer_group& g) {
    double beside = 0;
    for (std::size_t p = 0; p < g.beside.size(); ++p)
      if (g.beside[p]) beside += work_.with_calls(g.computation.instruction(p));
    return std::min(g.exposed, g.runs * std::max(0.0, g.seconds - beside));
  }
  // Joins two groups if they wait longer together than one by one, since they share work.
  bool join_two() {
    for (std::size_t a = 0; a < groups_.size(); ++a)
      for (std::size_t b = a + 1; b < groups_.size(); ++b) {
        if (groups_[a].computation != groups_[b].computation || groups_[a].queue != groups_[b].queue) continue;
        transfer_group both = groups_[a];
        both.seconds += groups_[b].seconds, both.exposed += groups_[b].exposed;
        for (std::size_t p = 0; p < both.beside.size(); ++p) both.beside[p] = both.beside[p] || groups_[b].beside[p];
        if (least(both) <= (least(groups_[a]) + least(groups_[b])) * (1 + 1e-9)) continue;
        groups_[a] = std::move(both);
        groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(b));
        return true;
      }
    return false;
  }

  const schedule_constraints& rules_;
  hlolint::detail::summed_work work_;
  hlolint::detail::transfer_queues queues_;
  std::vector<transfer_group> groups_;
  double seconds_ = 0;
};

class hiding_search {
 public:
  hiding_search(const hlo_module& module, const advice_options& how)
      : how_(how), editor_(module, how), state_(editor_.start()) {}

  schedule_advice run() && {
    schedule_advice out = advice_before(*state_, how_, objective::time);
    first_step_ = state_->step;
    most_need_ = how_.target > 0
                     ? std::max(how_.target, state_->need)
                     : state_->need + static_cast<byte_count>(how_.most_memory * static_cast<double>(state_->need));
    {
      const exposed_time time(state_->module(), *how_.on);
      out.least_exposed = least_exposed_time(*state_->rules, time).seconds();
    }
    for (int pass = 0; pass < 4 && is_open(); ++pass)
      if (!one_pass()) break;
    const auto any = [](std::size_t) { return true; };
    steps_ = without_idle_steps(editor_, std::move(steps_), any, [&](const edited_module& end) {
      return end.need <= most_need_ && end.step <= state_->step + 2e-5 * first_step_;
    });
    add_proven_edits(editor_, how_, steps_, out);
    out.evaluations = evaluations_;
    return out;
  }

 private:
  using state = module_editor::state;

  bool is_open() const { return evaluations_ < how_.most_evaluations && steps_.size() < 64; }

  // Tries to hide each exposed transfer, the worst first.
  bool one_pass() {
    std::vector<std::string> names;
    {
      const exposed_time time(state_->module(), *how_.on);
      for (const exposed_transfer& t : time.worst_first())
        if (!t.synchronous && t.done && t.exposed > 1e-4 * first_step_) names.emplace_back(t.start.name());
    }
    bool any = false;
    for (const std::string& name : names)
      while (is_open() && improve(name)) any = true;
    return any;
  }

  struct timed_move {
    block_move move;
    double step = 0;
  };
  bool improve(const std::string& transfer) {
    const std::vector<block_move> moves = moves_for(transfer);
    std::vector<timed_move> timed;
    for (const block_move& m : moves) {
      if (!is_open()) break;
      ++evaluations_;
      instruction_order order(state_->module());
      order.apply(m);
      const parsed_file file = parse_hlo(source(reordered_text(state_->module(), order)));
      if (file.status != parse_status::ok || state_->number >= file.modules().size()) continue;
      const double step = exposed_time(file.modules()[state_->number], *how_.on).step();
      if (step < state_->step - 2e-5 * first_step_) timed.push_back({m, step});
    }
    std::stable_sort(timed.begin(), timed.end(),
                     [](const timed_move& a, const timed_move& b) { return a.step < b.step; });
    for (std::size_t k = 0; k < timed.size() && k < 6; ++k) {
      const instruction_order before(state_->module());
      instruction_order order = before;
      order.apply(timed[k].move);
      state next = editor_.parsed(reordered_text(state_->module(), order));
      if (!next || next->need > most_need_) continue;
      next->complete(how_.on);
      if (next->step >= state_->step) continue;
      steps_.push_back(module_editor::step_of(timed[k].move, before, state_->module(), false));
      state_ = std::move(next);
      return true;
    }
    return false;
  }

  // Moves that start the transfer earlier, end it later, or bring work from outside into its window.
  std::vector<block_move> moves_for(const std::string& transfer) {
    std::vector<block_move> out;
    const exposed_time time(state_->module(), *how_.on);
    const exposed_transfer* found = nullptr;
    for (const exposed_transfer& t : time.transfers())
      if (t.start.name() == transfer && t.done && t.exposed > 0) found = &t;
    if (!found || found->start.computation() != found->done.computation()) return out;
    const hlo_computation c = found->start.computation();
    if (!has_own_lines(c)) return out;
    const instruction_order order(state_->module());
    const block_mover mover(*state_->rules, order);
    hlolint::detail::summed_work work(time.seconds(), 1);
    const id start = found->start.id(), done = found->done.id();
    const std::size_t s = order.place_of(start), d = order.place_of(done);

    // The done moves with the instructions after it that take no time, the start with those before it.
    std::vector<id> late{done}, early{start};
    extend(late, true), extend(early, false);
    order.sort(late), order.sort(early);
    if (free_to_move(late))
      if (const std::size_t to = mover.latest(late, c); to > order.place_of(late.back()) + 1) out.push_back({late, to});
    if (free_to_move(early))
      if (const std::size_t to = mover.earliest(early); to < order.place_of(early.front())) out.push_back({early, to});

    // Work from outside of the window, the longest first.
    struct work_item {
      double seconds;
      hlo_instruction at;
    };
    std::vector<work_item> items;
    for (const hlo_instruction i : c.instructions()) {
      const std::size_t p = order.place_of(i.id());
      if (p >= s && p <= d) continue;
      if (const double seconds = work.with_calls(i); seconds > 0.05 * found->exposed_each())
        items.push_back({seconds, i});
    }
    std::stable_sort(items.begin(), items.end(),
                     [](const work_item& a, const work_item& b) { return a.seconds > b.seconds; });
    std::size_t taken = 0;
    for (const work_item& item : items) {
      if (taken == 10) break;
      const id only[] = {item.at.id()};
      const bool from_behind = order.place_of(item.at.id()) > d;
      const std::vector<id> block =
          from_behind ? mover.closure(only, false, d, c.instruction_count(), 150) : mover.closure(only, true, 0, s, 80);
      if (block.empty() || holds(block, from_behind ? done : start)) continue;
      out.push_back({block, from_behind ? d : s + 1}), ++taken;
    }
    return out;
  }
  void extend(std::vector<id>& block, bool forward) const {
    for (std::size_t k = 0; k < block.size(); ++k)
      for (const id next : forward ? state_->rules->after(block[k]) : state_->rules->before(block[k])) {
        const hlo_instruction i = state_->module().instruction(next);
        if (takes_no_time(i.opcode()) && !state_->rules->is_fixed(next) && !holds(block, next)) block.push_back(next);
      }
  }
  bool free_to_move(const std::vector<id>& block) const {
    return std::none_of(block.begin(), block.end(), [&](id i) { return state_->rules->is_fixed(i); });
  }

  advice_options how_;
  module_editor editor_;
  state state_;
  double first_step_ = 0;
  byte_count most_need_ = 0;
  std::size_t evaluations_ = 0;
  std::vector<edit_step> steps_;
};

}  // namespace detail

/// Finds edits of a module's schedule that hide transfers behind independent work, each proven by the estimate of the
/// edited text. Preconditions: the module is scheduled and has an entry, and `how` has a device.
inline schedule_advice advise_time(const hlo_module& module, const advice_options& how) {
  return detail::hiding_search(module, how).run();
}

}  // namespace hlolint::advise
