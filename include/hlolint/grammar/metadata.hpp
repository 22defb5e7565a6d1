// Attributes that speak about the source program and the compiler's plans: metadata, backend_config, frontend
// attributes, statistics (hlo_text.md 7). Half of a real dump is inside these, so what is only checked is not kept.
#pragma once

#include <hlolint/grammar/value_terminals.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/text/name_table.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::grammar {

/// The fields of `metadata={...}`, strings with their quotes.
struct metadata_text {
  std::string_view op_type, op_name, source_file, deduplicated_name, scheduling_name, metadata_payload;
  std::int64_t source_line = 0, source_end_line = 0, source_column = 0, source_end_column = 0, stack_frame_id = 0;
};

namespace metadata_rules {

inline constexpr std::array<std::string_view, 13> keys{
    "op_type",          "op_name",         "source_file",   "deduplicated_name", "scheduling_name",
    "metadata_payload",                                                                             // strings
    "source_line",      "source_end_line", "source_column", "source_end_column", "stack_frame_id",  // integers
    "profile_type",     "preserve_layout"};
inline constexpr std::array texts{&metadata_text::op_type,         &metadata_text::op_name,
                                  &metadata_text::source_file,     &metadata_text::deduplicated_name,
                                  &metadata_text::scheduling_name, &metadata_text::metadata_payload};
inline constexpr std::array numbers{&metadata_text::source_line, &metadata_text::source_end_line,
                                    &metadata_text::source_column, &metadata_text::source_end_column,
                                    &metadata_text::stack_frame_id};
inline constexpr std::size_t profile_type = 11;
static_assert(keys.size() + 1 == std::tuple_size_v<decltype(parse_state::next_field)>);

/// Value of a key nobody knows: a string, brackets, or anything up to a blank.
constexpr const char* unknown_value(const char* p, const char* last) {
  if (p == last) return nullptr;
  if (*p == '"' || *p == '\'') return scan::string(p, last);
  if (*p == '{' || *p == '[' || *p == '(') {
    std::size_t depth = 0;
    for (; p != last; ++p) {
      if (*p == '"') {
        p = scan::string(p, last);
        if (!p) return nullptr;
        --p;
      } else if (*p == '{' || *p == '[' || *p == '(') {
        ++depth;
      } else if ((*p == '}' || *p == ']' || *p == ')') && --depth == 0) {
        return p + 1;
      }
    }
    return nullptr;
  }
  const char* const begin = p;
  while (p != last && static_cast<unsigned char>(*p) > ' ' && *p != ',' && *p != '}') ++p;
  return p == begin ? nullptr : p;
}

/// The name of the next field and its number in `keys`, -1 if it is none of them. A compiler writes the fields of all
/// metadata in one order, so the field that stood here last is tried first.
inline bool take_field(const char*& first, const char* last, std::uint8_t& usual, std::string_view& name, int& found) {
  const char* const begin = scan::blanks(first, last);
  const std::string_view guess = keys[usual];
  if (static_cast<std::size_t>(last - begin) > guess.size() && begin[guess.size()] == '=' &&
      hlolint::detail::same({begin, guess.size()}, guess)) {
    name = {begin, guess.size()};
    first = begin + guess.size() + 1;
    found = usual;
    return true;
  }
  if (!take_key(first, last, name)) return false;
  found = name_table<keys>::find(name);
  if (found >= 0) usual = static_cast<std::uint8_t>(found);
  return true;
}

/// Notes a word that is kept though no XLA of today knows it (DMP006).
inline void note_unknown(parse_state& s, std::string_view text) { s.unknown_words.push_back(text); }

}  // namespace metadata_rules

