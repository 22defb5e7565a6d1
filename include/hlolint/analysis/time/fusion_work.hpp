// The work of single instructions and of fusions (time_model.md 4.2, 4.3).
#pragma once

#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/analysis/time/matmul_work.hpp>
#include <hlolint/analysis/time/memory_traffic.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hlolint {

namespace detail {

/// The cost of one result element on the vector units; transcendental functions and divisions count ten.
constexpr double vector_weight(hlo_opcode opcode) {
  using enum hlo_opcode;
  constexpr opcode_set slow{acos, acosh,       asin, asinh,    atanh, cosh, cosine, divide,
                            erf,  exponential, log,  logistic, power, sine, sinh,   tanh};
  constexpr opcode_set without_work{bitcast_convert, constant, convert, copy, map, rng};
  return slow.has(opcode) ? 10 : is_elementwise(opcode) && !without_work.has(opcode) ? 1 : 0;
}

/// The kernels of a sort on a GPU, a bitonic network: one for each stage whose partners lie in different tiles, and one
/// for each run of stages within tiles, which fit into shared memory (time_model.md 4.2).
inline double sort_kernels(hlo_instruction sort) {
  constexpr double shared = 48 * 1024, largest_tile = 4096;
  double bytes = 0, length = 1;
  const auto along = get_integers(sort, attribute_key::dimensions);
  for (std::size_t k = 0; k < sort.operand_count(); ++k)
    if (const shape* const s = shape_of_operand(sort, k); s && s->is_array()) {
      bytes += bit_width(s->type) / 8.0;
      if (along && along->size() == 1) length = static_cast<double>(extent_of(*s, along->front()));
    }
  double tile = largest_tile, stages = 0;
  while (tile > 1 && tile * bytes > shared) tile /= 2;
  for (; tile < length; tile *= 2) ++stages;
  return (stages + 1) * (stages + 2) / 2;
}

}  // namespace detail

/// Flops, vector operations and the multiplied type of an instruction by itself, as in HloCostAnalysis; no bytes.
inline work arithmetic_of(const device& d, hlo_instruction i) {
  work w;
  const auto elements = [&](std::size_t operand) { return detail::element_count(shape_of_operand(i, operand)); };
  switch (i.opcode()) {
    using enum hlo_opcode;
    case dot:
      w.tile_flops =
          batched_tile_flops(d, shape_of_operand(i, 0), i.shape(),
                             get_integers(i, attribute_key::lhs_contracting_dims).value_or(std::vector<std::int64_t>{}),
                             get_integers(i, attribute_key::lhs_batch_dims).value_or(std::vector<std::int64_t>{}));
      [[fallthrough]];
    case scaled_dot:
    case ragged_dot: w.set_product(dot_flops(d, i)), w.type = detail::multiplied_type(i); break;
    case convolution:
      w.set_product(convolution_flops(d, i, shape_of_operand(i, 0), shape_of_operand(i, 1), i.shape()));
      w.type = detail::multiplied_type(i);
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
      if (!d.is_tpu()) w.kernels = detail::sort_kernels(i);
      break;
    }
    case scatter:
      if (i.operand_count() > 0) w.vector_ops = elements(i.operand_count() - 1);
      break;
    case fft:
      w.vector_ops = 8 * detail::element_count(i.shape());
      for (const std::int64_t length :
           get_integers(i, attribute_key::fft_length).value_or(std::vector<std::int64_t>{2}))
        w.vector_ops *= std::floor(std::log2(static_cast<double>(std::max<std::int64_t>(2, length))));
      break;
    case cholesky:
    case triangular_solve: {
      const shape* const matrix = shape_of_operand(i, 0);
      if (!matrix || matrix->rank() == 0) break;
      const double side = static_cast<double>(std::max<std::int64_t>(0, matrix->dimensions.back().size));
      w.flops = w.model_flops = i.opcode() == cholesky ? side * elements(0) / 3 : side * elements(1);
      w.type = matrix->type;
      w.unknown = true;  // runs as many kernels, so operations show little of its time
      break;
    }
    default:
      if (const double weight = detail::vector_weight(i.opcode()); weight > 0)
        w.vector_ops = weight * detail::element_count(i.shape());
  }
  if (!d.is_tpu()) return w;
  w.vector = vector_work_of(d, i);
  using enum hlo_opcode;
  if (i.opcode() == fft || i.opcode() == cholesky || i.opcode() == triangular_solve || i.opcode() == scan)
    w.vector.other_cycles += detail::over(w.vector_ops, d.vector_ops) * d.clock;  // no rule of their own
  return w;
}

