// The measurements of a profiler as values (profiles.md 6). Times are in picoseconds, as in XLA's profiler.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

/// A time in picoseconds. Points in time of different devices cannot be compared.
using picoseconds = std::int64_t;

/// Picoseconds as seconds.
constexpr double seconds_of(picoseconds time) { return static_cast<double>(time) * 1e-12; }
/// Picoseconds as microseconds.
constexpr double microseconds_of(picoseconds time) { return static_cast<double>(time) * 1e-6; }

/// The median of some numbers: the mean of the middle two for an even count, 0 for no numbers.
inline double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

/// One execution of a module on a device.
struct profile_run {
  picoseconds start = 0;    ///< by the clock of the device
  picoseconds end = 0;      ///< by the clock of the device
  picoseconds compute = 0;  ///< work of the device, without collectives and waiting
  picoseconds idle = 0;     ///< the device did nothing
  picoseconds barrier = 0;  ///< part of `idle` that waits for other devices (TPU)
  picoseconds outside = 0;  ///< time before the run without any module; 0 for the first run

  /// The time from the start to the end.
  picoseconds length() const { return end - start; }
  friend bool operator==(const profile_run&, const profile_run&) = default;
};

/// One instruction of a module on a device, over all its executions.
struct profile_operation {
  std::string instruction;      ///< its name in the program
  std::string category;         ///< `hlo_category` of a TPU; empty if the profile has none
  std::string collective;       ///< such as `all-reduce`; empty if it is no collective
  std::string scope;            ///< the operation of the user's program (`tf_op`)
  std::string source;           ///< `file:line`
  std::uint64_t count = 0;      ///< executions; kernels on a GPU
  picoseconds total = 0;        ///< device time; a loop does not include its body
  picoseconds least = 0;        ///< of one execution
  picoseconds idle_before = 0;  ///< idle time of the device just before it, inside a run
  std::uint64_t gaps = 0;       ///< how often there was such idle time
  double flops = 0;             ///< of one execution by the compiler's count; 0 if unknown
  double bytes = 0;             ///< moved by one execution, likewise

  /// The mean time of one execution in seconds.
  double seconds_each() const { return count > 0 ? seconds_of(total) / static_cast<double>(count) : 0; }
  friend bool operator==(const profile_operation&, const profile_operation&) = default;
};

/// The collectives of one kind.
struct profile_collective {
  std::string kind;         ///< such as `all-reduce`; `collective` if only the library is known
  std::uint64_t count = 0;  ///< how many were executed
  picoseconds total = 0;    ///< from their starts to their ends
  picoseconds exposed = 0;  ///< part of `total` in which the device did nothing else
  friend bool operator==(const profile_collective&, const profile_collective&) = default;
};

/// One event of a run, for a picture of the run.
struct profile_event {
  std::uint32_t operation = 0;  ///< position in the operations of the module
  std::uint32_t lane = 0;       ///< the stream of a GPU; on a TPU 0 for work, 1 for transfers
  picoseconds start = 0;        ///< since the start of the run
  picoseconds length = 0;       ///< with nested events
  friend bool operator==(const profile_event&, const profile_event&) = default;
};

/// One module on one device.
struct profile_module {
  std::string name;                             ///< without the program id
  std::optional<std::uint64_t> program_id;      ///< identifies the program; unknown in some traces
  std::vector<profile_run> runs;                ///< sorted by time
  std::vector<profile_operation> operations;    ///< longest total first
  std::vector<profile_collective> collectives;  ///< in order of appearance
  picoseconds idle = 0;                         ///< in all runs
  picoseconds copies = 0;                       ///< waiting for copies, infeed, outfeed, send, recv
  std::vector<profile_event> events;            ///< of the run with the median length; see `most_events`
  std::size_t events_of_run = 0;                ///< the position of that run

  /// The time of all runs.
  picoseconds total() const {
    return sum(runs, [](const profile_run& r) { return r.length(); });
  }
  /// The time of all operations.
  picoseconds operations_total() const {
    return sum(operations, [](const profile_operation& o) { return o.total; });
  }
  /// The median length of a run, in picoseconds.
  double median() const {
    std::vector<double> lengths;
    for (const profile_run& r : runs) lengths.push_back(static_cast<double>(r.length()));
    return median_of(std::move(lengths));
  }
  /// The exposed time of all collectives in all runs.
  picoseconds exposed() const {
    return sum(collectives, [](const profile_collective& c) { return c.exposed; });
  }
  friend bool operator==(const profile_module&, const profile_module&) = default;

 private:
  template <class List, class Time>
  static picoseconds sum(const List& list, Time time) {
    picoseconds out = 0;
    for (const auto& one : list) out += time(one);
    return out;
  }
};

/// The kind of a device in a profile.
enum class profiled_device : std::uint8_t { tpu, gpu };

/// The peak rates and sizes of a device; 0 if the profile does not have them.
struct device_peaks {
  std::string type;         ///< `TPU v6 Lite`, or the vendor of a GPU
  double flops = 0;         ///< per second, in 16 bits
  double memory_rate = 0;   ///< bytes per second
  double memory_size = 0;   ///< bytes
  std::uint32_t cores = 0;  ///< multiprocessors of a GPU
  friend bool operator==(const device_peaks&, const device_peaks&) = default;
};

/// One device of the profile.
struct profile_device {
  std::string name;                             ///< `/device:TPU:0`
  profiled_device kind = profiled_device::tpu;  ///< decides how it is read
  device_peaks peaks;                           ///< peak rates and sizes
  std::vector<profile_module> modules;          ///< longest total first
  std::uint64_t other_count = 0;                ///< events of a GPU that belong to no instruction
  picoseconds other_total = 0;                  ///< their time
  std::uint64_t outside_runs = 0;               ///< operations of a TPU that are in no run
  friend bool operator==(const profile_device&, const profile_device&) = default;
};

/// A program in the profile.
struct profile_program {
  std::string name;                         ///< of the module
  std::optional<std::uint64_t> program_id;  ///< equal to that of the runs
  std::size_t begin = 0;                    ///< where its HloProto begins in the file
  std::size_t size = 0;                     ///< bytes of the HloProto
  friend bool operator==(const profile_program&, const profile_program&) = default;
};

/// The content of one file: the devices of one host.
struct measured_profile {
  std::vector<std::string> hosts;                                ///< names
  std::vector<std::pair<std::string, std::string>> environment;  ///< versions and other properties
  std::vector<profile_device> devices;                           ///< sorted by name; devices without work count
  std::vector<profile_program> programs;                         ///< in file order
  std::vector<std::string> notes;                                ///< sentences about what could not be counted

  /// Whether anything of XLA ran on a device.
  bool has_runs() const {
    return std::any_of(devices.begin(), devices.end(), [](const profile_device& d) { return !d.modules.empty(); });
  }
  friend bool operator==(const measured_profile&, const measured_profile&) = default;
};

}  // namespace hlolint
