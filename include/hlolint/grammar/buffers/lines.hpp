// Parts that several sections of a buffer dump share: the names of values, and the flags of an allocation
// (buffer_dumps.md 2).
#pragma once

#include <hlolint/grammar/buffers/state.hpp>

namespace hlolint::grammar::dump {

/// The byte order mark that some editors write.
inline constexpr auto byte_order_mark = -x3::lit("\xEF\xBB\xBF");

/// `<12 fusion.1{0} (phi) @1>`
inline constexpr auto value_id = rule<value_name>("value id") =
    '<' >> must("the number of a value")[into<&value_name::id>[number]] >> must("a blank")[' '] >>
    must("the name of an instruction")[into<&value_name::instruction>[name]] >> -into<&value_name::index>[index] >>
    -(" (phi)" >> set<&value_name::phi>(true)) >> -(" @" >> must("a color")[into<&value_name::color>[number]]) >>
    must("'>' after the name of the value")['>'];

/// The end of a flag's word.
inline constexpr auto flag_end = &(x3::lit(',') | ':');
inline constexpr auto& shape_nolayout = up_to<'|'>;
inline constexpr auto parameter = rule<allocation_parameter>("parameter") =
    into<&allocation_parameter::number>[number] >> ", shape |" >> into<&allocation_parameter::shape>[shape_nolayout] >>
    "| at ShapeIndex " >> into<&allocation_parameter::index>[index];
/// A flag of a later XLA. The allocation keeps the text from its first to its last unknown flag.
inline constexpr auto unknown_flag = extend<
    &hlolint::allocation::unknown_flags>[text[call<&dump_state::note_unknown>[token<&scan::lines::unknown_flag>{}]]];
inline constexpr auto flags =
    *((", color " >> into<&hlolint::allocation::color>[number] | ", page " >> into<&hlolint::allocation::page>[number] |
       ", parameter " >> into<&hlolint::allocation::parameter>[parameter] |
       ", output shape is |" >> into<&hlolint::allocation::output_shape>[shape_nolayout] >> '|' |
       ", constant" >> flag_end >> set<&hlolint::allocation::constant>(true) |
       ", thread-local" >> flag_end >> set<&hlolint::allocation::thread_local_storage>(true) |
       ", maybe-live-out" >> flag_end >> set<&hlolint::allocation::maybe_live_out>(true) |
       ", preallocated-temp" >> flag_end >> set<&hlolint::allocation::preallocated_temp>(true)) >>
          flag_end |
      unknown_flag);

}  // namespace hlolint::grammar::dump