/// `{op_type="add" op_name="jit(f)/add" source_line=3}`, blanks or commas between.
inline bool read_metadata(const char*& first, const char* last, parse_state& s, metadata_text* out) {
  using namespace metadata_rules;
  const char* p = first;
  if (!take(p, last, '{')) return false;
  std::size_t before = keys.size();
  for (std::uint32_t seen = 0;;) {
    p = scan::blanks(p, last);
    if (p != last && *p == '}') break;
    if (p != last && *p == ',') ++p;
    std::string_view name, text;
    int found = -1;
    if (!take_field(p, last, s.next_field[before], name, found)) {
      s.fail(p, last, "a field of metadata such as op_name= or '}'");
      return false;
    }
    const auto field = static_cast<std::size_t>(found);
    if (found >= 0) before = field;
    if (found < 0)
      note_unknown(s, name);
    else if (seen >> field & 1u)
      s.broke(name.data(), say({"metadata has ", name, " twice"}));
    else
      seen |= 1u << field;
    if (field < texts.size()) {
      if (!take_text(p, last, scan::string, text)) {
        s.fail(p, last, "a string");
        return false;
      }
      if (out) out->*texts[field] = text;
    } else if (field < profile_type) {
      if (!read_int32(p, last, s, out ? &(out->*numbers[field - texts.size()]) : nullptr)) {
        s.fail(p, last, "an integer");
        return false;
      }
    } else if (field == profile_type) {
      std::vector<std::int64_t> types;
      if (!read_braced_integers(p, last, s, &types)) {
        s.fail(p, last, "a list of integers");
        return false;
      }
      for (const std::int64_t type : types)
        if (type < 0 || type > 3) s.broke(name.data(), say({"profile_type holds numbers from 0 to 3, found ", type}));
    } else if (!take_text(p, last, unknown_value, text)) {
      s.fail(p, last, "a value");
      return false;
    }
  }
  first = p + 1;
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_metadata> metadata{};
}

/// `"text"` or `{json}`: the attribute is the text as written.
inline bool read_config(const char*& first, const char* last, parse_state&, std::string_view* out) {
  std::string_view text;
  const char* const begin = scan::blanks(first, last);
  if (!take_text(first, last, begin != last && *begin == '{' ? scan::dictionary : scan::string, text)) return false;
  if (out) *out = text;
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_config> config{};
}

namespace metadata_rules {

using view_pair = std::pair<std::string_view, std::string_view>;
using view_pairs = std::vector<view_pair>;
/// `key="text"` or `key={json}`
inline bool read_frontend_attribute(const char*& first, const char* last, parse_state& s, view_pair* out) {
  const char* p = first;
  std::string_view name, text;
  if (!take_key(p, last, name)) return false;
  if (!read_config(p, last, s, &text)) {
    s.fail(p, last, "a string or a JSON dictionary");
    return false;
  }
  if (out) *out = {name, text};
  first = p;
  return true;
}
inline bool read_frontend(const char*& first, const char* last, parse_state& s, view_pairs* out) {
  const char* p = first;
  if (!take(p, last, '{')) return false;
  if (!take(p, last, '}')) {
    do {
      view_pair one;
      if (!read_frontend_attribute(p, last, s, &one)) {
        s.fail(p, last, "a frontend attribute");
        return false;
      }
      if (out) out->push_back(one);
    } while (take(p, last, ','));
    if (!take(p, last, s, '}', "',' or '}' after a frontend attribute")) return false;
  }
  first = p;
  return true;
}
/// `{visualizing_index=0,name=1.5}`; the first is an integer.
inline bool read_statistics(const char*& first, const char* last, parse_state& s, hlolint::statistics* out) {
  const char* p = first;
  if (!take(p, last, '{')) return false;
  if (!take(p, last, '}')) {
    bool first_one = true;
    do {
      std::string_view name;
      std::int64_t whole = 0;
      double value = 0;
      if (!take_key(p, last, name)) {
        s.fail(p, last, "the name of a statistic");
        return false;
      }
      if (!(first_one ? take_integer(p, last, s, whole) : read_real_number(p, last, s, &value))) {
        s.fail(p, last, first_one ? "an integer" : "a number");
        return false;
      }
      if (out) out->entries.emplace_back(name, first_one ? static_cast<double>(whole) : value);
      first_one = false;
    } while (take(p, last, ','));
    if (!take(p, last, s, '}', "',' or '}' after a statistic")) return false;
  }
  first = p;
  return true;
}

}  // namespace metadata_rules

inline namespace tokens {
/// `{key="text",key={json}}`; the values are kept as written.
inline constexpr value_parser<&metadata_rules::read_frontend> frontend{};
inline constexpr value_parser<&metadata_rules::read_statistics> statistics_{};
}  // namespace tokens

}  // namespace hlolint::grammar
