// Measured events as a picture over time: the run of median length on each device.
#pragma once

#include <hlolint/text/number_text.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/measured/measured_module.hpp>
#include <hlolint/tool/profile/collective_names.hpp>
#include <hlolint/tool/profile/module_reading.hpp>
#include <hlolint/tool/report/time/timeline_picture.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::report {

/// `TPU:0` of `/device:TPU:0`.
inline std::string device_text(const measured_module& module, const measured_device& device) {
  constexpr std::string_view prefix = "/device:";
  const std::string name = module.name_of(device);
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}
/// The name of one lane of a device's events.
inline std::string lane_text(const measured_device& device, std::uint32_t lane) {
  if (device.kind == profiled_device::gpu) return "stream " + std::to_string(lane + 1);
  return lane == 0 ? "operations" : "transfers";
}
/// Whether the device only waits for an operation: then a TPU's own lane holds nothing else.
inline bool is_wait(const measured_device& device, const profile_event& event, const profile_operation& of) {
  return device.kind == profiled_device::tpu && event.lane == 0 &&
         (!of.collective.empty() || profiles::waits_for_copy(of.category));
}
/// Whether an event is a transfer beside the work, or a collective of a GPU.
inline bool is_transfer(const measured_device& device, const profile_event& event, const profile_operation& of) {
  return device.kind == profiled_device::tpu ? event.lane > 0 : !of.collective.empty();
}
/// The events of the drawn run: by lane, then by start, the longer first.
inline std::vector<profile_event> events_in_order(const profile_module& module) {
  std::vector<profile_event> out = module.events;
  std::stable_sort(out.begin(), out.end(), [](const profile_event& a, const profile_event& b) {
    return in_order(a.lane, b.lane, a.start, b.start, b.length, a.length);
  });
  return out;
}

/// One run on each of the first four devices that have events. O(n log n).
inline std::optional<timeline_picture> measured_timeline_of(const measured_module& module) {
  constexpr std::size_t most_devices = 4;
  timeline_picture out;
  for (const measured_device& d : module.devices)
    for (const profile_event& e : d.module.events) out.length = std::max(out.length, (e.start + e.length) / 1000);
  if (out.length == 0) return std::nullopt;
  const std::string& type = module.devices.front().peaks.type;
  out.device = type.empty() ? device_text(module, module.devices.front()) : type;
  out.step = module.step() * 1e3;
  out.compute = module.median([](const profile_run& r) { return r.compute; }) * 1e3;
  out.exposed = module.exposed() * 1e3;
  out.assumptions = {counted(module.runs(), "run") + " on " + counted(module.devices.size(), "device")};
  constexpr std::int64_t most_visible = 6000;  // in one lane
  std::size_t drawn = 0;
  for (const measured_device& d : module.devices) {
    if (d.module.events.empty()) continue;
    if (++drawn > most_devices || d.module.events.size() >= profiles::most_events) out.complete = false;
    if (drawn > most_devices) break;
    detail::lane_blocks join(out.length / most_visible);
    const std::size_t first = out.lanes.size();
    std::vector<std::uint32_t> lanes;
    for (const profile_event& e : events_in_order(d.module)) {
      if (lanes.empty() || lanes.back() != e.lane) {
        lanes.push_back(e.lane);
        out.lanes.push_back(device_text(module, d) + " " + lane_text(d, e.lane));
      }
      const profile_operation& of = d.module.operations[e.operation];
      timeline_block next;
      next.what = is_wait(d, e, of) ? "wait" : is_transfer(d, e, of) ? "transfer" : "work";
      next.lane = first + lanes.size() - 1;
      next.begin = e.start / 1000, next.length = e.length / 1000;
      next.instruction = of.instruction, next.opcode = of.category.empty() ? of.collective : of.category;
      join.add(std::move(next), out.blocks);
    }
  }
  return out;
}

}  // namespace hlolint::report
