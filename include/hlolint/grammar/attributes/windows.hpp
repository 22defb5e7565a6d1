// Windows, paddings, slices and dimension labels (hlo_text.md 7: window, padding, slices, dim_labels).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/field_tokens.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/text/str_cat.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::grammar {

/// The fields of a window, one number or padding per dimension.
struct window_fields {
  std::vector<std::int64_t> size, stride, lhs_dilate, rhs_dilate, rhs_reversal;
  std::vector<padding_dimension> pad;
  std::uint64_t seen = 0;
};

namespace window_rules {

/// Each field has as many dimensions as `size`.
[[gnu::cold]] inline void check_window(parse_state& s, std::string_view text, const window_fields& w) {
  const std::size_t rank = w.size.size();
  const auto check = [&](std::string_view name, std::size_t dimensions) {
    if (dimensions != 0 && dimensions != rank)
      s.broke(text.data(),
              str_cat({"the window's size has ", rank, " dimensions, but its ", name, " has ", dimensions}));
  };
  check("stride", w.stride.size()), check("lhs_dilate", w.lhs_dilate.size()), check("rhs_dilate", w.rhs_dilate.size());
  check("rhs_reversal", w.rhs_reversal.size()), check("pad", w.pad.size());
}

/// Reads one part of dimension labels. No letter or digit stands twice, and the digits are below the number of spatial
/// dimensions. False if that rule is broken.
[[gnu::cold]] inline bool number_labels(parse_state& s, std::string_view text, char first, char second,
                                        convolution_dimension_numbers::part& out) {
  std::array<bool, 256> seen{};
  std::size_t spatial = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '?') continue;
    if (seen[static_cast<unsigned char>(c)]) {
      s.broke(text.data() + i, str_cat({"'", text.substr(i, 1), "' stands twice in ", text}));
      return false;
    }
    seen[static_cast<unsigned char>(c)] = true;
    spatial += c != first && c != second;
  }
  out.spatial.resize(spatial);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto at = static_cast<std::int64_t>(i);
    if (c == first)
      out.first = at;
    else if (c == second)
      out.second = at;
    else if (c != '?' && static_cast<std::size_t>(c - '0') < spatial)
      out.spatial[static_cast<std::size_t>(c - '0')] = at;
    else if (c != '?') {
      s.broke(text.data() + i,
              str_cat({"'", text.substr(i, 1), "' in ", text, ", which has ", spatial, " spatial dimensions"}));
      return false;
    }
  }
  return true;
}
[[gnu::cold]] inline convolution_dimension_numbers numbers_of(parse_state& s, const scan::label_parts& text) {
  convolution_dimension_numbers out;
  const bool fine = number_labels(s, text.input, 'b', 'f', out.input) &&
                    number_labels(s, text.kernel, 'i', 'o', out.kernel) &&
                    number_labels(s, text.output, 'b', 'f', out.output);
  const std::size_t in = out.input.spatial.size(), kernel = out.kernel.spatial.size(),
                    result = out.output.spatial.size();
  if (fine && (in != kernel || in != result))
    s.broke(text.input.data(), str_cat({"input, kernel and output have different numbers of spatial dimensions: ", in,
                                        ", ", kernel, " and ", result}));
  return out;
}
[[gnu::cold]] inline void check_labels(parse_state& s, std::string_view, const scan::label_parts& text) {
  numbers_of(s, text);
}

// 3x3    without blanks
inline constexpr auto dxd = rule<std::vector<std::int64_t>>("extents") = x3::lexeme[each[natural] % 'x'];
// low_high
inline constexpr auto low_high = rule<padding_dimension>("low high") =
    into<&padding_dimension::low>[integer] >> '_' >> into<&padding_dimension::high>[integer];
inline constexpr auto sizes = must("sizes such as 3x3")[dxd];

}  // namespace window_rules

// low_high[_interior]
inline constexpr auto padone = rule<padding_dimension>("padding of a dimension") =
    into<&padding_dimension::low>[integer] >> '_' >> into<&padding_dimension::high>[integer] >>
    -('_' >> into<&padding_dimension::interior>[natural]);
inline constexpr auto padding = rule<hlolint::padding_config>("padding") =
    x3::lexeme[must("a padding such as 0_1x2_0_1")[append<&padding_config::dimensions>[padone]] % 'x' >>
               !(x3::lit('x') | '_')];

// {size=3x3 stride=2x2 pad=0_1x0_1}
inline constexpr auto window = checked<
    &window_rules::
        check_window>[rule<window_fields>("window") =
                          '{' >>
                          *once<&window_fields::seen>("the window")[by(attribute_name)(
                              on("size")[into<&window_fields::size>[window_rules::sizes]],
                              on("stride")[into<&window_fields::stride>[window_rules::sizes]],
                              on("pad")[must("a padding such as 0_1x0_1")
                                            [x3::lexeme[append<&window_fields::pad>[window_rules::low_high] % 'x']]],
                              on("lhs_dilate")[into<&window_fields::lhs_dilate>[window_rules::sizes]],
                              on("rhs_dilate")[into<&window_fields::rhs_dilate>[window_rules::sizes]],
                              on("rhs_reversal")[into<&window_fields::rhs_reversal>[window_rules::sizes]])] >>
                          must("size=, stride=, pad=, lhs_dilate=, rhs_dilate=, rhs_reversal= or '}'")['}']];

// b01f_01io->b01f
inline constexpr auto dim_labels = checked<&window_rules::check_labels>[token<&scan::dim_labels>{}];

// [0:4] or [0:8:2]
inline constexpr auto slice_ = rule<slice_range>("slice") =
    '[' >> must("an integer")[into<&slice_range::start>[integer]] >> must("':'")[':'] >>
    must("an integer")[into<&slice_range::limit>[integer]] >>
    -(':' >> must("an integer")[into<&slice_range::stride>[integer]]) >> must("':' or ']'")[']'];
// {[0:4], [0:8:2]}
inline constexpr auto slices = rule<hlolint::slices>("slices") = in_braces(
    "[start:limit] or [start:limit:stride]", "[start:limit], ',' or '}'")[append<&hlolint::slices::dimensions>[slice_]];

template <>
inline constexpr auto attribute_rule<hlolint::window> =
    reads<window>("a window such as {size=3x3 pad=0_1x0_1}", [](const window_fields& fields) {
      hlolint::window out;
      out.dimensions.resize(fields.size.size());
      for (std::size_t i = 0; i != out.dimensions.size(); ++i) {
        window_dimension& d = out.dimensions[i];
        d.size = fields.size[i];
        if (!fields.stride.empty()) d.stride = fields.stride[i];
        if (!fields.lhs_dilate.empty()) d.base_dilation = fields.lhs_dilate[i];
        if (!fields.rhs_dilate.empty()) d.window_dilation = fields.rhs_dilate[i];
        if (!fields.rhs_reversal.empty()) d.reversed = fields.rhs_reversal[i] != 0;
        if (!fields.pad.empty()) d.padding_low = fields.pad[i].low, d.padding_high = fields.pad[i].high;
      }
      return out;
    });
template <>
inline constexpr auto attribute_rule<padding_config> = reads<padding>("a padding such as 0_1x2_0_1");
template <>
inline constexpr auto attribute_rule<convolution_dimension_numbers> =
    reads<dim_labels>("dimension labels such as b01f_01io->b01f", [](const scan::label_parts& labels) {
      parse_state checked_before;
      return window_rules::numbers_of(checked_before, labels);
    });
template <>
inline constexpr auto attribute_rule<hlolint::slices> = reads<slices>("slices such as {[0:4], [0:8:2]}");

}  // namespace hlolint::grammar
