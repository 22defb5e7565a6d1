// The collectives of a module in the order in which a device comes to them: what devices that work together must agree
// in (scheduling.md 1, 2).
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/call_roles.hpp>
#include <hlolint/analysis/program/callers_first.hpp>
#include <hlolint/analysis/transfers/collective_step.hpp>
#include <hlolint/analysis/transfers/tpu_async_fusion.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace hlolint {

/// Called computations stand where they are called: a loop's condition and body once, all branches of a conditional.
/// What is called again is one step then, so that a sequence is no longer than its module (a `flat_schedule` would
/// leave the second call out). Starts count, updates and dones do not; the collectives inside of TPU fusions count,
/// transfers to the host do not. The text order of a computation is taken for its schedule; if the module is not
/// scheduled, that is the order of XLA's printer, which is equal for equal programs.
class collective_sequence {
 public:
  /// Linear in the module, but for the devices of its collectives.
  explicit collective_sequence(const hlo_module& of) : module_(of), roles_(of), loops_(of), devices_(of) {
    find_holders();
    if (module_.entry() && holds_[module_.entry().id()]) walk();
    detail::step_hash numbered, unnumbered;
    for (detail::step_hash* const hash : {&numbered, &unnumbered}) {
      if (!steps_.empty()) hash->add(of.replica_count()), hash->add(of.num_partitions()), hash->add(of.is_scheduled());
      for (const collective_step& s : steps_) {
        hash->add(s.key);
        if (hash == &numbered) hash->add(s.channel);
      }
    }
    fingerprint_ = numbered.value(), unnumbered_ = unnumbered.value();
  }

  /// The first step, in the order in which a device meets them.
  auto begin() const { return steps_.begin(); }
  /// One past the last step.
  auto end() const { return steps_.end(); }
  /// How many steps there are.
  std::size_t size() const { return steps_.size(); }
  /// Precondition: i < size().
  const collective_step& operator[](std::size_t i) const { return steps_[i]; }
  /// Precondition: a step of this sequence, and not `again`.
  const collective_devices& devices_of(const collective_step& s) const { return devices_.of(s.devices); }

  /// Equal if all steps have equal keys and channels, and the modules are for equally many devices and both scheduled
  /// or not. All modules without collectives have the same.
  std::uint64_t fingerprint() const { return fingerprint_; }
  /// The same whatever the numbers of the channels.
  std::uint64_t fingerprint_without_channels() const { return unnumbered_; }
  /// The module that the sequence is of.
  const hlo_module& hlo() const { return module_; }

 private:
  struct frame {
    hlo_computation computation;
    hlo_instruction loop, conditional;  // around it
    std::size_t branch = 0;
    std::size_t first_step = 0;
    std::size_t at = 0, call = 0;  // the next instruction, and which of the computations it calls is next
  };

  /// Which computations hold collectives, in themselves or in what they call; the others need not be looked into.
  void find_holders() {
    holds_.resize(module_.computation_count());
    const record_list<hlo_computation> order = callers_first(module_);
    for (auto c = order.rbegin(); c != order.rend(); ++c)
      for (const hlo_instruction i : c->instructions()) {
        if (is_collective(i.opcode()) || detail::is_point_to_point(i)) holds_[c->id()] = true;
        for (const hlo_computation called : i.called_computations())
          if (called && holds_[called.id()]) holds_[c->id()] = true;
      }
  }

  /// One number for any part of a sequence, made of the keys of its steps: polynomials in a fixed base, of which the
  /// ones up to each step are kept, so that nested parts cost nothing.
  class part_keys {
   public:
    std::uint64_t of(std::size_t first, const record_list<collective_step>& steps) {
      for (std::size_t s = up_to_.size() - 1; s < steps.size(); ++s) {
        up_to_.push_back(up_to_.back() * base + steps[s].key);
        powers_.push_back(powers_.back() * base);
      }
      const std::size_t count = steps.size() - first;
      detail::step_hash hash;
      hash.add(count), hash.add(up_to_[steps.size()] - up_to_[first] * powers_[count]);
      return hash.value();
    }

   private:
    static constexpr std::uint64_t base = 0x9E3779B97F4A7C15u;
    record_list<std::uint64_t> up_to_{0}, powers_{1};
  };

