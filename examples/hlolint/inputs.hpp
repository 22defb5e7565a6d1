// From the paths of the command line to parsed files.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/file.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// A dump, and whether somebody gave its name (it was found in a folder otherwise).
struct input {
  std::string path;  ///< of what was read, without the ending of a compression
  hlolint::parsed_file content;
  bool named = true;
};

/// All that was read.
struct inputs {
  std::vector<input> files;                   ///< in the order of the command line, those of a folder by name
  std::vector<hlolint::diagnostic> problems;  ///< with folders; those with files are in `files`
  /// Of each folder without a final module, the files of earlier stages.
  std::vector<std::vector<std::string>> unfinished;
  std::size_t ignored = 0;                    ///< files of folders that are no dumps, or of a stage that is not wanted
};

/// Of which stages modules are wanted, where the user did not name the files.
enum class module_stages {
  last,                       ///< as XLA compiled them
  last_and_before_optimizing  ///< and, of these, what they were before XLA optimized them
};

/// What of folders is read, and how.
struct reading_options {
  unsigned jobs = 1;  ///< files at a time
  module_stages stages = module_stages::last;
  bool only_hlo = false;  ///< no dumps that tell of buffers and the like
  bool shows_bar = true;
  std::uint64_t max_size = hlolint::max_text_size;  ///< bytes of text that one file may hold
  const std::map<std::string, hlolint::parsed_file>* at_hand = nullptr;  ///< what some paths stand for; may be null
  std::vector<std::string> outputs;  ///< files that will be written: none may be one of the dumps
};

/// Reads files, folders with all that is in them, and standard input (`-`). Each file is read once, however often it is
/// given. Compressed files are read as what they hold. Files of `before_optimizations` in folders are read only if
/// their final module lies beside them. Throws `overwrites_input`.
inputs read_inputs(const std::vector<std::string>& paths, const reading_options& how);
