// Operations of one instruction, not of what it calls (time_model.md 4.2, HloCostAnalysis).
#pragma once

#include <hlolint/analysis/program/elementwise.hpp>
#include <hlolint/analysis/time/matmul_work.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace hlolint {

namespace detail {

/// What one element of the result costs on the vector units: transcendental functions and divisions count ten.
constexpr double vector_weight(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    case acos:
    case acosh:
    case asin:
    case asinh:
    case atanh:
    case cosh:
    case cosine:
    case divide:
    case erf:
    case exponential:
    case log:
    case logistic:
    case power:
    case sine:
    case sinh:
    case tanh:
      return 10;
    case bitcast_convert:
    case constant:
    case convert:
    case copy:
    case map:
    case rng:
      return 0;
    default:
      return is_elementwise(opcode) ? 1 : 0;
  }
}

}  // namespace detail

/// Flops, vector operations and the multiplied type of an instruction; no bytes.
inline work arithmetic_of(const device& d, hlo_instruction i) {
  work w;
  const auto elements = [&](std::size_t operand) { return detail::element_count(shape_of_operand(i, operand)); };
  switch (i.opcode()) {
    using enum hlo_opcode;
    case dot:
    case scaled_dot:
    case ragged_dot:
      w.flops = dot_flops(d, i), w.type = detail::multiplied_type(i);
      break;
    case convolution:
      w.flops = convolution_flops(d, i, i.shape()), w.type = detail::multiplied_type(i);
      break;
    case reduce:
    case scan:
      for (std::size_t k = 0; k < std::max<std::size_t>(1, i.operand_count() / 2); ++k) w.vector_ops += elements(k);
      break;
    case reduce_window: {
      w.vector_ops = detail::element_count(i.shape());
      if (const auto windows = get<window>(i))
        for (const window_dimension& along : windows->dimensions)
          w.vector_ops *= static_cast<double>(std::max<std::int64_t>(along.size, 1));
      break;
    }
    case sort: {
      const double n = elements(0);
      w.vector_ops = n * std::max(1.0, std::ceil(std::log2(std::max(n, 2.0))));
      break;
    }
    case scatter:
      if (i.operand_count() > 0) w.vector_ops = elements(i.operand_count() - 1);
      break;
    case fft:
      w.vector_ops = 8 * detail::element_count(i.shape());
      for (const std::int64_t length :
           get_integers(i, attribute_key::fft_length).value_or(record_list<std::int64_t>{2}))
        w.vector_ops *= std::floor(std::log2(static_cast<double>(std::max<std::int64_t>(2, length))));
      break;
    case cholesky:
    case triangular_solve: {
      const shape* const matrix = shape_of_operand(i, 0);
      if (!matrix || matrix->rank() == 0) break;
      const double side = static_cast<double>(std::max<std::int64_t>(0, matrix->dimensions.back().size));
      w.flops = i.opcode() == cholesky ? side * elements(0) / 3 : side * elements(1);
      w.type = matrix->type;
      w.unknown = true;  // many kernels one after the other: the operations say little about the time
      break;
    }
    default:
      if (const double weight = detail::vector_weight(i.opcode()); weight > 0)
        w.vector_ops = weight * detail::element_count(i.shape());
  }
  return w;
}

}  // namespace hlolint
