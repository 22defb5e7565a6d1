// BUD010: a large value that waits for a reader which could have run much earlier.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// All operands of the last reader are ready much earlier, and its result is much smaller: a weight gradient that is
/// computed after the backward loop, a reduce-scatter at the end of the step.
struct late_consumer {
  static constexpr rule about{
      .id = "BUD010",
      .name = "late-consumer",
      .needs = need::scheduled,
      .what =
          "A large value is kept for a good part of the schedule only for its last reader, which makes much less "
          "data of it and could run as soon as the value is there: all its other operands are ready.",
      .why = "The bytes of the value are blocked in the meantime, and count in every peak of that time.",
      .advice =
          "Let the reader run early: place it before the work that stands between (in JAX with an "
          "optimization_barrier over both), reduce or scatter gradients where they are made, or look for what "
          "moved the reader back (the latency hiding scheduler keeps such work to hide transfers).",
      .example =
          "%logits_grad = bf16[8,8192,32768]{2,1,0} fusion(...)\n"
          "%backward = (...) while(...)\n"
          "%weight_grad = bf16[6144,32768]{1,0} custom-call(%activations, %logits_grad)",
      .source = "XLA: latency_hiding_scheduler.cc, hlo_memory_scheduler.cc"};

  byte_count min_bytes = 256_MiB;
  double min_wait = 0.1;
  int min_positions = 16;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &late_consumer::min_bytes, "running the reader early must free this much"},
                 option{"min-wait", &late_consumer::min_wait, "the value must wait for this share of the schedule"},
                 option{"min-positions", &late_consumer::min_positions, "the value must wait for this many positions"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace hlolint {

namespace bud010 {

inline bool is_computed(hlo_instruction i) {
  if (i.opcode() != hlo_opcode::get_tuple_element) return !takes_no_time(i.opcode());
  const hlo_instruction whole = operand_of(i, 0);
  return whole && (whole.opcode() == hlo_opcode::fusion || whole.opcode() == hlo_opcode::custom_call);
}
/// Whether an instruction may stand anywhere after its operands: no copies and updates, which XLA places with care,
/// no calls, and nothing with side effects or a prescribed order.
inline bool is_free_to_run(hlo_instruction reader) {
  using enum hlo_opcode;
  constexpr opcode_set movable{all_reduce, all_reduce_start, async_start, convolution,   custom_call,
                               dot,        fusion,           reduce,      reduce_scatter};
  return movable.has(reader.opcode()) && !reader.has(attribute_key::control_predecessors) &&
         reader.attribute(attribute_key::custom_call_has_side_effect) != "true";
}
inline std::optional<byte_count> bytes_made(hlo_instruction reader, const context& dump) {
  const async_window* const w = dump.get<async_windows>().started_by(reader);
  const hlo_instruction whole = w ? w->transfer : reader;
  return whole && whole.shape() ? dense_size_of_leaves(*whole.shape()) : std::nullopt;
}

/// Whether all positions at which most memory is in use are among these, both inclusive; true if they are not known.
inline bool holds_peak(std::int64_t first, std::int64_t last, const context& dump) {
  const context& with = with_memory(dump);
  if (!with.has(need::buffers | need::live_ranges)) return true;
  const auto peaks = main_curve(with.get<occupancy>(), with.target()).peak_positions();
  return std::all_of(peaks.begin(), peaks.end(),
                     [&](const auto& peak) { return first <= peak.first && peak.last <= last; });
}

inline std::optional<finding> check(hlo_instruction i, const late_consumer& limits, const context& dump) {
  const auto bytes = detail::array_bytes(i);
  if (!bytes || *bytes < limits.min_bytes || !is_computed(i) || i.shape()->memory_space() != 0) return std::nullopt;
  const detail::value_readers readers = detail::readers_of(i, dump.get<users>());
  if (readers.passed_on || readers.list.empty()) return std::nullopt;
  const hlo_instruction last = readers.list.back();
  if (!is_free_to_run(last)) return std::nullopt;
  const auto made = bytes_made(last, dump);
  if (!made || *bytes - *made < limits.min_bytes) return std::nullopt;
  // The reader has to wait for its operands. Other readers keep the value alive, so running before them would free
  // nothing.
  hlo_instruction ready = readers.list.size() > 1 ? readers.list[readers.list.size() - 2] : i;
  for (const hlo_instruction operand : last.operands()) {
    const hlo_instruction maker = detail::maker_of(operand);
    if (maker && maker.id() > ready.id()) ready = maker;
  }
  const auto& schedule = dump.get<flat_schedule>();
  const auto from = schedule.position_of(i), could = schedule.position_of(ready), runs = schedule.position_of(last);
  if (!from || !could || !runs) return std::nullopt;
  const std::int64_t wait = *runs - *could - 1;
  const double length = static_cast<double>(schedule.size());
  if (wait < limits.min_positions || static_cast<double>(wait) < limits.min_wait * length) return std::nullopt;
  const char* const role =
      ready == i ? "after this the reader could run" : "after this, which it or the value waits for, it could run";
  finding d = finding_at(
      i,
      str_cat({i.name(), " keeps ", human(*bytes), " from position ", *from, " to ", *runs, " of ", schedule.size(),
               " for ", last.name(), ", which makes ", human(*made), " of it and could run at position ", *could + 1}),
      {.bytes = *bytes - *made, .related = {related_at(last, "its last reader"), related_at(ready, role)}});
  if (!holds_peak(*could + 1, *runs, dump)) {
    d.level = severity::note;
    d.message += "; most memory is in use at another time";
  }
  return d;
}

}  // namespace bud010

HLOLINT_INLINE void late_consumer::operator()(const context& dump, sink_ref emit) const {
  for (const hlo_instruction i : detail::sequential_instructions(dump))
    if (auto d = bud010::check(i, *this, dump)) emit(*std::move(d));
}

}  // namespace hlolint
#endif
