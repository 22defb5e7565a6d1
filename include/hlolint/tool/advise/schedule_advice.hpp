// The search for edits of a schedule that lower the need of a program (advise.md 5, 6).
#pragma once

#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/advise/changes/program_advice.hpp>
#include <hlolint/tool/advise/donation.hpp>
#include <hlolint/tool/advise/edited_module.hpp>
#include <hlolint/tool/advise/memory_moves.hpp>
#include <hlolint/tool/advise/order_walk.hpp>
#include <hlolint/tool/advise/proven_edits.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

class schedule_search {
 public:
  schedule_search(const hlo_module& module, const advice_options& how)
      : how_(how), editor_(module, how), state_(editor_.start()), limit_(*state_, how) {}

  schedule_advice run() {
    schedule_advice out = advice_before(*state_, how_, objective::memory);
    first_need_ = state_->need;
    const bool may_pay = out.need - out.bound >= how_.least_saving;
    if (may_pay && !is_done()) moves_phase();
    if (may_pay && !is_done() && walk_phase(out.bound)) moves_phase();
    if (how_.recomputes && !is_done()) recompute_phase();
    finish(out);
    if (how_.donations || how_.changes) add_proposals(out);
    out.evaluations = evaluations_;
    return out;
  }
  /// What the limit of time refused.
  const std::vector<refused_state>& refused() const { return limit_.refused(); }

 private:
  using state = module_editor::state;

  // --- The result

  static bool is_less(byte_count a, byte_count b) {
    return static_cast<double>(b - a) > 0.002 * static_cast<double>(b);
  }
  void finish(schedule_advice& out) {
    // Keep the first steps, up to the one that reaches the least need.
    std::size_t kept = 0;
    byte_count least = first_need_;
    for (std::size_t k = 0; k < steps_.size(); ++k)
      if (is_less(steps_[k].need, least)) least = steps_[k].need, kept = k + 1;
    std::vector<edit_step> list;
    for (std::size_t k = 0; k < kept; ++k) list.push_back(steps_[k].step);
    if (list.empty()) return;
    // Remove steps that saved nothing by themselves and are not needed for the result.
    const auto gave_nothing = [&](std::size_t k) {
      return steps_[k].is_of_walk || !is_less(steps_[k].need, k == 0 ? first_need_ : steps_[k - 1].need);
    };
    list = without_idle_steps(editor_, std::move(list), gave_nothing, [&](const edited_module& end) {
      ++evaluations_;
      return !is_less(least, end.need) && end.step <= steps_[kept - 1].seconds * 1.0005;
    });
    add_proven_edits(editor_, how_, std::move(list), out);
  }
  void add_proposals(schedule_advice& out) {
    const state end = out.edited ? editor_.parsed(out.text) : editor_.start();
    if (!end) return;
    end->complete(how_.on);
    const edit_proof proof(editor_.first(), how_.rules);
    if (how_.donations) out.donation = advise_donation(editor_, proof, how_, *editor_.start());
    if (how_.changes) out.changes = advise_changes(editor_, proof, how_, limit_, *end);
  }
  bool is_done() const {
    return (how_.target > 0 && state_->need <= how_.target) ||
           (how_.must_save > 0 && first_need_ - state_->need >= how_.must_save) ||
           evaluations_ >= how_.most_evaluations;
  }

  bool is_worth_it(const edited_module& next) { return limit_.allows(*state_, next); }

  // The first and last positions of the three highest peaks, with and without results and donated parameters.
  static std::vector<std::int64_t> peaks_of(const live_profile& profile) {
    std::vector<std::int64_t> out;
    for (const std::vector<byte_count>* const bytes : {&profile.live, &profile.occupied}) add_peaks(*bytes, out);
    sort_unique(out);
    return out;
  }
  static void add_peaks(const std::vector<byte_count>& bytes, std::vector<std::int64_t>& out) {
    struct stretch {
      byte_count most;
      std::int64_t first, last;  // the positions with that many bytes
    };
    byte_count most = 0;
    for (const byte_count b : bytes) most = std::max(most, b);
    const auto floor = static_cast<byte_count>(0.998 * static_cast<double>(most));
    std::vector<stretch> stretches;
    bool inside = false;
    for (std::size_t t = 0; t < bytes.size(); ++t) {
      const bool high = bytes[t] >= floor && bytes[t] > 0;
      const auto at = static_cast<std::int64_t>(t);
      if (high && (!inside || bytes[t] > stretches.back().most)) {
        if (!inside)
          stretches.push_back({bytes[t], at, at});
        else
          stretches.back() = {bytes[t], at, at};
      } else if (high && bytes[t] == stretches.back().most) {
        stretches.back().last = at;
      }
      inside = high;
    }
    std::stable_sort(stretches.begin(), stretches.end(),
                     [](const stretch& a, const stretch& b) { return a.most > b.most; });
    for (std::size_t k = 0; k < stretches.size() && k < 3; ++k) {
      out.push_back(stretches[k].first);
      out.push_back(stretches[k].last);
    }
  }

