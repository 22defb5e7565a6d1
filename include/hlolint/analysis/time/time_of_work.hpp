// How long each instruction of a module works on a device (time_model.md 4, 5).
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/analysis/time/custom_call_work.hpp>
#include <hlolint/analysis/time/fusion_work.hpp>
#include <hlolint/analysis/time/memory_traffic.hpp>
#include <hlolint/analysis/time/printed_time.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

namespace hlolint {

/// Instructions that take no time on any device.
inline bool is_free(hlo_instruction i) {
  if (takes_no_time(i.opcode()) || i.opcode() == hlo_opcode::get_dimension_size) return true;
  if (i.opcode() != hlo_opcode::custom_call) return false;
  std::string_view target = i.attribute(attribute_key::custom_call_target).value_or(std::string_view{});
  if (target.size() >= 2) target = target.substr(1, target.size() - 2);  // quotes
  return is_free_target(target);
}

/// Work and times of the instructions of a module. What an instruction calls step by step (while, call, conditional) is
/// not part of it; a fusion counts whole.
class work_times {
 public:
  /// O(n log n) in the module, at most.
  work_times(const hlo_module& module, const device& on) : device_(on), traffic_(on), fusions_(module, on) {}

  /// Of one instruction, computed anew.
  work work_of(hlo_instruction i) const { return is_free(i) ? work{} : work_of_busy(i); }

  /// The user's own time if there is one, then what the dump prints, then the roofline. Times that TPU dumps print for
  /// anything but matrix products are not times; they count up to three times the roofline.
  work_time of(hlo_instruction i) const {
    work w;
    return of(i, w);
  }
  /// The same, and the work; `unknown` of it is set only where the time is too.
  work_time of(hlo_instruction i, work& w) const {
    w = {};
    if (is_free(i)) return {};
    w = work_of_busy(i);
    if (const auto own = user_time(i)) {
      w.unknown = false;
      return {*own, work_bound::printed};
    }
    const work_time estimated = kernel_time(device_, w);
    auto printed = printed_time(device_, i);
    if (!printed) return estimated;
    w.unknown = false;
    if (device_.is_tpu() && w.flops <= 0) printed = std::min(*printed, 3 * estimated.seconds);
    return {*printed + device_.kernel_overhead, work_bound::printed};
  }

  /// The device that the times are for.
  const device& on() const { return device_; }

 private:
  work work_of_busy(hlo_instruction i) const {
    if (is_transfer_opcode(i.opcode()) || is_collective(i.opcode())) return {};
    switch (i.opcode()) {
      using enum hlo_opcode;
      case while_:
      case call:
      case conditional:
        return {};
      case fusion:
        return fusions_.of(i);
      case custom_call:
        return custom_call_work(device_, traffic_, i);
      case infeed:
      case outfeed: {
        work w = traffic_.whole(i);
        w.host += w.bytes(), w.read = w.written = 0;
        return w;
      }
      default:
        break;
    }
    work w = arithmetic_of(device_, i);
    const work moved = traffic_.of(i);
    w.read = moved.read, w.written = moved.written, w.host = moved.host;
    return w;
  }

  device device_;
  memory_traffic traffic_;
  fusion_work fusions_;
};

}  // namespace hlolint
