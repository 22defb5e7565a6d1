// How much work instructions are: floating point operations and bytes touched, estimated from shapes alone.
#pragma once

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/callers_first.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/fusion_work.hpp>
#include <hlolint/analysis/time/memory_traffic.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint {

/// An estimate. Doubles, because only the magnitude counts and sums may be beyond int64.
struct work_estimate {
  double flops = 0;  ///< floating-point operations
  double bytes = 0;  ///< read and written in memory
  friend bool operator==(const work_estimate&, const work_estimate&) = default;
};

/// Estimates for all instructions of a module. A while counts its body as often as XLA knows that it runs, else once;
/// a conditional its dearest branch; a fusion the operations inside and the bytes outside.
class work_estimates {
 public:
  /// Linear in the module.
  explicit work_estimates(const hlo_module& module)
      : fusions_(module, relative_device()), traffic_(relative_device()), of_computation_(module.computation_count()) {
    const std::vector<hlo_computation> order = callers_first(module);
    for (auto c = order.rbegin(); c != order.rend(); ++c) {
      work_estimate& sum = of_computation_[c->id()];
      for (const hlo_instruction i : c->instructions()) {
        const work_estimate own = of(i);
        sum.flops += own.flops, sum.bytes += own.bytes;
      }
    }
  }

  /// Of one run of the instruction; 0 for transfers, which work is compared with.
  work_estimate of(hlo_instruction i) const {
    if (takes_no_time(i.opcode()) || is_transfer_opcode(i.opcode()) || is_collective(i.opcode())) return {};
    const auto called = [&](std::size_t c) {
      return c < i.called_computation_count() && i.called_computation(c) ? of_computation_[i.called_computation(c).id()]
                                                                         : work_estimate{};
    };
    switch (i.opcode()) {
      using enum hlo_opcode;
      case while_: {
        const auto times = static_cast<double>(trip_count_of(i).times);
        work_estimate sum;
        for (std::size_t c = 0; c < i.called_computation_count(); ++c)
          sum.flops += times * called(c).flops, sum.bytes += times * called(c).bytes;
        return sum;
      }
      case conditional: {
        work_estimate most;
        for (std::size_t c = 0; c < i.called_computation_count(); ++c)
          most.flops = std::max(most.flops, called(c).flops), most.bytes = std::max(most.bytes, called(c).bytes);
        return most;
      }
      case call:
        return called(0);
      case fusion:
        return {called(0).flops, fusions_.of(i).bytes()};  // of an operand that is sliced inside, the slice
      case slice:
      case dynamic_slice:
      case gather:
        return {elements(i.shape()), traffic_.of(i).bytes()};
      case dot:
        return {dot_flops(i), touched(i)};
      case convolution:
        return {convolution_flops(i), touched(i)};
      case custom_call:
        return {custom_call_flops(i), touched(i)};
      case reduce:
      case reduce_window:
      case map:
      case sort:
      case select_and_scatter:
        return {operand_elements(i, 0), touched(i)};
      case dynamic_update_slice:
        return {0, i.operand_count() > 1 ? 2 * operand_bytes(i, 1) : 0};
      default:
        return {elements(i.shape()), touched(i)};
    }
  }

 private:
  static double elements(const shape* s) {
    if (!s || !s->is_array()) return 0;
    double product = 1;
    for (const dimension& d : s->dimensions) product *= static_cast<double>(std::max<std::int64_t>(d.size, 0));
    return product;
  }
  static double operand_elements(hlo_instruction i, std::size_t at) { return elements(shape_of_operand(i, at)); }
  static double bytes_of(const shape* s) { return s ? static_cast<double>(dense_size_of_leaves(*s).value_or(0)) : 0; }
  static double operand_bytes(hlo_instruction i, std::size_t at) { return bytes_of(shape_of_operand(i, at)); }
  static double touched(hlo_instruction i) {
    double sum = bytes_of(i.shape());
    for (std::size_t k = 0; k < i.operand_count(); ++k) sum += operand_bytes(i, k);
    return sum;
  }

  static double dot_flops(hlo_instruction i) {
    const shape* const left = shape_of_operand(i, 0);
    const auto contracted = get_integers(i, attribute_key::lhs_contracting_dims);
    double depth = 1;
    if (left && contracted)
      for (const std::int64_t d : *contracted)
        if (d >= 0 && static_cast<std::size_t>(d) < left->rank())
          depth *= static_cast<double>(left->dimensions[static_cast<std::size_t>(d)].size);
    return 2 * elements(i.shape()) * depth;
  }
  /// Every element of the kernel is used once per position and output feature.
  static double convolution_flops(hlo_instruction i) {
    const shape* const kernel = shape_of_operand(i, 1);
    const auto labels = get<convolution_dimension_numbers>(i);
    if (!kernel || !labels) return 0;
    const std::int64_t output = labels->kernel.second;
    const double features = output >= 0 && static_cast<std::size_t>(output) < kernel->rank()
                                ? static_cast<double>(kernel->dimensions[static_cast<std::size_t>(output)].size)
                                : 1;
    return features > 0 ? 2 * elements(i.shape()) * elements(kernel) / features : 0;
  }
  /// Of a matrix product M x K by K x N, however it is laid out: sizes MK, KN and MN have the product (MNK) squared.
  static double custom_call_flops(hlo_instruction i) {
    const std::string name = get<custom_call_target>(i).value_or(custom_call_target{}).name;
    const shape* result = i.shape();
    if (result && result->is_tuple()) result = result->at({0});
    if (name.find("matmul") != std::string::npos || name.find("gemm") != std::string::npos)
      return 2 * std::sqrt(operand_elements(i, 0) * operand_elements(i, 1) * elements(result));
    return elements(result);
  }

  fusion_work fusions_;
  memory_traffic traffic_;
  std::vector<work_estimate> of_computation_;
};

}  // namespace hlolint
