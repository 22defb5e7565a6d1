// A measured module, on all devices of all hosts (profiles.md 6).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/time/measured_times.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/tool/profile/profile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// A profile and its file.
struct profile_host {
  std::string path;          ///< the file
  measured_profile profile;  ///< its contents
};

/// One device that ran a module.
struct measured_device {
  std::string path;                             ///< of the profile
  std::string name;                             ///< `/device:TPU:0`
  profiled_device kind = profiled_device::tpu;  ///< decides the meaning of the measurements
  device_peaks peaks;                           ///< rates that the profile gives
  profile_module module;                        ///< the module's runs there
};

/// One instruction over all devices and runs. Seconds are of one run on one device, on average.
struct measured_operation {
  std::string instruction;    ///< name; this and the next four as in `profile_operation`
  std::string category;       ///< of the profiler
  std::string collective;     ///< its kind; empty for all else
  std::string scope;          ///< the op name
  std::string source;         ///< the line of the program
  double seconds = 0;         ///< in a run
  double count = 0;           ///< executions in a run; on a GPU, kernels
  double idle_before = 0;     ///< in a run, idle time of the device just before it
  double least = 0;           ///< of one execution
  double flops = 0;           ///< of one execution, as the compiler counts; 0 = not known
  double bytes = 0;           ///< of one execution, as the compiler counts; 0 = not known
  std::uint64_t samples = 0;  ///< executions altogether
};

/// One module on all devices.
struct measured_module {
  std::string name;                         ///< of the module
  std::optional<std::uint64_t> program_id;  ///< of the program, if the profile has it
  std::vector<measured_device> devices;     ///< by file and name

  /// A device's name; with its file if the module ran on several hosts, whose devices have equal names.
  std::string name_of(const measured_device& device) const {
    if (devices.front().path == devices.back().path) return device.name;
    return device.name + " of " + device.path.substr(device.path.rfind('/') + 1);
  }
  /// The number of runs on all devices.
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
  /// The median in seconds of `of(run)`, in picoseconds.
  template <class Of>
  double median(Of&& of) const {
    std::vector<double> values;
    for (const measured_device& d : devices)
      for (const profile_run& r : d.module.runs) values.push_back(seconds_of(of(r)));
    return median_of(std::move(values));
  }
  /// The median length of a run in seconds.
  double step() const {
    return median([](const profile_run& r) { return r.length(); });
  }
  /// The average over runs in seconds of `of(module)`, in picoseconds.
  template <class Of>
  double each(Of&& of) const {
    picoseconds sum = 0;
    for (const measured_device& d : devices) sum += of(d.module);
    return runs() > 0 ? seconds_of(sum) / static_cast<double>(runs()) : 0;
  }
  /// Average seconds of a run.
  double mean_run() const {
    return each([](const profile_module& m) { return m.total(); });
  }
  /// Seconds of a run in which collectives were exposed.
  double exposed() const {
    return each([](const profile_module& m) { return m.exposed(); });
  }
  /// Seconds of a run in which a TPU waited for copies and the host.
  double copies() const {
    return each([](const profile_module& m) { return m.copies; });
  }
  /// Seconds of a run in which the device was idle.
  double idle() const {
    return each([](const profile_module& m) { return m.idle; });
  }

  /// All operations, most time first. O(n log n).
  std::vector<measured_operation> operations() const {
    std::vector<measured_operation> out;
    std::map<std::string_view, std::size_t> known;
    const auto run_count = static_cast<double>(std::max<std::size_t>(runs(), 1));
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
        to.seconds += seconds_of(o.total) / run_count, to.count += static_cast<double>(o.count) / run_count;
        to.idle_before += seconds_of(o.idle_before) / run_count, to.samples += o.count;
        to.least = std::min(to.least, seconds_of(o.least));
      }
    std::stable_sort(out.begin(), out.end(),
                     [](const measured_operation& a, const measured_operation& b) { return a.seconds > b.seconds; });
    return out;
  }
};

/// The modules of profiles, most time first. One module on several hosts and devices is one entry.
inline std::vector<std::shared_ptr<const measured_module>> measured_modules(const std::vector<profile_host>& hosts) {
  std::vector<std::shared_ptr<measured_module>> found;
  std::map<std::pair<std::string, std::optional<std::uint64_t>>, std::size_t> known;
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
  std::vector<std::shared_ptr<const measured_module>> out(found.begin(), found.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a->total() > b->total(); });
  return out;
}

/// The preset for `find_device` (profiles.md 6.1): by the type of a TPU, or by vendor, multiprocessors and memory of a
/// GPU; empty if none fits.
inline std::string_view preset_of(const device_peaks& peaks) {
  struct tpu {
    std::string_view type, name;
  };
  constexpr tpu tpus[] = {{"TPU v2", "tpu-v2"},       {"TPU v3", "tpu-v3"},       {"TPU v4", "tpu-v4"},
                          {"TPU v5 lite", "tpu-v5e"}, {"TPU v5 Lite", "tpu-v5e"}, {"TPU v5e", "tpu-v5e"},
                          {"TPU v5p", "tpu-v5p"},     {"TPU v5", "tpu-v5p"},      {"TPU v6 Lite", "tpu-v6e"},
                          {"TPU v6 lite", "tpu-v6e"}, {"TPU v6e", "tpu-v6e"},     {"TPU v7x", "tpu-7x"},
                          {"TPU7x", "tpu-7x"}};
  for (const tpu& t : tpus)
    if (peaks.type == t.type) return t.name;
  struct gpu {
    std::string_view vendor, name;
    unsigned cores;
    double least_memory;  // bytes, more first
  };
  constexpr gpu gpus[] = {
      {"Nvidia", "v100", 80, 0},      {"Nvidia", "a100-80", 108, 60e9}, {"Nvidia", "a100-40", 108, 0},
      {"Nvidia", "h200", 132, 120e9}, {"Nvidia", "h100-sxm", 132, 0},   {"Nvidia", "h100-pcie", 114, 0},
      {"Nvidia", "b200", 148, 0},     {"Nvidia", "gb200", 152, 0},      {"AMD", "mi325x", 304, 240e9},
      {"AMD", "mi300x", 304, 0},      {"AMD", "mi355x", 256, 0},        {"AMD", "mi250x", 104, 0}};
  for (const gpu& g : gpus)
    if (peaks.type == g.vendor && peaks.cores == g.cores && peaks.memory_size >= g.least_memory) return g.name;
  return {};
}

/// The measured times of a module's instructions, of one run on one device.
inline measured_times times_of(const measured_module& measured, const hlo_module& module) {
  std::vector<std::pair<std::string_view, double>> seconds;
  for (const measured_operation& o : measured.operations()) seconds.emplace_back(o.instruction, o.seconds);
  return measured_times(module, seconds);
}

}  // namespace hlolint
