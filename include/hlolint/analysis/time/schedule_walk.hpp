// Simulates the schedule of a module with a clock and one queue for each transfer engine (time_model.md 6.1, 6.2).
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/time/schedule_record.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/analysis/time/transfer_queue.hpp>
#include <hlolint/analysis/time/transfer_time.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hlolint {

/// A loop is walked twice: the second iteration represents all later ones, since a transfer may start in one iteration
/// and be awaited in the next. A walk visits at most `most_visits` times as many instructions as the module has.
class schedule_walk {
 public:
  static constexpr std::size_t most_visits = 64;  ///< per instruction
  static constexpr int deepest = 128;             ///< maximum call depth

  /// Precondition: the module is scheduled. Refers to `work` and `transfers`. `record`, if not null, receives the
  /// timeline.
  schedule_walk(const hlo_module& module, const work_times& work, const transfer_times& transfers, assumed_trips trips,
                schedule_record* record = nullptr)
      : work_(work, module, trips.times),
        times_(transfers),
        trips_(trips),
        record_(record ? *record : off_),
        queues_(work.on().is_tpu()),
        pending_(module.instruction_count(), pending_values::nothing),
        of_(module.instruction_count(), none),
        runs_(module.computation_count()),
        left_(most_visits * module.instruction_count() + most_visits) {
    if (const hlo_computation entry = module.entry())
      run(entry, {});
    else
      run_parts(module);
    record_.finish();
    finish();
  }

  /// The results, as in `exposed_time`. @{
  double step() const { return now_; }
  double compute() const { return compute_; }
  const std::vector<exposed_transfer>& transfers() const { return found_; }
  double runs_of(hlo_computation c) const { return runs_[c.id()]; }
  const std::vector<hlo_instruction>& unproven_loops() const { return unproven_; }
  bool is_complete() const { return complete_; }
  const std::vector<detail::transfer_queue>& queues() const { return queues_.all(); }
  const detail::summed_work& seconds() const { return work_; }
  /// @}

 private:
  using pending_values = detail::pending_values;
  using handle = pending_values::handle;

  /// One run of a transfer, and its repetitions.
  struct event {
    id transfer = none;
    double times = 1, runs = 0, exposed = 0, work = 0, queued = 0;
    id blocker = none;
    bool aside = false;  ///< in a branch that is not the slowest
  };
  /// One run of a computation, and its repetitions.
  struct visit {
    id computation = none;
    double times = 1;
  };
  /// The ends of the lists at some time.
  struct mark {
    std::size_t events, visits;
    double compute;
  };

  mark here() const { return {events_.size(), visits_.size(), compute_}; }
  /// Multiplies everything since a mark.
  void repeat(const mark& since, double times) {
    for (std::size_t i = since.events; i < events_.size(); ++i) events_[i].times *= times;
    for (std::size_t i = since.visits; i < visits_.size(); ++i) visits_[i].times *= times;
    compute_ = since.compute + (compute_ - since.compute) * times;
  }

  /// For truncated text: runs each part that surely runs, separately.
  void run_parts(const hlo_module& module) {
    const call_graph calls(module);
    for (const hlo_computation c : module.computations()) {
      if (!calls.is_sequential(c)) continue;
      bool is_called = false;
      for (const hlo_instruction by : calls.callers(c)) is_called = is_called || calls.is_sequential(by.computation());
      if (!is_called) run(c, {});
    }
  }

  /// Runs a computation and returns its pending result. `arguments`: by parameter number.
  handle run(hlo_computation c, const std::vector<handle>& arguments) {
    const std::size_t count = c.instruction_count();
    if (depth_ == deepest || count > left_) {
      complete_ = false;
      const double sum = work_.of(c);
      now_ += sum, compute_ += sum;
      return pending_values::nothing;
    }
    left_ -= count;
    ++depth_;
    visits_.push_back({c.id(), 1});
    for (const hlo_instruction i : c.instructions()) pending_[i.id()] = step(i, arguments);
    --depth_;
    return c.root() ? pending_[c.root().id()] : pending_values::nothing;
  }

  handle of_operand(hlo_instruction i, std::size_t k) const {
    const hlo_instruction operand = operand_of(i, k);
    return operand && operand.id() < i.id() ? pending_[operand.id()] : pending_values::nothing;
  }
  handle first_pending(hlo_instruction i) const {
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      if (const handle h = of_operand(i, k); h != pending_values::nothing) return h;
    return pending_values::nothing;
  }

