// Shapes and layouts (hlo_text.md 5).
#pragma once

#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/value_terminals.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/say.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::grammar {

namespace scan_shape {

/// `f32`, or any other word right before `[`: a type of the future.
constexpr const char* element_type(const char* p, const char* last) {
  const char* const end = scan::identifier(p, last);
  if (!end) return nullptr;
  return (end != last && *end == '[') || find_element_type(view(p, end)) != hlolint::element_type::unknown ? end : nullptr;
}
/// `b` right before a parenthesis.
constexpr const char* buffer(const char* p, const char* last) {
  if (p == last || *p != 'b' || p + 1 == last || scan::is(scan::name_bytes, p[1])) return nullptr;
  const char* const next = scan::blanks(p + 1, last);
  return next != last && *next == '(' ? p + 1 : nullptr;
}
/// What a byte does to the nesting of brackets.
enum class bracket : unsigned char { plain, open, close, slash, foreign };
inline constexpr auto brackets = [] {
  std::array<bracket, 256> out{};
  for (const char c : {'(', '[', '{'}) out[static_cast<unsigned char>(c)] = bracket::open;
  for (const char c : {')', ']', '}'}) out[static_cast<unsigned char>(c)] = bracket::close;
  for (const char c : {'"', '%'}) out[static_cast<unsigned char>(c)] = bracket::foreign;
  out['/'] = bracket::slash;
  return out;
}();
/// To behind the bracket that closes the one at `p`; comments are passed over.
constexpr const char* bracketed(const char* p, const char* last) {
  for (std::size_t depth = 0; p != last; ++p) {
    switch (brackets[static_cast<unsigned char>(*p)]) {
      case bracket::plain:
        while (p + 1 != last && brackets[static_cast<unsigned char>(p[1])] == bracket::plain) ++p;
        break;
      case bracket::open: ++depth; break;
      case bracket::close:
        if (--depth == 0) return p + 1;
        break;
      case bracket::slash: {
        const char* const next = scan::blanks(p, last);
        if (next == p) return nullptr;
        p = next - 1;
        break;
      }
      case bracket::foreign: return nullptr;  // no part of any shape: a bracket is missing
    }
  }
  return nullptr;
}
/// A brace that opens a layout and not a computation's body: an integer or a colon follows.
constexpr bool opens_layout(const char* p, const char* last) {
  if (p == last || *p != '{') return false;
  p = scan::blanks(p + 1, last);
  return p != last && (*p == ':' || *p == '-' || scan::is(scan::digit_bytes, *p));
}
/// Where a shape ends, without a look at what is inside: null if it cannot be told, or if no shape begins here. The key
/// under which equal shapes are found again.
constexpr const char* extent(const char* p, const char* last) {
  if (p == last) return nullptr;
  if (*p == '(') return bracketed(p, last);
  if (const char* const b = buffer(p, last)) return bracketed(scan::blanks(b, last), last);
  const char* end = element_type(p, last);
  if (!end) return nullptr;
  end = scan::blanks(end, last);
  if (end == last || *end != '[') return nullptr;
  end = bracketed(end, last);
  if (!end) return nullptr;
  const char* const next = scan::blanks(end, last);
  return opens_layout(next, last) ? bracketed(next, last) : end;
}
static_assert(scan::taken(extent, "f32[2,<=3]{1,0:T(8,128)(2,1)S(1)} add(") == "f32[2,<=3]{1,0:T(8,128)(2,1)S(1)}");
static_assert(scan::taken(extent, "(f32[], /*index=5*/(s8[1]{0}, u8[])) tuple(") == "(f32[], /*index=5*/(s8[1]{0}, u8[]))");
static_assert(scan::taken(extent, "f32[] {").size() == 5 && scan::taken(extent, "b(f32[2]{0})x") == "b(f32[2]{0})");
static_assert(scan::taken(extent, "add(x)").empty() && scan::taken(extent, "f99[2] x") == "f99[2]");

/// Whether a shape begins here (hlo_text.md 4: an operand may begin with one).
constexpr bool begins(const char* p, const char* last) {
  return p != last && *p != '%' && (*p == '(' || element_type(p, last) || buffer(p, last));
}

}  // namespace scan_shape

/// A property's letter right before its parenthesis: `T(`, `SC(`. Does not take the parenthesis.
struct property_parser : x3::parser<property_parser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit property_parser(std::string_view text) : letters(text) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
    return take(first, last, letters);
  }
  std::string_view letters;

 private:
  static bool take(const char*& first, const char* last, std::string_view letters) {
    const char* const p = scan::blanks(first, last);
    if (static_cast<std::size_t>(last - p) < letters.size() || view(p, p + letters.size()) != letters) return false;
    const char* const end = scan::blanks(p + letters.size(), last);
    if (end == last || *end != '(') return false;
    first = end;
    return true;
  }
};
constexpr property_parser property(std::string_view letters) { return property_parser(letters); }

