// Literals against their shapes (hlo_text.md 6): nesting, numbers of elements, and every element.
#pragma once

#include <hlolint/grammar/literal_element.hpp>
#include <hlolint/grammar/shape.hpp>
#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/value_terminals.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/bytes.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::grammar {

/// Reads the literal of one array, element by element, without keeping any.
class array_literal_reader {
 public:
  array_literal_reader(const shape& type, parse_state& s)
      : shape_(type), s_(s), element_(type.type, s), seen_(type.rank()) {
    for (const dimension& d : type.dimensions) {
      const auto next = d.size == dimension::unbounded ? count_ : checked_multiply(*count_, d.size);
      count_ = next ? next : std::numeric_limits<std::int64_t>::max();
    }
  }

  bool read(const char*& first, const char* last) {
    const char* p = first;
    do {
      p = scan::blanks(p, last);
      if (p == last) return fails(p, last);
      switch (*p) {
        case '{':
          if (!open(p)) return false;
          ++p;
          break;
        case '}':
          if (!close(p, last)) return false;
          ++p;
          break;
        case ',':  // XLA does not look where commas stand
          if (level_ == 0) return fails(p, last);
          ++p;
          break;
        case '.':
          if (last - p < 3 || p[1] != '.' || p[2] != '.') return fails(p, last);
          if (level_ != 1) return breaks(p, "'...' can only stand for elements of the outermost braces");
          seen_[0] = shape_.dimensions[0].size;
          p += 3;
          break;
        default:
          if (!element(p, last)) return false;
      }
    } while (level_ > 0);
    first = p;
    return true;
  }
  bool broken() const { return broken_ || element_.broken; }

 private:
  std::size_t rank() const { return seen_.size(); }
  bool is_full(std::size_t d) const {
    return shape_.dimensions[d].size != dimension::unbounded && seen_[d] >= shape_.dimensions[d].size;
  }
  bool breaks(const char* where, std::string message) {
    s_.broke(where, std::move(message));
    broken_ = true;
    return false;
  }
  bool fails(const char* where, const char* last) {
    s_.fail(where, last, level_ ? "an element, '{' or '}'" : rank() ? "'{'" : "a literal");
    return false;
  }
  /// ` of row 1,0`, the place within the dimensions outside of `d`.
  std::string place(std::size_t d) const {
    std::string out;
    for (std::size_t i = 0; i < d; ++i) out = say({out, i ? "," : " of element ", seen_[i] - 1});
    return out;
  }

  bool open(const char* where) {
    if (level_ == rank())
      return breaks(where, say({"the shape has ", rank(), " dimensions, but the braces nest deeper"}));
    if (level_ > 0) {
      if (is_full(level_ - 1)) return too_many(where, level_ - 1);
      ++seen_[level_ - 1];
    }
    ++level_;
    return true;
  }
  bool close(const char* where, const char* last) {
    if (level_ == 0) return fails(where, last);
    --level_;
    const std::int64_t wanted = shape_.dimensions[level_].size;
    if (wanted != dimension::unbounded && seen_[level_] != wanted)
      return breaks(where, say({"dimension ", level_, place(level_), " has ", wanted, " elements, but ", seen_[level_],
                                " are written"}));
    seen_[level_] = 0;
    return true;
  }
  bool too_many(const char* where, std::size_t d) {
    return breaks(
        where, say({"dimension ", d, place(d), " has ", shape_.dimensions[d].size, " elements, but more are written"}));
  }
  bool element(const char*& p, const char* last) {
    if (level_ != rank()) {
      if (level_ == 0 && !scan_value::decimal(p, last) && !scan::identifier(p, last)) return fails(p, last);
      // A bare scalar for an array sets its first element: XLA takes it, and its own tests write it.
      if (level_ == 0 && elements_ == 0 && *count_ > 0) {
        ++elements_;
        return element_.read(p, last);
      }
      return breaks(p, say({"an element stands in ", level_, " braces, but the shape has ", rank(), " dimensions"}));
    }
    if (rank() > 0) {
      if (is_full(rank() - 1)) return too_many(p, rank() - 1);
      ++seen_[rank() - 1];
    }
    if (++elements_ > *count_) return breaks(p, say({"the shape has ", *count_, " elements, but more are written"}));
    return element_.read(p, last);
  }

