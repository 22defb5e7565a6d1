// What to change in a schedule so that a program needs less memory, as values (advise.md 8).
#pragma once

#include <hlolint/advise/changes/program_change.hpp>
#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/device/device.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/shape_index.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hlolint::advise {

/// What edits should lower.
enum class objective : std::uint8_t {
  memory,  ///< what the module needs
  time     ///< what a step waits for transfers
};

/// How to search.
struct advice_options {
  assignment_rules rules{};               ///< by which XLA assigns buffers
  optional<device> on{};                  ///< times are for; nothing: times are not looked at
  bool recomputes = true;                 ///< also compute values again
  byte_count target = 0;                  ///< stop when the need is at most this; 0: as low as it goes
  byte_count must_save = 0;               ///< the search stops once this many bytes are saved; 0: likewise
  double most_time = 0.03;                ///< share of the step that all edits together may cost
  double most_memory = 0.05;              ///< share of the need by which it may grow for time, without a target
  std::size_t most_evaluations = 20'000;  ///< orders that are tried
  bool donations = true;                  ///< also look for arguments that the caller could give away
  bool changes = true;                    ///< also look for changes of the program
  /// What else speaks against an edited module, empty if nothing does; asked after the checks (a) to (e), for what this
  /// floor does not know: the findings of rules (f).
  std::function<std::string(const hlo_module&)> refuses{};
};

/// What an edit does.
enum class edit_kind : std::uint8_t {
  move,      ///< instructions go to another place of their computation
  recompute  ///< a value is computed again before its late readers
};
/// `move` or `recompute`.
constexpr std::string_view name_of(edit_kind kind) { return kind == edit_kind::move ? "move" : "recompute"; }

/// One edit. Names and places are of the text before it.
struct schedule_edit {
  edit_kind kind = edit_kind::move;       ///< what it does
  record_list<std::string> instructions;  ///< that move, in their order; the value that is computed again
  std::string computation;                ///< in which they stand
  std::string chief;                      ///< the first of them that does something: what the edit is called by
  std::size_t from = 0,                   ///< see `to`
      to = 0;                    ///< places in the computation, 0-based; of the first instruction, before which one
  std::string before;            ///< the instruction that stands after them then; empty: none
  std::string source;            ///< file:line of the user's program, or the operation's name; may be empty
  std::string frees;             ///< the value that is not there meanwhile; empty: not known
  byte_count freed_bytes = 0;    ///< of that
  bool crosses_effects = false;  ///< it leads across a transfer or another effect
  bool crosses_loop = false;     ///< it leads across a while
  bool is_product = false;       ///< a matrix product or convolution moves
  bool is_packing = false;       ///< it changes how buffers are packed, not how many are live
  byte_count need_before = 0;    ///< bytes
  byte_count need_after = 0;     ///< bytes
  double extra_seconds = 0;      ///< of a step, by the model
  double extra_exposed = 0;      ///< of these, what a transfer is no longer hidden for
  std::size_t trips = 1;         ///< how often the clone of a recompute runs in a step
};

/// Edits that were found, and then refused by the check of the edited text: a fault of the search.
struct dropped_edit {
  std::string instruction;  ///< that moves, or is computed again
  std::string fault;        ///< what the check found
};

/// An argument that a result could lie in, if the caller gave it away.
struct donated_argument {
  std::int64_t parameter = 0;  ///< its number
  shape_index index;           ///< the leaf of it
  shape_index output;          ///< the leaf of the result
  std::string name;            ///< of the parameter instruction
  std::string shape;           ///< of both
  std::string source;          ///< what the framework calls the argument; may be empty
  byte_count bytes = 0;        ///< that it takes
};
/// What donated arguments would save, after all edits. Unlike an edit it changes what the caller may do.
struct donation_advice {
  record_list<donated_argument> arguments;  ///< the largest first
  byte_count need_before = 0;               ///< bytes
  byte_count need_after = 0;                ///< with all of them given away, in bytes
  std::string text;                         ///< the whole text with these aliases
};

/// What was found for one module.
struct schedule_advice {
  objective wanted = objective::memory;   ///< what was searched for
  byte_count need = 0;                    ///< all allocations of the main memory, in bytes
  byte_count after = 0;                   ///< the same after the edits
  byte_count bound = 0;                   ///< no order of the instructions needs less
  std::string at_bound;                   ///< the instruction that needs as much as the bound, by itself
  optional<double> step;                  ///< seconds, before
  optional<double> step_after;            ///< seconds, after
  double exposed = 0;                     ///< seconds of a step that wait for transfers; 0 without a device
  double exposed_after = 0;               ///< likewise, after
  double least_exposed = 0;               ///< no order waits for less; only where time was asked for
  record_list<schedule_edit> edits;       ///< in the order in which they are made
  std::string text;                       ///< the whole edited text; empty without edits
  optional<hlo_module> edited;            ///< the module of that text; nothing without edits
  optional<donation_advice> donation;     ///< nothing if no argument would save bytes
  optional<program_changes> changes;      ///< nothing if no change of the program would save bytes
  std::size_t evaluations = 0;            ///< orders that were tried
  record_list<dropped_edit> dropped;      ///< what is wrong with hlolint itself; empty
};

/// Bytes of a plan in the main memory.
inline byte_count need_of(const buffer_plan& plan) {
  checked_int64 sum = 0;
  for (const planned_allocation& a : plan.allocations)
    if (a.color == 0) sum += a.size;
  return sum.clamped();
}

}  // namespace hlolint::advise
