// Options of a report on times.
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/time/schedule_record.hpp>
#include <hlolint/tool/costs/instruction_costs.hpp>

#include <cstddef>
#include <string>

namespace hlolint::report {

/// The parts of a step's time that are shown.
struct time_options {
  std::size_t top = 20;           ///< greatest number of transfers and of places of work in the text
  std::size_t modules = 20;       ///< greatest number of modules in the overview of many
  std::string module{};           ///< show only modules of this name; empty = all
  time_by by = time_by::nothing;  ///< else sums instead of transfers and work
  std::size_t depth = 0;          ///< parts of a scope that count if sums are by scope; 0 = all
  bool instructions = false;      ///< in JSON: a row for each instruction that takes time
  assumed_trips trips{};          ///< of loops whose trip count the text does not give
  std::size_t width = 0;          ///< columns of the terminal, which tables are fitted to; 0 = no limit
};

/// The device of a report and where it comes from.
struct shown_device {
  hlolint::device device;  ///< its rates
  std::string evidence;    ///< what it was guessed from, if the user named none
  bool is_named = false;   ///< whether the user named it
};

}  // namespace hlolint::report
