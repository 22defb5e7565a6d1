// A step of a module with all that is asked about it again and again: what runs when, and what each instruction costs.
#pragma once

#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/schedule_record.hpp>
#include <hlolint/tool/costs/instruction_costs.hpp>

namespace hlolint {

/// The step of a scheduled module on a device. As an analysis of a context it is made once.
struct recorded_step {
  /// Linear in the instructions that run. Precondition: the module is scheduled.
  recorded_step(const hlo_module& module, const device& on, assumed_trips trips = {})
      : time(module, on, trips, &record), costs(module, time) {}
  recorded_step(const recorded_step&) = delete;
  recorded_step& operator=(const recorded_step&) = delete;

  schedule_record record;   ///< what runs when
  exposed_time time;        ///< times of work and transfers
  instruction_costs costs;  ///< of the instructions that take time
};

}  // namespace hlolint
