// Moves and recomputations that may lower the bytes in use at a peak (advise.md 4).
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/tool/advise/block_mover.hpp>
#include <hlolint/tool/advise/edited_text.hpp>
#include <hlolint/tool/advise/instruction_order.hpp>
#include <hlolint/tool/advise/live_model.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hlolint::advise {

/// Makes candidates for edits of one module in one order.
class memory_moves {
 public:
  /// Precondition: all arguments outlive the object.
  memory_moves(const buffer_assignment& made, const schedule_constraints& order_of, const live_model& live)
      : made_(made),
        rules_(order_of),
        live_(live),
        module_(made.flow().module()),
        editable_(module_.computation_count()) {
    for (const hlo_computation c : module_.computations())
      editable_[c.id()] = made.flow().tables().calls.is_sequential(c) && has_own_lines(c);
  }

  /// Whether the instructions of a computation can be moved at all.
  bool is_editable(hlo_computation c) const { return editable_[c.id()]; }

  /// Candidates for moves around these positions, each once. Precondition: `profile` has details.
  std::vector<block_move> at(std::span<const std::int64_t> positions, const live_profile& profile,
                             const flat_schedule& schedule, const instruction_order& order) const {
    std::vector<block_move> out;
    for (const std::int64_t t : positions) {
      if (t < 0 || t >= schedule.size()) continue;
      for (const id frame : frames_of(schedule.sequence()[static_cast<std::size_t>(t)])) {
        if (!is_editable(module_.instruction(frame).computation())) continue;
        add_around(frame, t, profile, schedule, order, out);
        for (const std::size_t step : {1u, 2u, 4u, 8u, 16u, 64u}) add_steps(frame, step, order, out);
      }
    }
    std::stable_sort(out.begin(), out.end(), [](const block_move& a, const block_move& b) {
      return std::pair(a.to, a.instructions) < std::pair(b.to, b.instructions);
    });
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  /// At most `most` values that are live at these positions and can be computed again later, the largest of each
  /// position first; with `any_work` also expensive ones.
  std::vector<recompute> recomputes(std::span<const std::int64_t> positions, const live_profile& profile,
                                    const flat_schedule& schedule, const instruction_order& order, std::size_t most,
                                    bool any_work = false) const {
    std::vector<recompute> out;
    for (const std::int64_t t : positions) {
      if (t < 0 || t >= schedule.size()) continue;
      const std::vector<id> frames = frames_of(schedule.sequence()[static_cast<std::size_t>(t)]);
      for (const live_buffer& b : buffers_at(t, profile)) {
        if (out.size() >= most) return out;
        for (const id frame : frames)
          if (auto edit = recompute_of(b.set, frame, schedule, order, any_work))
            if (std::find(out.begin(), out.end(), *edit) == out.end()) out.push_back(std::move(*edit));
      }
    }
    return out;
  }

  /// Whether a value can be computed again in the order of the text: its operands still have their values there.
  bool can_recompute(const recompute& edit, const flat_schedule& schedule, bool any_work = false) const {
    const hlo_instruction maker = module_.instruction(edit.producer);
    const auto is_early = [&](id late) { return late <= edit.producer; };
    return !edit.late_users.empty() && !rules_.is_effect(edit.producer) && is_pure(maker, any_work) &&
           std::none_of(edit.late_users.begin(), edit.late_users.end(), is_early) &&
           operands_hold(maker, edit.late_users.front(), schedule);
  }

 private:
  static constexpr std::size_t most_later = 80, most_earlier = 150, most_buffers = 120;

  // The instruction, the one that calls its computation, and so on to the entry.
  std::vector<id> frames_of(id at) const {
    std::vector<id> out{at};
    for (hlo_computation c = module_.instruction(at).computation(); out.size() < 64;) {
      const auto callers = made_.flow().tables().calls.callers(c);
      if (callers.size() == 0) break;
      out.push_back(callers[0].id());
      c = callers[0].computation();
    }
    return out;
  }
  static std::vector<live_buffer> buffers_at(std::int64_t t, const live_profile& profile) {
    std::vector<live_buffer> out;
    const byte_count least = profile.live[static_cast<std::size_t>(t)] / 500;
    for (const live_buffer& b : profile.buffers)
      if (b.range.start <= t && t <= b.range.end && b.size >= least) out.push_back(b);
    std::stable_sort(out.begin(), out.end(),
                     [](const live_buffer& a, const live_buffer& b) { return a.size > b.size; });
    if (out.size() > most_buffers) out.resize(most_buffers);
    return out;
  }

  void add_around(id frame, std::int64_t t, const live_profile& profile, const flat_schedule& schedule,
                  const instruction_order& order, std::vector<block_move>& out) const {
    const hlo_computation c = module_.instruction(frame).computation();
    const std::size_t k = order.place_of(frame);
    for (const live_buffer& b : buffers_at(t, profile)) {
      for (const std::uint32_t v : made_.sets().values(b.set)) {
        const id maker = made_.flow().values()[v].defined.instruction;
        if (module_.instruction(maker).computation() != c || order.place_of(maker) >= k) continue;
        add_moved({maker}, true, c, k, schedule, profile, order, out);
      }
      std::vector<id> readers;
      bool fixed = false;
      live_.for_each_reached(b.set, [&](hlo_instruction i) {
        if (i.computation() != c || order.place_of(i.id()) <= k) return;
        fixed = fixed || rules_.is_fixed(i.id());
        readers.push_back(i.id());
      });
      if (!readers.empty() && !fixed) add_moved(readers, false, c, k, schedule, profile, order, out);
    }
  }

  // Adds moves of a block before three of the places from `low` to `high`: the first, the last, and the one with the
  // fewest live bytes.
  void add_places(const std::vector<id>& block, hlo_computation c, std::size_t low, std::size_t high,
                  const flat_schedule& schedule, const live_profile& profile, const instruction_order& order,
                  std::vector<block_move>& out) const {
    if (low > high) return;
    std::size_t best = low;
    byte_count least = -1;
    for (std::size_t p = low; p <= high && p < c.instruction_count(); ++p) {
      const auto t = schedule.position_of(module_.instruction(order.at(c, p)));
      const byte_count bytes = t ? profile.live[static_cast<std::size_t>(*t)] : 0;
      if (least < 0 || bytes < least) least = bytes, best = p;
    }
    out.push_back({block, low});
    if (high != low) out.push_back({block, high});
    if (best != low && best != high) out.push_back({block, best});
  }
  // Adds moves of instructions, with all that has to move with them, after the place `k` (`later`) or before it.
  void add_moved(const std::vector<id>& from, bool later, hlo_computation c, std::size_t k,
                 const flat_schedule& schedule, const live_profile& profile, const instruction_order& order,
                 std::vector<block_move>& out) const {
    const block_mover mover(rules_, order);
    const std::vector<id> block = later ? mover.closure(from, true, 0, k, most_later)
                                        : mover.closure(from, false, k, c.instruction_count(), most_earlier);
    if (block.empty() || holds(block, order.at(c, k))) return;
    const std::size_t low = later ? k + 1 : mover.earliest(block), high = later ? mover.latest(block, c) : k;
    add_places(block, c, low, high, schedule, profile, order, out);
  }
  // Adds moves of one instruction, with all that has to move with it, by `step` places later and earlier.
  void add_steps(id i, std::size_t step, const instruction_order& order, std::vector<block_move>& out) const {
    const hlo_computation c = module_.instruction(i).computation();
    const std::size_t k = order.place_of(i);
    if (rules_.is_fixed(i)) return;
    const id only[] = {i};
    const block_mover mover(rules_, order);
    if (k + step < c.instruction_count()) {
      const std::vector<id> block = mover.closure(only, true, 0, k + step, most_later);
      if (!block.empty()) out.push_back({block, k + step + 1});
    }
    if (k >= step) {
      const std::vector<id> block = mover.closure(only, false, k - step, c.instruction_count(), most_later);
      if (!block.empty()) out.push_back({block, k - step});
    }
  }

  // --- recompute
  // Whether an instruction only computes: cheaply or, with `any_work`, at any cost.
  static bool is_pure(hlo_instruction i, bool any_work, bool is_fused = false) {
    if (i.has(attribute_key::output_to_operand_aliasing)) return false;  // it would write into the operand again
    using enum hlo_opcode;
    const hlo_opcode op = i.opcode();
    if (opcode_set{iota, broadcast, slice, dynamic_slice, pad, concatenate, transpose, reshape}.has(op)) return true;
    if (opcode_set{parameter, constant, bitcast, tuple}.has(op)) return is_fused;
    if (opcode_set{fft, dot, convolution, gather}.has(op)) return any_work;
    // In a fusion the called computation is not cloned.
    if (op == reduce || op == reduce_window) return any_work && is_fused;
    if (op == custom_call) return any_work && !is_fused && i.called_computation_count() == 0;
    if (op == fusion) {
      const auto kind = i.attribute(attribute_key::kind);
      if (is_fused || (!any_work && kind != "kLoop" && kind != "kInput")) return false;
      const hlo_computation body = i.called_computation_count() == 1 ? i.called_computation(0) : hlo_computation{};
      if (!body) return false;
      for (const hlo_instruction inner : body.instructions())
        if (!is_pure(inner, any_work, true)) return false;
      return true;
    }
    return is_elementwise(op) && op != copy && i.called_computation_count() == 0;
  }
  std::optional<recompute> recompute_of(std::uint32_t set, id frame, const flat_schedule& schedule,
                                        const instruction_order& order, bool any_work) const {
    const dataflow& flow = made_.flow();
    if (made_.sets().values(set).size() != 1) return std::nullopt;
    const hlo_value& value = flow.values()[made_.sets().values(set).front()];
    const hlo_instruction maker = flow.instruction(value);
    const hlo_computation c = module_.instruction(frame).computation();
    const std::size_t k = order.place_of(frame);
    // One of several results is read through a get-tuple-element.
    const bool is_part = value.defined.part != 0;
    if (maker.computation() != c || !is_editable(c) || rules_.is_effect(maker.id()) || rules_.is_fixed(maker.id()) ||
        !is_pure(maker, any_work) || order.place_of(maker.id()) > k)
      return std::nullopt;
    const auto holds_it = [&](hlo_instruction i) {
      const auto all = flow.positions(value);
      return std::any_of(all.begin(), all.end(), [&](hlo_position p) { return p.instruction == i.id(); });
    };
    for (const hlo_position p : flow.positions(value).subspan(1)) {
      const hlo_instruction i = module_.instruction(p.instruction);
      const bool reads_part = is_part && i.opcode() == hlo_opcode::get_tuple_element && i.operand(0) == maker;
      if (i.opcode() != hlo_opcode::bitcast && !reads_part) return std::nullopt;
    }
    recompute out;
    out.producer = maker.id();
    std::vector<id> open{maker.id()};
    bool early = false;
    while (!open.empty()) {
      const id from = open.back();
      open.pop_back();
      bool late_here = false;
      for (const instruction_use use : flow.tables().all_users.of(module_.instruction(from))) {
        const std::size_t place = order.place_of(use.user.id());
        if (is_part && from == maker.id() && !holds_it(use.user)) {  // it reads another result
          early = true;
        } else if (place > k) {
          late_here = true;
          if (rules_.is_fixed(use.user.id())) return std::nullopt;
          if (!holds(out.late_users, use.user.id())) out.late_users.push_back(use.user.id());
        } else if (holds_it(use.user)) {
          open.push_back(use.user.id());
        } else {
          early = true;
        }
      }
      if (late_here && from != maker.id()) out.bitcasts.push_back(from);
    }
    if (!early || out.late_users.empty()) return std::nullopt;
    // A cloned bitcast may read another bitcast, which has to be cloned too.
    for (std::size_t b = 0; b < out.bitcasts.size(); ++b)
      if (const id below = module_.instruction(out.bitcasts[b]).operand(0).id();
          below != out.producer && !holds(out.bitcasts, below))
        out.bitcasts.push_back(below);
    order.sort(out.bitcasts), order.sort(out.late_users);
    out.to = order.place_of(out.late_users.front());
    return operands_hold(maker, out.late_users.front(), schedule) ? std::optional(out) : std::nullopt;
  }
  // Whether the operands of `maker` still have their values at `late`: no other value of their buffers is defined in
  // between.
  bool operands_hold(hlo_instruction maker, id late, const flat_schedule& schedule) const {
    const dataflow& flow = made_.flow();
    const auto from = schedule.position_of(maker), to = schedule.position_of(module_.instruction(late));
    if (!from || !to) return false;
    bool hold = true;
    for (const hlo_instruction operand : maker.operands()) {
      if (!operand) return false;
      for (std::uint32_t n = 0; n < flow.tables().places.count(operand.id()); ++n)
        flow.for_each_at({operand.id(), n}, [&](std::uint32_t v) {
          for (const std::uint32_t other : made_.sets().values(made_.sets().set_of(v))) {
            const hlo_instruction maker_of_other = flow.instruction(flow.values()[other]);
            const auto at = schedule.position_of(maker_of_other);
            const bool is_own = maker_of_other.opcode() == hlo_opcode::parameter || other == v;
            if (!is_own && at && *at >= *from && *at <= *to) hold = false;
          }
        });
    }
    return hold;
  }

  const buffer_assignment& made_;
  const schedule_constraints& rules_;
  const live_model& live_;
  hlo_module module_;
  std::vector<bool> editable_;
};

}  // namespace hlolint::advise
