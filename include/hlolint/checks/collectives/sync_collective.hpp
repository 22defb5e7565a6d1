// COL001: a collective that nothing can overlap, because it is synchronous.
#pragma once

#include <hlolint/analysis/async_windows.hpp>
#include <hlolint/analysis/call_graph.hpp>
#include <hlolint/analysis/users.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/option.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// Patterns N4, N5 and N6 of scheduling.md 5.
struct sync_collective {
  static constexpr rule about{
      .id = "COL001",
      .name = "sync-collective",
      .level = severity::warning,
      .since = "0.1",
      .what = "A collective of a scheduled module runs synchronously: it is written as one instruction, or XLA marked "
              "its start is_sync=true.",
      .why = "Nothing else runs on the device while it transfers, so its whole duration is added to the step time.",
      .advice = "Give the scheduler independent work to place beside it: look at what produces its operand and what "
                "waits for its result. On GPU see --xla_gpu_enable_latency_hiding_scheduler and "
                "--xla_gpu_disable_async_collectives, on TPU --xla_tpu_enable_async_collective_fusion.",
      .example = "%all-gather.1 = f32[1024,4096]{1,0} all-gather(%p), channel_id=1, replica_groups={{0,1,2,3}}, "
                 "dimensions={0}, use_global_device_ids=true",
      .source = "XLA: convert_async_collectives_to_sync.cc, backend_configs.proto (is_sync); hlo_query.cc"};
  static constexpr need needs = need::scheduled;

  byte_count min_bytes = 1_MiB;
  static constexpr auto options = std::tuple{option{
      "min-bytes", &sync_collective::min_bytes, "smaller transfers are not reported (operands or result, the bigger)"}};

  void operator()(const context& dump, sink auto& report) const {
    if (dump.target() == target::cpu) return;  // the normal form there
    const hlo_module& module = *dump.hlo();
    const auto& graph = dump.template get<call_graph>();
    const auto big_enough = [&](hlo_instruction attributes, const std::optional<byte_count>& bytes) {
      return bytes.value_or(0) >= min_bytes && !detail::moves_nothing(attributes, module);
    };

    for (const async_window& w : dump.template get<async_windows>()) {
      if (!w.is_collective() || w.is_sync != true || !graph.is_sequential(w.start.computation())) continue;
      if (!big_enough(w.transfer, w.bytes)) continue;
      diagnostic d = finding_at(w.start, detail::transfer_text(w.kind, w.bytes) +
                                             " runs synchronously: XLA marked its start "
                                             "is_sync=true, as it found nothing to run until the done (" +
                                             detail::position_text(w.start) + ")");
      d.bytes = w.bytes;
      if (w.done) d.related.push_back(related_at(w.done, "its done, " + count_text(w.between) + " later"));
      add_neighbours(dump, w.start, w.done ? w.done : w.start, d);
      report(std::move(d));
    }

    // A plain collective is normal on CPU, so without a known target only those that XLA made synchronous count.
    const bool plain_counts = dump.target() != target::unknown;
    for (const hlo_computation c : module.computations()) {
      if (!graph.is_sequential(c)) continue;
      for (const hlo_instruction i : c.instructions()) {
        if (!is_synchronous_collective(i.opcode())) continue;
        const auto frontend = get<frontend_attributes>(i);
        const std::string* const was_async = frontend ? frontend->find("async_collective_name") : nullptr;
        const bool marked = sync_flag(i) == true;
        if (!was_async && !marked && !plain_counts) continue;
        const auto bytes = transfer_bytes(i);
        if (!big_enough(i, bytes)) continue;
        std::string message = detail::transfer_text(i.opcode(), bytes) + " is synchronous";
        if (marked) message += ": XLA marked it is_sync=true, as it found nothing to run beside it";
        else if (was_async)
          message += ": it was asynchronous (async_collective_name=\"" + *was_async + "\") and XLA took that back";
        diagnostic d = finding_at(i, message + " (" + detail::position_text(i) + ")");
        d.bytes = bytes;
        add_neighbours(dump, i, i, d);
        report(std::move(d));
      }
    }
  }

 private:
  static std::string count_text(std::size_t between) {
    return std::to_string(between + 1) + (between == 0 ? " position" : " positions");
  }

  /// The room there is: who makes the operand, and who waits for the result first. Instructions that take no time are
  /// looked through.
  static void add_neighbours(const context& dump, hlo_instruction start, hlo_instruction done, diagnostic& d) {
    hlo_instruction producer;
    for (hlo_instruction operand : start.operands()) {
      while (operand && takes_no_time(operand.opcode()) && operand.operand_count() == 1 && operand.operand(0) &&
             operand.operand(0).id() < operand.id())
        operand = operand.operand(0);
      if (operand && (!producer || operand.id() > producer.id())) producer = operand;
    }
    if (producer && producer.id() < start.id() && !takes_no_time(producer.opcode()))
      d.related.push_back(
          related_at(producer, "makes its operand, " + count_text(start.id() - producer.id() - 1) + " before"));
    if (const hlo_instruction waits = first_work_after(dump.template get<users>(), done))
      d.related.push_back(
          related_at(waits, "needs its result first, " + count_text(waits.id() - done.id() - 1) + " after"));
  }

  static hlo_instruction first_work_after(const users& all_users, hlo_instruction done) {
    hlo_instruction first;
    std::vector<hlo_instruction> open{done};
    for (std::size_t seen = 0; seen < open.size() && seen < max_followed; ++seen)
      for (const instruction_use use : all_users.of(open[seen])) {
        if (use.user.id() <= done.id()) continue;
        if (takes_no_time(use.user.opcode())) {
          if (open.size() < max_followed) open.push_back(use.user);
        } else if (!first || use.user.id() < first.id()) {
          first = use.user;
        }
      }
    return first;
  }

  static constexpr std::size_t max_followed = 256;
};

}  // namespace hlolint