namespace shape_rules {

using numbers = std::vector<std::int64_t>;

/// How many items may stand before the next closing bracket: room for all of them takes one allocation.
constexpr std::size_t items_ahead(const char* p, const char* last) {
  const auto plain = [&] { return p != last && scan_shape::brackets[static_cast<unsigned char>(*p)] == scan_shape::bracket::plain; };
  std::size_t count = plain();
  for (; plain(); ++p) count += *p == ',';
  return count;
}
/// `1,0`: may be empty; a comma at the end is left alone.
inline bool read_order(const char*& first, const char* last, parse_state& s, numbers* out) {
  const char* p = first;
  out->reserve(items_ahead(p, last));
  for (std::int64_t value = 0; take_integer(p, last, s, value);) {
    out->push_back(value);
    first = p;
    if (!take(p, last, ',')) return true;
  }
  if (p != first) s.fail(p, last, "the number of a dimension");
  return true;
}
/// `8`, `<=8` or `?`, separated by commas; may be empty.
inline bool read_dimensions(const char*& first, const char* last, parse_state& s, std::vector<dimension>* out) {
  out->reserve(items_ahead(first, last));
  for (const char* p = first;;) {
    p = scan::blanks(p, last);
    dimension d;
    if (p != last && *p == '?') {
      d = {dimension::unbounded, true};
      ++p;
    } else {
      d.dynamic = last - p > 1 && p[0] == '<' && p[1] == '=';
      if (d.dynamic) p += 2;
      const char* const number = p;
      if (!take_integer(p, last, s, d.size) || d.size < 0) {
        if (d.dynamic || !out->empty()) s.fail(number, last, d.dynamic ? "a bound" : "a dimension");
        return true;
      }
    }
    out->push_back(d);
    first = p;
    if (!take(p, last, ',')) return true;
  }
}
/// `(8,*)`
inline bool read_tile(const char*& first, const char* last, parse_state& s, tile* out) {
  const char* p = first;
  if (!take(p, last, '(')) return false;
  const char* end = p;
  out->dimensions.reserve(items_ahead(p, last));
  do {
    std::int64_t extent = tile::combined;
    if (!take(p, last, '*') && !take_integer(p, last, s, extent)) {
      s.fail(p, last, "a tile extent or '*'");
      break;
    }
    out->dimensions.push_back(extent);
    end = p;
  } while (take(p, last, ','));
  if (!take(end, last, s, ')', "a tile extent, '*' or ')'")) return false;
  first = end;
  return true;
}
/// `(1:2,4)`
inline bool read_split(const char*& first, const char* last, parse_state& s, split_config* out) {
  const char* p = first;
  if (!take(p, last, '(')) return false;
  if (!take_integer(p, last, s, out->dimension)) return s.fail(p, last, "a dimension"), false;
  if (!take(p, last, s, ':', "':'")) return false;
  const char* const list = p;
  read_order(p, last, s, &out->split_indices);
  if (p == list) return s.fail(p, last, "a split index"), false;
  if (!take(p, last, s, ')', "')'")) return false;
  first = p;
  return true;
}
/// `(D+~,C)`
inline bool read_levels(const char*& first, const char* last, parse_state& s, std::string* out) {
  const char* const begin = scan::blanks(first, last);
  const char* p = begin;
  if (!take(p, last, '(')) return false;
  do {
    const char* next = p;
    std::string_view level;
    if (!take_text(next, last, scan::identifier, level) || level.size() != 1 ||
        std::string_view("DCSH").find(level[0]) == std::string_view::npos)
      return s.fail(p, last, "D, C, S or H"), false;
    p = next;
    take(p, last, '+');
    take(p, last, '~');
  } while (take(p, last, ','));
  if (!take(p, last, s, ')', "')'")) return false;
  *out = std::string(view(begin, p));
  first = p;
  return true;
}
/// `(3)`
inline bool read_number(const char*& first, const char* last, parse_state& s, std::int64_t* out) {
  const char* p = first;
  if (!take(p, last, '(')) return false;
  if (!take_integer(p, last, s, *out)) return s.fail(p, last, "an integer"), false;
  if (!take(p, last, s, ')', "')'")) return false;
  first = p;
  return true;
}
/// `(u32)`
inline bool read_sparse_type(const char*& first, const char* last, parse_state& s, element_type* out) {
  const char* p = first;
  std::string_view text;
  if (!take(p, last, '(')) return false;
  if (!take_text(p, last, scan_shape::element_type, text)) return s.fail(p, last, "an element type"), false;
  *out = find_element_type(text);
  if (name_of(*out)[0] != 'u') s.broke(text.data(), "the index and pointer types of a sparse array are unsigned integers");
  if (!take(p, last, s, ')', "')'")) return false;
  first = p;
  return true;
}
/// `f32`, of an array.
inline bool read_type(const char*& first, const char* last, parse_state&, shape* out) {
  std::string_view text;
  if (!take_text(first, last, scan_shape::element_type, text)) return false;
  out->type = find_element_type(text);
  if (out->type == element_type::unknown) out->unknown_type = std::string(text);
  return true;
}

template <auto Member>
inline constexpr auto number = into<Member>[value_parser<&read_number>{}];
template <auto Member>
inline constexpr auto sparse_type = into<Member>[value_parser<&read_sparse_type>{}];

}  // namespace shape_rules

