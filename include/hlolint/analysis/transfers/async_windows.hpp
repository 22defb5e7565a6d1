// Windows from the start of a transfer to its done, and the work in between (scheduling.md 1, 4 to 7).
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

/// The notation of a transfer.
enum class async_form : std::uint8_t {
  opcode,     ///< `all-gather-start`, `copy-start`, `send`, ...
  wrapped,    ///< `async-start` around a computation, or its sugar `X-start`
  tpu_fusion  ///< a fusion with `AsyncCollectiveStart`
};

/// A start, its done, and the instructions between them in text order, which is the schedule if the module is
/// scheduled.
struct async_window {
  async_form form = async_form::opcode;  ///< the notation
  /// The transfer: all_gather, all_to_all, copy, send, ... or the wrapped op.
  hlo_opcode kind = hlo_opcode::unknown;
  hlo_instruction start;       ///< the start
  hlo_instruction done;        ///< empty if it is missing or in another computation, beyond a loop
  std::size_t done_count = 0;  ///< 1 in a legal module
  /// The instruction with the attributes: the start, the wrapped one, or the one inside the fusion.
  hlo_instruction transfer;
  /// Updates or TPU fusions that carry the transfer on, nearest to the done first.
  std::vector<hlo_instruction> steps;
  std::size_t between = 0;          ///< instructions between start and done
  std::size_t real = 0;             ///< those that work (neither `takes_no_time` nor part of a transfer)
  std::size_t transfers = 0;        ///< those that are starts, updates and dones
  std::optional<bool> is_sync;      ///< XLA's mark, see `sync_flag`
  std::optional<byte_count> bytes;  ///< the bigger side, operands or result, without padding

  /// Whether the transfer is a collective; sends and receives are not.
  bool is_collective() const { return is_synchronous_collective(kind); }
  /// The instructions between start and done; empty without a done. Precondition: there is a start, as in every window
  /// of `async_windows`.
  auto inside() const {
    return view_range{done ? between : 0, detail::views_from<hlo_instruction>{&start.data(), start.id() + 1}};
  }
};

/// How a walk from a done to its start ended.
enum class walk_end : std::uint8_t {
  start,    ///< at the start
  work,     ///< at an instruction that does not pass on what a start makes
  missing,  ///< at an instruction whose operand the text lacks
  too_long  ///< where the caller's limit ended it
};
/// The end of such a walk.
struct start_walk {
  walk_end end = walk_end::work;  ///< why it ended
  hlo_instruction at;             ///< the start, or the last instruction that was reached
};
/// Walks from a done back to its start along first operands, through tuples and their elements. `passes(i, in_tuple)`:
/// whether it goes on through another instruction; `is_start(i, in_tuple)`: whether it ends there; `in_tuple`: whether
/// an element of a tuple is looked for. The walk ends, since operands stand before their users.
start_walk walk_to_start(hlo_instruction done, const auto& passes, const auto& is_start, const auto& is_too_long) {
  std::vector<std::int64_t> path;  // the element that is looked for, innermost last
  std::size_t length = 0;
  hlo_instruction at = done;
  for (hlo_instruction next; at.operand_count() > 0; at = next) {
    if (is_too_long(++length)) return {walk_end::too_long, at};
    next = at.operand(0);
    if (at.opcode() == hlo_opcode::get_tuple_element) {
      path.push_back(get_integer(at, attribute_key::index).value_or(-1));
    } else if (at.opcode() == hlo_opcode::tuple) {
      if (path.empty() || path.back() < 0 || static_cast<std::size_t>(path.back()) >= at.operand_count()) break;
      next = at.operand(static_cast<std::size_t>(path.back()));
      path.pop_back();
    } else if (!(at == done) && !passes(at, !path.empty())) {
      break;
    }
    if (!next || next.id() >= at.id()) return {walk_end::missing, at};
    if (is_start(next, !path.empty())) return {walk_end::start, next};
  }
  return {walk_end::work, at};
}

/// All windows of a module.
class async_windows {
 public:
  /// O(n log n) in the module, at most.
  explicit async_windows(const hlo_module& module)
      : module_(module),
        sources_(module),
        window_of_(module.instruction_count(), none),
        window_around_(module.computation_count(), none) {
    std::vector<hlo_instruction> others;  // that end or carry on a transfer
    for (const hlo_instruction i : module_.instructions()) {
      const async_fusion_role* const role = sources_.fusion_role(i);
      if (is_start_opcode(i.opcode()) || (role && role->starts)) add(i);
      if (is_done_opcode(i.opcode()) || role) others.push_back(i);
    }
    chain_starts started;
    for (const hlo_instruction i : others) {
      const async_fusion_role* const role = sources_.fusion_role(i);
      if (is_done_opcode(i.opcode())) trace(i);
      if (role && role->finishes) trace_fusions(i, *role, started);
      if (role && role->starts && !role->chain.empty()) started[{i.computation().id(), role->chain}] = i.id();
    }
    count();
    enclose();
  }

