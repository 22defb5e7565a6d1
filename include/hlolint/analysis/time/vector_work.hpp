// The cycles of a TPU's vector units, by the registers that an instruction works on (time_model.md 4.5).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/layout_order.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/ir/shape.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hlolint {

/// What a TPU's vector units do for an instruction or a fusion. A register has 8 x 128 values.
struct vector_work {
  double registers = 0;     ///< of the largest array: each of them is loaded or stored
  double simple = 0;        ///< registers x operations of one instruction of the vector units
  double cycles = 0;        ///< of a v5e, for all else
  double other_cycles = 0;  ///< of units that did not change from one TPU to the next: shuffles, scalar loops

  /// Cycles on a device: a bundle moves about one register, and has about three simple operations.
  double cycles_on(const device& d) const {
    constexpr double moved = 1.1, operated = 0.3;
    return d.vector_pace * (std::max(moved * registers, operated * simple) + cycles) + other_cycles;
  }
  /// Adds what another instruction of the same fusion does.
  vector_work& operator+=(const vector_work& o) {
    registers = std::max(registers, o.registers);
    simple += o.simple, cycles += o.cycles, other_cycles += o.other_cycles;
    return *this;
  }
  /// Leaves the share of it that is done.
  vector_work& operator/=(double by) {
    registers /= by, simple /= by, cycles /= by, other_cycles /= by;
    return *this;
  }
  friend bool operator==(const vector_work&, const vector_work&) = default;
};

namespace detail {

/// The factor by which an extent grows that is filled up to multiples of `side`.
inline double filling(double extent, std::int64_t side) {
  const double step = static_cast<double>(side);
  return extent > 0 ? std::ceil(extent / step) * step / extent : step;
}

/// The elements of an array along a dimension; 1 along one that it lacks.
inline std::int64_t extent_of(const shape& array, std::int64_t d) {
  return d >= 0 && static_cast<std::size_t>(d) < array.rank() ? array.dimensions[static_cast<std::size_t>(d)].size : 1;
}

/// The dimension of an array that lies along the lanes: the most minor one. 0 for a scalar.
inline std::size_t lane_dimension(const shape& array) {
  if (array.rank() == 0) return 0;
  const std::int64_t minor = minor_dimension(array, 0);
  return minor >= 0 && static_cast<std::size_t>(minor) < array.rank() ? static_cast<std::size_t>(minor)
                                                                      : array.rank() - 1;
}

/// Elements of a register that a first tile fills; 1024 unless it has fewer.
inline double register_fill(const shape& array) {
  constexpr double whole = 1024;
  if (!array.layout || array.layout->tiles.empty()) return whole;
  double product = 1;
  for (const std::int64_t side : array.layout->tiles[0].dimensions)
    if (side > 0) product *= static_cast<double>(side);
  return array.layout->tiles[0].dimensions.size() < 2 ? whole : std::min(product, whole);
}

/// The vector registers of an array; 0 if its size is unknown.
inline double registers_of(const shape* array) {
  if (!array || !array->is_array() || array->rank() == 0) return 0;
  auto size = byte_size(*array, size_rule::tpu_tiled);
  if (!size) size = dense_size(*array);
  const double bytes = std::max(1.0, static_cast<double>(bit_width(array->type)) / 8);
  return static_cast<double>(std::max<byte_count>(0, size.value_or(0))) / bytes / register_fill(*array);
}

/// The registers for arithmetic: where values fill half of a register, as in `T(4,128)`, they are put together and
/// taken apart.
inline double worked_registers(const shape* array) {
  constexpr double parted = 2.2, half = 512;
  const double count = registers_of(array);
  return count > 0 && register_fill(*array) == half ? parted * count : count;
}

/// Cycles of a v5e for each register of an elementwise operation beyond a simple one.
constexpr double vector_cost(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    // clang-format off
    case exp2: case exponential: case log: case log2: case tanh: case rsqrt: return 0.5;
    case divide: return 0.8;
    case exponential_minus_one: case log_plus_one: case logistic: case power: case remainder: return 1.3;
    case sqrt: case cbrt: case erf: case acos: case acosh: case asin: case asinh: case atan2: case atanh: case cosh:
    case sinh:
      // clang-format on
      return 2.4;
    case sine:
    case cosine:
    case tan: return 45;  // the range is reduced for large arguments
    default: return 0;
  }
}

