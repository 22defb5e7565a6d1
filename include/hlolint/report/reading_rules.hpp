// The rules that no check has: what the parsers report, and what is wrong with suppressions, contracts and baselines.
#pragma once

#include <hlolint/lint/rule.hpp>

#include <array>
#include <string_view>

namespace hlolint::report {

/// CFG001: a suppression that covers no finding.
inline constexpr rule unused_suppression{
    .id = "CFG001",
    .name = "unused-suppression",
    .level = severity::warning,
    .what = "A suppression of the configuration that covers no finding.",
    .why = "It may hide a later finding that has not been looked at.",
    .advice = "Remove it, or mend its patterns.",
    .example = "[[suppress]]\nrule = \"PAD001\"\nmodule = \"no_such_module\"\nreason = \"known\"",
    .source = {}};
/// CFG002: a suppression whose day has passed.
inline constexpr rule expired_suppression{
    .id = "CFG002",
    .name = "expired-suppression",
    .level = severity::warning,
    .what = "A suppression of the configuration whose last day is over. It covers nothing any more.",
    .why = "The finding was to be looked at again by now.",
    .advice = "See to the finding, or give the suppression a new day.",
    .example = "[[suppress]]\nrule = \"PAD001\"\nreason = \"until the new layout\"\nexpires = 2020-01-31",
    .source = {}};
/// CFG003: an entry of the baseline that no finding is any more.
inline constexpr rule unused_baseline_entry{
    .id = "CFG003",
    .name = "unused-baseline-entry",
    .level = severity::warning,
    .what = "Findings of the baseline that a module of theirs no longer has.",
    .why = "They would hide the same waste when it comes back.",
    .advice = "Write the baseline again with --update-baseline.",
    .example = "hlolint --baseline known.json dumps   # where a known finding has been fixed",
    .source = {}};

/// CFG004: a contract about no module that was read.
inline constexpr rule unused_contract{
    .id = "CFG004",
    .name = "unused-contract",
    .level = severity::warning,
    .what = "A contract of the configuration that matches no module that was read, or no parameter.",
    .why = "It checks nothing any more: the function or its argument was renamed, or its dump is missing.",
    .advice = "Mend the pattern of its module or parameter, or remove it.",
    .example = "[[contract]]\nname = \"one gather\"\nmodule = \"no_such_module\"\nmax-count = 1",
    .source = {}};

/// CFG005: what was asked for and could not be evaluated.
inline constexpr rule not_evaluated{
    .id = "CFG005",
    .name = "not-evaluated",
    .level = severity::error,
    .what = "A contract, a budget, or a rule that was selected by its own id or name, that could not be evaluated on a "
            "module: its dumps lack something, or there is nothing to compare with.",
    .why = "No finding of it then means nothing at all, and a check that was relied on is off.",
    .advice = "Dump what is missing, give the limit, contract or device that it compares with, or leave it out.",
    .example = "[[contract]]\nname = \"fits\"\nmax-temporaries = \"4GiB\"   # and a module that is not scheduled",
    .source = {}};

/// DMP013: the one note that is shown without being selected.
inline constexpr rule unexplained_shortage{
    .id = "DMP013",
    .name = "unexplained-shortage",
    .level = severity::note,
    .what = "A log that names RESOURCE_EXHAUSTED or says \"out of memory\", and reports nowhere that memory ran out. "
            "This note is shown without being selected.",
    .why = "It may be harmless (an attempt that was repeated, a limit of another resource), or a message that hlolint "
           "does not know.",
    .advice = "Read the line. If the job failed there, its message is one that hlolint does not know yet.",
    .example = "grpc: RESOURCE_EXHAUSTED: Received message larger than max (9 vs. 4)",
    .source = {}};

/// In order of their ids. Those called SYN are always on.
inline constexpr std::array<rule, 10> reading_rules{{
    unused_suppression,
    expired_suppression,
    unused_baseline_entry,
    unused_contract,
    not_evaluated,
    {.id = "DMP006",
     .name = "unknown-construct",
     .level = severity::note,
     .what = "An opcode, type, attribute or line of a dump that this version of hlolint does not know; one note for "
             "each kind and module.",
     .why = "It was read as text, so rules see less of the module than there is.",
     .advice = "Newer versions of XLA add such things; a newer hlolint may know it.",
     .example = "  x.1 = f32[8]{0} brand-new-opcode(p.0)",
     .source = {}},
    unexplained_shortage,
    {.id = "SYN000",
     .name = "unreadable-input",
     .level = severity::error,
     .what = "An input that is missing, empty, binary or no dump of XLA, or a folder without any dump.",
     .why = "Nothing in it was checked.",
     .advice = "Give the text files that --xla_dump_to writes, or a folder with some.",
     .example = {},
     .source = {}},
    {.id = "SYN001",
     .name = "syntax",
     .level = severity::error,
     .what = "Text that XLA's grammar does not allow, or a file that ends too early.",
     .why = "What cannot be read is not checked. Everything else in the file is.",
     .advice = "See whether the dump was cut off or edited.",
     .example = "  add.1 = f32[8]{0} add(p.0, p.1",
     .source = {}},
    {.id = "SYN002",
     .name = "name-or-number-rule",
     .level = severity::error,
     .what = "A name that is defined twice or not at all, or a number that cannot stand where it stands.",
     .why = "The text does not define one program.",
     .advice = "See whether the dump was edited or put together from several.",
     .example = "  add.1 = f32[8]{0} add(p.0, no_such_name)",
     .source = {}},
}};

/// Whether a finding is about an input that could not be read, or not all of it.
constexpr bool is_reading_error(std::string_view rule_id) { return rule_id.substr(0, 3) == "SYN"; }

}  // namespace hlolint::report
