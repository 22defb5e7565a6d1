// The section `BufferAssignment:` and the line of totals (buffer_dumps.md 2).
#pragma once

#include <hlolint/grammar/buffers/lines.hpp>
#include <hlolint/grammar/hlo/shape.hpp>

namespace hlolint::grammar::dump {

/// `allocation 3: size 4096, color 1, preallocated-temp:`
inline constexpr auto allocation_line = rule<hlolint::allocation>("allocation line") = on_line<
    &hlolint::allocation::text>["allocation " >>
                                must("the number of the allocation")[into<&hlolint::allocation::number>[number]] >>
                                must("': size '")[": size "] >>
                                must("a size in bytes")[into<&hlolint::allocation::size>[number]] >> flags >>
                                must("a flag, or ':' and the end of the line")[':' >> eol]];

/// A shape up to the end of the line. Its value is its number in the pool.
inline constexpr auto shape_number = rule<std::uint32_t>("shape number") =
    interned<&dump_state::shapes>(some_rest)[unbroken[any_shape >> must("the end of the line")[x3::eoi]]];
/// ` value: <12 fusion.1{0} @1> (size=512,offset=0): f32[128]{0}`
inline constexpr auto value_line = rule<assigned_value>("value line") = on_line<
    &assigned_value::text>[" value: " >> must("a value's name in '<' and '>'")[into<&assigned_value::name>[value_id]] >>
                           must("' (size='")[" (size="] >>
                           must("a size in bytes")[into<&assigned_value::size>[number]] >>
                           must("',offset='")[",offset="] >>
                           must("an offset in bytes")[into<&assigned_value::offset>[number]] >> must("'): '")["): "] >>
                           must("a shape")[into<&assigned_value::shape>[shape_number]] >> eol];
inline constexpr auto recolored_line = rule<recolored_value>("recolored line") =
    on_line<&recolored_value::text>["  value: " >>
                                    must("a value's name in '<' and '>'")[into<&recolored_value::name>[value_id]] >>
                                    must("' (color='")[" (color="] >>
                                    must("a color")[into<&recolored_value::color>[number]] >>
                                    must("')' and the end of the line")[')' >> eol]];

inline constexpr auto value_lines = lines(" value:", "' value: <NUMBER NAME> (size=N,offset=N): SHAPE'");
inline constexpr auto recolored_lines = lines("  value:", "'  value: <NUMBER NAME> (color=N)'");
inline constexpr auto recolor_head = " reused by buffers of a different color:" >> eol;
inline constexpr auto recolor = recolor_head >> recolored_lines[append<&read_dump::recolored>[recolored_line]];

/// The values of the last allocation.
inline constexpr auto allocated =
    owns<&read_dump::allocations, &read_dump::values, &hlolint::allocation::first_value,
         &hlolint::allocation::value_count>[value_lines[append<&read_dump::values>[value_line]]] >>
    owns<&read_dump::allocations, &read_dump::recolored, &hlolint::allocation::first_recolored,
         &hlolint::allocation::recolored_count>[-recolor];
/// Values without an allocation. Only the first line is reported.
inline constexpr auto lost_values = value_lines[call<&dump_state::report_dropped>[value_line]] >>
                                    -(recolor_head >>
                                      recolored_lines[call<&dump_state::report_dropped>[recolored_line]]);

inline constexpr auto allocation = append<&read_dump::allocations>[allocation_line] >>
                                       set<&read_dump::has_assignment>(true) >> call<&dump_state::open> >> allocated
                                   |
                                   &x3::lit("allocation ") >>
                                       bad_line("allocation ", "'allocation NUMBER: size BYTES, FLAGS:'") >>
                                       call<&dump_state::drop_values> >> lost_values
                                   | &x3::lit(" value:") >> (call<&dump_state::is_open> >> allocated | lost_values);

inline constexpr auto assignment = "BufferAssignment:" >> eol >> set<&read_dump::has_assignment>(true) >> *allocation;

/// `Total bytes used: 2885767252 (2.69GiB)`
inline constexpr auto total = rule<std::int64_t>("total") =
    "Total bytes used: " >> must("a size in bytes")[number] >>
    must("a size in parentheses")[" ("] >> x3::omit[up_to<')'>] >> ')';
inline constexpr auto totals = call<&dump_state::keep_total>[total >> &must("the end of the line")[eol]] >> eol;

}  // namespace hlolint::grammar::dump