struct layout_id {};
inline constexpr x3::rule<layout_id, hlolint::layout> layout_{"layout"};
inline constexpr auto layout__def = [] {
  using namespace shape_rules;
  using one = hlolint::layout;
  return '{'_p >> into<&one::minor_to_major>[value_parser<&read_order>{}] >>
         maybe[':'_p >> maybe[property("D") >> into<&one::dim_level_types>[value_parser<&read_levels>{}]] >>
               maybe[property("T") >> many[append<&one::tiles>[value_parser<&read_tile>{}]]] >>
               maybe[property("L") >> number<&one::tail_padding_alignment_in_elements>] >>
               maybe['#'_p >> sparse_type<&one::index_type>] >> maybe['*'_p >> sparse_type<&one::pointer_type>] >>
               maybe[property("E") >> number<&one::element_size_in_bits>] >>
               maybe[property("S") >> number<&one::memory_space>] >>
               maybe[property("SC") >> many[append<&one::split_configs>[value_parser<&read_split>{}]]] >>
               maybe[property("M") >> number<&one::dynamic_shape_metadata_prefix_bytes>]] >>
         must("',' or a layout property (D T L # * E S SC M, in this order) or '}'")['}'_p];
}();

namespace shape_rules {

constexpr void is_tuple(shape& s) { s.type = element_type::tuple; }
constexpr void is_buffer(shape& s) { s.type = element_type::buffer; }

/// The numbers of one array: as many in minor_to_major as there are dimensions, each once.
inline std::string problem_of(const shape& s) {
  if (!s.layout) return {};
  const numbers& order = s.layout->minor_to_major;
  if (order.size() != s.rank())
    return say({"the layout orders ", order.size(), " dimensions, but the shape has ", s.rank()});
  const auto wrong = [&] { return say({"minor_to_major must hold every number from 0 to ", s.rank() - 1, " once"}); };
  std::uint64_t few = 0;
  std::vector<bool> many(order.size() > 64 ? order.size() : 0);
  for (const std::int64_t d : order) {
    if (d < 0 || static_cast<std::size_t>(d) >= order.size()) return wrong();
    const auto k = static_cast<std::size_t>(d);
    if (many.empty() ? (few >> k & 1) != 0 : many[k]) return wrong();
    if (many.empty()) few |= std::uint64_t{1} << k;
    else many[k] = true;
  }
  return {};
}
inline void check_array(parse_state& s, const char* begin, const shape& array) {
  const bool bare = array.type == element_type::token || array.type == element_type::opaque;
  if (bare && (!array.dimensions.empty() || array.layout))
    s.broke(begin, say({name_of(array.type), " has neither dimensions nor a layout"}));
  else if (std::string problem = problem_of(array); !problem.empty())
    s.broke(begin, std::move(problem));
}

}  // namespace shape_rules

struct shape_id {};
inline constexpr x3::rule<shape_id, hlolint::shape> shape_{"shape"};
inline constexpr auto shape__def = [] {
  using namespace shape_rules;
  using one = hlolint::shape;
  return nested['('_p >> does<&is_tuple> >> maybe[comma_separated[append<&one::elements>[shape_]]] >>
                must("',' or ')' in a tuple shape")[')'_p]] |
         nested[scanned<scan_shape::buffer>{} >> '('_p >> does<&is_buffer> >> append<&one::elements>[shape_] >>
                must("')'")[')'_p]] |
         verified<&check_array>[same_value[value_parser<&read_type>{}] >> must("'['")['['_p] >>
                                into<&one::dimensions>[value_parser<&read_dimensions>{}] >>
                                must("a dimension, ',' or ']'")[']'_p] >>
                                when<&scan_shape::opens_layout>[into<&one::layout>[layout_]]];
}();
BOOST_SPIRIT_DEFINE(layout_, shape_)

/// One whole text as a shape, or nothing. For texts that come alone; the parsers of dumps use the rule.
template <class = void>
std::optional<hlolint::shape> parse_shape(std::string_view text) {
  parse_state with;
  hlolint::shape out;
  const char* first = text.data();
  const char* const last = first + text.size();
  if (!parse_with(shape_, first, last, with, out) || scan::blanks(first, last) != last || !with.broken.empty()) return std::nullopt;
  return out;
}

}  // namespace hlolint::grammar
