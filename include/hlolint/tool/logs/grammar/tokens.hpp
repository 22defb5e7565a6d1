// The tokens of logs about missing memory.
#pragma once

#include <hlolint/tool/logs/grammar/token_scan.hpp>
#include <hlolint/grammar/buffers/line_tokens.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::grammar {

/// stated(sentences::ran_out): takes the first words of a message and the text before it on its line.
constexpr text_parser<&logs::stated> stated(const logs::sentence& what) {
  return text_parser<&logs::stated>(what.begin);
}

namespace dump {

/// A size with a unit and an optional sign.
[[gnu::noinline]] inline const char* signed_value(const char* p, const char* last, printed_size& value) {
  const bool negative = p != last && *p == '-';
  const char* const end = human_value(p + negative, last, value);
  if (end && negative) value = {-value.bytes, view(p, end)};
  return end;
}
/// `1.50G`, `-0.5KiB`
inline constexpr auto size = rule<printed_size>("size") = token<&signed_value>{} |
                                                          &token<&logs::signed_size>{} >>
                                                              broken("a size beyond the 64 bits of an int64");
/// `1073741824`: bytes without a unit.
[[gnu::noinline]] inline const char* plain_value(const char* p, const char* last, printed_size& value) {
  std::int64_t bytes = 0;
  const char* const end = scan::lines::signed_number(p, last, bytes);
  if (end) value = {bytes, view(p, end)};
  return end;
}
inline constexpr auto plain_size = rule<printed_size>("plain size") =
    token<&plain_value>{} | -x3::lit('-') >> &digits >> too_large;
/// `2.00 GiB`: with a blank, as frameworks print sizes.
[[gnu::noinline]] inline const char* spaced_value(const char* p, const char* last, printed_size& value) {
  const char* const end = logs::spaced_size(p, last);
  if (!end) return nullptr;
  std::string text(p, end);
  std::erase(text, ' ');
  if (!human_value(text.data(), text.data() + text.size(), value)) return nullptr;
  value.text = view(p, end);
  return end;
}
inline constexpr token<&spaced_value> spaced_size{};

/// `[64,2016,9,9] and type float` as bytes; null for a type of unknown size.
[[gnu::noinline]] inline const char* tensor_value(const char* p, const char* last, printed_size& value) {
  const char* const end = logs::tensor(p, last);
  if (!end) return nullptr;
  const std::string_view text = view(p, end), type = text.substr(text.rfind(' ') + 1);
  constexpr std::pair<std::string_view, std::int64_t> sizes[] = {
      {"float", 4}, {"half", 2},  {"bfloat16", 2}, {"double", 8}, {"int32", 4},  {"int64", 8},     {"int16", 2},
      {"int8", 1},  {"uint8", 1}, {"bool", 1},     {"uint32", 4}, {"uint64", 8}, {"complex64", 8}, {"complex128", 16}};
  const auto known = std::find_if(std::begin(sizes), std::end(sizes), [&](const auto& s) { return s.first == type; });
  if (known == std::end(sizes)) return nullptr;
  std::int64_t bytes = known->second;
  for (const char* at = p + 1; at != end && *at != ']'; at += *at == ',') {
    std::int64_t dimension = 0;
    at = scan::lines::natural(at, end, dimension);
    if (!at || (*at != ',' && *at != ']') || __builtin_mul_overflow(bytes, dimension, &bytes)) return nullptr;
  }
  value = {bytes, text};
  return end;
}
inline constexpr token<&tensor_value> tensor{};

/// sum<&T::member>[p]: adds the size that p reads to the member, and extends its text to the end of p.
template <auto Member>
struct summing {
  constexpr void operator()(auto& owner, const printed_size& more) const {
    std::optional<printed_size>& member = owner.*Member;
    if (!member)
      member = more;
    else if (const auto bytes = checked_add(member->bytes, more.bytes))
      member = printed_size{*bytes, view(member->text.data(), more.text.data() + more.text.size())};
  }
};
template <auto Member>
inline constexpr auto sum = update<summing<Member>{}>;

inline constexpr token<&logs::row_label> row_label{};
inline constexpr token<&logs::instruction_on_stack> instruction_on_stack{};
inline constexpr passed<&logs::about_memory> about_memory{};
inline constexpr passed<&logs::vague> vague{};
template <char Stop>
inline constexpr token<&logs::before<Stop>> before{};

}  // namespace dump

}  // namespace hlolint::grammar
