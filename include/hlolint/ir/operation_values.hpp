// Typed values of the attributes that define what an operation computes (hlo_text.md 7). `get<T>(instruction)` of
// grammar/attributes/get.hpp makes them.
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/shape_index.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace hlolint {

/// `window={size=3x3 stride=2x2 ...}`: one entry per dimension; what is not written has XLA's default.
struct window_dimension {
  std::int64_t size = 1;  ///< elements that the window covers in this dimension
  std::int64_t stride = 1;  ///< elements between the beginnings of two windows
  std::int64_t padding_low = 0;  ///< may be negative, like the next one
  std::int64_t padding_high = 0;  ///< after the last element
  std::int64_t base_dilation = 1;    ///< `lhs_dilate`
  std::int64_t window_dilation = 1;  ///< `rhs_dilate`
  bool reversed = false;             ///< `rhs_reversal`
  friend bool operator==(const window_dimension&, const window_dimension&) = default;
};
/// The windows of a convolution or a reduce-window.
struct window {
  static constexpr attribute_key key = attribute_key::window;  ///< of the attribute that it is the value of
  record_list<window_dimension> dimensions;  ///< of a convolution the spatial ones only
};

/// `padding=0_1x2_0_1`
struct padding_dimension {
  std::int64_t low = 0;  ///< before the first element; negative cuts off
  std::int64_t high = 0;  ///< after the last element; negative cuts off
  std::int64_t interior = 0;  ///< between two elements
  friend bool operator==(const padding_dimension&, const padding_dimension&) = default;
};
/// `padding=` of a pad, one entry per dimension.
struct padding_config {
  static constexpr attribute_key key = attribute_key::padding;  ///< of the attribute that it is the value of
  record_list<padding_dimension> dimensions;  ///< the first is the most major
};

/// `dim_labels=b01f_01io->b01f`, taken apart; -1 for a dimension that is not named.
struct convolution_dimension_numbers {
  static constexpr attribute_key key = attribute_key::dim_labels;  ///< of the attribute that it is the value of
  /// Which dimension of one array plays which role.
  struct part {
    std::int64_t first = -1;   ///< batch; of the kernel: input feature
    std::int64_t second = -1;  ///< feature; of the kernel: output feature
    record_list<std::int64_t> spatial;  ///< in the order of the digits
  };
  /// The labels of the three shapes. @{
  part input, kernel, output;
  /// @}
};

/// `slice={[0:4], [0:8:2]}`
struct slice_range {
  std::int64_t start = 0;  ///< first index
  std::int64_t limit = 0;  ///< one past the last index
  std::int64_t stride = 1;  ///< between two indices that are taken
  friend bool operator==(const slice_range&, const slice_range&) = default;
};
/// `slice=` of a slice, one entry per dimension.
struct slices {
  static constexpr attribute_key key = attribute_key::slice;  ///< of the attribute that it is the value of
  record_list<slice_range> dimensions;  ///< in the order of the shape's dimensions
};

/// `operand_precision={default,highest}`
enum class precision : std::uint8_t { default_, high, highest };
/// How exact each operand of a dot or a convolution has to be.
struct operand_precision {
  static constexpr attribute_key key = attribute_key::operand_precision;  ///< of the attribute that it is the value of
  record_list<precision> operands;  ///< one per operand
};

/// `algorithm=` of a dot or convolution, as written: `dot_bf16_bf16_f32_x3`, `unset`.
struct dot_algorithm {
  static constexpr attribute_key key = attribute_key::algorithm;  ///< of the attribute that it is the value of
  std::string_view name;  ///< as written; empty if it is not written
};

/// `statistics={visualizing_index=0,name=1.5}`
struct statistics {
  static constexpr attribute_key key = attribute_key::statistics;  ///< of the attribute that it is the value of
  record_list<std::pair<std::string_view, double>> entries;        ///< names and numbers, in text order
};

/// `result_accuracy={mode=highest}` or `{tolerance={atol=0,rtol=0.5,ulps=2}}`
struct result_accuracy {
  static constexpr attribute_key key = attribute_key::result_accuracy;  ///< of the attribute that it is the value of
  std::string_view mode;  ///< empty if tolerances are given
  double absolute_tolerance = 0;  ///< `atol`
  double relative_tolerance = 0;  ///< `rtol`
  double ulps = 0;  ///< `ulps`: units in the last place
};

/// A leaf of the program before optimization: the instruction's name (still escaped) and an index into its result.
struct original_array {
  std::string_view instruction;  ///< empty: none
  shape_index index;  ///< the leaf of its result
  friend bool operator==(const original_array&, const original_array&) = default;
};
/// `origin={({"a" {0}}, {"b"})}`: where each leaf of the result comes from.
struct original_value {
  static constexpr attribute_key key = attribute_key::origin;  ///< of the attribute that it is the value of
  /// One leaf of the result and where it comes from.
  struct leaf {
    shape_index position;  ///< in the result
    original_array array;  ///< the leaf of the program that it was
  };
  bool synthetic_call = false;  ///< `[synthetic_call]` is written in place of leaves
  record_list<leaf> leaves;  ///< in text order
};

/// What `get<T>` reads of the attributes that define what an operation computes.
using operation_attribute_types =
    attribute_types<window, padding_config, convolution_dimension_numbers, slices, operand_precision, dot_algorithm,
                    statistics, result_accuracy, original_value>;

}  // namespace hlolint
