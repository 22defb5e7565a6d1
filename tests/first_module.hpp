// What most tests want of a file that they read.
#pragma once

#include <hlolint/ir/parsed_file.hpp>

namespace hlolint {

/// A handle on the first module of a file; an empty module if none could be read.
inline hlo_module first_module(const parsed_file& file) {
  return file.modules().empty() ? hlo_module() : file.modules().front();
}

}  // namespace hlolint