  struct candidate {
    block_move move;
    byte_count peak = 0;
    double area = 0;
    double score = 0;
    byte_count need = 0;
  };

  // Evaluates moves by the model, and the best of them by the exact assignment. Best first.
  std::vector<candidate> judged(std::vector<block_move> moves, const live_profile& now, std::size_t most_exact) {
    std::vector<candidate> out;
    const instruction_order start(state_->module());
    for (block_move& m : moves) {
      if (evaluations_ >= how_.most_evaluations) break;
      ++evaluations_;
      instruction_order order = start;
      order.apply(m);
      const live_profile p =
          state_->live->evaluate(flat_schedule(state_->made->flow().tables(), order.ids()), now.peak);
      const double penalty = 1e-5 * static_cast<double>(m.instructions.size()) * static_cast<double>(now.peak);
      out.push_back({std::move(m), p.peak, p.area, static_cast<double>(p.peak) + penalty + 1e-6 * p.area, 0});
    }
    std::stable_sort(out.begin(), out.end(), [](const candidate& a, const candidate& b) { return a.score < b.score; });
    if (out.size() > most_exact) out.resize(most_exact);
    // Among moves that save about the same, prefer the one of the fewest instructions. Do not pack moves that cannot be
    // among the best.
    byte_count least = state_->need;
    for (candidate& c : out) {
      instruction_order order = start;
      order.apply(c.move);
      ++evaluations_;
      c.need = state_->made->bound(order.ids()).need;
      if (static_cast<double>(c.need) > static_cast<double>(least) + 0.005 * static_cast<double>(state_->need - least))
        c.need = std::max(c.need, state_->need + 1);
      else
        c.need = editor_.need_in(*state_, order);
      least = std::min(least, c.need);
    }
    const auto near = least + static_cast<byte_count>(0.005 * static_cast<double>(state_->need - least));
    std::stable_sort(out.begin(), out.end(), [&](const candidate& a, const candidate& b) {
      const auto key = [&](const candidate& c) {
        return std::tuple(std::max(c.need, near), c.move.instructions.size(), c.need);
      };
      return key(a) < key(b);
    });
    return out;
  }

  bool accept_move(const candidate& c, bool packing) {
    const instruction_order before(state_->module());
    instruction_order order = before;
    order.apply(c.move);
    state next = editor_.parsed(reordered_text(state_->module(), order));
    if (!next || next->need > state_->need) return false;
    next->complete(how_.on);
    if (!is_worth_it(*next)) return false;
    take(module_editor::step_of(c.move, before, state_->module(), packing), std::move(next));
    return true;
  }
  void take(edit_step step, state next) {
    steps_.push_back({std::move(step), next->need, next->step, false});
    state_ = std::move(next);
  }

