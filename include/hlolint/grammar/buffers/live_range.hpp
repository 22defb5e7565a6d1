// The block `HloLiveRange` with its schedule, live ranges, peak and breakdown of the peak (buffer_dumps.md 4).
#pragma once

#include <hlolint/grammar/buffers/lines.hpp>

namespace hlolint::grammar::dump {

/// `HloLiveRange (max 212):`
inline constexpr auto live_range_line = rule<live_range_block>("live range line") =
    on_line<&live_range_block::text>["HloLiveRange (max " >>
                                     must("the number of instructions")[into<&live_range_block::max>[number]] >>
                                     must("'):' and the end of the line")["):" >> eol]];

/// `    12:fusion.1`
inline constexpr auto sequence_line = rule<scheduled_instruction>("sequence line") =
    "    " >> must("a position of the schedule")[into<&scheduled_instruction::position>[number]] >> must("':'")[':'] >>
    must("the name of an instruction")[into<&scheduled_instruction::name>[name]] >> must("the end of the line")[eol];
inline constexpr auto instruction_sequence =
    "  InstructionSequence:" >> eol >>
    *(call<&dump_state::keep_position>[sequence_line] |
      call<&dump_state::mark_gap>[bad_line("    ", "'    POSITION:INSTRUCTION' or '  BufferLiveRange:'")]);

/// `    fusion.1{0}:3-8`
inline constexpr auto range_line = rule<hlolint::live_range>("range line") =
    on_line<&hlolint::live_range::
                text>["    " >> must("the name of an instruction")[into<&hlolint::live_range::instruction>[name]] >>
                      must("an index")[into<&hlolint::live_range::index>[index]] >> must("':'")[':'] >>
                      must("the first position")[into<&hlolint::live_range::start>[number]] >> must("'-'")['-'] >>
                      must("the last position")[into<&hlolint::live_range::end>[number]] >>
                      must("the end of the line")[eol]];
inline constexpr auto ranges = "  BufferLiveRange:" >> eol >>
                               lines("    ",
                                     "'    INSTRUCTION{INDEX}:FIRST-LAST' or '  Live ranges at POSITION (peak):'")
                                   [append<&live_range_block::ranges>[range_line]];

/// `    fusion.1{0}: 96 bytes (cumulative: 128 bytes)`; the index came in 2025-04, the sum in 2025-05.
inline constexpr auto peak_line = rule<peak_value>("peak line") =
    on_line<&peak_value::text>["    " >> must("the name of an instruction")[into<&peak_value::instruction>[name]] >>
                               -into<&peak_value::index>[index] >> must("': '")[": "] >>
                               must("a size in bytes")[into<&peak_value::bytes>[number]] >>
                               must("' bytes'")[" bytes"] >>
                               -(" (cumulative: " >> must("a size in bytes")[into<&peak_value::cumulative>[number]] >>
                                 must("' bytes)'")[" bytes)"]) >>
                               must("the end of the line")[eol]];

/// `      ├── jit(f) (12.5%, total: 1 024 bytes, current: 0 bytes, remaining: 1 024 bytes)`
inline constexpr auto tree_line = rule<breakdown_line>("tree line") =
    into<&breakdown_line::depth>[token<&scan::lines::branch>{}] >>
    into<&breakdown_line::node>[token<&scan::lines::up_to_last_parenthesis>{}] >> " (" >>
    passed<&scan::lines::decimal>{} >> "%, total: " >> into<&breakdown_line::total>[spaced] >> " bytes, current: " >>
    into<&breakdown_line::current>[spaced] >> " bytes, remaining: " >> into<&breakdown_line::remaining>[spaced] >>
    " bytes)" >> eol;
inline constexpr auto breakdown = "  Stack trace breakdown for peak usage: " >>
                                  must("a size in bytes")[into<&live_range_block::breakdown_bytes>[spaced]] >>
                                  must("' bytes' and the end of the line")[" bytes" >> eol] >>
                                  lines("    ", "'NODE (P%, total: N bytes, current: N bytes, remaining: N bytes)'")
                                      [append<&live_range_block::breakdown>[tree_line]];

inline constexpr auto peak =
    "  Live ranges at " >> must("a position of the schedule")[into<&live_range_block::peak_position>[number]] >>
        must("' (peak):' and the end of the line")[" (peak):" >> eol] >> set<&live_range_block::peak_known>(true) >>
        lines("    ", "'    INSTRUCTION{INDEX}: N bytes'")[append<&live_range_block::peak>[peak_line]] >> -breakdown
    | "  Peak memory could not be determined due to unbounded dynamic shape." >> eol;

inline constexpr auto live_range =
    call<&dump_state::keep_live_range>[live_range_line] >>
    within<&read_dump::live_ranges>[(instruction_sequence | missing("'  InstructionSequence:'")) >>
                                    (ranges | missing("'  BufferLiveRange:'")) >>
                                    (peak | missing("'  Live ranges at POSITION (peak):'"))];
/// The rest of a block after a line that cannot be read.
inline constexpr auto live_range_part =
    within<&read_dump::live_ranges>[instruction_sequence | ranges | peak | breakdown];
/// The line that XLA prints instead of a block.
inline constexpr auto no_live_range = within<&read_dump::live_ranges>[token<&scan::lines::unavailable>{} >> eol >>
                                                                      set<&live_range_block::available>(false)];

}  // namespace hlolint::grammar::dump