  handle step(hlo_instruction i, const std::vector<handle>& arguments) {
    switch (i.opcode()) {
      using enum hlo_opcode;
      case parameter: {
        const auto number = parameter_position(i);
        return number && *number < arguments.size() ? arguments[*number] : pending_values::nothing;
      }
      case tuple: {
        std::vector<std::pair<std::uint32_t, handle>> elements;
        for (std::size_t k = 0; k < i.operand_count(); ++k)
          if (const handle h = of_operand(i, k); h != pending_values::nothing)
            elements.emplace_back(static_cast<std::uint32_t>(k), h);
        return values_.add_tuple(elements);
      }
      case get_tuple_element: {
        const handle whole = of_operand(i, 0);
        if (whole == pending_values::nothing) return whole;
        return values_.element(whole, static_cast<std::uint32_t>(get_integer(i, attribute_key::index).value_or(0)));
      }
      case async_start: return binds_operands_later(i) ? pending_values::nothing : begin_work(i);
      case async_update: {
        const hlo_instruction start = operand_of(i, 0);
        if (!start || i.operand_count() < 2 || !binds_operands_later(start)) return first_pending(i);
        const handle begun = begin_work(start);
        if (const id entry = of_[start.id()]; entry != none) found_[entry].begins = i;
        return begun;
      }
      case while_: return loop(i);
      case conditional: return branches(i);
      case call: {
        const hlo_computation called = first_called(i);
        if (!called) break;
        std::vector<handle> given;
        for (std::size_t k = 0; k < i.operand_count(); ++k) given.push_back(of_operand(i, k));
        return run(called, given);
      }
      default: break;
    }
    return is_free(i) ? first_pending(i) : begin_work(i);
  }

  /// Begins what an instruction does.
  handle begin_work(hlo_instruction i) {
    const transfer_role role = times_.sources().role_of(i);
    if (role == transfer_role::finishes) return finish_transfer(i);
    if (role == transfer_role::starts) return start_transfer(i);
    if (role == transfer_role::synchronous) return run_transfer(i);
    if (i.opcode() == hlo_opcode::async_start) return start_computation(i);
    const double seconds = work_.of(i);
    record_.add_work(i, now_, now_ + seconds);
    now_ += seconds, compute_ += seconds;
    if (i.opcode() != hlo_opcode::fusion) return pending_values::nothing;
    for (std::size_t k = 0; k < i.operand_count(); ++k)  // a TPU fusion that carries a transfer on
      if (const handle h = of_operand(i, k); values_.transfer(h)) return h;
    return pending_values::nothing;
  }

  /// The entry of the list for the transfer that an instruction starts.
  id entry_of(hlo_instruction i, const transfer_time& time, bool synchronous) {
    if (of_[i.id()] == none) {
      of_[i.id()] = static_cast<id>(found_.size());
      exposed_transfer& added = found_.emplace_back();
      added.start = added.begins = i, added.time = time, added.synchronous = synchronous;
    }
    return of_[i.id()];
  }

  /// Appends a transfer of `seconds` to a queue.
  handle enqueue(id transfer, std::size_t queue, double seconds) {
    const detail::transfer_queue before = queues_.before(queue);
    detail::transfer_queue& q = queues_[queue];
    const double begin = std::max(now_, before.free);
    const auto lane = static_cast<std::uint32_t>(queue) + 1;
    const std::size_t block = record_.add(found_[transfer].start.id(), lane, begin, begin + seconds);
    const handle h =
        values_.add({transfer, now_, begin, begin + seconds, begin > now_ ? before.last : none, block, waited_});
    q.free = begin + seconds, q.last = transfer;
    if (latest_.size() <= transfer) latest_.resize(transfer + 1, pending_values::nothing);
    latest_[transfer] = h;
    return h;
  }

  handle start_transfer(hlo_instruction i) {
    const transfer_time& time = *times_.of(i);
    const bool beside = times_.sources().runs_on_own_stream(i);
    return enqueue(entry_of(i, time, false), beside ? queues_.of_computation(i) : queues_.of(i, time), time.seconds());
  }

