// What a profiler measured, as values (profiles.md 6). Times are in picoseconds, as XLA's profiler counts.
#pragma once

#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Picoseconds. Points in time are those of one device and compare with nothing else.
using picoseconds = std::int64_t;

/// Picoseconds as seconds.
constexpr double seconds_of(picoseconds time) { return static_cast<double>(time) * 1e-12; }
/// Picoseconds as microseconds.
constexpr double microseconds_of(picoseconds time) { return static_cast<double>(time) * 1e-6; }

/// The middle of some numbers; of an even count the mean of the two in the middle, 0 of none.
inline double median_of(record_list<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

/// One execution of a module on a device.
struct profile_run {
  picoseconds start = 0;    ///< when it began, by the device's clock
  picoseconds end = 0;      ///< when it ended
  picoseconds compute = 0;  ///< in which the device worked, without collectives and what waits for them
  picoseconds idle = 0;     ///< in which it did nothing
  picoseconds barrier = 0;  ///< of that, waiting for other devices (TPU)
  picoseconds outside = 0;  ///< before it, in which no module ran on the device; 0 of the first run

  /// How long it took.
  picoseconds length() const { return end - start; }
  friend bool operator==(const profile_run&, const profile_run&) = default;
};

/// One instruction of a module on a device, over all its executions.
struct profile_operation {
  std::string instruction;  ///< as the program names it
  std::string category;     ///< `hlo_category` of a TPU; empty if the profile has none
  std::string collective;   ///< `all-reduce` and so on; empty if it is none
  std::string scope;        ///< the operation of the user's program (`tf_op`)
  std::string source;       ///< `file:line`
  std::uint64_t count = 0;  ///< executions; of a GPU its kernels
  picoseconds total = 0;    ///< of the device's time: what runs inside a loop counts with what runs, not with the loop
  picoseconds least = 0;    ///< of one execution
  picoseconds most = 0;     ///< of one execution
  picoseconds idle_before = 0;  ///< in which the device did nothing just before it, inside a run
  std::uint64_t gaps = 0;       ///< how often that was
  double flops = 0;             ///< of one execution, as the compiler counts; 0 if the profile does not say
  double bytes = 0;             ///< moved by one execution, as the compiler counts; 0 if the profile does not say
  bool in_program = true;       ///< false if the program that the profile holds has no such instruction

  /// Seconds of one execution.
  double seconds_each() const { return count > 0 ? seconds_of(total) / static_cast<double>(count) : 0; }
  friend bool operator==(const profile_operation&, const profile_operation&) = default;
};

/// The collectives of one kind.
struct profile_collective {
  std::string kind;         ///< `all-reduce` and so on; `collective` where only the library is known
  std::uint64_t count = 0;  ///< how many ran
  picoseconds total = 0;    ///< from their starts to their ends
  picoseconds exposed = 0;  ///< of that, in which the device did nothing else
  friend bool operator==(const profile_collective&, const profile_collective&) = default;
};

/// One thing that the device did, for a picture of a run.
struct profile_event {
  std::uint32_t operation = 0;  ///< into the operations of the module
  std::uint32_t lane = 0;       ///< 0: the device's own work, or a stream of a GPU; 1 of a TPU: transfers in flight
  picoseconds start = 0;        ///< from the begin of the run
  picoseconds length = 0;       ///< all of it, with what runs inside
  friend bool operator==(const profile_event&, const profile_event&) = default;
};

/// One module on one device.
struct profile_module {
  std::string name;                             ///< of the module, without its program id
  optional<std::uint64_t> program_id;           ///< joins it with the program; unknown in some traces
  bool has_program = false;                     ///< the profile holds its HLO
  record_list<profile_run> runs;                ///< in order of time
  record_list<profile_operation> operations;    ///< most time first
  record_list<profile_collective> collectives;  ///< in order of appearance
  picoseconds idle = 0;                         ///< inside of all runs
  picoseconds copies = 0;             ///< waited for copies: self time of `copy-done`, infeed, outfeed, send, recv
  std::size_t not_in_program = 0;     ///< names of operations that the program does not have
  record_list<profile_event> events;  ///< of the run with the median length; see `most_events`
  std::size_t events_of_run = 0;      ///< which run that is

  /// How long all runs took.
  picoseconds total() const {
    picoseconds sum = 0;
    for (const profile_run& r : runs) sum += r.length();
    return sum;
  }
  /// The time of all operations.
  picoseconds operations_total() const {
    picoseconds sum = 0;
    for (const profile_operation& o : operations) sum += o.total;
    return sum;
  }
  /// The median length of a run, in picoseconds.
  double median() const {
    record_list<double> lengths;
    for (const profile_run& r : runs) lengths.push_back(static_cast<double>(r.length()));
    return median_of(std::move(lengths));
  }
  /// In which collectives were exposed, in all runs.
  picoseconds exposed() const {
    picoseconds sum = 0;
    for (const profile_collective& c : collectives) sum += c.exposed;
    return sum;
  }
  friend bool operator==(const profile_module&, const profile_module&) = default;
};

/// Whose device it is.
enum class profiled_device : std::uint8_t { tpu, gpu };

/// What the profiler says of a device's abilities; 0 where it says nothing.
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
  profiled_device kind = profiled_device::tpu;  ///< decides how it was read
  device_peaks peaks;                           ///< what the profile says of it
  record_list<profile_module> modules;          ///< most time first
  std::uint64_t other_count = 0;                ///< events of a GPU that belong to no instruction
  picoseconds other_total = 0;                  ///< of these
  std::uint64_t outside_runs = 0;               ///< operations of a TPU outside of every run
  friend bool operator==(const profile_device&, const profile_device&) = default;
};

/// A program that the profile holds.
struct profile_program {
  std::string name;                         ///< of the module
  optional<std::uint64_t> program_id;       ///< as the runs have it
  std::size_t begin = 0;                    ///< where its HloProto begins in the file
  std::size_t size = 0;                     ///< bytes of the HloProto
  friend bool operator==(const profile_program&, const profile_program&) = default;
};

/// What one file holds: the devices of one host.
struct measured_profile {
  record_list<std::string> hosts;                                ///< as the profiler names them
  record_list<std::pair<std::string, std::string>> environment;  ///< versions and the like
  record_list<profile_device> devices;                           ///< by name; those without any work too
  record_list<profile_program> programs;                         ///< in file order
  record_list<std::string> notes;                                ///< what could not be counted, one sentence each

  /// Whether anything of XLA ran on a device.
  bool has_runs() const {
    return std::any_of(devices.begin(), devices.end(), [](const profile_device& d) { return !d.modules.empty(); });
  }
  friend bool operator==(const measured_profile&, const measured_profile&) = default;
};

}  // namespace hlolint
