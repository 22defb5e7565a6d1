// Options for showing one thing of a module.
#pragma once

#include <hlolint/analysis/time/schedule_record.hpp>

#include <cstddef>
#include <string>

namespace hlolint::report {

/// The thing to show, and how much of it.
struct show_options {
  std::string name;         ///< of the thing
  std::string module;       ///< name of the module, or of a file of it; empty = any
  std::size_t depth = 2;    ///< steps to operands and to users
  std::size_t top = 20;     ///< greatest number of entries in each list
  assumed_trips trips{};    ///< of loops whose trip count the text does not give
  std::size_t width = 0;    ///< columns of the terminal; 0 = no limit
  bool only_known = false;  ///< leaves out memory that would have to be computed first
};

}  // namespace hlolint::report
