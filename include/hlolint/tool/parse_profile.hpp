// Reads measured profiles: XSpace (`.xplane.pb`) and Chrome's trace events (`.trace.json`) as XLA's profiler writes
// them (profiles.md). Needs the headers of protozero, as parse_proto.hpp does.
#pragma once

#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/profile/gpu_device.hpp>
#include <hlolint/tool/profile/profile.hpp>
#include <hlolint/tool/profile/program_names.hpp>
#include <hlolint/tool/profile/tpu_device.hpp>
#include <hlolint/tool/profile/trace_events.hpp>
#include <hlolint/tool/profile/xspace_plane.hpp>
#include <hlolint/tool/protobuf/message_kind.hpp>
#include <hlolint/tool/protobuf/reading.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The result of `parse_profile`.
struct profile_file {
  measured_profile profile;                    ///< empty if the file could not be read
  parse_status status = parse_status::failed;  ///< never `partial`: a cut-off profile is refused
  std::vector<diagnostic> diagnostics;         ///< faults, at a place in a trace or with the path in a message
};

/// Whether a text is one of Chrome's traces, judged by its first kilobytes.
inline bool is_trace(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == head.npos) return false;
  if (head[first] == '[') return head.substr(0, 4096).find("\"ph\"") != head.npos;
  return head[first] == '{' && head.substr(0, 65536).find("\"traceEvents\"") != head.npos;
}
/// Whether bytes are a profile that `parse_profile` knows.
inline bool is_profile(std::string_view bytes) {
  return is_trace(bytes) || protobuf::kind_of_message(bytes) == protobuf::message_kind::profile;
}

namespace profiles {

/// The kind of device that a plane describes; nothing if its lines are not known (profiles.md 3).
inline std::optional<profiled_device> device_of(std::string_view name) {
  for (const auto& [prefix, kind] : {std::pair<std::string_view, profiled_device>{"/device:TPU:", profiled_device::tpu},
                                     {"/device:GPU:", profiled_device::gpu}})
    if (name.starts_with(prefix) && name.size() > prefix.size() && name[prefix.size()] >= '0' &&
        name[prefix.size()] <= '9' && name.find("SparseCore") == name.npos)
      return kind;
  return std::nullopt;
}

inline void add_peak(device_peaks& peaks, std::string_view name, const stat_value& value) {
  const double number = std::max(value.as_real(), 0.0);
  if (name == "device_type_string") peaks.type = value.as_text();
  if (name == "device_vendor" && peaks.type.empty()) peaks.type = value.as_text();
  if (name == "gpu_device_name") peaks.type = value.as_text();
  if (name == "peak_teraflops_per_second") peaks.flops = number * 1e12;
  if (name == "peak_hbm_bw_gigabytes_per_second") peaks.memory_rate = number * 1e9;
  if (name == "memory_bandwidth") peaks.memory_rate = number;
  if (name == "memory_size") peaks.memory_size = number;
  if (name == "core_count") peaks.cores = static_cast<std::uint32_t>(std::min(number, 1e6));
}

template <class Plane>
profile_device read_device(Plane& plane, profiled_device kind, program_table& programs,
                           std::vector<std::string>& notes) {
  profile_device out;
  out.name = std::string(plane.name()), out.kind = kind;
  if (kind == profiled_device::tpu)
    tpu_reader<Plane>(plane, programs, out).read();
  else
    gpu_reader<Plane>(plane, programs, out, notes).read();
  if (out.outside_runs > 0)
    notes.push_back(str_cat({out.name, ": ", out.outside_runs, " operations outside of every run of a module"}));
  if (out.other_count > 0)
    notes.push_back(str_cat({out.name, ": ", out.other_count,
                             " events belong to no instruction (copies, kernels of libraries or of other frameworks), ",
                             out.other_total / 1'000'000, " us"}));
  return out;
}

inline void add_impossible(std::size_t count, std::string_view where, std::vector<std::string>& notes) {
  if (count > 0)
    notes.push_back(
        str_cat({where, ": ", count, " events have impossible times (clocks that run backwards) and do not count"}));
}

inline void read_xspace(std::string_view bytes, const bytes_done& done, protobuf::reading& in, measured_profile& out) {
  using namespace protobuf;
  std::vector<std::string_view> planes;
  for_each_field(bytes, [&](const field& f) {
    if (f.key() == sized(1)) planes.push_back(f.bytes);
    if (f.key() == sized(4)) out.hosts.emplace_back(f.bytes);
    if (f.key() == sized(2)) out.notes.push_back("the profiler reports: " + std::string(f.bytes));
  });
  std::vector<std::string_view> names(planes.size());
  for (std::size_t i = 0; i < planes.size(); ++i)
    in.in("planes", static_cast<std::int64_t>(i), [&] {
      names[i] = text_field(planes[i], 2);
      if (names[i].find("metadata") == std::string_view::npos && names[i] != "Task Environment") return;
      const xspace_plane plane(planes[i], done);
      plane.each_program([&](std::string_view name, std::string_view proto) {
        module_name of = module_name_of(name);
        out.programs.push_back(
            {std::move(of.name), of.program, static_cast<std::size_t>(proto.data() - bytes.data()), proto.size()});
      });
      plane.each_stat([&](std::string_view name, const stat_value& value) {
        if (value.is == stat_value::kind::text || value.is == stat_value::kind::number)
          out.environment.emplace_back(std::string(name), value.as_text());
      });
    });
  program_table programs(bytes, out.programs);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const std::optional<profiled_device> kind = device_of(names[i]);
    if (!kind) continue;
    in.in("planes", static_cast<std::int64_t>(i), [&] {
      xspace_plane plane(planes[i], done);
      profile_device& to = out.devices.emplace_back(read_device(plane, *kind, programs, out.notes));
      plane.each_stat([&](std::string_view name, const stat_value& value) { add_peak(to.peaks, name, value); });
      add_impossible(plane.impossible(), to.name, out.notes);
    });
  }
}

}  // namespace profiles