  /// Waits until the transfer is over; the computation of a fusion runs beside its collective.
  handle run_transfer(hlo_instruction i) {
    const transfer_time& time = *times_.of(i);
    const id entry = entry_of(i, time, true);
    const double beside = i.opcode() == hlo_opcode::fusion ? work_.of(i) : 0;
    const handle h = enqueue(entry, queues_.of(i, time), time.seconds());
    const pending_transfer& one = *values_.transfer(h);
    const double exposed = std::max(0.0, one.end - now_ - beside);
    const double own = expose_those_before(one, exposed);
    events_.push_back({entry, 1, 1, own, beside, one.begin - one.issued, one.blocker});
    record_.add_work(i, now_, now_ + beside);
    record_.wait(i.id(), one.block, now_ + beside, one.end);
    compute_ += beside;
    waited_ += exposed;
    now_ = std::max(one.end, now_ + beside);
    return is_start_opcode(i.opcode()) || times_.sources().fusion_role(i) ? h : pending_values::nothing;
  }

  /// Of the waiting for a transfer, the part before it began is that of the transfers in front of it in the queue.
  /// Counts it there and returns the rest.
  double expose_those_before(const detail::pending_transfer& one, double waited) {
    const double own = std::min(waited, one.end - one.begin);
    double left = waited - own;
    id at = one.blocker;
    for (std::size_t steps = 0; left > 0 && at != none && steps < latest_.size(); ++steps) {
      const detail::pending_transfer* const front = at < latest_.size() ? values_.transfer(latest_[at]) : nullptr;
      if (!front) break;
      const bool is_last = front->blocker == none || front->blocker == at;
      const double part = is_last ? left : std::min(left, front->end - front->begin);
      events_.push_back({at, 1, 0, part, 0, 0, none});
      left -= part, at = front->blocker;
    }
    return own + left;
  }

  handle start_computation(hlo_instruction i) {
    const hlo_computation wrapped = first_called(i);
    const double seconds = wrapped ? work_.of(wrapped) : 0;
    transfer_time time;
    time.latency = seconds;
    const id entry = entry_of(i, time, false);
    found_[entry].computes = true;
    return enqueue(entry, queues_.of_computation(i), seconds);
  }

  handle finish_transfer(hlo_instruction i) {
    const pending_transfer* one = values_.first_transfer(of_operand(i, 0));
    for (std::size_t k = 1; !one && k < i.operand_count(); ++k) one = values_.transfer(of_operand(i, k));
    if (!one) return pending_values::nothing;
    exposed_transfer& of = found_[one->transfer];
    if (!of.done) of.done = i;
    if (of.synchronous) return pending_values::nothing;  // counted at its start
    const double waited = std::max(0.0, one->end - now_);
    const double own = expose_those_before(*one, waited);
    const double work = std::max(0.0, now_ - one->issued - (waited_ - one->waited));
    events_.push_back({one->transfer, 1, 1, own, work, one->begin - one->issued, one->blocker});
    record_.wait(i.id(), one->block, now_, one->end);
    now_ += waited, waited_ += waited;
    return pending_values::nothing;
  }

  handle loop(hlo_instruction i) {
    handle state = of_operand(i, 0);
    const while_parts parts = parts_of_while(i);
    const hlo_computation condition = parts.condition, body = parts.body;
    const trip_count count = trip_count_of(i);
    const bool known = count.is_proven() || std::find(unproven_.begin(), unproven_.end(), i) != unproven_.end();
    if (!known) unproven_.push_back(i);
    const std::int64_t trips =
        count.basis == trip_basis::unknown ? std::max<std::int64_t>(trips_.times, 1) : count.times;
    if (trips == 0) return state;
    const auto once = [&] {
      if (condition) run(condition, {state});
      if (body) state = run(body, {state});
    };
    const auto quiet = [&] { return state == pending_values::nothing && queues_.are_free(now_); };
    const bool quiet_before = quiet();
    const mark first = here();
    const double begin = now_, waited = waited_;
    const std::size_t recorded = record_.begin_loop(i.id(), now_, static_cast<double>(trips));
    once();
    if (trips == 1) return record_.end_loop(recorded, now_, 0), state;
    const std::size_t needed = (condition ? condition.instruction_count() : 0) + (body ? body.instruction_count() : 0);
    if ((quiet_before && quiet()) || needed > left_) {  // later iterations are equal
      const double later = (now_ - begin) * static_cast<double>(trips - 1);
      const double wait_later = (waited_ - waited) * static_cast<double>(trips - 1);
      if (!quiet()) complete_ = false, state = values_.later(state, later, wait_later), queues_.shift(later);
      repeat(first, static_cast<double>(trips));
      record_.end_loop(recorded, now_, later);
      now_ += later, waited_ += wait_later;
      return state;
    }
    const mark second = here();
    const double middle = now_, middle_waited = waited_;
    const auto before = queues_.state();
    record_.begin_second(recorded, now_);
    once();
    repeat(second, static_cast<double>(trips - 1));
    const double later = (now_ - middle) * static_cast<double>(trips - 2);
    const double wait_later = (waited_ - middle_waited) * static_cast<double>(trips - 2);
    record_.end_loop(recorded, now_, later);
    now_ += later, waited_ += wait_later;
    queues_.shift_since(before, later);
    return values_.later(state, later, wait_later);
  }

