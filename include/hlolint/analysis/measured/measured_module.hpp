// A module as it was measured, on all devices of all hosts (profiles.md 6).
#pragma once

#include <hlolint/profile/profile.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint {

/// A profile and the file that it is from.
struct profile_host {
  std::string path;          ///< of the file
  measured_profile profile;  ///< what it holds
  friend bool operator==(const profile_host&, const profile_host&) = default;
};

/// One device that ran a module.
struct measured_device {
  std::string path;                             ///< of the profile
  std::string name;                             ///< `/device:TPU:0`
  profiled_device kind = profiled_device::tpu;  ///< decides what was measured how
  device_peaks peaks;                           ///< what the profile says of it
  profile_module module;                        ///< the module's runs there
  friend bool operator==(const measured_device&, const measured_device&) = default;
};

/// One instruction over all devices and runs. Seconds are of one run on one device, on average.
struct measured_operation {
  std::string instruction;    ///< these five as in `profile_operation`
  std::string category;       ///< of the profiler
  std::string collective;     ///< its kind; empty for all else
  std::string scope;          ///< the op name
  std::string source;         ///< the line of the program
  double seconds = 0;                                            ///< in a run
  double count = 0;                                              ///< executions in a run; of a GPU kernels
  double idle_before = 0;     ///< in a run, in which the device did nothing just before it
  double least = 0;           ///< of one execution
  double flops = 0;           ///< of one execution, as the compiler counts; 0 = not known
  double bytes = 0;           ///< of one execution, as the compiler counts; 0 = not known
  std::uint64_t samples = 0;  ///< executions altogether
  friend bool operator==(const measured_operation&, const measured_operation&) = default;
};

/// One module on all devices.
struct measured_module {
  std::string name;                         ///< of the module
  optional<std::uint64_t> program_id;       ///< of the program, if the profile says
  record_list<measured_device> devices;     ///< by file and name

  /// A device's name; with its file if the module ran on several hosts, whose devices have equal names.
  std::string name_of(const measured_device& device) const {
    if (devices.front().path == devices.back().path) return device.name;
    return device.name + " of " + device.path.substr(device.path.rfind('/') + 1);
  }
  /// Runs over all devices.
  std::size_t runs() const {
    std::size_t sum = 0;
    for (const measured_device& d : devices) sum += d.module.runs.size();
    return sum;
  }
  /// Seconds of all runs on all devices.
  double total() const {
    picoseconds sum = 0;
    for (const measured_device& d : devices) sum += d.module.total();
    return seconds_of(sum);
  }
  /// The median of what `of(run)` gives in picoseconds, in seconds.
  template <class Of>
  double median(Of&& of) const {
    record_list<double> values;
    for (const measured_device& d : devices)
      for (const profile_run& r : d.module.runs) values.push_back(seconds_of(of(r)));
    return median_of(std::move(values));
  }
  /// The median length of a run in seconds.
  double step() const {
    return median([](const profile_run& r) { return r.length(); });
  }
  /// What `of(module)` gives in picoseconds, in seconds of one run on average.
  template <class Of>
  double each(Of&& of) const {
    picoseconds sum = 0;
    for (const measured_device& d : devices) sum += of(d.module);
    return runs() > 0 ? seconds_of(sum) / static_cast<double>(runs()) : 0;
  }
  /// Seconds of a run in which collectives were exposed.
  double exposed() const {
    return each([](const profile_module& m) { return m.exposed(); });
  }
  /// Seconds of a run in which a TPU waited for copies and the host.
  double copies() const {
    return each([](const profile_module& m) { return m.copies; });
  }
  /// Seconds of a run in which the device did nothing.
  double idle() const {
    return each([](const profile_module& m) { return m.idle; });
  }

  /// All operations, most time first. O(n log n).
  record_list<measured_operation> operations() const {
    record_list<measured_operation> out;
    std::map<std::string_view, std::size_t> known;
    const auto all = static_cast<double>(std::max<std::size_t>(runs(), 1));
    for (const measured_device& d : devices)
      for (const profile_operation& o : d.module.operations) {
        const auto [found, added] = known.try_emplace(o.instruction, out.size());
        if (added) {
          measured_operation& next = out.emplace_back();
          next.instruction = o.instruction, next.category = o.category, next.collective = o.collective;
          next.scope = o.scope, next.source = o.source, next.flops = o.flops, next.bytes = o.bytes;
          next.least = seconds_of(o.least);
        }
        measured_operation& to = out[found->second];
        to.seconds += seconds_of(o.total) / all, to.count += static_cast<double>(o.count) / all;
        to.idle_before += seconds_of(o.idle_before) / all, to.samples += o.count;
        to.least = std::min(to.least, seconds_of(o.least));
      }
    std::stable_sort(out.begin(), out.end(),
                     [](const measured_operation& a, const measured_operation& b) { return a.seconds > b.seconds; });
    return out;
  }
  friend bool operator==(const measured_module&, const measured_module&) = default;
};

/// The modules of some profiles, most time first; several hosts and devices that ran one become one.
inline record_list<std::shared_ptr<const measured_module>> measured_modules(const record_list<profile_host>& hosts) {
  record_list<std::shared_ptr<measured_module>> found;
  std::map<std::pair<std::string, optional<std::uint64_t>>, std::size_t> known;
  for (const profile_host& host : hosts)
    for (const profile_device& device : host.profile.devices)
      for (const profile_module& m : device.modules) {
        const auto [at, added] = known.try_emplace({m.name, m.program_id}, found.size());
        if (added) {
          found.push_back(std::make_shared<measured_module>());
          found.back()->name = m.name, found.back()->program_id = m.program_id;
        }
        found[at->second]->devices.push_back({host.path, device.name, device.kind, device.peaks, m});
      }
  record_list<std::shared_ptr<const measured_module>> out(found.begin(), found.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a->total() > b->total(); });
  return out;
}

}  // namespace hlolint