/// The cycles to give an array another layout: 32-bit values of other rows are put together one by one; narrower ones
/// stay in pairs where the lanes stay.
inline double shuffle_cycles(const device& d, hlo_instruction i) {
  const shape *const from = shape_of_operand(i, 0), *const to = i.shape();
  if (!from || !to || !from->is_array() || !to->is_array()) return 0;
  bool lanes_move = true;
  if (i.opcode() == hlo_opcode::copy) {
    if (order_in_memory(*from) == order_in_memory(*to) && register_fill(*from) == register_fill(*to)) return 0;
    lanes_move = lane_dimension(*from) != lane_dimension(*to);
  } else if (i.opcode() == hlo_opcode::reshape) {
    const auto lanes = [](const shape& s) { return extent_of(s, static_cast<std::int64_t>(lane_dimension(s))); };
    lanes_move = lanes(*from) != lanes(*to);
  }
  constexpr double in_pairs = 1.2, narrow = 0.6, whole = 1024;
  const auto rows = [](const shape& s) { return registers_of(&s) * register_fill(s) / whole; };
  const double registers = std::max(rows(*from), rows(*to));
  if (bit_width(to->type) >= 32) return d.shuffle_cycles * registers;
  return registers * (lanes_move ? narrow * d.shuffle_cycles : in_pairs * d.vector_pace);
}

/// Cycles of a reduce-window. Sums run along with the window: over major dimensions for the cost of a load and a store,
/// over rows and lanes with shifts in each register. With strides, rows and lanes are taken apart.
inline vector_work reduce_window_work(hlo_instruction i) {
  constexpr double along_rows = 3.4, along_lanes = 14, strided = 30;
  vector_work w;
  const shape *const from = shape_of_operand(i, 0), *const to = i.shape();
  if (!from || !to || !to->is_array()) return w;
  const double out = registers_of(to);
  w.registers = std::max(registers_of(from), out);
  const auto windows = get<window>(i);
  if (!windows) return w;
  double each = 0;
  for (std::size_t k = 0; k < windows->dimensions.size(); ++k) {
    const window_dimension& along = windows->dimensions[k];
    const auto at = static_cast<std::int64_t>(k);
    if (along.size <= 1) continue;
    if (along.stride > 1) w.other_cycles = strided * out;
    if (at == minor_dimension(*to, 0)) each = along_lanes;
    if (at == minor_dimension(*to, 1)) each = std::max(each, along_rows);
  }
  if (w.other_cycles == 0) w.cycles = each * w.registers;
  return w;
}

/// By dimension of the array that a gather or scatter indexes: the elements of a slice. Empty if they are not known.
inline std::vector<std::int64_t> slice_sizes_of(hlo_instruction i) {
  if (i.opcode() == hlo_opcode::gather)
    return get_integers(i, attribute_key::slice_sizes).value_or(std::vector<std::int64_t>{});
  const shape* const array = shape_of_operand(i, 0);
  const shape* const updates = i.operand_count() > 2 ? shape_of_operand(i, i.operand_count() - 1) : nullptr;
  const auto along = get_integers(i, attribute_key::update_window_dims);
  if (!array || !updates || !along) return {};
  std::vector<std::int64_t> out;
  const auto inserted = get_integers(i, attribute_key::inserted_window_dims),
             batching = get_integers(i, attribute_key::input_batching_dims);
  const auto lists = [](const auto& list, std::size_t dimension) {
    return list && std::find(list->begin(), list->end(), static_cast<std::int64_t>(dimension)) != list->end();
  };
  std::size_t next = 0;  // the dimensions that are not inserted, in order
  for (std::size_t dimension = 0; dimension < array->rank(); ++dimension) {
    const bool is_inserted = lists(inserted, dimension) || lists(batching, dimension) || next == along->size();
    const std::size_t at = is_inserted ? updates->rank() : static_cast<std::size_t>((*along)[next++]);
    out.push_back(at < updates->rank() ? updates->dimensions[at].size : 1);
  }
  return out;
}

