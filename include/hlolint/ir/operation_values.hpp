// Typed values of the attributes that define what an operation computes (hlo_text.md 7), as `get<T>(instruction)` of
// grammar/attributes/get.hpp makes them.
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/shape_index.hpp>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// One dimension of `window={size=3x3 stride=2x2 ...}`. Fields that are not written have XLA's defaults.
struct window_dimension {
  std::int64_t size = 1;             ///< elements that the window covers in this dimension
  std::int64_t stride = 1;           ///< elements between the beginnings of two windows
  std::int64_t padding_low = 0;      ///< before the first element; may be negative
  std::int64_t padding_high = 0;     ///< after the last element; may be negative
  std::int64_t base_dilation = 1;    ///< `lhs_dilate`
  std::int64_t window_dilation = 1;  ///< `rhs_dilate`
  bool reversed = false;             ///< `rhs_reversal`
  friend bool operator==(const window_dimension&, const window_dimension&) = default;
};
/// The windows of a convolution or a reduce-window.
struct window {
  static constexpr attribute_key key = attribute_key::window;  ///< of the attribute that it is the value of
  std::vector<window_dimension> dimensions;                    ///< of a convolution the spatial ones only
};

/// One dimension of `padding=0_1x2_0_1`.
struct padding_dimension {
  std::int64_t low = 0;       ///< before the first element; negative cuts off
  std::int64_t high = 0;      ///< after the last element; negative cuts off
  std::int64_t interior = 0;  ///< between two elements
  friend bool operator==(const padding_dimension&, const padding_dimension&) = default;
};
/// `padding=` of a pad, one entry per dimension.
struct padding_config {
  static constexpr attribute_key key = attribute_key::padding;  ///< of the attribute that it is the value of
  std::vector<padding_dimension> dimensions;                    ///< the first is the most major
};

/// `dim_labels=b01f_01io->b01f`: the dimensions of a convolution.
struct convolution_dimension_numbers {
  static constexpr attribute_key key = attribute_key::dim_labels;  ///< of the attribute that it is the value of
  /// The dimensions of one array by their roles; -1 for one that is not named.
  struct part {
    std::int64_t first = -1;            ///< batch; of the kernel: input feature
    std::int64_t second = -1;           ///< feature; of the kernel: output feature
    std::vector<std::int64_t> spatial;  ///< in the order of the digits
  };
  /// The labels of the three arrays. @{
  part input, kernel, output;
  /// @}
};

/// One dimension of `slice={[0:4], [0:8:2]}`.
struct slice_range {
  std::int64_t start = 0;   ///< first index
  std::int64_t limit = 0;   ///< one past the last index
  std::int64_t stride = 1;  ///< from one index that is taken to the next
  friend bool operator==(const slice_range&, const slice_range&) = default;
};
/// `slice=` of a slice, one entry per dimension.
struct slices {
  static constexpr attribute_key key = attribute_key::slice;  ///< of the attribute that it is the value of
  std::vector<slice_range> dimensions;                        ///< in the order of the shape's dimensions
};

/// How precise an operand of a dot or a convolution has to be.
enum class precision : std::uint8_t { default_, high, highest };
/// `operand_precision={default,highest}`
struct operand_precision {
  static constexpr attribute_key key = attribute_key::operand_precision;  ///< of the attribute that it is the value of
  std::vector<precision> operands;                                        ///< one per operand
};

/// `algorithm=` of a dot or convolution, as written: `dot_bf16_bf16_f32_x3`, `unset`.
struct dot_algorithm {
  static constexpr attribute_key key = attribute_key::algorithm;  ///< of the attribute that it is the value of
  std::string_view name;                                          ///< as written; empty if it is not written
};

/// `statistics={visualizing_index=0,name=1.5}`
struct statistics {
  static constexpr attribute_key key = attribute_key::statistics;  ///< of the attribute that it is the value of
  std::vector<std::pair<std::string_view, double>> entries;        ///< names and numbers, in text order
};

/// `result_accuracy={mode=highest}` or `{tolerance={atol=0,rtol=0.5,ulps=2}}`
struct result_accuracy {
  static constexpr attribute_key key = attribute_key::result_accuracy;  ///< of the attribute that it is the value of
  std::string_view mode;                                                ///< empty if tolerances are given
  double absolute_tolerance = 0;                                        ///< `atol`
  double relative_tolerance = 0;                                        ///< `rtol`
  double ulps = 0;                                                      ///< `ulps`: units in the last place
};

/// An array of the program before optimization.
struct original_array {
  std::string_view instruction;  ///< its name, with escapes; empty: none
  shape_index index;             ///< the leaf of its result
  friend bool operator==(const original_array&, const original_array&) = default;
};
/// `origin={({"a" {0}}, {"b"}),["jit(f)/g"]}`: the original array of each leaf of the result.
struct original_value {
  static constexpr attribute_key key = attribute_key::origin;  ///< of the attribute that it is the value of
  /// A leaf of the result and its original array.
  struct leaf {
    shape_index position;  ///< in the result
    original_array array;  ///< in the program before optimization
  };
  bool synthetic_call = false;  ///< `[synthetic_call]` is written in place of leaves
  std::vector<leaf> leaves;     ///< in text order
  std::string_view calls;       ///< the call hierarchy in brackets after the leaves, with escapes; empty: none
};

/// The types that `get<T>` reads from attributes that define what an operation computes.
using operation_attribute_types =
    attribute_types<window, padding_config, convolution_dimension_numbers, slices, operand_precision, dot_algorithm,
                    statistics, result_accuracy, original_value>;

}  // namespace hlolint
