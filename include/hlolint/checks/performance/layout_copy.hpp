// PRF002: an array that is copied only to change the order of its dimensions in memory.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks at copies between layouts, and transposes, alone or wrapped into a fusion of their own.
struct layout_copy {
  static constexpr rule about{
      .id = "PRF002",
      .name = "layout-copy",
      .costs = cost_kind::time,
      .needs = need::scheduled,
      .what =
          "An instruction only brings a large array into another dimension order, or many do with smaller ones. It is "
          "a note if all readers demand an order (custom calls, transforms, the caller that gets the result). "
          "Collectives demand none: copies around an all-to-all follow from the dimensions that the program splits and "
          "joins.",
      .why = "The array is read and written once more, and is in memory twice in the meantime.",
      .advice =
          "Let the producer write the order that the consumer wants: transpose weights once where they are "
          "made, choose dimension numbers of dots and convolutions that need no transpose, or set the layouts "
          "of arguments.",
      .example = "%t = f32[4096,4096]{0,1} copy(f32[4096,4096]{1,0} %p)",
      .source = "openxla/xla #26987, #1851"};

  byte_count min_bytes = 16_MiB;
  double min_percent = 5;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &layout_copy::min_bytes, "smaller arrays are not reported one by one"},
      option{"min-percent", &layout_copy::min_percent,
             "all smaller arrays together are one finding if they have min-bytes and take this share of a step"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/layout_order.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/finding_costs.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <utility>
#include <vector>

namespace hlolint {

namespace prf002 {

inline bool reorders(hlo_instruction move) {
  if (move.opcode() == hlo_opcode::transpose) return true;
  const shape* const from = shape_of_operand(move, 0);
  return move.opcode() == hlo_opcode::copy && from && move.shape() && differs_in_order(*move.shape(), *from);
}

inline std::string orders_text(hlo_instruction move) {
  const shape* const from = shape_of_operand(move, 0);
  if (!from || !move.shape()) return {};
  const auto dimensions = move.attribute(attribute_key::dimensions);
  return str_cat({": ", to_string(*from), " to ", to_string(*move.shape()), dimensions ? ", dimensions=" : "",
                  dimensions.value_or(std::string_view{})});
}

inline bool transfers(hlo_opcode opcode) {
  return is_collective(opcode) || opcode == hlo_opcode::async_start || is_done_opcode(opcode);
}

/// Whether an instruction for which `is(opcode)` is true made one of the operands.
template <class Is>
inline bool comes_from(hlo_instruction i, Is is) {
  for (const hlo_instruction operand : i.operands())
    if (const hlo_instruction maker = detail::maker_of(operand); maker && is(maker.opcode())) return true;
  return false;
}

inline bool is_transform(hlo_opcode opcode) { return opcode == hlo_opcode::fft; }

inline constexpr std::size_t max_named = 3;

/// Adds the readers. The level is note if every reader demands an order: the caller fixes that of a result, and a
/// transform needs the same order on both sides of a transfer. Collectives demand none: copies around them follow
/// from the dimensions that the program splits and joins.
inline void add_users(const context& dump, hlo_instruction i, finding& d) {
  bool of_transform = comes_from(i, is_transform), demanded = true, sent = false, returned = i.is_root();
  std::size_t named = 0;
  const auto visit = [&](instruction_use use) -> std::optional<hlo_instruction> {
    const hlo_opcode opcode = use.user.opcode();
    if (opcode == hlo_opcode::bitcast) {
      returned = returned || use.user.is_root();
      return use.user;
    }
    of_transform = of_transform || is_transform(opcode);
    if (transfers(opcode))
      sent = true;
    else if (!is_transform(opcode) && opcode != hlo_opcode::custom_call &&
             !(opcode == hlo_opcode::tuple && use.user.is_root()))
      demanded = false;
    if (named++ < max_named) d.related.push_back(related_at(use.user, "reads it in the new order"));
    return hlo_instruction{};
  };
  demanded = follow_uses(i, dump.get<users>(), visit) && demanded;
  const bool around_transfer = sent || comes_from(i, transfers);
  const bool by_caller_alone = returned && named == 0;
  if (demanded && (by_caller_alone || ((named > 0 || returned) && (of_transform || !around_transfer))))
    d.level = severity::note;
}

/// Seconds of all runs in a step.
inline double seconds_of(hlo_instruction i, const context& dump) {
  const auto& time = dump.get<exposed_time>();
  return time.work().of(i).seconds * time.runs_of(i.computation());
}

/// One finding for many small copies, at the costliest.
inline void report_sum(const std::vector<hlo_instruction>& small, byte_count least, double percent, const context& dump,
                       sink_ref emit) {
  if (small.size() < 2 || dump.target() == target::cpu) return;
  std::vector<std::pair<double, hlo_instruction>> costs;
  double sum = 0, bytes = 0;
  for (const hlo_instruction i : small)
    if (const double seconds = seconds_of(i, dump); seconds > 0) {
      costs.emplace_back(seconds, i), sum += seconds;
      bytes +=
          static_cast<double>(detail::array_bytes(i).value_or(0)) * dump.get<exposed_time>().runs_of(i.computation());
    }
  const double step = dump.get<exposed_time>().step();
  if (costs.size() < 2 || bytes < static_cast<double>(least) || sum * 100 < percent * step) return;
  std::stable_sort(costs.begin(), costs.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  finding d =
      finding_at(costs.front().second, str_cat({costs.size(), " copies and transposes of less than ", human(least),
                                                " each only change the dimension order: ", human(clamp_to_int64(bytes)),
                                                " in a step, ", share_text(sum, step), " of its time"}));
  const bool all_demanded = std::all_of(costs.begin(), costs.end(), [&](const auto& cost) {
    finding one = finding_at(cost.second, {});
    add_users(dump, cost.second, one);
    return one.level == severity::note;
  });
  if (all_demanded) d.level = severity::note;
  for (std::size_t k = 0; k < costs.size(); ++k) {
    d.saves.push_back({costs[k].second});
    if (k > 0 && k <= max_named)
      d.related.push_back(related_at(costs[k].second, share_text(costs[k].first, step) + " of the step"));
  }
  emit(std::move(d));
}

}  // namespace prf002

HLOLINT_INLINE void layout_copy::operator()(const context& dump, sink_ref emit) const {
  std::vector<hlo_instruction> small;
  for (const hlo_instruction i : detail::sequential_instructions(dump)) {
    const auto bytes = detail::array_bytes(i);
    if (!bytes) continue;
    const hlo_instruction move = dump.get<sole_operations>().of(i);
    if (!move || !prf002::reorders(move)) continue;
    if (*bytes < min_bytes) {
      small.push_back(i);
      continue;
    }
    finding d =
        finding_at(i,
                   str_cat({move.opcode() == hlo_opcode::copy ? "a copy" : "a transpose", " of ", human(*bytes),
                            repetition_text(dump.get<loops>(), i.computation()), " only changes the dimension order",
                            prf002::orders_text(move), " (", detail::position_text(i), ")"}),
                   {.bytes = bytes});
    if (detail::moves_through_main_memory(i, dump.device())) d.promise = promised_bytes{*bytes, certainty::bound};
    prf002::add_users(dump, i, d);
    emit(std::move(d));
  }
  prf002::report_sum(small, min_bytes, min_percent, dump, emit);
}

}  // namespace hlolint
#endif