  void walk() {
    part_keys keys;
    record_list<optional<std::uint64_t>> inside(module_.computation_count());  // keys of those in the sequence
    record_list<frame> open;
    const auto enter = [&](frame f, hlo_computation c) {
      f.computation = c;
      f.first_step = steps_.size();
      f.at = f.call = 0;
      open.push_back(f);
    };
    enter({}, module_.entry());
    while (!open.empty()) {
      frame& f = open.back();
      if (f.at == f.computation.instruction_count()) {
        inside[f.computation.id()] = keys.of(f.first_step, steps_);
        open.pop_back();
        continue;
      }
      const hlo_instruction i = f.computation.instruction(f.at);
      if ((f.call == 0 && is_whole(i, f)) || f.call == i.called_computation_count()) {
        ++f.at, f.call = 0;
        continue;
      }
      const std::size_t call = f.call++;
      hlo_computation called = i.called_computation(call);
      frame inner = f;
      if (i.opcode() == hlo_opcode::while_) {
        const while_parts parts = parts_of_while(i);
        called = call == 0 ? parts.condition : parts.body;
        inner.loop = i;
      }
      if (i.opcode() == hlo_opcode::conditional) inner.conditional = i, inner.branch = call;
      if (!called || !holds_[called.id()]) continue;
      if (inside[called.id()]) {
        add_again(i, called, *inside[called.id()], inner);
      } else {
        enter(inner, called);
      }
    }
  }

  /// Adds the step of an instruction. False if it is not a step, and what it calls has to be visited.
  bool is_whole(hlo_instruction i, const frame& in) {
    if (is_async_opcode(i.opcode()) && i.opcode() != hlo_opcode::async_start) return true;
    hlo_instruction transfer = detail::is_point_to_point(i) ? i : collective_of(i);
    if (const async_fusion_role* const role = roles_.of(i)) {
      if (!role->starts || !role->collective) return true;  // part of a transfer that counts where it starts
      transfer = role->collective;
    }
    if (!transfer) return false;
    collective_step s;
    s.instruction = i, s.transfer = transfer;
    s.kind = collective_kind(transfer.opcode());
    s.result = detail::result_part(transfer);
    if (s.result) s.result_bytes = dense_size_of_leaves(*s.result);
    s.operand_bytes = detail::bytes_of_operands(transfer);
    s.devices = devices_.add(transfer);
    if (const auto channel = get<channel_id>(transfer)) s.channel = channel->value;
    if (const hlo_computation applied = first_called(transfer); applied && applied.root())
      s.reduction = applied.root().opcode();
    s.runs = loops_.runs_of(in.computation);
    detail::step_hash hash;
    hash.add(s.kind), hash.add(s.operand_bytes), hash.add(devices_.key(s.devices)), hash.add(s.reduction);
    const auto mode = devices_.of(s.devices).mode;
    hash.add(mode ? static_cast<int>(*mode) : -1), hash.add(s.channel.has_value());
    if (s.result) hash.add(*s.result);
    finish(std::move(s), in, hash);
    return true;
  }

  void add_again(hlo_instruction caller, hlo_computation called, std::uint64_t inside, const frame& in) {
    collective_step s;
    s.instruction = s.transfer = caller;
    s.again = called;
    s.runs = loops_.runs_of(in.computation);
    if (caller.opcode() == hlo_opcode::while_) s.runs = s.runs.in_loop(trip_count_of(caller));
    detail::step_hash hash;
    hash.add(inside);
    finish(std::move(s), in, hash);
  }

  void finish(collective_step s, const frame& in, detail::step_hash hash) {
    s.loop = in.loop, s.conditional = in.conditional, s.branch = in.branch;
    hash.add(bool(s.loop)), hash.add(bool(s.conditional)), hash.add(s.branch);
    hash.add(s.runs.exact ? s.runs.times : -1);
    s.key = hash.value();
    steps_.push_back(std::move(s));
  }

  hlo_module module_;
  async_fusion_roles roles_;
  loops loops_;
  record_list<bool> holds_;  // by computation
  detail::device_table devices_;
  record_list<collective_step> steps_;
  std::uint64_t fingerprint_ = 0, unnumbered_ = 0;
};

}  // namespace hlolint
