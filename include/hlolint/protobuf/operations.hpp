// The small messages of single operations: windows, dimension numbers, paddings and the like (protobuf_dumps.md 7).
#pragma once

#include <hlolint/protobuf/text_parts.hpp>
#include <hlolint/protobuf/wire.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

namespace hlolint::protobuf {

/// Fields of messages are printed as `KEY={1,2}`; those that are left out when they are empty are `optional`.
struct listed_field {
  std::string_view key;
  std::uint32_t tag;
  bool optional = false;
};
inline void put_lists(std::string& out, const message& m, std::initializer_list<listed_field> fields) {
  bool first = true;
  for (const listed_field& f : fields) {
    const auto numbers = m.numbers(f.tag);
    if (f.optional && numbers.empty()) continue;
    if (!first) out += ", ";
    first = false;
    out += f.key;
    put_list(out, numbers);
  }
}

/// The inside of `window={}`. XLA always writes strides and dilations, so that 0 is 0.
inline void put_window(std::string& out, const message& window) {
  record_list<std::array<std::int64_t, 8>> dimensions;
  window.each(1, [&](std::string_view bytes) {
    const message d(bytes);
    std::array<std::int64_t, 8> all{};
    for (std::uint32_t tag = 1; tag < all.size(); ++tag) all[tag] = d.number(tag);
    dimensions.push_back(all);
  });
  const auto part = [&](std::string_view key, std::size_t field, std::int64_t usual, bool always = false) {
    if (!always && std::all_of(dimensions.begin(), dimensions.end(), [&](const auto& d) { return d[field] == usual; }))
      return;
    out += key;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      if (i) out += 'x';
      put(out, dimensions[i][field]);
    }
  };
  part("size=", 1, 0, true);
  part(" stride=", 2, 1);
  if (std::any_of(dimensions.begin(), dimensions.end(), [](const auto& d) { return d[3] || d[4]; })) {
    out += " pad=";
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      if (i) out += 'x';
      put(out, dimensions[i][3]);
      out += '_';
      put(out, dimensions[i][4]);
    }
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

/// DotDimensionNumbers; batch dimensions only if there are any.
inline void put_dot_dimensions(std::string& out, std::string_view bytes) {
  put_lists(out, message(bytes), {{"lhs_batch_dims=", 3, true}, {"lhs_contracting_dims=", 1},
                                  {"rhs_batch_dims=", 4, true}, {"rhs_contracting_dims=", 2}});
}

/// `{[0:4], [0:8]}`; strides if any is not 1.
inline void put_slices(std::string& out, const record_list<std::string_view>& dimensions) {
  record_list<message> all;
  for (const std::string_view d : dimensions) all.emplace_back(d);
  const bool strides = std::any_of(all.begin(), all.end(), [](const message& d) { return d.number(3) != 1; });
  out += '{';
  for (std::size_t i = 0; i < all.size(); ++i) {
    out += i ? ", [" : "[";
    put(out, all[i].number(1));
    out += ':';
    put(out, all[i].number(2));
    if (strides) out += ':', put(out, all[i].number(3));
    out += ']';
  }
  out += '}';
}

/// `0_1x2_2`; interior padding if there is any.
inline void put_padding(std::string& out, std::string_view bytes) {
  record_list<message> all;
  message(bytes).each(1, [&](std::string_view d) { all.emplace_back(d); });
  const bool interior = std::any_of(all.begin(), all.end(), [](const message& d) { return d.number(3) != 0; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i) out += 'x';
    put(out, all[i].number(1));
    out += '_';
    put(out, all[i].number(2));
    if (interior) out += '_', put(out, all[i].number(3));
  }
}

/// `{{0}: (1, {}), {}: (0, {2})}`
inline void put_aliasing(std::string& out, const record_list<std::string_view>& entries) {
  out += '{';
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const message m(entries[i]);
    if (i) out += ", ";
    put_list(out, m.numbers(1));
    out += ": (";
    put(out, m.number(2));
    out += ", ";
    put_list(out, m.numbers(3));
    out += ')';
  }
  out += '}';
}

/// The word of an enumerator; empty for one that is newer than this.
template <std::size_t N>
constexpr std::string_view word_of(const std::string_view (&words)[N], std::int64_t number) {
  return number >= 0 && static_cast<std::size_t>(number) < N ? words[number] : std::string_view();
}

/// PrecisionConfig: what is not the default. `begin(key)` is called before each value.
template <class Begin>
void put_precision(std::string& out, std::string_view bytes, Begin&& begin) {
  constexpr std::string_view precisions[] = {"default", "high", "highest"};
  constexpr std::string_view algorithms[] = {
      "", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32",
      "dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6", "dot_tf32_tf32_f32",
      "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64", "dot_bf16_bf16_f32_x9"};
  const message m(bytes);
  const auto operands = m.numbers(1);
  const bool known = std::none_of(operands.begin(), operands.end(),
                                  [&](std::int64_t p) { return word_of(precisions, p).empty(); });
  if (known && std::any_of(operands.begin(), operands.end(), [](std::int64_t p) { return p != 0; })) {
    begin("operand_precision=");
    for (std::size_t i = 0; i < operands.size(); ++i) {
      out += i ? ',' : '{';
      out += word_of(precisions, operands[i]);
    }
    out += '}';
  }
  if (const std::string_view algorithm = word_of(algorithms, m.number(2)); !algorithm.empty()) {
    begin("algorithm=");
    out += algorithm;
  }
}

}  // namespace hlolint::protobuf
