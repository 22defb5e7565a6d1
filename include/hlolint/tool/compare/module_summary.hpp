// A module as values that can be compared with those of another compilation.
#pragma once

#include <hlolint/ir/shape_index.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/lint/memory_summary.hpp>
#include <hlolint/text/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hlolint::compare {

/// The size of a memory space.
struct memory_space_summary {
  std::int64_t color = 0;  ///< number of the memory space; 0 is the device's main memory
  byte_count bytes = 0;    ///< of all allocations
  friend bool operator==(const memory_space_summary&, const memory_space_summary&) = default;
};

/// The bytes or nanoseconds that come from one line of the user's program, or from one kind of instruction.
struct origin_summary {
  std::string name;         ///< `train.py:31`, or `fusion`
  std::int64_t amount = 0;  ///< the sum
};

/// One number divided by source lines and by kinds, each sorted by name. Parts of unknown origin are left out.
struct origins_summary {
  std::vector<origin_summary> by_source;  ///< lines of the user's program
  std::vector<origin_summary> by_kind;    ///< opcodes
};

/// A call whose time is not known. Calls of equal keys do the same work.
struct unknown_call {
  std::string target;       ///< of the custom call, or the opcode
  std::string key;          ///< of target, configuration, operands and result
  std::string instruction;  ///< as written
};

/// The time of one step in nanoseconds, as `hlolint time` estimates it.
struct time_summary {
  std::string device;        ///< the device of the estimate; if empty, only ratios of times are meaningful
  std::int64_t step = 0;     ///< work and exposed time
  std::int64_t compute = 0;  ///< work
  std::int64_t exposed = 0;  ///< waiting for transfers
  std::vector<unknown_call> unknown_calls;  ///< custom calls whose work is not known, which make the step a lower bound
  std::int64_t guessed = 0;                 ///< waiting for a network whose rate is a guess; it is part of `exposed`
  std::size_t unknown_loops = 0;            ///< loops whose trip count is not known
  std::size_t assumed_loops = 0;            ///< loops whose trip count only their condition suggests
  origins_summary origins;                  ///< of the work
};

/// An array of an entry parameter that the caller donates.
struct donation_summary {
  std::int64_t parameter = 0;         ///< number of the entry parameter, 0-based
  shape_index index;                  ///< the array in it
  std::optional<shape_index> output;  ///< the output that shares its buffer; empty if it is in `buffer_donor` only
  std::string shape;                  ///< empty = not known
  byte_count bytes = 0;               ///< 0 = not known
  std::string op_name;                ///< of the parameter: what the framework calls the argument
  std::string instruction;            ///< the parameter, as written
};

/// An instruction by its properties. Only `instruction` depends on XLA's numbering of names.
struct instruction_summary {
  std::string kind;         ///< `all-gather`, `copy`, `constant`
  std::string shape;        ///< of the result
  std::string op_name;      ///< the framework's name of the operation; empty if unknown
  std::string source;       ///< `train.py:31`; empty if unknown
  std::string instruction;  ///< as written
  byte_count bytes = 0;     ///< of one run, without padding; 0 if unknown; of a collective the larger side
  std::int64_t runs = 1;    ///< in one run of the program, with each loop of unknown trip count run once
  bool runs_known = true;   ///< whether all trip counts are known
};

/// A collective and the work beside it. Its shape has no layouts.
struct collective_summary : instruction_summary {
  std::string devices;       ///< equal for equal groups or pairs of devices
  byte_count sent = 0;       ///< what each device sends in one run
  bool synchronous = false;  ///< a single instruction, or marked as synchronous by XLA
  bool has_done = true;      ///< whether its done is in its computation; otherwise the work beside it is unknown
  std::size_t work = 0;      ///< number of instructions between start and done that take time
  double hidden_by = 0;      ///< their time on the relative device: only ratios are meaningful

  /// Whether other work runs beside the collective: between start and done, or probably, if its done is elsewhere.
  bool is_overlapped() const { return !synchronous && (work > 0 || !has_done); }
};

/// A module. Members that need a missing part of the dump are empty or 0.
struct module_summary {
  std::string name;                                   ///< without its number
  std::vector<std::string> files;                     ///< the files that it was read from
  hlolint::target target = hlolint::target::unknown;  ///< the backend that it was compiled for
  std::string signature;                              ///< types of the entry's parameters and results
  std::size_t instructions = 0;                       ///< number of instructions in all computations
  std::map<std::string, std::size_t> operations;      ///< how often each stands there, by opcode and element type
  bool helper = false;                                ///< whether it is one operation outside of a program
  bool has_hlo = false;                               ///< otherwise only memory is known
  bool is_scheduled = false;                          ///< otherwise collectives and copies are unknown
  bool has_memory = false;                            ///< otherwise memory is unknown
  bool memory_is_estimated = false;                   ///< from the schedule, instead of a dump of the buffers
  bool has_live_ranges = false;                       ///< otherwise peak, padding and fragmentation are unknown

  memory_summary memory;             ///< by memory space, and the peak
  origins_summary at_peak;           ///< origins of the bytes in use at the peak
  std::optional<time_summary> time;  ///< empty without a schedule, and for a CPU
  byte_count padding = 0;            ///< bytes in use at the peak that hold no elements (sizes.md 6)
  /// Bytes of temporary allocations that are never in use at one position together (buffer_dumps.md 9).
  byte_count fragmentation = 0;
  std::vector<memory_space_summary> spaces;     ///< by color; the compiler fills those on the chip as it likes
  std::vector<std::string> parameters;          ///< names of the entry's parameters, by number
  std::vector<donation_summary> donations;      ///< by parameter and index
  std::vector<collective_summary> collectives;  ///< the ones that transfer bytes, in text order
  std::vector<instruction_summary> copies;      ///< plain copies and transposes, fused ones included, in text order
  std::vector<instruction_summary> constants;   ///< in text order
};

}  // namespace hlolint::compare
