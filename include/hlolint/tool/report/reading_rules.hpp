// The rules without a check: those of the parsers, and those about suppressions, contracts and baselines.
#pragma once

#include <hlolint/lint/rule.hpp>
#include <hlolint/report/rule_list.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace hlolint::report {

/// CFG001: a suppression that covers no finding.
inline constexpr rule unused_suppression{
    .id = "CFG001",
    .name = "unused-suppression",
    .what = "A suppression of the configuration that covers no finding.",
    .why = "It may hide a later finding that has not been looked at.",
    .advice = "Remove it, or correct its patterns.",
    .example = "[[suppress]]\nrule = \"PAD001\"\nmodule = \"no_such_module\"\nreason = \"known\""};
/// CFG002: a suppression whose day has passed.
inline constexpr rule expired_suppression{
    .id = "CFG002",
    .name = "expired-suppression",
    .what = "A suppression of the configuration whose last day has passed. It no longer covers anything.",
    .why = "The finding should have been looked at again by now.",
    .advice = "Mend the cause of the finding, or give the suppression a later day.",
    .example = "[[suppress]]\nrule = \"PAD001\"\nreason = \"until the new layout\"\nexpires = 2020-01-31"};
/// CFG003: an entry of the baseline that matches no finding any more.
inline constexpr rule unused_baseline_entry{
    .id = "CFG003",
    .name = "unused-baseline-entry",
    .what = "Entries of the baseline that no finding of their module matches any more.",
    .why = "They would hide the same waste if it came back.",
    .advice = "Write the baseline again with --update-baseline.",
    .example = "hlolint --baseline known.json dumps   # where a known finding has been fixed"};

/// CFG004: a contract that matches no module that was read.
inline constexpr rule unused_contract{
    .id = "CFG004",
    .name = "unused-contract",
    .what = "A contract of the configuration that matches no module that was read, or no parameter.",
    .why = "It checks nothing any more: the function or its argument was renamed, or its dump is missing.",
    .advice = "Correct the pattern of its module or parameter, or remove it.",
    .example = "[[contract]]\nname = \"one gather\"\nmodule = \"no_such_module\"\nmax-count = 1"};

/// CFG005: a requested check that could not be evaluated.
inline constexpr rule not_evaluated{
    .id = "CFG005",
    .name = "not-evaluated",
    .level = severity::error,
    .what =
        "A contract, a budget, or a rule that was selected by its own id or name could not be evaluated on a "
        "module: its dumps lack something, or there is nothing to compare with.",
    .why = "Without findings it looks as if all were well, but a check that you rely on did not run.",
    .advice = "Dump what is missing, give the limit, contract or device that it compares with, or leave the check out.",
    .example = "[[contract]]\nname = \"fits\"\nmax-temporaries = \"4GiB\"   # and a module that is not scheduled"};

/// DMP013: the one note that is shown without being selected.
inline constexpr rule unexplained_shortage{
    .id = "DMP013",
    .name = "unexplained-shortage",
    .level = severity::note,
    .what =
        "A log that names RESOURCE_EXHAUSTED or contains \"out of memory\", but reports nowhere that memory ran out. "
        "This note is shown without being selected.",
    .why =
        "It may be harmless (an attempt that was repeated, a limit of another resource), or a message that hlolint "
        "does not know.",
    .advice = "Read the line. If the job failed there, its message is one that hlolint does not know yet.",
    .example = "grpc: RESOURCE_EXHAUSTED: Received message larger than max (9 vs. 4)"};

/// DMP014: some instructions of a program; shown without being selected.
inline constexpr rule fragment_of_program{
    .id = "DMP014",
    .name = "fragment",
    .level = severity::note,
    .what =
        "Instructions without the module and the computation around them, as people paste them. This note is shown "
        "without being selected.",
    .why = "Rules that need the program, its schedule or its buffers cannot be evaluated.",
    .advice = "Give the text of the whole module for more.",
    .example = "  %ag = f32[1024]{0} all-gather(f32[512]{0} %p), replica_groups={{0,1}}, dimensions={0}"};

/// DMP015: a message of the compiler or the run time in a log.
inline constexpr rule message_of_compiler{
    .id = "DMP015",
    .name = "compiler-message",
    .level = severity::warning,
    .what =
        "A message of XLA's compilers or run time in a log: an involuntary full rematerialization, donated arrays "
        "that cannot be used, a limit of memory that is not reached, a collective that waits, a slow compilation, or "
        "an error with a number. Messages about missing memory are BUD008.",
    .why = "Each costs memory or time, or stops the job, and is easily overlooked in a long log.",
    .advice = "See the message: its advice depends on what it is about.",
    .example =
        "[spmd] Involuntary full rematerialization. The compiler was not able to go from sharding {...} to {...}"};

/// DMP016: the parts of a text that has several; shown without being selected.
inline constexpr rule parts_of_text{
    .id = "DMP016",
    .name = "parts-of-text",
    .level = severity::note,
    .what =
        "The parts of a text that is no dump alone: programs, dumps of buffers and messages in a log, a post or a "
        "test, with their lines, and how many other lines are skipped. This note is shown without being selected.",
    .why = "It tells what was read and what was not.",
    .advice = "If a part is missing here, give it as a file of its own.",
    .example = "the log of a job with an out-of-memory message and the HLO of a program"};

/// In order of their ids. Those called SYN are always on.
inline constexpr std::array<rule, 13> reading_rules{{
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
     .advice = "Newer versions of XLA add such things; a newer hlolint may know them.",
     .example = "  x.1 = f32[8]{0} brand-new-opcode(p.0)"},
    unexplained_shortage,
    fragment_of_program,
    message_of_compiler,
    parts_of_text,
    {.id = "SYN000",
     .name = "unreadable-input",
     .level = severity::error,
     .what = "An input that is missing, empty, binary or no dump of XLA, or a folder without any dump.",
     .why = "Nothing in it was checked.",
     .advice = "Give the text files that --xla_dump_to writes, or a folder that has some."},
    {.id = "SYN001",
     .name = "syntax",
     .level = severity::error,
     .what = "Text that XLA's grammar does not allow, or a file that ends too early.",
     .why = "The unreadable part is not checked; everything else in the file is.",
     .advice = "Check whether the dump was cut off or edited.",
     .example = "  add.1 = f32[8]{0} add(p.0, p.1"},
    {.id = "SYN002",
     .name = "name-or-number-rule",
     .level = severity::error,
     .what = "A name that is defined twice or not at all, or a number that is not allowed in its place.",
     .why = "The text does not define one program.",
     .advice = "Check whether the dump was edited or assembled from several.",
     .example = "  add.1 = f32[8]{0} add(p.0, no_such_name)"},
}};

/// The given rules and those of reading, sorted by id.
inline std::vector<rule_entry> with_reading_rules(std::vector<rule_entry> list) {
  for (const rule& about : reading_rules) list.push_back({about, {}, {}});
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.about.id < b.about.id; });
  return list;
}

}  // namespace hlolint::report