/// Reads a profile. The content decides its format. `bytes` may be a mapped file: `done` is called with parts that are
/// not needed soon, and beside the file only the packed events of one device are in memory. Bad bytes never throw: a
/// diagnostic refuses a profile that is cut off or damaged.
inline profile_file parse_profile(std::string_view bytes, std::string path = "<bytes>",
                                  const profiles::bytes_done& done = {}) {
  using namespace profiles;
  profile_file out;
  if (is_trace(bytes)) {
    trace_reader reader;
    if (!reader.read(bytes)) {
      const auto at = static_cast<std::uint32_t>(
          std::min<std::size_t>(static_cast<std::size_t>(reader.last_good() - bytes.data()), 0xFFFFFFFF));
      const source text(std::string(bytes), std::move(path));
      out.diagnostics.push_back(reading_problem(
          "SYN000", "this trace is cut off or damaged: it is not JSON from here on, and no part of it is used",
          {text, {at, at}}));
      return out;
    }
    const std::vector<profile_program> no_programs;
    program_table programs({}, no_programs);
    for (auto& [number, plane] : reader.planes())
      if (const auto kind = device_of(plane.name()))
        out.profile.devices.push_back(read_device(plane, *kind, programs, out.profile.notes));
    add_impossible(reader.impossible(), "the trace", out.profile.notes);
  } else {
    protobuf::reading in("XSpace", 0);
    if (!in.guarded([&] { read_xspace(bytes, done, in, out.profile); })) {
      const source nowhere(std::string_view{}, std::move(path), borrow);
      out.profile = {};
      for (const protobuf::problem& p : in.problems())
        out.diagnostics.push_back(reading_problem(
            "SYN000", "this profile is cut off or damaged, and no part of it is used: " + p.path + ": " + p.why,
            {nowhere, {}}));
      return out;
    }
  }
  std::stable_sort(out.profile.devices.begin(), out.profile.devices.end(),
                   [](const profile_device& a, const profile_device& b) { return a.name < b.name; });
  out.status = parse_status::ok;
  return out;
}

}  // namespace hlolint
