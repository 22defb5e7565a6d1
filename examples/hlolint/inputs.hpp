// From the paths of the command line to parsed files.
#pragma once

#include <hlolint/ir/parsed_file.hpp>

#include <cstddef>
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
  std::vector<std::vector<std::string>> unfinished;  ///< of each folder without a final module, the files of earlier stages
  std::size_t ignored = 0;                    ///< files of folders that are no dumps, or of a stage that is not wanted
};

/// Reads files, folders with all that is in them, and standard input (`-`), `jobs` at a time. Each file is read once,
/// however often it is given. Compressed files are read as what they hold. Of earlier stages in folders those of
/// `before_optimizations` are read whose final module lies beside them, and only `with_earlier`.
/// `one_of_many`: for the ranks of a job; of folders only HLO is read, and without a bar.
inputs read_inputs(const std::vector<std::string>& paths, unsigned jobs, bool with_earlier = false, bool one_of_many = false);