  const shape& shape_;
  parse_state& s_;
  element_reader element_;
  std::vector<std::int64_t> seen_;  ///< elements so far in the open braces
  std::size_t level_ = 0;
  std::int64_t elements_ = 0;
  std::optional<std::int64_t> count_ = 1;
  bool broken_ = false;
};

namespace literal_rules {

enum class outcome : std::uint8_t { read, failed, broken };

/// `{...}`, whatever it stands for.
constexpr const char* elided(const char* p, const char* last) {
  if (p == last || *p != '{') return nullptr;
  p = scan::blanks(p + 1, last);
  if (last - p < 3 || p[0] != '.' || p[1] != '.' || p[2] != '.') return nullptr;
  p = scan::blanks(p + 3, last);
  return p != last && *p == '}' ? p + 1 : nullptr;
}

inline outcome read(const char*& first, const char* last, parse_state& s, const shape& type) {
  const char* p = scan::blanks(first, last);
  if (type.is_tuple()) {
    if (const char* const all = elided(p, last)) {
      first = all;
      return outcome::read;
    }
    if (!take(p, last, s, '(', "'(' before the elements of a tuple")) return outcome::failed;
    bool comma = true;
    if (const char* const next = scan::blanks(p, last); next != last && *next != ')') {
      for (const shape& element : type.elements) {
        if (!comma) take(p, last, ',');  // as XLA: a comma may be missing
        if (const outcome o = read(p, last, s, element); o != outcome::read) return o;
        comma = false;
      }
    }
    p = scan::blanks(p, last);
    if (p != last && *p == ',') {
      s.broke(p, say({"the tuple has ", type.elements.size(), " elements, but more are written"}));
      return outcome::broken;
    }
    if (!take(p, last, s, ')', "')' after the elements of a tuple")) return outcome::failed;
    first = p;
    return outcome::read;
  }
  if (!type.is_array()) {
    s.broke(p, say({"there are no literals of ", name_of(type.type)}));
    return outcome::broken;
  }
  if (type.type == element_type::unknown) {
    const char* const end = scan::balanced(p, last);
    if (!end) {
      s.fail(p, last, "a literal with balanced brackets");
      return outcome::failed;
    }
    first = end;
    return outcome::read;
  }
  array_literal_reader reader(type, s);
  if (reader.read(p, last)) {
    first = p;
    return outcome::read;
  }
  return reader.broken() ? outcome::broken : outcome::failed;
}

}  // namespace literal_rules

/// A literal of the given shape. The first broken rule of numbers is noted, and the rest of the literal passed over. Of
/// a shape whose type is unknown (or that is not written) only the brackets are looked at.
inline bool read_literal(const char*& first, const char* last, parse_state& s, const shape& type) {
  const char* const begin = scan::blanks(first, last);
  const char* p = begin;
  switch (literal_rules::read(p, last, s, type)) {
    case literal_rules::outcome::read:
      break;
    case literal_rules::outcome::failed:
      return false;
    case literal_rules::outcome::broken:
      p = scan::balanced(begin, last);
      if (!p) {
        s.fail(begin, last, "a literal with balanced brackets");
        return false;
      }
  }
  first = p;
  return true;
}

/// `literal_of(shape)`: the parser of a literal that must fit a shape. The shape must outlive it.
struct literal_parser : x3::parser<literal_parser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  explicit literal_parser(const shape& of) : type(std::addressof(of)) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
    return read_literal(first, last, state(context), *type);
  }
  const shape* type;
};
inline literal_parser literal_of(const shape& type) { return literal_parser(type); }

/// The value of `literal=`, which says its own shape: `s32[2]{0} {1, 2}`, or a tuple of such in parentheses.
struct literal_with_shape_id {};
inline constexpr x3::rule<literal_with_shape_id> literal_with_shape{"literal with its shape"};

namespace literal_rules {

struct array_with_shape_parser : x3::parser<array_with_shape_parser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
    shape type;
    const char* p = first;
    if (!shape_.parse(p, last, context, x3::unused, type) || !read_literal(p, last, state(context), type)) return false;
    first = p;
    return true;
  }
};
inline constexpr array_with_shape_parser array_with_shape{};

}  // namespace literal_rules

inline constexpr auto literal_with_shape_def = &'('_p >>
                                                   nested[in_parentheses("a shape, ',' or ')'")[literal_with_shape]] |
                                               !'('_p >> must("a shape")[literal_rules::array_with_shape];
BOOST_SPIRIT_DEFINE(literal_with_shape)

}  // namespace hlolint::grammar
