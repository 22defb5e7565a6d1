// In a file of its own, so that a new commit recompiles nothing else.
#include "version.hpp"

#ifndef HLOLINT_COMMIT
#define HLOLINT_COMMIT ""
#endif

namespace hlolint::command {

std::string version_text() {
  const std::string commit = HLOLINT_COMMIT;
  return "hlolint " HLOLINT_VERSION + (commit.empty() ? commit : " (" + commit + ")");
}

}  // namespace hlolint::command
