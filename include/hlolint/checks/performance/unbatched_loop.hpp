// PRF020: a loop whose iterations are independent, each of which reads the same arrays for little work.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// jax.lax.map over rows, or a scan that carries nothing. Loops whose iterations have enough work for what they read
/// are fine: they are often there to save memory.
struct unbatched_loop {
  static constexpr rule about{
      .id = "PRF020",
      .name = "unbatched-loop",
      .costs = cost_kind::time,
      .needs = need::scheduled | need::target,
      .what =
          "The iterations of a loop do not depend on each other, and its time goes into reading arrays that are the "
          "same in all of them.",
      .why = "Several iterations at once would read these arrays once.",
      .advice =
          "Compute several of them in one iteration (batch_size of jax.lax.map), or all at once (jax.vmap), as far as "
          "the memory for intermediate values allows.",
      .example =
          "%while.1 = (s32[], f32[4096,1024]{1,0}, f32[4096,1024]{1,0}, f32[1024,4096]{1,0}) while(%state), "
          "condition=%below_4096, body=%one_row",
      .source = "JAX: jax.lax.map"};

  double min_percent = 10;
  static constexpr auto options = std::tuple{option{"min-percent", &unbatched_loop::min_percent,
                                                    "loops that could save a smaller share of the step are fine"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace hlolint {

namespace prf020 {

inline constexpr double at_once = 16;  // iterations, of which a batch makes one

/// Whether no iteration needs what an earlier one computed: of its state a loop changes only scalars, and results that
/// it stacks and does not read.
inline bool is_independent(hlo_instruction loop, const context& dump) {
  const hlo_instruction root = root_of(parts_of_while(loop).body);
  if (!root || root.opcode() != hlo_opcode::tuple) return false;
  const auto& carried = dump.get<carried_elements>();
  std::vector<std::size_t> readers(root.operand_count());
  for (const hlo_instruction i : root.computation().instructions())
    for (const hlo_instruction operand : i.operands())
      if (const auto k = carried.of(operand); k && !carried.of(i) && static_cast<std::size_t>(*k) < readers.size())
        ++readers[static_cast<std::size_t>(*k)];
  bool stacks_any = false;
  for (std::size_t k = 0; k < root.operand_count(); ++k) {
    const hlo_instruction next = root.operand(k);
    if (!next || !next.shape() || !next.shape()->is_array()) return false;
    if (carried.of(next) == static_cast<std::int64_t>(k) || next.shape()->rank() == 0) continue;
    if (readers[k] != 1 || !detail::stacks(loop, k)) return false;
    stacks_any = true;
  }
  return stacks_any;
}

/// What a batch saves of an instruction that reads invariants of its loop.
struct repeated_reads {
  double share = 0, seconds = 0, bytes = 0;  ///< of its time, in one run; what is read again
};
inline repeated_reads reads_of(hlo_instruction i, auto&& is_invariant, const exposed_time& time) {
  work w;
  const work_time whole = time.work().of(i, w);
  if (w.read <= 0 || whole.seconds <= 0 || whole.bound != work_bound::memory) return {};
  const memory_traffic traffic(time.on());
  double bytes = 0;
  for (std::size_t k = 0; k < i.operand_count(); ++k)
    if (i.operand(k) && is_invariant(i.operand(k)))
      if (const double size = traffic.operand_bytes(i, k); size <= w.read) bytes += size;  // else it reads a part
  work rest = w;
  rest.read = rest.written = rest.host = 0;
  bytes = std::min(bytes, w.bytes());
  const double share =
      bytes / w.bytes() * (1 - std::max(1 / at_once, roofline(time.on(), rest).seconds / whole.seconds));
  return {share, share * whole.seconds, bytes};
}

/// The instructions of a loop, and of loops inside it, that read its invariants, and what a batch saves of them.
class invariant_reads {
 public:
  invariant_reads(hlo_instruction loop, const context& dump)
      : time_(dump.get<exposed_time>()), carried_(dump.get<carried_elements>()) {
    const loop_invariants invariants(parts_of_while(loop).body, carried_);
    add(
        parts_of_while(loop).body, [&](hlo_instruction i) { return invariants.contains(i); }, 0);
    bytes_ /= time_.runs_of(parts_of_while(loop).body);
  }

  /// The instructions, with the shares of their times.
  const std::vector<std::pair<hlo_instruction, double>>& parts() const { return parts_; }
  /// Seconds of a step, and bytes of an iteration.
  double seconds() const { return seconds_; }
  double bytes() const { return bytes_; }

 private:
  void add(hlo_computation body, const std::function<bool(hlo_instruction)>& is_invariant, int depth) {
    constexpr int deepest = 3;
    const double runs = time_.runs_of(body);
    for (const hlo_instruction i : body.instructions()) {
      const hlo_computation inner = i.opcode() == hlo_opcode::while_ ? parts_of_while(i).body : hlo_computation{};
      if (inner && depth < deepest) {
        const loop_invariants invariants(inner, carried_);
        add(
            inner,
            [&](hlo_instruction read) {
              const auto element = carried_.of(read);
              const hlo_instruction state = operand_of(i, 0);
              return element && invariants.contains(read) && state && state.opcode() == hlo_opcode::tuple &&
                     is_invariant(operand_of(state, static_cast<std::size_t>(*element)));
            },
            depth + 1);
      }
      const repeated_reads found = reads_of(i, is_invariant, time_);
      if (found.share <= 0) continue;
      parts_.emplace_back(i, found.share);
      seconds_ += found.seconds * runs, bytes_ += found.bytes * runs;
    }
  }

  const exposed_time& time_;
  const carried_elements& carried_;
  std::vector<std::pair<hlo_instruction, double>> parts_;
  double seconds_ = 0, bytes_ = 0;
};

}  // namespace prf020

HLOLINT_INLINE void unbatched_loop::operator()(const context& dump, sink_ref emit) const {
  constexpr std::size_t most_named = 3;
  if (dump.target() == target::cpu || !dump.hlo()->entry()) return;
  const exposed_time& time = dump.get<exposed_time>();
  for (const hlo_instruction loop : detail::sequential_instructions(dump)) {
    if (loop.opcode() != hlo_opcode::while_) continue;
    const hlo_computation body = parts_of_while(loop).body;
    const double runs = body ? time.runs_of(body) : 0, each = time.runs_of(loop.computation());
    if (each <= 0 || runs < prf020::at_once * each || !prf020::is_independent(loop, dump)) continue;
    const prf020::invariant_reads reads(loop, dump);
    if (reads.seconds() <= 0 || reads.seconds() * 100 < min_percent * time.step()) continue;
    finding d = finding_at(loop, str_cat({"the iterations of the loop do not depend on each other, and each reads ",
                                          human(clamp_to_int64(reads.bytes())), " that stay the same",
                                          repetition_text(dump.get<loops>(), body)}));
    d.advice = detail::advice_on_expansion(loop);
    for (const auto& [i, share] : reads.parts()) d.saves.push_back({i, share});
    for (std::size_t k = 0; k < reads.parts().size() && k < most_named; ++k)
      d.related.push_back(related_at(reads.parts()[k].first, "reads them"));
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
