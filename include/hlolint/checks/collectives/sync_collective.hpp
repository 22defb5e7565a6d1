// COL001: a collective that nothing can overlap, because it is synchronous.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Patterns N4, N5 and N6 of scheduling.md 5.
struct sync_collective {
  static constexpr rule about{
      .id = "COL001",
      .name = "sync-collective",
      .costs = cost_kind::time,
      .needs = need::scheduled | need::target,  // they are always synchronous on a CPU
      .what =
          "A collective of a scheduled module runs synchronously: it is written as one instruction, or XLA "
          "marked its start is_sync=true. A note where nothing is independent of it, so that no schedule hides it, "
          "unless such transfers take much of the step.",
      .why = "Nothing else runs on the device during the transfer, so its whole duration is added to the step time.",
      .advice =
          "Give the scheduler independent work to place beside it: look at what produces its operand and what "
          "waits for its result.",
      .example =
          "%all-gather.1 = f32[1024,4096]{1,0} all-gather(%p), channel_id=1, replica_groups={{0,1,2,3}}, "
          "dimensions={0}, use_global_device_ids=true",
      .source = "XLA: convert_async_collectives_to_sync.cc, backend_configs.proto (is_sync); hlo_query.cc"};

  byte_count min_bytes = 1_MiB;
  double min_exposed_us = 50;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &sync_collective::min_bytes,
                        "smaller transfers (operands or result, the bigger) only count for their share of the step"},
                 option{"min-exposed-us", &sync_collective::min_exposed_us,
                        "if the device is known: transfers that cost less in a step only count for their share of it"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/checks/collectives/exposure.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>

#include <utility>

namespace hlolint {

namespace col001 {

inline std::string count_text(std::size_t between) {
  return std::to_string(between + 1) + (between == 0 ? " position" : " positions");
}

inline constexpr std::size_t max_followed = 256;

inline hlo_instruction first_work_after(const users& all_users, hlo_instruction done) {
  hlo_instruction first;
  std::size_t uses = 0;
  follow_uses(done, all_users, [&](instruction_use use) -> std::optional<hlo_instruction> {
    if (++uses > 16 * max_followed) return std::nullopt;
    if (use.user.id() <= done.id()) return hlo_instruction{};
    if (takes_no_time(use.user.opcode())) return use.user;
    if (!first || use.user.id() < first.id()) first = use.user;
    return hlo_instruction{};
  });
  return first;
}

/// Adds the instruction that makes the operand and the first one that waits for the result: the room to move in.
/// Instructions that take no time are skipped.
inline void add_neighbors(const context& dump, hlo_instruction start, hlo_instruction done, finding& d) {
  hlo_instruction producer;
  std::size_t steps = 0;
  for (hlo_instruction operand : start.operands()) {
    operand = follow_first_operands(operand, [&](hlo_instruction i) {
      return takes_no_time(i.opcode()) && i.operand_count() == 1 && ++steps < max_followed;
    });
    if (operand && (!producer || operand.id() > producer.id())) producer = operand;
  }
  if (producer && producer.id() < start.id() && !takes_no_time(producer.opcode()))
    d.related.push_back(
        related_at(producer, "makes its operand, " + count_text(start.id() - producer.id() - 1) + " before"));
  if (const hlo_instruction waits = first_work_after(dump.get<users>(), done))
    d.related.push_back(
        related_at(waits, "needs its result first, " + count_text(waits.id() - done.id() - 1) + " after"));
}

}  // namespace col001

HLOLINT_INLINE void sync_collective::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu) return;
  detail::exposure exposed(dump);
  const auto& windows = dump.get<async_windows>();
  const auto is_sync = [](const exposed_transfer& t) { return t.synchronous && !t.computes; };
  for (const detail::reported_transfer& reported : exposed.worth_reporting(is_sync, min_bytes, min_exposed_us)) {
    const exposed_transfer& t = *reported.of;
    const async_window* const w = windows.started_by(t.start);
    const auto frontend = get<frontend_attributes>(t.start);
    const std::string* const was_async = frontend ? frontend->find("async_collective_name") : nullptr;
    const bool marked = sync_flag(t.start) == true;
    std::string message = detail::transfer_text(kinds_text(t.time), exposed.bytes_of(t));
    if (w && w->is_sync == true)
      message += " runs synchronously: XLA marked its start is_sync=true, as it found nothing to run until the done";
    else if (w)
      message += " runs synchronously: a kernel of XLA's own moves it, on the stream of the other kernels";
    else if (t.start.opcode() == hlo_opcode::fusion)
      message += " is synchronous, inside a fusion";
    else
      message += " is synchronous";
    if (!w && marked)
      message += ": XLA marked it is_sync=true, as it found nothing to run beside it";
    else if (!w && was_async)
      message += ": it was asynchronous (async_collective_name=\"" + *was_async + "\") and XLA took that back";
    finding d = exposed.finding_of(reported, std::move(message));
    const hlo_instruction done = w ? w->done : hlo_instruction{};
    if (done) d.related.push_back(related_at(done, "its done, " + col001::count_text(w->between) + " later"));
    col001::add_neighbors(dump, t.start, done ? done : t.start, d);
    exposed.add_remedy(reported, d);
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
