// The small messages of single operations: windows, dimension numbers, paddings and the like (protobuf_dumps.md 7).
#pragma once

#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/text_parts.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::protobuf {

/// A field that is printed as `KEY={1,2}`. An `optional` one is left out if it is empty.
struct listed_field {
  std::string_view key;
  std::uint32_t tag;
  bool optional = false;
};
inline void put_lists(std::string& out, const message& m, std::initializer_list<listed_field> fields) {
  bool first = true;
  for (const listed_field& f : fields) {
    if (f.optional && !m.has(f.tag)) continue;
    append_to(out, {first ? "" : ", ", f.key});
    first = false;
    put_list(out, m.numbers(f.tag));
  }
}

/// The inside of `window={}`. XLA always writes strides and dilations to the message, so a missing one is 0 and not 1.
inline void put_window(std::string& out, const message& window) {
  std::vector<message> dimensions;
  for (const std::string_view d : window.all(1)) dimensions.emplace_back(d);
  const auto part = [&](std::string_view key, std::uint32_t tag, std::int64_t usual) {
    if (std::all_of(dimensions.begin(), dimensions.end(), [&](const message& d) { return d.number(tag) == usual; }))
      return;
    out += key;
    put_each(out, dimensions, "x", [&](const message& d) { put(out, d.number(tag)); });
  };
  out += "size=";
  put_each(out, dimensions, "x", [&](const message& d) { put(out, d.number(1)); });
  part(" stride=", 2, 1);
  if (std::any_of(dimensions.begin(), dimensions.end(), [](const message& d) { return d.number(3) || d.number(4); })) {
    out += " pad=";
    put_each(out, dimensions, "x", [&](const message& d) { append_to(out, {d.number(3), "_", d.number(4)}); });
  }
  part(" lhs_dilate=", 6, 1);
  part(" rhs_dilate=", 5, 1);
  part(" rhs_reversal=", 7, 0);
}

/// `b01f_01io->b01f`
inline void put_dim_labels(std::string& out, std::string_view bytes) {
  const message m(bytes);
  const auto part = [&](std::uint32_t first, char first_label, std::uint32_t second, char second_label,
                        std::uint32_t spatial) {
    const auto places = m.numbers(spatial);
    std::int64_t most = std::max(m.number(first), m.number(second));
    for (const std::int64_t at : places) most = std::max(most, at);
    if (most < 0 || most > 62 || places.size() > 10) throw bad_message("dimension numbers that no convolution has");
    std::string labels(static_cast<std::size_t>(most) + 1, '?');
    const auto set = [&](std::int64_t at, char label) {
      if (at >= 0) labels[static_cast<std::size_t>(at)] = label;
    };
    set(m.number(first), first_label), set(m.number(second), second_label);
    for (std::size_t i = 0; i < places.size(); ++i) set(places[i], static_cast<char>('0' + i));
    out += labels;
  };
  part(7, 'b', 8, 'f', 11);
  out += '_';
  part(3, 'i', 4, 'o', 6);
  out += "->";
  part(9, 'b', 10, 'f', 12);
}

/// DotDimensionNumbers, without empty batch dimensions.
inline void put_dot_dimensions(std::string& out, std::string_view bytes) {
  put_lists(out, message(bytes),
            {{"lhs_batch_dims=", 3, true},
             {"lhs_contracting_dims=", 1},
             {"rhs_batch_dims=", 4, true},
             {"rhs_contracting_dims=", 2}});
}

/// `{[0:4], [0:8]}`, or `{[0:4:1], [0:8:2]}` if any stride is not 1.
inline void put_slices(std::string& out, const std::vector<std::string_view>& dimensions) {
  std::vector<message> all;
  for (const std::string_view d : dimensions) all.emplace_back(d);
  const bool strides = std::any_of(all.begin(), all.end(), [](const message& d) { return d.number(3) != 1; });
  out += '{';
  put_each(out, all, ", ", [&](const message& d) {
    append_to(out, {"[", d.number(1), ":", d.number(2)});
    if (strides) append_to(out, {":", d.number(3)});
    out += ']';
  });
  out += '}';
}

/// `0_1x2_2`, or `0_1_0x2_2_1` if there is interior padding.
inline void put_padding(std::string& out, std::string_view bytes) {
  std::vector<message> all;
  for (const std::string_view d : message(bytes).all(1)) all.emplace_back(d);
  const bool interior = std::any_of(all.begin(), all.end(), [](const message& d) { return d.number(3) != 0; });
  put_each(out, all, "x", [&](const message& d) {
    append_to(out, {d.number(1), "_", d.number(2)});
    if (interior) append_to(out, {"_", d.number(3)});
  });
}

/// `{{0}: (1, {}), {}: (0, {2})}`
inline void put_aliasing(std::string& out, const std::vector<std::string_view>& entries) {
  out += '{';
  put_each(out, entries, ", ", [&](std::string_view entry) {
    const message m(entry);
    put_list(out, m.numbers(1));
    append_to(out, {": (", m.number(2), ", "});
    put_list(out, m.numbers(3));
    out += ')';
  });
  out += '}';
}

/// The word of an enumerator; empty for a number that the table does not have, as of a newer XLA.
template <std::size_t N>
constexpr std::string_view word_of(const std::string_view (&words)[N], std::int64_t number) {
  return number >= 0 && static_cast<std::size_t>(number) < N ? words[number] : std::string_view();
}

/// The parts of a PrecisionConfig that are not the default. Calls `begin(key)` before each value.
template <class Begin>
void put_precision(std::string& out, std::string_view bytes, Begin&& begin) {
  constexpr std::string_view precisions[] = {"default", "high", "highest"};
  constexpr std::string_view algorithms[] = {"",
                                             "dot_any_f8_any_f8_f32",
                                             "dot_any_f8_any_f8_f32_fast_accum",
                                             "dot_f16_f16_f16",
                                             "dot_f16_f16_f32",
                                             "dot_bf16_bf16_bf16",
                                             "dot_bf16_bf16_f32",
                                             "dot_bf16_bf16_f32_x3",
                                             "dot_bf16_bf16_f32_x6",
                                             "dot_tf32_tf32_f32",
                                             "dot_tf32_tf32_f32_x3",
                                             "dot_f32_f32_f32",
                                             "dot_f64_f64_f64",
                                             "dot_bf16_bf16_f32_x9"};
  const message m(bytes);
  const auto operands = m.numbers(1);
  const bool known =
      std::none_of(operands.begin(), operands.end(), [&](std::int64_t p) { return word_of(precisions, p).empty(); });
  if (known && std::any_of(operands.begin(), operands.end(), [](std::int64_t p) { return p != 0; })) {
    begin("operand_precision={");
    put_each(out, operands, ",", [&](std::int64_t p) { out += word_of(precisions, p); });
    out += '}';
  }
  if (const std::string_view algorithm = word_of(algorithms, m.number(2)); !algorithm.empty()) {
    begin("algorithm=");
    out += algorithm;
  }
}

}  // namespace hlolint::protobuf
