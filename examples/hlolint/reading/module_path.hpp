// The file that a module's text was read from.
#pragma once

#include <hlolint/lint/context.hpp>

#include <string>

namespace hlolint::command {

/// Path of the file with the HLO, its text if it was dumped as a message too, else of the first file; empty if there is
/// none.
inline std::string path_of_text(const hlolint::context& module) {
  for (const hlolint::seen_file& file : module.files())
    if (file.kind == hlolint::input_kind::hlo) return file.path;
  for (const hlolint::seen_file& file : module.files())
    if (holds_hlo(file.kind)) return file.path;
  return module.files().empty() ? std::string{} : module.files().front().path;
}

}  // namespace hlolint::command
