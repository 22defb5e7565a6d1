// Edits of a schedule that lower the memory that a program needs, and the options and results of the search, as values
// (advise.md 8).
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/device/device.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/shape_index.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/tool/advise/changes/program_change.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::advise {

/// The quantity that edits should lower.
enum class objective : std::uint8_t {
  memory,  ///< the memory that the module needs
  time     ///< the time that a step waits for transfers
};

/// The options of a search.
struct advice_options {
  assignment_rules rules{};               ///< the rules by which XLA assigns buffers
  std::optional<device> on{};             ///< the device for times; nothing: times are ignored
  bool recomputes = true;                 ///< whether edits may compute values again
  byte_count target = 0;                  ///< the search stops at this need; 0: as low as possible
  byte_count must_save = 0;               ///< the search stops once this many bytes are saved; 0: as many as possible
  byte_count least_saving = 0;            ///< orders are not tried if the bound shows that none saves as much
  double most_time = 0.03;                ///< the share of a step that all edits together may cost
  double most_memory = 0.05;              ///< the share of the need by which it may grow to save time, without a target
  std::size_t most_evaluations = 20'000;  ///< the most orders to try
  std::size_t most_trades = 3;            ///< the most searches with more time, for what the limit of time refuses
  bool donations = true;                  ///< whether to look for arguments that the caller could donate
  bool changes = true;                    ///< whether to look for changes of the program
  /// A further check of an edited module, run after the checks (a) to (e): its findings of rules (f), which this floor
  /// does not know. Returns why the module must not be used; empty if it may be.
  std::function<std::string(const hlo_module&)> refuses{};
};

/// The kinds of edits.
enum class edit_kind : std::uint8_t {
  move,      ///< moves instructions to another place of their computation
  recompute  ///< computes a value again before its late readers
};
/// `move` or `recompute`.
constexpr std::string_view name_of(edit_kind kind) { return kind == edit_kind::move ? "move" : "recompute"; }

/// One edit. Names and places are those of the text before it.
struct schedule_edit {
  edit_kind kind = edit_kind::move;       ///< move or recompute
  std::vector<std::string> instructions;  ///< the moved ones, in their order; or the value that is computed again
  std::string computation;                ///< the computation of the instructions
  std::string chief;                      ///< the first of them that takes time; names the edit in texts
  std::size_t from = 0,                   ///< the place of the first instruction, counted from 0
      to = 0;                             ///< the place before which the instructions go
  std::string before;                     ///< the instruction that follows them after the edit; empty: none
  std::string source;                     ///< file:line of the user's program, or the operation's name; may be empty
  std::string frees;                      ///< the value that no longer lives in between; empty if unknown
  byte_count freed_bytes = 0;             ///< bytes of this value
  bool crosses_effects = false;           ///< whether the move crosses a transfer or another effect
  bool may_hide_transfers = false;        ///< whether it crosses a transfer, or a loop of a program that has transfers
  bool crosses_loop = false;              ///< whether the move crosses a while loop
  bool is_product = false;                ///< whether a matrix product or convolution moves
  bool is_packing = false;                ///< whether it changes how buffers are packed, and not which are live
  byte_count need_before = 0;             ///< bytes that the module needs before the edit
  byte_count need_after = 0;              ///< bytes that the module needs after the edit
  double extra_seconds = 0;               ///< added to a step, by the model of time
  double extra_exposed = 0;               ///< the part of these for which a transfer is no longer hidden
};

/// An edit that the search found and the check of the edited text refused: a fault of the search.
struct dropped_edit {
  std::string instruction;  ///< the first one that moves or is computed again
  std::string fault;        ///< what the check found
};

/// An argument whose memory a result could take if the caller donated it.
struct donated_argument {
  std::int64_t parameter = 0;  ///< the number of the parameter
  shape_index index;           ///< the leaf of the parameter
  shape_index output;          ///< the leaf of the result
  std::string name;            ///< the name of the parameter instruction
  std::string shape;           ///< the shape of both leaves
  std::string source;          ///< the name of the argument in the framework; may be empty
  byte_count bytes = 0;        ///< the size of the argument
};
/// The savings by donated arguments, without any edit. Unlike an edit, a donation takes the argument from the caller.
struct donation_advice {
  std::vector<donated_argument> arguments;  ///< the largest first
  byte_count need_before = 0;               ///< bytes needed without donations
  byte_count need_after = 0;                ///< bytes needed with all of them
  byte_count least_after = 0;               ///< bytes that no order of the text needs less than; `need_after` if proven
  certainty promise = certainty::proven;    ///< an estimate if the compiler has to run instructions in another order
  std::string text;                         ///< the module's whole file with these aliases
};

/// What more time would buy: the result of the same search with a higher limit of time.
struct time_trade {
  double most_time = 0;      ///< the limit, a share of the step
  byte_count need = 0;       ///< bytes needed then, with all edits and changes of the program
  double extra_seconds = 0;  ///< added to a step by them
  std::size_t edits = 0;     ///< how many edits of the schedule
  std::size_t changes = 0;   ///< how many changes of the program
};

/// The result of a search in one module.
struct schedule_advice {
  objective wanted = objective::memory;     ///< the objective of the search
  byte_count need = 0;                      ///< bytes of all allocations in main memory
  byte_count after = 0;                     ///< the need after all edits
  byte_count in_fast_memory = 0;            ///< bytes of all allocations in fast memory, not in the need
  byte_count bound = 0;                     ///< the least need of any order of the instructions
  std::string at_bound;                     ///< the instruction that needs as much as the bound
  std::optional<double> step;               ///< seconds of a step before the edits
  std::optional<double> step_after;         ///< seconds of a step after the edits
  double exposed = 0;                       ///< seconds of a step spent waiting for transfers; 0 without a device
  double exposed_after = 0;                 ///< these seconds after the edits
  double least_exposed = 0;                 ///< the least wait of any order, in seconds; only if the objective is time
  std::vector<schedule_edit> edits;         ///< in the order in which they are made
  std::string text;                         ///< the whole file with the edits; empty without edits
  std::optional<hlo_module> edited;         ///< the edited module; nothing without edits
  std::optional<donation_advice> donation;  ///< nothing if no donation saves bytes
  std::optional<program_changes> changes;   ///< nothing if no change of the program saves bytes
  std::vector<time_trade> trades;           ///< what the limit of time refused, the least time first
  std::size_t evaluations = 0;              ///< the number of orders tried
  std::vector<dropped_edit> dropped;        ///< faults of hlolint itself; should be empty
};

/// Takes back what saves nothing where XLA's own assignment, of which a dump tells, needs less than the one that
/// follows from the text: libtpu packs in ways of its own. `made`: the need of that assignment, in bytes.
inline void keep_what_goes_below(schedule_advice& found, byte_count made) {
  if (made >= found.need) return;
  if (found.after >= made) {
    found.edits.clear(), found.trades.clear(), found.text.clear(), found.edited.reset();
    found.after = found.need, found.step_after = found.step, found.exposed_after = found.exposed;
  }
  if (found.donation && found.donation->need_after >= made) found.donation.reset();
  if (found.changes && found.changes->need_after >= made) found.changes.reset();
}

}  // namespace hlolint::advise
