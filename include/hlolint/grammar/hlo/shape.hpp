// Shapes and layouts (hlo_text.md 5).
#pragma once

#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <string_view>

namespace hlolint::grammar {

namespace shape_rules {

/// The layout of an array names every dimension once; tokens and opaque values have neither dimensions nor a layout.
[[gnu::noinline]] inline void check_array(parse_state& state, std::string_view where, const hlolint::shape& array) {
  const bool bare = array.type == element_type::token || array.type == element_type::opaque;
  if (bare && (!array.dimensions.empty() || array.layout))
    return state.broke(where.data(), str_cat({name_of(array.type), " has neither dimensions nor a layout"}));
  if (!array.layout) return;
  const dimension_numbers& order = array.layout->minor_to_major;
  if (order.size() != array.rank())
    return state.broke(where.data(),
                       str_cat({"the layout orders ", order.size(), " dimensions, but the shape has ", array.rank()}));
  if (!is_any_order(order))
    state.broke(where.data(), str_cat({"minor_to_major must hold every number from 0 to ", array.rank() - 1, " once"}));
}
/// A buffer is one of an array, with the layout that a buffer has.
[[gnu::noinline]] inline void check_buffer(parse_state& state, std::string_view where, const hlolint::shape& buffer) {
  if (const hlolint::shape& of = buffer.elements.front(); !of.is_array() && of.type != element_type::unknown)
    state.broke(where.data(), "a buffer is that of an array");
}
inline void check_sparse_type(parse_state& state, std::string_view where, const element_type& type) {
  if (name_of(type)[0] != 'u')
    state.broke(where.data(), "the index and pointer types of a sparse array are unsigned integers");
}

}  // namespace shape_rules

/// `f32`
inline constexpr token<&scan::known_element_type> prim{};
/// Any other word before `[`: a type that is not known yet.
inline constexpr auto other_type = text[word >> &x3::lit('[')];

/// `8`, `<=8`, `?`
inline constexpr auto dim = rule<dimension>("dimension") =
    '?' >> set<&dimension::dynamic>(true) >> set<&dimension::size>(dimension::unbounded) |
    "<=" >> set<&dimension::dynamic>(true) >> must("a bound")[into<&dimension::size>[natural]] |
    into<&dimension::size>[natural];

/// `(8,128)`, `(*,128)`
inline constexpr auto extent = rule<std::int64_t>("extent") = integer | '*' >> x3::attr(tile::combined);
inline constexpr auto tile_ = rule<tile>("tile") = '(' >>
                                                   -(must("a tile extent or '*'")[append<&tile::dimensions>[extent]] %
                                                     ',') >>
                                                   must("a tile extent, '*' or ')'")[')'];
/// `(1:2,4)`
inline constexpr auto split = rule<split_config>("split") =
    '(' >> must("a dimension")[into<&split_config::dimension>[integer]] >> must("':'")[':'] >>
    must("a split index")[append<&split_config::split_indices>[integer]] % ',' >> must("')'")[')'];
/// `D+~`: dense, compressed, singleton, loose compressed; not unique, not ordered
inline constexpr auto lvl = one_of("D", "C", "S", "H") >> -x3::lit('+') >> -x3::lit('~');
/// `(3)`, `(u32)`
template <auto Member>
inline constexpr auto number_property = '(' >> must("an integer")[into<Member>[integer]] >> must("')'")[')'];
template <auto Member>
inline constexpr auto sparse_type =
    '(' >> must("an element type")[into<Member>[checked<&shape_rules::check_sparse_type>[prim]]] >> must("')'")[')'];

inline constexpr auto props =
    -('D' >> into<&layout::dim_level_types>[text['(' >> must("D, C, S or H")[lvl] % ',' >> must("')'")[')']]]) >>
    -('T' >> +append<&layout::tiles>[tile_]) >>
    -('L' >> number_property<&layout::tail_padding_alignment_in_elements>) >>
    -('#' >> sparse_type<&layout::index_type>) >> -('*' >> sparse_type<&layout::pointer_type>) >>
    -('E' >> number_property<&layout::element_size_in_bits>) >> -('S' >> number_property<&layout::memory_space>) >>
    -("SC" >> *append<&layout::split_configs>[split]) >>
    -('M' >> number_property<&layout::dynamic_shape_metadata_prefix_bytes>);
inline constexpr auto layout_ = rule<layout>("layout") =
    '{' >> -(must("the number of a dimension")[append<&layout::minor_to_major>[integer]] % ',') >> -(':' >> props) >>
    must("',' or a layout property (D T L # * E S SC M, in this order) or '}'")['}'];
/// The beginning of a layout. Any other brace begins a computation or an attribute.
inline constexpr auto layout_ahead = &('{' >> (x3::lit(':') | '-' | natural));

inline constexpr x3::rule<struct shape_id, hlolint::shape> any_shape{"shape"};
inline constexpr auto array = rule<hlolint::shape>("array") =
    (into<&shape::type>[prim] | into<&shape::unknown_type>[other_type]) >> must("'['")['['] >>
    -(must("a dimension")[append<&shape::dimensions>[dim]] % ',') >> must("a dimension, ',' or ']'")[']'] >>
    -(layout_ahead >> into<&shape::layout>[layout_]);
inline constexpr auto tuple_shape = '(' >> set<&shape::type>(element_type::tuple) >>
                                    -(append<&shape::elements>[any_shape] % ',') >>
                                    must("',' or ')' in a tuple shape")[')'];
inline constexpr auto buffer_shape = rule<hlolint::shape>("buffer") =
    'b' >> x3::lit('(') >> set<&shape::type>(element_type::buffer) >> append<&shape::elements>[any_shape] >>
    must("')'")[')'];
inline constexpr auto any_shape_def = nested[tuple_shape] |
                                      nested[same_value[checked<&shape_rules::check_buffer>[buffer_shape]]] |
                                      same_value[checked<&shape_rules::check_array>[array]];
BOOST_SPIRIT_DEFINE(any_shape)

/// The extent of a shape, found without reading it: equal texts are equal shapes.
inline constexpr token<&scan::shape_brackets<'('>> parenthesized{};
inline constexpr token<&scan::shape_brackets<'['>> bracketed{};
inline constexpr token<&scan::shape_brackets<'{'>> braced{};
inline constexpr auto shape_outline = parenthesized | 'b' >> parenthesized |
                                      word >> bracketed >> ((!layout_ahead) | braced);

}  // namespace hlolint::grammar
