// Changes of a program that lower its need of memory, as values (advise.md 13 to 15).
#pragma once

#include <hlolint/text/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::advise {

/// The kinds of changes.
enum class change_kind : std::uint8_t {
  split,   ///< replaces a fusion with several results by one fusion for each
  narrow,  ///< stores a value in the type that all its readers convert it to
  layout   ///< stores a value in another dimension order, with less padding
};
/// `split`, `narrow` or `layout`.
constexpr std::string_view name_of(change_kind kind) {
  return kind == change_kind::split ? "split" : kind == change_kind::narrow ? "narrow" : "layout";
}

/// One change. Names are those of the text before it.
struct program_change {
  change_kind kind = change_kind::split;  ///< split, narrow or layout
  std::string instruction;                ///< the fusion to split, or the value to store in another form
  std::string computation;                ///< the computation of the instruction
  std::string source;                     ///< file:line of the user's program, or the operation's name; may be empty
  std::string shape;                      ///< the shape of the value; for a split, of all results
  std::string becomes;                    ///< the shape to store it in; empty for a split
  byte_count bytes = 0;                   ///< bytes of `shape`
  byte_count bytes_after = 0;             ///< bytes of `becomes`; for a split, of `shape`
  std::vector<std::string> parts;         ///< the results of a split, in the order in which to compute them
  std::size_t repeated = 0;               ///< how many operations several parts of a split compute
  byte_count read_again = 0;              ///< bytes of operands that later parts of a split read again
  byte_count need_before = 0;             ///< bytes that the module needs before the change
  byte_count need_after = 0;              ///< bytes that the module needs after the change
  double extra_seconds = 0;               ///< added to a step, by the model of time
  double extra_exposed = 0;               ///< the part of these for which a transfer is no longer hidden
};

/// Changes to make one after the other, after all edits. Unlike edits, they change the program.
struct program_changes {
  std::vector<program_change> list;  ///< in the order in which to make them; at least one
  byte_count need_before = 0;        ///< bytes needed without changes
  byte_count need_after = 0;         ///< bytes needed with all changes
  std::string text;                  ///< the whole file with all changes
};

}  // namespace hlolint::advise