  void moves_phase() {
    std::size_t idle = 0;
    while (!is_done() && idle < 8 && steps_.size() < 64) {
      const memory_moves moves(*state_->made, *state_->rules, *state_->live);
      const live_profile now = state_->live->evaluate(state_->plan->schedule, {}, true);
      const std::vector<std::int64_t> peaks = peaks_of(now);
      const byte_count before = state_->need;
      const std::vector<candidate> found =
          judged(moves.at(peaks, now, state_->plan->schedule, instruction_order(state_->module())), now, 12);
      // Moves that save nothing by themselves come last: they may spoil what a change of the packing would save.
      bool taken = std::any_of(found.begin(), found.end(),
                               [&](const candidate& c) { return c.need < state_->need && accept_move(c, false); });
      taken = taken || packing_step(now);
      taken = taken || std::any_of(found.begin(), found.end(), [&](const candidate& c) {
                const bool is_lower = c.peak < now.peak || (c.peak == now.peak && c.area < 0.99 * now.area);
                return c.need == state_->need && is_lower && accept_move(c, false);
              });
      if (!taken) break;
      idle = static_cast<double>(before - state_->need) > 0.0005 * static_cast<double>(before) ? 0 : idle + 1;
    }
  }
  static constexpr std::size_t most_places = 400;
  // The time of a packing is about proportional to the number of instructions.
  std::size_t most_packed() const {
    return std::clamp<std::size_t>(200'000 / std::max<std::size_t>(1, state_->module().instruction_count()), 12, 400);
  }
  // If packing loses more than the model shows, tries moves where the topmost values begin and end.
  bool packing_step(const live_profile& now) {
    const bool is_small = state_->module().instruction_count() <= 500;  // trying all is fast
    if (!is_small && static_cast<double>(state_->need) <= 1.003 * static_cast<double>(now.peak)) return false;
    const buffer_plan& plan = *state_->plan;
    byte_count top = 0;
    for (std::size_t v = 0; v < plan.values.size(); ++v)
      if (plan.values[v].allocation != none) top = std::max(top, plan.values[v].offset + plan.values[v].size);
    std::vector<std::int64_t> places = peaks_of(now);
    for (std::size_t v = 0; v < plan.values.size() && places.size() < 24; ++v)
      if (plan.values[v].allocation != none && plan.values[v].offset + plan.values[v].size >= top - top / 100 &&
          plan.values[v].offset > 0 && plan.ranges[v].start <= plan.ranges[v].end) {
        places.push_back(plan.ranges[v].start);
        places.push_back(std::min(plan.ranges[v].end, plan.schedule.size() - 1));
      }
    if (packed_at(places, now)) return true;
    if (!is_small) return false;
    // Then moves where any large value begins or ends, since values elsewhere influence the packing too.
    places.clear();
    for (const live_buffer& b : now.buffers) {
      if (b.size < state_->need / 200 || places.size() > most_places) continue;
      places.push_back(b.range.start);
      places.push_back(std::min(b.range.end, plan.schedule.size() - 1));
    }
    return packed_at(places, now);
  }
  // Makes the best move at these positions that saves at least 0.5 %; returns whether there is one.
  bool packed_at(std::vector<std::int64_t> places, const live_profile& now) {
    sort_unique(places);
    const memory_moves moves(*state_->made, *state_->rules, *state_->live);
    for (const candidate& c : judged(moves.at(places, now, state_->plan->schedule, instruction_order(state_->module())),
                                     now, most_packed())) {
      if (static_cast<double>(state_->need - c.need) < 0.005 * static_cast<double>(state_->need)) return false;
      if (accept_move(c, true)) return true;
    }
    return false;
  }

  // If the need is still far above the bound, tries several moves at a time, none of which has to help by itself.
  bool walk_phase(byte_count bound) {
    if (static_cast<double>(state_->need) <= 1.005 * static_cast<double>(bound)) return false;
    const hlo_module module = state_->module();
    const memory_moves moves(*state_->made, *state_->rules, *state_->live);
    order_walk walk(*state_, moves);
    const std::vector<block_move> found = walk.moves_to_less(bound, most_walked(walk.movable()));
    evaluations_ += walk.evaluations();
    if (found.empty() || found.size() > 32) return false;
    instruction_order order(module);
    std::vector<taken_step> steps;
    for (const block_move& m : found) {
      edit_step step = module_editor::step_of(m, order, module, false);
      order.apply(m);
      steps.push_back({std::move(step), editor_.need_in(*state_, order), 0, true});
    }
    state next = editor_.parsed(reordered_text(module, order));
    if (!next || !is_less(next->need, state_->need)) return false;
    next->complete(how_.on);
    if (!is_worth_it(*next)) return false;
    for (taken_step& s : steps) {
      s.seconds = next->step;
      steps_.push_back(std::move(s));
    }
    state_ = std::move(next);
    return true;
  }
  // Every order of the walk takes an assignment, whose time is proportional to the number of instructions.
  std::size_t most_walked(std::size_t movable) const {
    const std::size_t n = std::max<std::size_t>(1, state_->module().instruction_count());
    const std::size_t left = how_.most_evaluations - std::min(how_.most_evaluations, evaluations_);
    return n > 2'500 ? 0 : std::min<std::size_t>({3'000, 1'000'000 / n, 60 * movable, left});
  }

  void recompute_phase() {
    for (int round = 0; round < 16 && !is_done(); ++round) {
      const memory_moves moves(*state_->made, *state_->rules, *state_->live);
      const live_profile now = state_->live->evaluate(state_->plan->schedule, {}, true);
      const instruction_order order(state_->module());
      auto limit = static_cast<byte_count>(0.998 * static_cast<double>(state_->need));
      state best;
      std::optional<recompute> chosen;
      for (const recompute& edit :
           moves.recomputes(peaks_of(now), now, state_->plan->schedule, order, 12, how_.on.has_value())) {
        ++evaluations_;
        auto text = recomputed_text(state_->module(), edit);
        state next = text ? editor_.parsed(std::move(*text), limit) : nullptr;
        if (!next) continue;
        next->complete(how_.on);
        if (!is_worth_it(*next)) continue;
        limit = next->need;
        best = std::move(next), chosen = edit;
      }
      if (!best) return;
      take(module_editor::step_of(*chosen, state_->module()), std::move(best));
      moves_phase();
    }
  }

  struct taken_step {
    edit_step step;
    byte_count need = 0;      // after the step
    double seconds = 0;       // of the module after the step; for a walk, after its last step
    bool is_of_walk = false;  // not known to be necessary
  };

  advice_options how_;
  module_editor editor_;
  state state_;
  time_limit limit_;
  byte_count first_need_ = 0;
  std::size_t evaluations_ = 0;
  std::vector<taken_step> steps_;
};

