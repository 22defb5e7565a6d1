// Shapes and layouts (hlo_text.md 5).
#pragma once

#include <hlolint/grammar/terminals.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/say.hpp>

#include <algorithm>
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
  const std::string_view text = view(p, end);
  return find_element_type(text) != hlolint::element_type::unknown || (end != last && *end == '[') ? end : nullptr;
}
/// `b` right before a parenthesis.
constexpr const char* buffer(const char* p, const char* last) {
  if (p == last || *p != 'b' || p + 1 == last || scan::is(scan::name_bytes, p[1])) return nullptr;
  const char* const next = scan::blanks(p + 1, last);
  return next != last && *next == '(' ? p + 1 : nullptr;
}
/// To behind the bracket that closes the one at `p`; comments are passed over.
constexpr const char* bracketed(const char* p, const char* last) {
  std::size_t depth = 0;
  while (p != last) {
    const char c = *p;
    if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (--depth == 0) return p + 1;
    } else if (c == '/') {
      const char* const next = scan::blanks(p, last);
      if (next == p) return nullptr;
      p = next;
      continue;
    } else if (c == '"' || c == '%') {  // no part of any shape: a bracket is missing
      return nullptr;
    }
    ++p;
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

}  // namespace scan_shape

/// Looks ahead: does a shape begin here? (hlo_text.md 4: an operand may begin with one.)
struct shape_ahead_parser : x3::parser<shape_ahead_parser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
    const char* const p = scan::blanks(first, last);
    return p != last && (*p == '(' || scan_shape::element_type(p, last) || scan_shape::buffer(p, last));
  }
};
inline constexpr shape_ahead_parser shape_ahead{};

struct layout_ahead_parser : x3::parser<layout_ahead_parser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
    return scan_shape::opens_layout(scan::blanks(first, last), last);
  }
};
inline constexpr layout_ahead_parser layout_ahead{};

/// A property's letter right before its parenthesis: `T(`, `SC(`. Does not take the parenthesis.
struct property_parser : x3::parser<property_parser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit property_parser(std::string_view text) : letters(text) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
    const char* const p = scan::blanks(first, last);
    if (static_cast<std::size_t>(last - p) < letters.size() || view(p, p + letters.size()) != letters) return false;
    const char* const end = scan::blanks(p + letters.size(), last);
    if (end == last || *end != '(') return false;
    first = end;
    return true;
  }
  std::string_view letters;
};
constexpr property_parser property(std::string_view letters) { return property_parser(letters); }

namespace shape_rules {

inline constexpr auto set_minor_to_major = [](auto& c) { x3::_val(c).minor_to_major.push_back(x3::_attr(c)); };
inline constexpr auto new_tile = [](auto& c) { x3::_val(c).tiles.emplace_back(); };
inline constexpr auto add_extent = [](auto& c) { x3::_val(c).tiles.back().dimensions.push_back(x3::_attr(c)); };
inline constexpr auto add_combined = [](auto& c) { x3::_val(c).tiles.back().dimensions.push_back(tile::combined); };
inline constexpr auto new_split = [](auto& c) { x3::_val(c).split_configs.push_back({x3::_attr(c), {}}); };
inline constexpr auto add_split = [](auto& c) { x3::_val(c).split_configs.back().split_indices.push_back(x3::_attr(c)); };
inline constexpr auto set_levels = [](auto& c) { x3::_val(c).dim_level_types = std::string(x3::_attr(c)); };
template <auto Member>
inline constexpr auto set = [](auto& c) { x3::_val(c).*Member = x3::_attr(c); };
template <auto Member>
inline constexpr auto set_type = [](auto& c) {
  const element_type type = find_element_type(x3::_attr(c));
  x3::_val(c).*Member = type;
  if (name_of(type)[0] != 'u') state(c).broke(x3::_attr(c).data(), "the index and pointer types of a sparse array are unsigned integers");
};

inline constexpr auto number = '('_p >> must("an integer")[integer] >> must("')'")[')'_p];
inline constexpr auto level = (keyword("D") | keyword("C") | keyword("S") | keyword("H")) >> -'+'_p >> -'~'_p;
inline constexpr auto levels = '('_p >> must("D, C, S or H")[level] % ','_p >> must("')'")[')'_p];
inline constexpr auto tile_body =
    '('_p >> x3::eps[new_tile] >> -(('*'_p >> x3::eps[add_combined] | integer[add_extent]) % ','_p) >> must("a tile extent, '*' or ')'")[')'_p];
inline constexpr auto split_body = '('_p >> must("a dimension")[integer[new_split]] >> must("':'")[':'_p] >>
                                   must("a split index")[integer[add_split] % ','_p] >> must("')'")[')'_p];
inline constexpr auto sparse_type = '('_p >> must("an element type")[scanned<scan_shape::element_type>{}];

}  // namespace shape_rules