  /// The first window, in text order of starts.
  auto begin() const { return windows_.begin(); }
  /// One past the last window.
  auto end() const { return windows_.end(); }
  /// The number of windows.
  std::size_t size() const { return windows_.size(); }

  /// The window that an instruction starts, or null.
  const async_window* started_by(hlo_instruction i) const {
    const id at = window_of_[i.id()];
    return at == none || !(windows_[at].start == i) ? nullptr : &windows_[at];
  }
  /// The window in which an instruction runs: the one that it starts, carries on or ends, or that of an instruction
  /// that wraps, fuses or calls its computation, at any depth. Null if it runs step by step, or only some of several
  /// callers are in a window.
  const async_window* around(hlo_instruction i) const {
    const id at = window_of_[i.id()] != none ? window_of_[i.id()] : window_around_[i.computation().id()];
    return at == none ? nullptr : &windows_[at];
  }
  /// Whether a collective, in any form, runs beside other work: it is in a window that XLA did not mark as synchronous.
  /// All rules use this answer.
  bool is_asynchronous(hlo_instruction collective) const {
    const async_window* const w = around(collective);
    return w && !w->is_sync.value_or(false);
  }
  /// Dones whose start is missing or in another computation, beyond a loop.
  const std::vector<hlo_instruction>& unmatched() const { return unmatched_; }

  /// Whether an instruction only begins, continues or ends a transfer.
  bool is_transfer(hlo_instruction i) const {
    const async_fusion_role* const role = sources_.fusion_role(i);
    return is_transfer_opcode(i.opcode()) || (role && (role->starts || role->finishes));
  }
  /// Whether an instruction is work that can hide a transfer.
  bool is_real(hlo_instruction i) const { return !takes_no_time(i.opcode()) && !is_transfer(i); }

 private:
  /// The latest start of each chain in each computation.
  using chain_starts = std::map<std::pair<id, std::string>, id>;

  void add(hlo_instruction start) {
    window_of_[start.id()] = static_cast<id>(windows_.size());
    async_window& w = windows_.emplace_back();
    w.start = w.transfer = start;
    hlo_instruction inner;
    if (start.opcode() == hlo_opcode::async_start) {
      w.form = async_form::wrapped;
      w.kind = start.wrapped_opcode();
      inner = wrapped(start);
    } else if (start.opcode() == hlo_opcode::fusion) {
      w.form = async_form::tpu_fusion;
      inner = sources_.fusion_role(start)->collective;
    } else {
      w.kind = start.opcode() == hlo_opcode::copy_start ? hlo_opcode::copy : collective_kind(start.opcode());
    }
    if (inner) w.transfer = inner, w.kind = inner.opcode();
    w.is_sync = sync_flag(start);
    if (!w.is_sync && !(w.transfer == start)) w.is_sync = sync_flag(w.transfer);
    w.bytes = w.form == async_form::tpu_fusion ? transfer_bytes(w.transfer) : started_bytes(start);
  }

  /// The instruction that an async-start wraps: the collective in it, else the root of its computation.
  hlo_instruction wrapped(hlo_instruction start) const {
    const hlo_instruction transfer = sources_.transfer_of(start);
    return transfer ? transfer : root_of(first_called(start));
  }