// The need with all edits and changes of the program, and the time that they add to a step.
inline byte_count need_with_all(const schedule_advice& advice) {
  return advice.changes ? advice.changes->need_after : advice.after;
}
inline double seconds_of_all(const schedule_advice& advice) {
  double out = advice.step_after.value_or(0) - advice.step.value_or(0);
  if (advice.changes)
    for (const program_change& change : advice.changes->list) out += change.extra_seconds;
  return out;
}
// Of what was refused, the least limit of time that saves a further 3 % of the need: less is not worth another search.
// Rounded up to a thousandth of the step, as the command line takes it.
inline std::optional<double> next_limit(const std::vector<refused_state>& refused, byte_count first, byte_count least) {
  std::optional<double> out;
  for (const refused_state& r : refused)
    if (least - r.need >= first / 32 && (!out || r.most_time < *out)) out = r.most_time;
  if (out) *out = std::ceil(*out * 1000 + 1e-6) / 1000;
  return out;
}

}  // namespace detail

/// The need of a module, as the search computes it. Precondition: as in `advise_memory`.
inline byte_count need_without_edits(const hlo_module& module, const advice_options& how) {
  return module_editor(module, how).start()->need;
}

/// Finds edits of a module's schedule that lower its need, each proven by XLA's assignment of the edited text. If the
/// limit of time refuses some that save more, the search is made again with the limits that allow them, for `trades`.
/// Precondition: the module is scheduled and has an entry.
inline schedule_advice advise_memory(const hlo_module& module, const advice_options& how) {
  detail::schedule_search search(module, how);
  schedule_advice out = search.run();
  std::vector<refused_state> refused = search.refused();
  byte_count least = detail::need_with_all(out);
  const auto is_enough = [&](byte_count need) {
    return (how.target > 0 && need <= how.target) || (how.must_save > 0 && out.need - need >= how.must_save);
  };
  advice_options more = how;
  more.donations = false;
  for (std::size_t k = 0; k < how.most_trades && !is_enough(least); ++k) {
    const std::optional<double> limit = detail::next_limit(refused, out.need, least);
    more.most_evaluations -= std::min(more.most_evaluations, out.evaluations);
    if (!limit || *limit <= more.most_time || more.most_evaluations == 0) break;
    more.most_time = *limit;
    detail::schedule_search again(module, more);
    const schedule_advice found = again.run();
    out.evaluations += found.evaluations;
    refused = again.refused();
    const byte_count need = detail::need_with_all(found);
    if (need >= least) continue;
    least = need;
    out.trades.push_back({*limit, need, detail::seconds_of_all(found), found.edits.size(),
                          found.changes ? found.changes->list.size() : 0});
  }
  return out;
}

}  // namespace hlolint::advise