struct layout_id {};
inline constexpr x3::rule<layout_id, hlolint::layout> layout_{"layout"};
inline constexpr auto layout__def = [] {
  using namespace shape_rules;
  return '{'_p >> -(integer[set_minor_to_major] % ','_p) >>
         -(':'_p >> -(property("D") >> text_of[levels][set_levels]) >> -(property("T") >> +tile_body) >>
           -(property("L") >> number[set<&layout::tail_padding_alignment_in_elements>]) >>
           -('#'_p >> sparse_type[set_type<&layout::index_type>] >> must("')'")[')'_p]) >>
           -('*'_p >> sparse_type[set_type<&layout::pointer_type>] >> must("')'")[')'_p]) >>
           -(property("E") >> number[set<&layout::element_size_in_bits>]) >>
           -(property("S") >> number[set<&layout::memory_space>]) >> -(property("SC") >> +split_body) >>
           -(property("M") >> number[set<&layout::dynamic_shape_metadata_prefix_bytes>])) >>
         must("',' or a layout property (D T L # * E S SC M, in this order) or '}'")['}'_p];
}();

namespace shape_rules {

inline constexpr auto set_element_type = [](auto& c) {
  shape& s = x3::_val(c);
  const std::string_view text = x3::_attr(c);
  s.type = find_element_type(text);
  if (s.type == element_type::unknown) s.unknown_type = std::string(text);
};
inline constexpr auto add_static = [](auto& c) {
  if (x3::_attr(c) < 0) x3::_pass(c) = false;
  x3::_val(c).dimensions.push_back({x3::_attr(c), false});
};
inline constexpr auto add_bounded = [](auto& c) {
  if (x3::_attr(c) < 0) x3::_pass(c) = false;
  x3::_val(c).dimensions.push_back({x3::_attr(c), true});
};
inline constexpr auto add_unbounded = [](auto& c) { x3::_val(c).dimensions.push_back({dimension::unbounded, true}); };
inline constexpr auto set_layout = [](auto& c) { x3::_val(c).layout = std::move(x3::_attr(c)); };
inline constexpr auto set_tuple = [](auto& c) { x3::_val(c).type = element_type::tuple; };
inline constexpr auto set_buffer = [](auto& c) { x3::_val(c).type = element_type::buffer; };
inline constexpr auto add_element = [](auto& c) { x3::_val(c).elements.push_back(std::move(x3::_attr(c))); };

/// The numbers of one array: as many in minor_to_major as there are dimensions, each once.
inline std::string problem_of(const shape& s) {
  if (!s.layout) return {};
  std::vector<std::int64_t> order = s.layout->minor_to_major;
  if (order.size() != s.rank())
    return say({"the layout orders ", order.size(), " dimensions, but the shape has ", s.rank()});
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<std::int64_t>(i))
      return say({"minor_to_major must hold every number from 0 to ", s.rank() - 1, " once"});
  return {};
}

/// `rule` with the number rules of its value checked once it has matched.
template <class Subject>
struct checked : x3::unary_parser<Subject, checked<Subject>> {
  using base = x3::unary_parser<Subject, checked<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  constexpr explicit checked(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute& attribute) const {
    const char* const begin = scan::blanks(first, last);
    if (!this->subject.parse(first, last, context, rule, attribute)) return false;
    if constexpr (std::is_same_v<std::remove_const_t<RuleContext>, shape>) {
      const bool bare = rule.type == element_type::token || rule.type == element_type::opaque;
      if (bare && (!rule.dimensions.empty() || rule.layout))
        state(context).broke(begin, say({name_of(rule.type), " has neither dimensions nor a layout"}));
      else if (std::string problem = problem_of(rule); !problem.empty())
        state(context).broke(begin, std::move(problem));
    }
    return true;
  }
};

inline constexpr auto dim = '?'_p >> x3::eps[add_unbounded] | at_most >> must("a bound")[integer[add_bounded]] | integer[add_static];
inline constexpr auto array = scanned<scan_shape::element_type>{}[set_element_type] >> must("'['")['['_p] >>
                              -(dim % ','_p) >> must("a dimension, ',' or ']'")[']'_p] >>
                              (&layout_ahead >> layout_[set_layout] | !layout_ahead);

}  // namespace shape_rules

struct shape_id {};
inline constexpr x3::rule<shape_id, hlolint::shape> shape_{"shape"};
inline constexpr auto shape__def = [] {
  using namespace shape_rules;
  return nested['('_p >> x3::eps[set_tuple] >> -(shape_[add_element] % ','_p) >> must("',' or ')' in a tuple shape")[')'_p]] |
         nested[scanned<scan_shape::buffer>{} >> '('_p >> x3::eps[set_buffer] >> shape_[add_element] >> must("')'")[')'_p]] |
         checked<decltype(array)>{array};
}();
BOOST_SPIRIT_DEFINE(layout_, shape_)

/// One whole text as a shape, or nothing. For texts that come alone; the parsers of dumps use the rule.
inline std::optional<hlolint::shape> parse_shape(std::string_view text) {
  parse_state with;
  hlolint::shape out;
  const char* first = text.data();
  const char* const last = first + text.size();
  if (!parse_with(shape_, first, last, with, out) || scan::blanks(first, last) != last || !with.broken.empty()) return std::nullopt;
  return out;
}

}  // namespace hlolint::grammar