/// Cycles of a gather or scatter: for each register if the slices hold whole tiles of the array, for each row along its
/// lanes if they hold these, else for each element.
inline double indexed_cycles(hlo_instruction i, const shape* moved, double each_row, double each_element) {
  const shape* const array = shape_of_operand(i, 0);
  if (!array || !moved || !array->is_array() || !moved->is_array() || array->rank() == 0 || moved->rank() == 0)
    return 0;
  constexpr double lanes = 128, rows = 8;
  double count = 1;
  for (const dimension& d : moved->dimensions) count *= static_cast<double>(std::max<std::int64_t>(0, d.size));
  const std::vector<std::int64_t> slice = slice_sizes_of(i);
  const auto holds_whole = [&](std::size_t dimension) {
    return slice.size() == array->rank() && slice[dimension] == array->dimensions[dimension].size;
  };
  const std::size_t minor = lane_dimension(*array);
  const auto row = static_cast<double>(array->dimensions[minor].size);
  if (row < 2 || !holds_whole(minor)) return count * each_element;
  const double moved_rows = count / row * std::ceil(row / lanes);
  const bool has_next = array->rank() > 1 && array->layout && array->layout->minor_to_major.size() == array->rank();
  const std::size_t next = has_next ? static_cast<std::size_t>(array->layout->minor_to_major[1]) : minor;
  return moved_rows * each_row / (next < array->rank() && next != minor && holds_whole(next) ? rows : 1);
}

/// Cycles of a sorting network over key and index.
inline double sort_cycles(hlo_instruction i) {
  const shape* const keys = shape_of_operand(i, 0);
  if (!keys || !keys->is_array() || keys->rank() == 0) return 0;
  const auto along = get_integers(i, attribute_key::dimensions);
  const std::size_t at =
      along && along->size() == 1 && (*along)[0] >= 0 && static_cast<std::size_t>((*along)[0]) < keys->rank()
          ? static_cast<std::size_t>((*along)[0])
          : keys->rank() - 1;
  constexpr double each = 8;  // to compare and exchange a register of two arrays
  const double steps = std::log2(static_cast<double>(std::max<std::int64_t>(2, keys->dimensions[at].size)));
  return each * registers_of(keys) * steps * (steps + 1) / 2 *
         std::max(1.0, static_cast<double>(i.operand_count()) / 2);
}

}  // namespace detail

/// What the vector units do for an instruction that is not a fusion.
inline vector_work vector_work_of(const device& d, hlo_instruction i) {
  vector_work w;
  const shape* const result = i.shape();
  if (!result) return w;
  switch (i.opcode()) {
    using enum hlo_opcode;
    case parameter:
    case constant:
    case tuple:
    case get_tuple_element:
    case bitcast:
    case iota: return w;
    case copy:
    case transpose:
    case reshape:
      w.other_cycles = detail::shuffle_cycles(d, i);
      // Between two places of VMEM there is no other engine that copies.
      if (shape_of_operand(i, 0) && is_on_chip(result->memory_space()) &&
          is_on_chip(shape_of_operand(i, 0)->memory_space()))
        w.registers = detail::registers_of(result);
      return w;
    case dynamic_update_slice: w.registers = detail::worked_registers(shape_of_operand(i, 1)); return w;
    case gather: w.other_cycles = detail::indexed_cycles(i, result, 2.7, 12); return w;
    case scatter:
      if (i.operand_count() > 2)
        w.other_cycles = detail::indexed_cycles(i, shape_of_operand(i, i.operand_count() - 1), 13, 7.7);
      return w;
    case sort: w.other_cycles = detail::sort_cycles(i); return w;
    case reduce_window: return detail::reduce_window_work(i);
    case reduce: {
      constexpr double summed = 0.8, with_positions = 3;
      w.registers = detail::worked_registers(shape_of_operand(i, 0));
      if (i.operand_count() > 2)
        w.other_cycles = with_positions * w.registers;
      else
        w.cycles = summed * w.registers;
      return w;
    }
    case convolution:
    case dot: return w;
    default: break;
  }
  if (result->is_tuple()) return w;
  w.registers = detail::worked_registers(result);
  if (!is_elementwise(i.opcode())) return w;
  const double cost = detail::vector_cost(i.opcode());
  (cost > 0 ? w.cycles : w.simple) = w.registers * (cost > 0 ? cost : 1);
  return w;
}

}  // namespace hlolint
