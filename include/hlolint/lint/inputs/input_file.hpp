// A file of a program, as pairing sees it.
#pragma once

#include <hlolint/ir/parsed_file.hpp>

#include <string>

namespace hlolint {

/// A file that was read.
struct input_file {
  std::string path;  ///< as given or found
  const parsed_file* content = nullptr;  ///< what was read; not null, and outlives this
  bool named = true;  ///< given by name, not found in a folder
};

}  // namespace hlolint