/// The work of every fused computation of a module, computed callees first, so that nested fusions cost nothing extra.
/// The share of each parameter that is read is traced back from the roots.
class fusion_work {
 public:
  /// O(n log n) in the module, at most.
  fusion_work(const hlo_module& module, const device& on)
      : traffic_(on), bodies_(module.computation_count()), wanted_(module.instruction_count()) {
    std::vector<bool> fused(module.computation_count());
    for (const hlo_instruction i : module.instructions())
      if (i.opcode() == hlo_opcode::fusion)
        if (const hlo_computation called = first_called(i)) fused[called.id()] = true;
    for (const hlo_computation c : callees_first(module))
      if (fused[c.id()]) add(c, on);
    wanted_ = {};
  }

  /// The work of a fusion; if its computation is missing, the most that it can move.
  work of(hlo_instruction fusion) const {
    const hlo_computation called = first_called(fusion);
    if (!called) return traffic_.whole(fusion);
    const body& inside = bodies_[called.id()];
    work out = inside.arithmetic;
    out.written = inside.written;
    out.read = inside.constants;
    for (std::size_t k = 0; k < fusion.operand_count(); ++k)
      if (const double part = share(called, k); part > 0) {
        out.read += part * traffic_.operand_bytes(fusion, k);
        out.host += part * traffic_.host_bytes(shape_of_operand(fusion, k));
      }
    if (const double host = traffic_.host_bytes(fusion.shape()); host > 0) {  // written there
      const double there = out.written * host / (host + traffic_.bytes(fusion.shape()));
      out.host += there, out.written -= there;
    }
    out.read *= out.kernels, out.written *= out.kernels;
    return out;
  }

 private:
  struct body {
    work arithmetic;
    double constants = 0;  ///< bytes of large constants inside
    double written = 0;
    std::size_t first_share = 0;  ///< in shares_, of parameter 0
    std::size_t parameters = 0;   ///< one more than the highest parameter number
  };

  /// Bytes on the device or on the host.
  double stored(const shape* s) const { return traffic_.bytes(s) + traffic_.host_bytes(s); }
  /// The share of a parameter that is read, at most 1.
  double share(hlo_computation c, std::size_t parameter) const {
    const body& inside = bodies_[c.id()];
    return parameter < inside.parameters ? std::min(1.0, shares_[inside.first_share + parameter]) : 0;
  }

  /// N of `parameter(N)`, if the computation can have this many parameters.
  static std::optional<std::size_t> number_of(hlo_instruction parameter) {
    const auto number = parameter_position(parameter);
    return number && *number < parameter.computation().instruction_count() ? number : std::nullopt;
  }

  void add(hlo_computation c, const device& on) {
    body& out = bodies_[c.id()];
    out.first_share = shares_.size();
    if (!c.root()) return;
    bool has_tuple = false;
    for (const hlo_instruction i : c.instructions()) {
      if (i.opcode() == hlo_opcode::parameter) {
        if (const auto number = number_of(i)) out.parameters = std::max(out.parameters, *number + 1);
        continue;
      }
      has_tuple = has_tuple || i.opcode() == hlo_opcode::tuple;
      const work own = i.opcode() == hlo_opcode::fusion && first_called(i) ? bodies_[first_called(i).id()].arithmetic
                                                                           : arithmetic_of(on, i);
      out.arithmetic.flops += own.flops, out.arithmetic.model_flops += own.model_flops;
      out.arithmetic.vector_ops += own.vector_ops;
      out.arithmetic.vector += own.vector;
      out.arithmetic.kernels = std::max(out.arithmetic.kernels, own.kernels);
      if (!out.arithmetic.type) out.arithmetic.type = own.type;
    }
    shares_.resize(shares_.size() + out.parameters);
    std::vector<id> in_place;  // updates of arrays in place
    start_at_roots(c, out, in_place);
    const std::vector<bool> read = has_tuple ? read_by_others_than_tuples(c) : std::vector<bool>();
    for (std::size_t at = c.instruction_count(); at-- > 0;) {
      const hlo_instruction i = c.instruction(at);
      const double used = wanted_[i.id()];
      if (used <= 0) continue;
      if (i.opcode() == hlo_opcode::parameter) {
        if (const auto number = number_of(i); number && (!has_tuple || read[at] || i.is_root()))
          shares_[out.first_share + *number] = used;
      } else if (i.opcode() == hlo_opcode::constant) {
        if (detail::element_count(i.shape()) > 8) out.constants += traffic_.bytes(i.shape());
      } else {
        const bool skipped = std::binary_search(in_place.begin(), in_place.end(), i.id());
        for (std::size_t k = 0; k < i.operand_count(); ++k) pass(i, k, used, skipped);
      }
    }
  }

