// In which order a report lists findings.
#pragma once

#include <cstdint>

namespace hlolint::report {

/// The order in which reports list findings.
enum class finding_order : std::uint8_t {
  impact,  ///< errors, warnings, notes; of each the largest impact first
  file     ///< as the inputs were given, and as they stand in them
};

}  // namespace hlolint::report