  /// Runs all branches; only the slowest one counts.
  handle branches(hlo_instruction i) {
    const double begin = now_, compute = compute_, waited = waited_;
    const auto queues = queues_.state();
    const mark start = here();
    const schedule_record::mark recorded = record_.here();
    schedule_record::part record;
    std::vector<event> events, others;
    std::vector<visit> visits;
    auto best_queues = queues;
    double best = -1, best_compute = compute, best_waited = waited;
    for (std::size_t b = 0; b < i.called_computation_count(); ++b) {
      const hlo_computation branch = i.called_computation(b);
      if (!branch) continue;
      now_ = begin, compute_ = compute, waited_ = waited;
      queues_.restore(queues);
      run(branch, {of_operand(i, b + 1)});
      schedule_record::part own_record = record_.take_since(recorded);
      std::vector<event> own(events_.begin() + static_cast<std::ptrdiff_t>(start.events), events_.end());
      if (now_ > best) {
        best = now_, best_compute = compute_, best_waited = waited_, best_queues = queues_.state();
        events.swap(own);
        record = std::move(own_record);
        visits.assign(visits_.begin() + static_cast<std::ptrdiff_t>(start.visits), visits_.end());
      }
      others.insert(others.end(), own.begin(), own.end());
      events_.resize(start.events);
      visits_.resize(start.visits);
    }
    if (best < 0) return pending_values::nothing;
    record_.put_back(record);
    now_ = best, compute_ = best_compute, waited_ = best_waited;
    queues_.restore(best_queues);
    for (event& e : others) e.aside = true;
    for (const std::vector<event>* list : {&events, &others}) events_.insert(events_.end(), list->begin(), list->end());
    visits_.insert(visits_.end(), visits.begin(), visits.end());
    return pending_values::nothing;
  }

  void finish() {
    for (const visit& v : visits_) runs_[v.computation] += v.times;
    constexpr double much = 0.2;  // as a share of the transfer's own time
    std::vector<double> longest(found_.size());
    for (const event& e : events_)
      if (!e.aside) found_[e.transfer].in_step = true;
    for (const event& e : events_) {
      exposed_transfer& t = found_[e.transfer];
      if (e.aside && t.in_step) continue;
      t.runs += e.runs * e.times, t.exposed += e.exposed * e.times, t.work += e.work * e.times,
          t.queued += e.queued * e.times;
      if (e.blocker != none && e.queued > much * t.time.seconds() && e.queued > longest[e.transfer])
        longest[e.transfer] = e.queued, t.blocker = found_[e.blocker].start;
    }
    // Transfers that are never awaited, or stand only in branches that do not count.
    erase_if(found_, [](const exposed_transfer& t) { return t.runs <= 0 && t.exposed <= 0 && !t.done; });
    std::ranges::stable_sort(found_, {}, [](const exposed_transfer& t) { return t.start.id(); });
    pending_ = {}, events_ = {}, visits_ = {}, values_ = {}, of_ = {};
  }

  using pending_transfer = detail::pending_transfer;

  detail::summed_work work_;
  const transfer_times& times_;
  assumed_trips trips_;
  schedule_record off_{false};
  schedule_record& record_;
  detail::transfer_queues queues_;
  pending_values values_;
  std::vector<handle> pending_;  // by instruction
  std::vector<id> of_;           // by instruction, into found_
  std::vector<handle> latest_;   // by transfer of found_: its last run
  std::vector<exposed_transfer> found_;
  std::vector<event> events_;
  std::vector<visit> visits_;
  std::vector<double> runs_;  // by computation
  std::vector<hlo_instruction> unproven_;
  std::size_t left_;
  int depth_ = 0;
  double now_ = 0, compute_ = 0, waited_ = 0;  // seconds
  bool complete_ = true;
};

}  // namespace hlolint
