// A check that could not be run, or only on a part of the module.
#pragma once

#include <string>

namespace hlolint {

/// A check that was enabled and not run, because something it needs is missing.
struct skipped_check {
  std::string rule;    ///< id
  std::string module;  ///< name of the module
  std::string reason;  ///< what is missing, for people
  bool in_part = false;  ///< it was run on a part of the module
  friend bool operator==(const skipped_check&, const skipped_check&) = default;
};

}  // namespace hlolint
