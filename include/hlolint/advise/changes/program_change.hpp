// What someone would have to change in a program so that it needs less memory, as values (advise.md 13 to 15).
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::advise {

/// What a change does.
enum class change_kind : std::uint8_t {
  split,   ///< a fusion with several results becomes a fusion for each
  narrow,  ///< a value is stored in the type that all its readers convert it to
  layout   ///< a value is stored in another order of its dimensions, with less padding
};
/// `split`, `narrow` or `layout`.
constexpr std::string_view name_of(change_kind kind) {
  return kind == change_kind::split ? "split" : kind == change_kind::narrow ? "narrow" : "layout";
}

/// One change. Names are of the text before it.
struct program_change {
  change_kind kind = change_kind::split;  ///< what it does
  std::string instruction;                ///< the fusion that is split, or the value that is stored otherwise
  std::string computation;                ///< in which it stands
  std::string source;                     ///< file:line of the user's program, or the operation's name; may be empty
  std::string shape;                      ///< of the value; of a split, of all results
  std::string becomes;                    ///< how the value is stored then; empty for a split
  byte_count bytes = 0;                   ///< of that shape
  byte_count bytes_after = 0;             ///< as it is stored then; of a split, the same
  record_list<std::string> parts;         ///< the results of a split in the order in which they are made
  std::size_t repeated = 0;               ///< operations that more than one part of a split computes
  byte_count read_again = 0;              ///< bytes of operands that a further part of a split reads again
  byte_count need_before = 0;             ///< bytes
  byte_count need_after = 0;              ///< bytes
  double extra_seconds = 0;               ///< of a step, by the model
  double extra_exposed = 0;               ///< of these, what a transfer is no longer hidden for
};

/// Changes that are made one after the other, after all edits. Unlike an edit they change the program.
struct program_changes {
  record_list<program_change> list;  ///< at least one
  byte_count need_before = 0;        ///< bytes
  byte_count need_after = 0;         ///< with all of them, in bytes
  std::string text;                  ///< the whole text with all of them
};

}  // namespace hlolint::advise
