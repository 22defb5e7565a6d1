// Measured times as JSON: members of an object in the common envelope.
#pragma once

#include <hlolint/tool/measured/measured_module.hpp>
#include <hlolint/tool/measured/measured_step.hpp>
#include <hlolint/tool/profile/profile.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <cmath>
#include <unordered_map>

namespace hlolint::report {

namespace detail {

/// A member in microseconds, with all digits that a profile has.
inline void write_us(json_writer& json, std::string_view name, double microseconds) {
  json.key(name);
  json.value(std::round(microseconds * 1e6) / 1e6, 15);
}

inline void write_measured_device(json_writer& json, const measured_device& d, const measured_step* estimated) {
  const profile_module& m = d.module;
  json.object([&] {
    json.members("path", d.path, "device", d.name, "module", m.name);
    if (m.program_id) json.member("program_id", std::to_string(*m.program_id));
    json.member("runs", m.runs.size());
    write_us(json, "median_us", m.median() * 1e-6);
    write_us(json, "total_us", microseconds_of(m.total()));
    write_us(json, "operations_us", microseconds_of(m.operations_total()));
    write_us(json, "idle_us", microseconds_of(m.idle));
    if (estimated && estimated->is_estimated()) write_us(json, "estimate_us", estimated->estimated_step() * 1e6);
    json.objects("collectives", m.collectives, [&](const profile_collective& c) {
      json.members("kind", c.kind, "count", c.count);
      write_us(json, "total_us", microseconds_of(c.total));
      write_us(json, "exposed_us", microseconds_of(c.exposed));
    });
    std::unordered_map<std::string_view, double> estimates;
    if (estimated)
      for (const measured_row& row : estimated->rows())
        if (row.estimate) estimates[row.operation.instruction] = *row.estimate;
    json.objects("operations", m.operations, [&](const profile_operation& o) {
      json.members("instruction", o.instruction, "count", o.count);
      write_us(json, "total_us", microseconds_of(o.total));
      if (const auto found = estimates.find(o.instruction); found != estimates.end())
        write_us(json, "estimate_us", found->second * 1e6 * static_cast<double>(m.runs.size()));
    });
  });
}

}  // namespace detail

/// One object for each device that ran the module. `estimated` may be null.
inline void write_measured_json(json_writer& json, const measured_module& module, const measured_step* estimated) {
  for (const measured_device& d : module.devices) detail::write_measured_device(json, d, estimated);
}

}  // namespace hlolint::report