  /// Assigns to windows their parts, and computations called only by parts of one window.
  void enclose() {
    const auto belongs = [&](hlo_instruction part, std::size_t window) {
      if (window_of_[part.id()] == none) window_of_[part.id()] = static_cast<id>(window);
    };
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      for (const hlo_instruction step : windows_[w].steps) belongs(step, w);
      if (windows_[w].done) belongs(windows_[w].done, w);
    }
    const calling_instructions calling(module_);
    std::vector<bool> called_otherwise(window_around_.size());
    for (const hlo_computation c : callers_first(calling))
      for (const id at : calling.in(c)) {
        const hlo_instruction caller = module_.instruction(at);
        const id own = window_of_[at] != none ? window_of_[at] : window_around_[c.id()];
        for (const hlo_computation called : caller.called_computations()) {
          if (!called) continue;
          if (own == none) called_otherwise[called.id()] = true;
          window_around_[called.id()] = called_otherwise[called.id()] ? none : own;
        }
      }
  }

  void close(id start, hlo_instruction done, std::vector<hlo_instruction> steps) {
    async_window& w = windows_[window_of_[start]];
    if (w.done_count++ > 0) return;
    w.done = done;
    w.steps = std::move(steps);
  }

  /// Only what the verifier allows stands between a done and its start (scheduling.md 1).
  void trace(hlo_instruction done) {
    std::vector<hlo_instruction> steps;
    const auto passes = [&](hlo_instruction i, bool in_tuple) {
      if (i.opcode() != hlo_opcode::async_update) return passes_on(i);
      steps.push_back(i);
      return !in_tuple;
    };
    const auto is_start = [&](hlo_instruction i, bool in_tuple) {
      return !in_tuple && i.opcode() == start_opcode_of(done.opcode()) && i.computation() == done.computation();
    };
    const start_walk walk =
        walk_to_start(done, passes, is_start, [&](std::size_t length) { return is_too_long(length); });
    if (walk.end == walk_end::start) return close(walk.at.id(), done, std::move(steps));
    if (walk.end != walk_end::too_long) unmatched_.push_back(done);
  }

  static bool passes_on(hlo_instruction i) {
    if (i.opcode() == hlo_opcode::opt_barrier || i.opcode() == hlo_opcode::copy) return true;
    if (i.opcode() != hlo_opcode::custom_call) return false;
    const auto target = get<custom_call_target>(i);
    return target && (target->name == "Sharding" || target->name == "LocalToGlobalShape" ||
                      target->name == "GlobalToLocalShape" || target->name.starts_with("xla.sdy."));
  }

  // Traces a TPU fusion back through tuple elements and fusions that carry a transfer on. The chain's name decides
  // where several transfers meet, and finds a start that operands do not lead to.
  void trace_fusions(hlo_instruction done, const async_fusion_role& role, const chain_starts& started) {
    std::vector<hlo_instruction> to_follow{done}, steps;
    std::unordered_set<id> seen;
    std::size_t length = 0;
    while (!to_follow.empty()) {
      const hlo_instruction at = to_follow.back();
      to_follow.pop_back();
      for (const hlo_instruction operand : at.operands()) {
        if (is_too_long(++length)) return;
        if (!operand || operand.id() >= at.id() || !seen.insert(operand.id()).second) continue;
        const async_fusion_role* const own = sources_.fusion_role(operand);
        const bool same = own && own->chain == role.chain;
        if (same && own->starts) return close(operand.id(), done, std::move(steps));
        if (same && own->carries()) steps.push_back(operand);
        if ((same && own->carries()) || operand.opcode() == hlo_opcode::get_tuple_element ||
            operand.opcode() == hlo_opcode::tuple || operand.opcode() == hlo_opcode::bitcast)
          to_follow.push_back(operand);
      }
    }
    const auto latest = started.find({done.computation().id(), role.chain});
    if (latest != started.end()) return close(latest->second, done, std::move(steps));
    unmatched_.push_back(done);
  }

  // Real paths have a few steps. If all paths together are extremely long, as in malicious input, long ones are given
  // up without a report.
  bool is_too_long(std::size_t length) {
    constexpr std::size_t most_steps = 4'000'000, enough = 64;
    return ++steps_ > most_steps && length > enough;
  }

  void count() {
    std::vector<std::uint32_t> real, transfers;  // prefix counts in the current computation
    hlo_computation at_hand;                     // windows are in text order, each within a computation
    for (async_window& w : windows_) {
      if (!w.done) continue;
      const hlo_computation in = w.start.computation();
      if (!(in == at_hand)) {
        at_hand = in;
        real.assign(1, 0), transfers.assign(1, 0);
        for (const hlo_instruction i : in.instructions()) {
          real.push_back(real.back() + is_real(i));
          transfers.push_back(transfers.back() + is_transfer(i));
        }
      }
      const std::size_t first = w.start.index_in_computation() + 1, last = w.done.index_in_computation();
      w.between = last - first;
      w.real = real[last] - real[first];
      w.transfers = transfers[last] - transfers[first];
    }
  }

  hlo_module module_;
  transfer_sources sources_;
  std::vector<async_window> windows_;
  std::vector<id> window_of_;      // by instruction that begins, carries on or ends a window
  std::vector<id> window_around_;  // by computation
  std::vector<hlo_instruction> unmatched_;
  std::size_t steps_ = 0;  // of all searches so far
};

}  // namespace hlolint
