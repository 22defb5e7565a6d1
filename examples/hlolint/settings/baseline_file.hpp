// Baselines as files.
#pragma once

#include <hlolint/lint/accept/baseline.hpp>

#include <string>

namespace hlolint::command {

/// On failure `error` gives the reason.
struct loaded_baseline {
  hlolint::baseline content;
  std::string error;
};

loaded_baseline load_baseline(const std::string& path);

/// Returns the error message, empty if there was none.
std::string save_baseline(const std::string& path, const hlolint::baseline& content);

}  // namespace hlolint::command