  /// By position in the computation: whether an instruction other than a tuple reads it. A parameter that only the
  /// root's tuple forwards is not read.
  static std::vector<bool> read_by_others_than_tuples(hlo_computation c) {
    std::vector<bool> read(c.instruction_count());
    for (const hlo_instruction i : c.instructions())
      if (i.opcode() != hlo_opcode::tuple)
        for (const hlo_instruction operand : i.operands())
          if (operand && operand.computation() == c) read[operand.index_in_computation()] = true;
    return read;
  }

  void start_at_roots(hlo_computation c, body& out, std::vector<id>& in_place) {
    const hlo_instruction root = c.root();
    wanted_[root.id()] = 1;
    const bool several = root.opcode() == hlo_opcode::tuple;
    for (std::size_t k = 0; k < (several ? root.operand_count() : 1); ++k) {
      const hlo_instruction leaf = several ? root.operand(k) : root;
      if (!leaf) continue;
      wanted_[leaf.id()] = 1;
      const hlo_instruction made = follow_first_operands(leaf, [](hlo_instruction i) {
        return i.opcode() == hlo_opcode::bitcast || i.opcode() == hlo_opcode::reshape;
      });
      if (made.opcode() == hlo_opcode::parameter) continue;  // stays where it is
      if (const auto update = memory_traffic::updated_operand(made)) {
        out.written +=
            std::min(traffic_.stored_part(made.shape(), shape_of_operand(made, *update)), stored(made.shape()));
        in_place.push_back(made.id());
      } else {
        out.written += stored(leaf.shape());
      }
    }
    std::sort(in_place.begin(), in_place.end());
  }

  /// Adds the share of operand k that is needed if the share `used` of instruction i is.
  void pass(hlo_instruction i, std::size_t k, double used, bool in_place) {
    const hlo_instruction operand = i.operand(k);
    if (!operand || operand.id() >= i.id()) return;
    // Computed only on demand, since most instructions read all of their operands.
    const auto result = [&] { return std::max(1.0, detail::element_count(i.shape())); };
    const auto elements = [&](std::size_t o) { return std::max(1.0, detail::element_count(shape_of_operand(i, o))); };
    // Whole tiles are read for a part of their lanes.
    const auto part = [&] {
      const double of = traffic_.stored(shape_of_operand(i, 0)),
                   size = traffic_.stored_part(shape_of_operand(i, 0), i.shape());
      return of > 0 && size > 0 ? size / of : result() / elements(0);
    };
    double needed = used;
    switch (i.opcode()) {
      using enum hlo_opcode;
      case fusion:
        if (const hlo_computation inner = first_called(i)) needed = used * share(inner, k);
        break;
      case slice:
      case dynamic_slice:
      case gather:
        if (k == 0) needed = used * std::min(1.0, part());
        break;
      case dynamic_update_slice:
        if (k == 0 && in_place)
          needed = traffic_.fills_tiles_partly(i.shape(), shape_of_operand(i, 1))
                       ? traffic_.stored_part(i.shape(), shape_of_operand(i, 1)) / traffic_.stored(i.shape())
                       : 0;
        else if (k == 0)
          needed = used * std::max(0.0, 1 - elements(1) / result());
        else
          needed = k == 1 ? std::min(1.0, used * result() / elements(1)) : 1;
        break;
      case scatter:
        if (k == 0 && in_place) needed = std::min(1.0, elements(i.operand_count() - 1) / elements(k));
        break;
      case broadcast:
      case reduce:
      case reduce_window:
      case pad: needed = std::min(1.0, used); break;
      default: break;
    }
    double& known = wanted_[operand.id()];
    known = operand.opcode() == hlo_opcode::parameter ? known + needed : std::max(known, needed);
  }

  memory_traffic traffic_;
  std::vector<double> shares_;  // share that is read, by parameter
  std::vector<body> bodies_;    // by computation; empty for those that are not fused
  std::vector<double> wanted_;  // by instruction, during the scan of a computation
};

}  // namespace hlolint
