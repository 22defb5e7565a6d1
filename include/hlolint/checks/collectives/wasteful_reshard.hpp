// COL016: data that a device collects from all others, only to keep a part of it.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/call_roles.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/transfers/collective_kind.hpp>
#include <hlolint/analysis/transfers/device_dependence.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/option.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// The result of an all-gather or all-reduce, all of whose readers, also inside fusions, are dynamic-slices at an
/// offset that depends on the device's number.
struct wasteful_reshard {
  static constexpr rule about{
      .id = "COL016",
      .name = "wasteful-reshard",
      .level = severity::warning,
      .since = "0.1",
      .what =
          "Each device takes only a slice of its own, chosen by its number, out of the result of an all-gather or "
          "all-reduce.",
      .why =
          "Most of what was transferred is thrown away, and the whole result stands in memory meanwhile. A "
          "reduce-scatter, or an all-to-all, sends only what is kept.",
      .advice =
          "Annotate the shardings before and after so that the partitioner can go from one to the other directly; for "
          "an all-reduce see what keeps XLA's reduce-scatter creator from matching.",
      .example =
          "%ar = f32[4096,1024]{1,0} all-reduce(%grad), replica_groups={{0,1,2,3}}, to_apply=%add\n"
          "%mine = f32[1024,1024]{1,0} dynamic-slice(%ar, %offset_from_partition_id, %zero), "
          "dynamic_slice_sizes={1024,1024}",
      .source = "openxla/xla #15207, #4062"};
  static constexpr need needs = need::scheduled;  // before, XLA itself may still change it

  byte_count min_waste = 16_MiB;
  static constexpr auto options = std::tuple{
      option{"min-waste", &wasteful_reshard::min_waste, "less that is received and not kept is not reported"}};

  void operator()(const context& dump, sink auto& report) const {
    const auto& graph = dump.template get<call_graph>();
    for (const hlo_instruction i : dump.hlo()->instructions()) {
      if (!graph.is_sequential(i.computation())) continue;
      switch (i.opcode()) {
        using enum hlo_opcode;
        case all_gather:
        case all_reduce:
          check(i, i, dump, report);
          break;
        case all_gather_done:
        case all_reduce_done:
          if (i.operand_count() == 1 && i.operand(0)) check(i, i.operand(0), dump, report);
          break;
        default:
          break;
      }
    }
  }

 private:
  /// `result` is the collective or its done, `collective` has the attributes.
  void check(hlo_instruction result, hlo_instruction collective, const context& dump, sink auto& report) const {
    if (!result.shape() || detail::moves_nothing(collective, dump.template get<module_groups>())) return;
    if (!result.shape()->is_tuple()) return check_array(result, result, collective, dump, report);
    for (const instruction_use use : dump.template get<users>().of(result))
      if (use.user.opcode() == hlo_opcode::get_tuple_element && use.user.shape())
        check_array(use.user, result, collective, dump, report);
  }

  void check_array(hlo_instruction array, hlo_instruction result, hlo_instruction collective, const context& dump,
                   sink auto& report) const {
    const auto bytes = array.shape()->is_array() ? dense_size(*array.shape()) : std::nullopt;
    if (!bytes || *bytes < min_waste) return;
    std::vector<hlo_instruction> slices;
    if (!only_sliced(array, dump, slices)) return;
    double kept = 0;
    for (const hlo_instruction slice : slices) kept += elements(slice) / elements(array);
    if (!(kept < 1)) return;
    const auto waste = std::min(clamp_to_int64((1 - kept) * static_cast<double>(*bytes)), *bytes);
    if (waste < min_waste) return;
    const hlo_opcode kind = collective_kind(collective.opcode());
    const auto& all_loops = dump.template get<loops>();
    diagnostic d = finding_at(
        collective, detail::transfer_text(kind, *bytes) + repetition_text(all_loops, collective.computation()) +
                        ", of which each device keeps " + human(*bytes - waste) + " by its own number" +
                        (kind == hlo_opcode::all_reduce ? ": a reduce-scatter would do" : "") + " (" +
                        detail::position_text(collective) + ")");
    d.bytes = repeated_bytes(all_loops, collective.computation(), waste);
    if (!(result == collective)) d.related.push_back(related_at(result, "its done"));
    for (std::size_t k = 0; k < slices.size() && k < max_named; ++k)
      d.related.push_back(related_at(slices[k], "takes the slice"));
    report(std::move(d));
  }

  static double elements(hlo_instruction i) {
    double product = 1;
    if (i.shape())
      for (const dimension& d : i.shape()->dimensions) product *= static_cast<double>(d.size);
    return product;
  }

  /// Whether everybody who reads the array takes a slice by the device's number; which slices.
  static bool only_sliced(hlo_instruction array, const context& dump, std::vector<hlo_instruction>& slices) {
    const auto& all_users = dump.template get<users>();
    const auto& dependence = dump.template get<device_dependence>();
    std::vector<hlo_instruction> open{array};
    for (std::size_t next = 0; next < open.size(); ++next) {
      if (open[next].is_root()) return false;
      for (const instruction_use use : all_users.of(open[next])) {
        if (open.size() == max_followed) return false;
        if (use.user.opcode() == hlo_opcode::dynamic_slice) {
          bool own = use.operand == 0;
          bool by_device = false;
          for (std::size_t k = 1; k < use.user.operand_count(); ++k)
            if (const hlo_instruction offset = use.user.operand(k))
              by_device = by_device || dependence.on_device_id(offset);
          own = own && by_device;
          if (!own) return false;
          slices.push_back(use.user);
        } else if (use.user.opcode() == hlo_opcode::fusion) {
          const hlo_computation body = first_called(use.user);
          const hlo_instruction inside =
              body ? dump.template get<computation_parameters>().of(body, use.operand) : hlo_instruction{};
          if (!inside || all_users.count(inside) == 0) return false;
          open.push_back(inside);
        } else if (keeps_elements(use.user.opcode())) {
          open.push_back(use.user);
        } else {
          return false;
        }
      }
    }
    return !slices.empty();
  }
  static constexpr bool keeps_elements(hlo_opcode opcode) {
    using enum hlo_opcode;
    return opcode == bitcast || opcode == convert || opcode == copy || opcode == reshape || opcode == transpose;
  }
  static constexpr std::size_t max_named = 3, max_followed = 64;
};

}  // namespace hlolint
