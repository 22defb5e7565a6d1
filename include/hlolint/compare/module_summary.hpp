// A module in values that can be compared with those of another compilation of it.
#pragma once

#include <hlolint/ir/shape_index.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/lint/memory_summary.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint::compare {

/// A memory space by its allocations, in bytes.
struct memory_space_summary {
  std::int64_t color = 0;  ///< number of the memory space; 0 is the device's main memory
  byte_count bytes = 0;    ///< of all allocations
  friend bool operator==(const memory_space_summary&, const memory_space_summary&) = default;
};

/// What comes from one line of the user's program, or from one kind of instruction: bytes or nanoseconds.
struct origin_summary {
  std::string name;         ///< `train.py:31`, or `fusion`
  std::int64_t amount = 0;  ///< of all of it together
  friend bool operator==(const origin_summary&, const origin_summary&) = default;
};

/// Both sums of one number, each by name. What has no known origin is in neither.
struct origins_summary {
  record_list<origin_summary> by_source;  ///< lines of the user's program
  record_list<origin_summary> by_kind;    ///< opcodes
  friend bool operator==(const origins_summary&, const origins_summary&) = default;
};

/// The time of one step, as `hlolint time` estimates it. In nanoseconds.
struct time_summary {
  std::string device;             ///< that it is estimated for; empty: only ratios of times mean anything
  std::int64_t step = 0;          ///< all of it
  std::int64_t compute = 0;       ///< work
  std::int64_t exposed = 0;       ///< waiting for transfers
  std::size_t unknown_calls = 0;  ///< custom calls whose work is not known
  std::size_t unknown_loops = 0;  ///< loops whose trip count is not known
  std::size_t assumed_loops = 0;  ///< loops whose trip count only their condition suggests
  origins_summary origins;        ///< of the work
  friend bool operator==(const time_summary&, const time_summary&) = default;
};

/// An array of an entry parameter that the caller gives up.
struct donation_summary {
  std::int64_t parameter = 0;         ///< number of the entry parameter, 0-based
  shape_index index;                  ///< the array in it
  optional<shape_index> output;       ///< that shares its buffer; nothing: it is in `buffer_donor` only
  std::string shape;                  ///< empty = not known
  byte_count bytes = 0;               ///< 0 = not known
  std::string op_name;                ///< of the parameter: what the framework calls the argument
  std::string instruction;            ///< the parameter, as written
  friend bool operator==(const donation_summary&, const donation_summary&) = default;
};

/// An instruction by what it does. Only `instruction` depends on how XLA numbered the names.
struct instruction_summary {
  std::string kind;   ///< `all-gather`, `copy`, `constant`
  std::string shape;  ///< of the result
  /// The framework's name of the operation; empty = not known. @{
  std::string op_name;
  /// @}
  std::string source;       ///< `train.py:31`; empty = not known
  std::string instruction;  ///< as written
  byte_count bytes = 0;     ///< of one run, without padding; 0 = not known
  std::int64_t runs = 1;    ///< for one run of the program, as far as the counts of loops are known
  bool runs_known = true;   ///< they all are
  friend bool operator==(const instruction_summary&, const instruction_summary&) = default;
};

/// A collective, and what runs beside it. The shape is without layout.
struct collective_summary : instruction_summary {
  std::string devices;       ///< equal for equal groups or pairs of devices
  bool synchronous = false;  ///< one instruction, or marked so by XLA
  bool has_done = true;      ///< false: its done is not in the same computation, so what runs beside it is not known
  std::size_t work = 0;      ///< instructions between start and done that take time
  double hidden_by = 0;      ///< seconds of these together, on a device of no name: only ratios mean anything
  friend bool operator==(const collective_summary&, const collective_summary&) = default;

  /// Whether it runs beside other work: it has a start and a done with work in between, or its done is not there.
  bool is_overlapped() const { return !synchronous && (work > 0 || !has_done); }
};

/// All of it. What needs a part that is missing is empty or 0.
struct module_summary {
  std::string name;                                   ///< without its number
  record_list<std::string> files;                     ///< that it was read from
  hlolint::target target = hlolint::target::unknown;  ///< the backend that it was compiled for
  std::string signature;                              ///< types of parameters and results: the layout of the entry
  std::size_t instructions = 0;                       ///< of all computations
  bool has_hlo = false;                               ///< else only memory is known
  bool is_scheduled = false;                          ///< else nothing is known of collectives and copies
  bool has_memory = false;                            ///< else nothing is known of it
  bool memory_is_estimated = false;                   ///< from the schedule, not from a dump of the buffers
  bool has_live_ranges = false;                       ///< else nothing is known of peak, padding and fragmentation

  memory_summary memory;             ///< by memory space, and the peak
  origins_summary at_peak;           ///< what takes the need at the peak
  optional<time_summary> time;       ///< nothing if it is not scheduled, or for a CPU
  byte_count padding = 0;            ///< in use at the peak, but no elements (sizes.md 6)
  /// Of temporary allocations, beyond what is in use at one position (buffer_dumps.md 9).
  byte_count fragmentation = 0;
  record_list<memory_space_summary> spaces;     ///< by colour
  record_list<std::string> parameters;          ///< of the entry, by number, as written
  record_list<donation_summary> donations;      ///< by parameter and index
  record_list<collective_summary> collectives;  ///< that transfer something, in text order
  record_list<instruction_summary> copies;      ///< and transposes, that do nothing else
  record_list<instruction_summary> constants;   ///< in text order
  friend bool operator==(const module_summary&, const module_summary&) = default;
};

}  // namespace hlolint::compare
